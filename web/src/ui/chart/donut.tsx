/** Shares of a whole as a ring, with their names, figures and per cents beside it: one row per slice. */
import type { ReactNode } from 'react';
import { cx } from '#lib/class-names.ts';
import { Swatch } from './legend.tsx';
import { slice } from './ring.ts';
import { stacked } from './stack.ts';
import { useRove } from './use-rove.ts';

export interface Share {
  readonly key: string;
  readonly label: string;
  readonly color: string;
  readonly value: number;
}

export interface DonutProps {
  label: string;
  shares: readonly Share[];
  formatValue: (value: number) => string;
  /** Formats a fraction. */
  formatShare: (share: number) => string;
  /** In the hole. */
  children?: ReactNode;
  onOpen?: ((key: string) => void) | undefined;
}

const OUTER = 50;
const INNER = 33;

export function Donut(props: DonutProps) {
  const { label, shares, children } = props;
  const whole = shares.reduce((sum, { value }) => sum + value, 0);
  const pieces = stacked(
    shares.map(({ value }) => value),
    whole,
  );
  const onKeyDown = useRove();
  return (
    <div className="flex flex-wrap items-center justify-center gap-x-8 gap-y-4">
      <div className="relative size-44 shrink-0">
        <svg aria-hidden viewBox="-51 -51 102 102" className="size-full">
          {shares.map(({ key, color }, index) => (
            <path
              key={key}
              d={slice(pieces[index]!, OUTER, INNER)}
              fill={color}
              fillRule="evenodd"
              className="stroke-surface"
              strokeWidth="1"
            />
          ))}
        </svg>
        <div className="absolute inset-0 grid place-content-center text-center">{children}</div>
      </div>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- moves the focus between its buttons */}
      <ul aria-label={label} className="grid min-w-0 grid-cols-1 gap-1" onKeyDown={onKeyDown}>
        {shares.map((share) => (
          <li key={share.key}>
            <ShareRow {...props} share={share} whole={whole} />
          </li>
        ))}
      </ul>
    </div>
  );
}

function ShareRow({
  share,
  whole,
  formatValue,
  formatShare,
  onOpen,
}: DonutProps & { share: Share; whole: number }) {
  const { key, label, color, value } = share;
  const box = 'flex w-full items-center gap-2 rounded-control px-2 py-1 text-left text-ui';
  const content = (
    <>
      <Swatch color={color} />
      <span className="min-w-0 flex-1 truncate">{label}</span>
      <span className="figures font-semibold">{formatValue(value)}</span>
      <span className="figures min-w-12 text-right text-muted">
        {formatShare(whole === 0 ? 0 : value / whole)}
      </span>
    </>
  );
  if (onOpen === undefined) return <div className={box}>{content}</div>;
  return (
    <button
      type="button"
      className={cx(box, 'hover:bg-surface-2 touch:min-h-11')}
      onClick={() => onOpen(key)}
    >
      {content}
    </button>
  );
}
