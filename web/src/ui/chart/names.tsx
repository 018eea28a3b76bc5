/** What stands under a chart over time: some of its names, each under the middle of its place. */
import type { CSSProperties } from 'react';
import { cx } from '#lib/class-names.ts';
import { placesOf } from './places.ts';

export interface NamesProps {
  count: number;
  nameOf: (index: number) => string | undefined;
  /** The middle of a place, in per cent of the width. */
  middleOf: (index: number) => number;
  className?: string;
}

/** The first and the last stay inside where their place is narrower than they are. */
export function Names({ count, nameOf, middleOf, className }: NamesProps) {
  const shown = placesOf(count);
  const many = shown.length;
  return (
    <div aria-hidden className={cx('figures relative h-lh', className)}>
      {shown.map((index, at) => (
        <span
          key={index}
          className={cx(
            'absolute min-w-max text-center',
            at > 0 && at < many - 1 && '-translate-x-1/2',
            (many - 1 - at) % 2 === 1 && many > 3 && 'hidden sm:inline',
          )}
          style={boxOf(middleOf(index), at, many)}
        >
          {nameOf(index)}
        </span>
      ))}
    </div>
  );
}

/** A name is in the middle of its box: of the outer ones one edge is the chart's. */
function boxOf(middle: number, at: number, many: number): CSSProperties {
  if (at === 0) return { left: 0, width: `${2 * middle}%` };
  if (at === many - 1) return { right: 0, width: `${2 * (100 - middle)}%` };
  return { left: `${middle}%` };
}
