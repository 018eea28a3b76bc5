import { useLayoutEffect, useRef, type ComponentProps } from 'react';
import { cx } from '#lib/class-names.ts';

export interface SliderProps extends Omit<ComponentProps<'input'>, 'type'> {
  /** The chosen value as people read it, e.g. `75 %`; also what is read out. */
  shown: string;
}

/** How far the thumb is, for the filled part of the track. The browser knows it, whichever code holds the value. */
function fill(input: HTMLInputElement): void {
  const [min, max] = [Number(input.min || 0), Number(input.max || 100)];
  const share = max > min ? (input.valueAsNumber - min) / (max - min) : 0;
  input.style.setProperty('--share', String(share));
}

/** A number out of a range, moved by pointer or keys; the number stands beside it, the way to it is filled. */
export function Slider({ shown, className, id, onInput, ...rest }: SliderProps) {
  const box = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => {
    const input = box.current?.querySelector('input');
    if (input) fill(input);
  });
  return (
    <span ref={box} className={cx('flex min-h-9 items-center gap-4 touch:min-h-11', className)}>
      <input
        type="range"
        id={id}
        aria-valuetext={shown}
        className={cx(
          'slider-track h-2 min-w-0 grow cursor-pointer appearance-none rounded-full disabled:cursor-default disabled:opacity-55',
          '[&::-webkit-slider-thumb]:size-5 [&::-webkit-slider-thumb]:appearance-none [&::-webkit-slider-thumb]:rounded-full [&::-webkit-slider-thumb]:bg-primary',
          '[&::-moz-range-thumb]:size-5 [&::-moz-range-thumb]:rounded-full [&::-moz-range-thumb]:border-0 [&::-moz-range-thumb]:bg-primary',
        )}
        onInput={(event) => {
          fill(event.currentTarget);
          onInput?.(event);
        }}
        {...rest}
      />
      <output htmlFor={id} className="w-14 text-right text-ui font-medium tabular-nums">
        {shown}
      </output>
    </span>
  );
}
