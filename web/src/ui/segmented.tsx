import { useId, type ReactNode } from 'react';
import { cx } from '#lib/class-names.ts';

export interface SegmentedProps<T extends string> {
  /** What is being chosen. */
  label: string;
  value: T;
  onChange: (value: T) => void;
  options: readonly { value: T; label: string; icon?: ReactNode; hideLabel?: boolean }[];
}

/** One of a few, all in sight: grid or list, overview or reports. Radio buttons underneath. */
export function Segmented<T extends string>({
  label,
  value,
  onChange,
  options,
}: SegmentedProps<T>) {
  const name = useId();
  return (
    <fieldset className="inline-flex max-w-full flex-wrap rounded-control bg-surface-3 p-1 dark:bg-surface-2">
      <legend className="sr-only">{label}</legend>
      {options.map((option) => (
        <label
          key={option.value}
          title={option.hideLabel ? option.label : undefined}
          className={cx(
            'relative flex min-h-7 items-center justify-center gap-2 rounded-md px-3 text-ui font-medium transition-colors duration-100 touch:min-h-9',
            'has-focus-visible:outline-2 has-focus-visible:outline-ring [&_svg]:size-4',
            option.value === value ? 'bg-surface text-fg shadow-card' : 'text-muted hover:text-fg',
          )}
        >
          <input
            type="radio"
            className="absolute inset-0 cursor-pointer appearance-none outline-none"
            name={name}
            value={option.value}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          {option.icon}
          <span className={option.hideLabel ? 'sr-only' : undefined}>{option.label}</span>
        </label>
      ))}
    </fieldset>
  );
}
