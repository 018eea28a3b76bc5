import type { ReactNode } from 'react';
import { cx } from '#lib/class-names.ts';

const tones = {
  recognized: ['bg-recognized-soft text-recognized-text', 'bg-recognized'],
  unrecognized: ['bg-unrecognized-soft text-unrecognized-text', 'bg-unrecognized'],
  success: ['bg-success-soft text-success-text', 'bg-success'],
  warning: ['bg-unrecognized-soft text-unrecognized-text', 'bg-unrecognized'],
  danger: ['bg-danger-soft text-danger-text', 'bg-danger'],
  info: ['bg-info-soft text-info-text', 'bg-info'],
  neutral: ['bg-surface-2 text-muted', 'bg-line-strong'],
} as const;

export type Tone = keyof typeof tones;

export interface BadgeProps {
  tone: Tone;
  /** In place of the dot; colour alone never carries a meaning. */
  icon?: ReactNode;
  children: ReactNode;
  className?: string;
}

export function Badge({ tone, icon, children, className }: BadgeProps) {
  const [box, dot] = tones[tone];
  return (
    <span
      className={cx(
        'inline-flex items-center gap-1.5 rounded-full px-2 py-0.5 text-meta font-medium [&_svg]:size-3 [&_svg]:shrink-0',
        box,
        className,
      )}
    >
      {icon ?? <span aria-hidden className={cx('size-1.5 shrink-0 rounded-full', dot)} />}
      {children}
    </span>
  );
}

/** A label in a colour people chose (`#rrggbb`): the colour is a dot, the word stays readable. */
export function ColorBadge({ color, children }: { color: string; children: ReactNode }) {
  return (
    <span className="inline-flex items-center gap-1.5 rounded-full border border-line bg-surface px-2 py-0.5 text-meta font-medium text-fg">
      <span
        aria-hidden
        className="size-2 shrink-0 rounded-full ring-1 ring-black/15"
        style={{ backgroundColor: color }}
      />
      {children}
    </span>
  );
}
