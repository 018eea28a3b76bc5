import type { ComponentProps } from 'react';
import { cx } from '#lib/class-names.ts';

/** How much of something is done; named by `aria-label` or `aria-labelledby`. */
export function Progress({ className, ...rest }: ComponentProps<'progress'>) {
  return (
    <progress
      className={cx(
        'h-2 w-full appearance-none overflow-hidden rounded-full bg-line-strong',
        '[&::-webkit-progress-bar]:bg-line-strong [&::-webkit-progress-value]:bg-primary',
        '[&::-moz-progress-bar]:bg-primary',
        className,
      )}
      {...rest}
    />
  );
}
