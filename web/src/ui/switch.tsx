import type { ComponentProps, ReactNode } from 'react';
import { cx } from '#lib/class-names.ts';

export interface SwitchProps extends Omit<ComponentProps<'input'>, 'type' | 'role'> {
  /** Beside the switch; without it give `aria-label`. */
  label?: ReactNode;
  hint?: ReactNode;
}

/** On or off. The label stands first, so that a column of switches lines up at its end. */
export function Switch({ label, hint, className, ...rest }: SwitchProps) {
  return (
    <label
      className={cx(
        'flex min-h-6 items-center justify-between gap-4 text-ui touch:min-h-11',
        className,
      )}
    >
      {label !== undefined && (
        <span className="grid">
          <span className="font-medium">{label}</span>
          {hint !== undefined && <span className="text-meta text-muted">{hint}</span>}
        </span>
      )}
      <input
        type="checkbox"
        // oxlint-disable-next-line jsx-a11y/role-has-required-aria-props -- a checkbox says it by itself
        role="switch"
        className={cx(
          'relative h-6 w-10 shrink-0 appearance-none rounded-full bg-line-strong transition-colors duration-100',
          'before:absolute before:top-0.5 before:left-0.5 before:size-5 before:rounded-full before:bg-white before:shadow-sm before:transition-transform before:duration-100',
          'checked:bg-primary checked:before:translate-x-4 disabled:opacity-55',
        )}
        {...rest}
      />
    </label>
  );
}
