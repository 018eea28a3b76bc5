import { useId, type ComponentProps, type ReactNode } from 'react';
import { cx } from '#lib/class-names.ts';

export interface CardProps {
  /** Makes the card a named section. */
  title?: string;
  /** At the end of the title line. */
  aside?: ReactNode;
  className?: string;
  children: ReactNode;
}

export function Card({ title, aside, className, children }: CardProps) {
  const id = useId();
  if (title === undefined)
    return <div className={cx('card p-3 sm:p-4', className)}>{children}</div>;
  return (
    <section aria-labelledby={id} className={cx('card p-3 sm:p-4', className)}>
      <div className="mb-3 flex flex-wrap items-center justify-between gap-2">
        <h2 id={id} className="text-body font-semibold">
          {title}
        </h2>
        {aside !== undefined && <div className="text-meta text-muted">{aside}</div>}
      </div>
      {children}
    </section>
  );
}

/** One figure with its name: the row at the head of a dashboard. */
export interface FigureCardProps {
  label: string;
  /** Formatted; null shows a dash and `empty`. */
  value: string | null;
  empty?: string;
  icon: ReactNode;
  /** Under the figure: a comparison, or a link. */
  children?: ReactNode;
}

export function FigureCard({ label, value, empty, icon, children }: FigureCardProps) {
  return (
    <div className="card flex flex-col p-3 sm:p-4">
      <div className="flex items-start justify-between gap-2">
        <p className="pt-1 text-ui font-medium text-muted">{label}</p>
        <span
          aria-hidden
          className="hidden size-8 shrink-0 place-items-center rounded-control bg-surface-2 text-muted sm:grid [&_svg]:size-4"
        >
          {icon}
        </span>
      </div>
      <p className="figures mt-2 text-figure font-semibold tracking-tight">{value ?? '–'}</p>
      <div className="mt-1 min-h-4 text-meta text-muted">{value === null ? empty : children}</div>
    </div>
  );
}

/** The row of figures: two by two on phones, all four side by side on a wide screen. */
export function FigureGrid({ className, ...rest }: ComponentProps<'div'>) {
  return (
    <div className={cx('grid grid-cols-2 gap-3 sm:gap-4 xl:grid-cols-4', className)} {...rest} />
  );
}

/** The grid cards stand in: as many columns as fit, none narrower than 17 rem. */
export function CardGrid({ className, ...rest }: ComponentProps<'div'>) {
  return (
    <div
      className={cx(
        'grid grid-cols-[repeat(auto-fill,minmax(min(100%,17rem),1fr))] gap-4',
        className,
      )}
      {...rest}
    />
  );
}
