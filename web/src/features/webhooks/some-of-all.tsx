import { Ticks, type TicksProps } from '#parts/ticks.tsx';
import { Segmented } from '#ui/segmented.tsx';

export interface SomeOfAllProps extends Pick<TicksProps, 'choices'> {
  label: string;
  all: string;
  some: string;
  /** Null: all of them, those that come later, too. */
  chosen: readonly string[] | null;
  error: string | null;
  onChange: (ids: string[] | null) => void;
}

/** All, or some of them to be ticked. */
export function SomeOfAll({ label, all, some, choices, chosen, error, onChange }: SomeOfAllProps) {
  return (
    <div className="grid grid-cols-1 justify-items-start gap-2">
      <p className="text-ui font-medium">{label}</p>
      <Segmented
        label={label}
        value={chosen === null ? 'all' : 'some'}
        onChange={(which) => onChange(which === 'all' ? null : [])}
        options={[
          { value: 'all', label: all },
          { value: 'some', label: some },
        ]}
      />
      {chosen !== null && (
        <Ticks label={some} choices={choices} chosen={chosen} onChange={onChange} />
      )}
      {error !== null && (
        <p role="alert" className="text-meta text-danger-text">
          {error}
        </p>
      )}
    </div>
  );
}
