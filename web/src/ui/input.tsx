import type { ComponentProps, ReactNode } from 'react';
import { cx } from '#lib/class-names.ts';

export interface InputProps extends ComponentProps<'input'> {
  /** Drawn inside, before the text. */
  icon?: ReactNode;
}

export function Input({ icon, className, ...rest }: InputProps) {
  if (icon === undefined) return <input className={cx('control', className)} {...rest} />;
  return (
    <span className={cx('relative block', className)}>
      <span
        aria-hidden
        className="pointer-events-none absolute inset-y-0 left-3 grid place-items-center text-subtle [&_svg]:size-4"
      >
        {icon}
      </span>
      <input className="control pl-9" {...rest} />
    </span>
  );
}
