import type { ComponentProps, ReactNode } from 'react';
import { cx } from '#lib/class-names.ts';
import { Tooltip } from './tooltip.tsx';

const looks = {
  ghost:
    'text-muted hover:bg-surface-2 hover:text-fg aria-pressed:bg-primary-soft aria-pressed:text-primary-text',
  secondary:
    'border border-line bg-surface text-muted hover:bg-surface-2 hover:text-fg shadow-card',
  /** On a picture: readable over anything. */
  glass: 'bg-black/60 text-white hover:bg-black/75',
};

export interface IconButtonProps extends ComponentProps<'button'> {
  /** Says what it does; also shown as a tooltip. */
  label: string;
  look?: keyof typeof looks;
  small?: boolean;
  /** Set false inside menus' triggers, where a tooltip would cover the menu. */
  tooltip?: boolean;
  children: ReactNode;
}

export function IconButton({
  label,
  look = 'ghost',
  small = false,
  tooltip = true,
  type = 'button',
  className,
  children,
  ...rest
}: IconButtonProps) {
  const button = (
    <button
      type={type}
      aria-label={label}
      className={cx(
        'grid shrink-0 place-items-center rounded-control transition-colors duration-100 touch:size-11',
        'disabled:opacity-55 aria-disabled:opacity-55 [&_svg]:size-4',
        small ? 'size-7' : 'size-9',
        looks[look],
        className,
      )}
      {...rest}
    >
      {children}
    </button>
  );
  return tooltip ? <Tooltip text={label}>{button}</Tooltip> : button;
}
