import type { ComponentProps } from 'react';
import { cx } from '#lib/class-names.ts';
import { keepFieldFocus } from '#lib/keep-focus.ts';
import { Spinner } from './spinner.tsx';

const looks = {
  primary: 'bg-primary text-white hover:bg-primary-hover shadow-card',
  secondary: 'border border-line bg-surface text-fg hover:bg-surface-2 shadow-card',
  ghost: 'text-muted hover:bg-surface-2 hover:text-fg',
  danger: 'bg-[#dc2626] text-white hover:bg-[#b91c1c] shadow-card',
  link: 'text-primary-text underline-offset-4 hover:underline',
};
const sizes = {
  small: 'min-h-8 px-2.5 text-ui touch:min-h-11',
  medium: 'min-h-9 px-3.5 text-ui touch:min-h-11',
  large: 'min-h-10 px-4 text-body touch:min-h-11',
};

export type ButtonLook = keyof typeof looks;

export interface ButtonProps extends ComponentProps<'button'> {
  look?: ButtonLook;
  size?: keyof typeof sizes;
  /** Shows a spinner and cannot be pressed again; keeps the focus. */
  busy?: boolean | undefined;
}

/** What a button looks like, for links that must look like one. */
export function buttonClass(look: ButtonLook = 'primary', size: keyof typeof sizes = 'medium') {
  return cx(
    'inline-flex items-center justify-center gap-2 rounded-control text-center font-medium transition-colors duration-100',
    'disabled:opacity-55 aria-disabled:opacity-70 [&_svg]:size-4 [&_svg]:shrink-0',
    look === 'link' ? 'min-h-6 px-0 text-ui' : sizes[size],
    looks[look],
  );
}

export function Button({
  look = 'primary',
  size = 'medium',
  busy = false,
  type = 'button',
  className,
  children,
  onClick,
  ...rest
}: ButtonProps) {
  return (
    <button
      type={type}
      aria-disabled={busy || undefined}
      aria-busy={busy || undefined}
      className={cx(buttonClass(look, size), className)}
      onMouseDown={keepFieldFocus}
      onClick={(event) => {
        if (busy) event.preventDefault();
        else onClick?.(event);
      }}
      {...rest}
    >
      {busy && <Spinner />}
      {children}
    </button>
  );
}
