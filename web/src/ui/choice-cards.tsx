import type { ReactNode } from 'react';
import { cx } from '#lib/class-names.ts';

export interface ChoiceCard<T extends string> {
  value: T;
  label: string;
  text?: ReactNode;
  icon?: ReactNode;
  lang?: string;
}

export interface ChoiceCardsProps<T extends string> {
  label: string;
  hideLabel?: boolean;
  name: string;
  value: T | null;
  onChange: (value: T) => void;
  options: readonly ChoiceCard<T>[];
  columns?: 1 | 2;
}

/** One of a few that each deserve a sentence. Radio buttons underneath. */
export function ChoiceCards<T extends string>({
  label,
  hideLabel = false,
  name,
  value,
  onChange,
  options,
  columns = 1,
}: ChoiceCardsProps<T>) {
  return (
    <fieldset>
      <legend className={hideLabel ? 'sr-only' : 'mb-1.5 text-ui font-medium'}>{label}</legend>
      <div className={cx('grid grid-cols-1 gap-2', columns === 2 && 'sm:grid-cols-2')}>
        {options.map((option) => (
          <label
            key={option.value}
            lang={option.lang}
            className={cx(
              'flex min-h-12 cursor-pointer items-center gap-3 rounded-control border px-3.5 py-2.5 transition-colors duration-100',
              'has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-ring',
              option.value === value
                ? 'border-primary bg-primary-soft'
                : 'border-line-strong/60 bg-surface hover:bg-surface-2',
            )}
          >
            <input
              type="radio"
              name={name}
              value={option.value}
              checked={option.value === value}
              onChange={() => onChange(option.value)}
              className="size-4 shrink-0 appearance-none rounded-full border border-line-strong bg-surface outline-none checked:border-[5px] checked:border-primary"
            />
            <span className="grid min-w-0 flex-1 grid-cols-1">
              <span className="text-ui font-medium">{option.label}</span>
              {option.text !== undefined && (
                <span className="text-meta text-muted">{option.text}</span>
              )}
            </span>
            {option.icon !== undefined && (
              <span aria-hidden className="text-muted [&_svg]:size-5">
                {option.icon}
              </span>
            )}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
