import { ChevronDown } from 'lucide-react';
import type { ComponentProps } from 'react';
import { cx } from '#lib/class-names.ts';

export interface SelectOption {
  value: string;
  label: string;
  disabled?: boolean;
}

export interface SelectProps extends Omit<ComponentProps<'select'>, 'children'> {
  options: readonly SelectOption[];
}

/**
 * The browser's own list: right on every phone and for every reader. Radix's select writes a style
 * element through innerHTML, which trusted types forbid.
 */
export function Select({ options, className, ...rest }: SelectProps) {
  return (
    <span className={cx('relative block', className)}>
      <select className="control appearance-none truncate pr-9" {...rest}>
        {options.map((option) => (
          <option key={option.value} value={option.value} disabled={option.disabled}>
            {option.label}
          </option>
        ))}
      </select>
      <ChevronDown
        aria-hidden
        className="pointer-events-none absolute top-1/2 right-3 size-4 -translate-y-1/2 text-muted"
      />
    </span>
  );
}
