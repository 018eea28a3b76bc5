import type { ReactNode } from 'react';
import { cx } from '#lib/class-names.ts';

export interface RadioRowProps {
  name: string;
  value: string;
  checked: boolean;
  onCheck: () => void;
  /** Decoration: the label says who it is. */
  picture: ReactNode;
  label: string;
  text: ReactNode;
}

/** One of many that have a face. */
export function RadioRow({ name, value, checked, onCheck, picture, label, text }: RadioRowProps) {
  return (
    <label
      className={cx(
        'flex min-h-14 cursor-pointer items-center gap-3 rounded-control border px-3 py-2 transition-colors duration-100',
        'has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-ring',
        checked
          ? 'border-primary bg-primary-soft'
          : 'border-line-strong/60 bg-surface hover:bg-surface-2',
      )}
    >
      <input
        type="radio"
        name={name}
        value={value}
        checked={checked}
        onChange={onCheck}
        className="size-4 shrink-0 appearance-none rounded-full border border-line-strong bg-surface outline-none checked:border-[5px] checked:border-primary"
      />
      {picture}
      <span className="grid min-w-0 flex-1 grid-cols-1">
        <span className="truncate text-ui font-medium">{label}</span>
        <span className="truncate text-meta text-muted">{text}</span>
      </span>
    </label>
  );
}
