import type { ComponentProps } from 'react';
import { cx } from '#lib/class-names.ts';

export interface SliderProps extends Omit<ComponentProps<'input'>, 'type'> {
  /** The chosen value as people read it, e.g. `75 %`; also what is read out. */
  shown: string;
}

/** A number out of a range, moved by pointer or keys; the number stands beside it. */
export function Slider({ shown, className, id, ...rest }: SliderProps) {
  return (
    <span className={cx('flex min-h-9 items-center gap-4 touch:min-h-11', className)}>
      <input
        type="range"
        id={id}
        aria-valuetext={shown}
        className={cx(
          'h-2 min-w-0 grow cursor-pointer appearance-none rounded-full bg-line-strong disabled:cursor-default disabled:opacity-55',
          '[&::-webkit-slider-thumb]:size-5 [&::-webkit-slider-thumb]:appearance-none [&::-webkit-slider-thumb]:rounded-full [&::-webkit-slider-thumb]:bg-primary',
          '[&::-moz-range-thumb]:size-5 [&::-moz-range-thumb]:rounded-full [&::-moz-range-thumb]:border-0 [&::-moz-range-thumb]:bg-primary',
        )}
        {...rest}
      />
      <output htmlFor={id} className="w-14 text-right text-ui font-medium tabular-nums">
        {shown}
      </output>
    </span>
  );
}
