import { CircleAlert } from 'lucide-react';
import { useId, type ReactNode } from 'react';
import { cx } from '#lib/class-names.ts';

export interface FieldAttributes {
  id: string;
  'aria-invalid': boolean;
  'aria-describedby': string | undefined;
  'aria-required': boolean | undefined;
}

export interface FieldProps {
  label: string;
  /** What is wrong, said beside the control and read out with it. */
  error?: string | undefined;
  hint?: ReactNode;
  required?: boolean | undefined;
  /** Said only to screen readers, where the place makes it plain to the eye. */
  hideLabel?: boolean | undefined;
  className?: string | undefined;
  /** Receives what ties the control to its label, hint and error: spread it on the control. */
  children: (attributes: FieldAttributes) => ReactNode;
}

export function Field({
  label,
  error,
  hint,
  required = false,
  hideLabel = false,
  className,
  children,
}: FieldProps) {
  const id = useId();
  const described = [
    error !== undefined && `${id}-error`,
    hint !== undefined && `${id}-hint`,
  ].filter((part) => part !== false);
  return (
    <div className={cx('grid content-start gap-1.5', className)}>
      <label htmlFor={id} className={hideLabel ? 'sr-only' : 'text-ui font-medium'}>
        {label}
        {required && (
          <span aria-hidden className="ml-0.5 text-danger-text">
            *
          </span>
        )}
      </label>
      {children({
        id,
        'aria-invalid': error !== undefined,
        'aria-describedby': described.length > 0 ? described.join(' ') : undefined,
        'aria-required': required || undefined,
      })}
      {error !== undefined && (
        <p id={`${id}-error`} className="flex items-start gap-1 text-meta text-danger-text">
          <CircleAlert aria-hidden className="mt-px size-3.5 shrink-0" />
          <span>{error}</span>
        </p>
      )}
      {hint !== undefined && (
        <p id={`${id}-hint`} className="text-meta text-muted">
          {hint}
        </p>
      )}
    </div>
  );
}
