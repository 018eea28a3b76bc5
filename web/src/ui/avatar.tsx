import { cx } from '#lib/class-names.ts';

const sizes = {
  small: 'size-8 text-meta',
  medium: 'size-9 text-meta',
  large: 'size-14 text-section',
};

export interface AvatarProps {
  initials: string;
  /** `#rrggbb` that white can be read on; without it a quiet grey. */
  color?: string;
  size?: keyof typeof sizes;
  className?: string;
}

/** Decoration: the name stands beside it, or in the label of the button around it. */
export function Avatar({ initials, color, size = 'medium', className }: AvatarProps) {
  return (
    <span
      aria-hidden
      className={cx(
        'grid shrink-0 place-items-center rounded-full font-semibold select-none',
        sizes[size],
        color === undefined ? 'bg-surface-3 text-muted' : 'text-white',
        className,
      )}
      style={color === undefined ? undefined : { backgroundColor: color }}
    >
      {/* Drawn from an attribute, so that a visible "AM" need not be part of the button's name. */}
      <span data-initials={initials} className="before:content-[attr(data-initials)]" />
    </span>
  );
}
