import { Check, Minus } from 'lucide-react';
import { useEffect, useRef, type ComponentProps, type ReactNode } from 'react';
import { cx } from '#lib/class-names.ts';

export interface CheckboxProps extends Omit<ComponentProps<'input'>, 'type'> {
  /** Beside the box; without it give `aria-label`. */
  label?: ReactNode;
  hint?: ReactNode;
  /** Some of what it stands for is ticked, not all. */
  mixed?: boolean;
}

export function Checkbox({ label, hint, mixed = false, className, ref, ...rest }: CheckboxProps) {
  const own = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (own.current !== null) own.current.indeterminate = mixed;
  }, [mixed]);
  return (
    <label
      className={cx('relative flex min-h-6 items-start gap-2.5 text-ui touch:min-h-11', className)}
    >
      <input
        ref={(element) => {
          own.current = element;
          if (typeof ref === 'function') ref(element);
          else if (ref) ref.current = element;
        }}
        type="checkbox"
        className="peer mt-0.5 size-5 shrink-0 appearance-none rounded-[5px] border border-line-strong bg-surface checked:border-primary checked:bg-primary indeterminate:border-primary indeterminate:bg-primary disabled:opacity-55"
        {...rest}
      />
      <span
        aria-hidden
        className="pointer-events-none absolute top-0.5 left-0 hidden size-5 place-items-center text-white peer-checked:grid peer-indeterminate:grid [&_svg]:size-3.5"
      >
        {mixed ? <Minus strokeWidth={3} /> : <Check strokeWidth={3} />}
      </span>
      {label !== undefined && (
        <span className="grid py-0.5">
          <span>{label}</span>
          {hint !== undefined && <span className="text-meta text-muted">{hint}</span>}
        </span>
      )}
    </label>
  );
}
