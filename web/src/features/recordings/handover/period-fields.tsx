import { useState } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { TextField } from '#ui/fields.tsx';
import { longestExportHours, readMoment, typedMoment } from './period.ts';
import type { PeriodControl } from './use-period.ts';

export interface PeriodFieldsProps {
  control: PeriodControl;
  /** The form was sent: from then on it says what is missing, too. */
  wasSent: boolean;
}

/** Beginning and end by the reader's clock. */
export function PeriodFields({ control, wasSent }: PeriodFieldsProps) {
  const { t } = useTranslation();
  const { draft, fault, change } = control;
  const errorOf = (field: 'from' | 'until'): string | undefined => {
    if (fault?.field !== field || (fault.kind === 'missing' && !wasSent)) return undefined;
    return t(`handover.period.${fault.kind}`, { hours: longestExportHours });
  };
  return (
    <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
      <MomentField
        label={t('handover.from')}
        valueMs={draft.fromMs}
        error={errorOf('from')}
        onMoment={(fromMs) => change({ fromMs })}
      />
      <MomentField
        label={t('handover.until')}
        valueMs={draft.untilMs}
        error={errorOf('until')}
        onMoment={(untilMs) => change({ untilMs })}
      />
    </div>
  );
}

export interface MomentFieldProps {
  label: string;
  valueMs: number | null;
  error: string | undefined;
  onMoment: (ms: number | null) => void;
}

/** Keeps what is half typed: the field is only written when the moment comes from elsewhere. */
export function MomentField({ label, valueMs, error, onMoment }: MomentFieldProps) {
  const [text, setText] = useState(typedMoment(valueMs));
  const [seenMs, setSeenMs] = useState(valueMs);
  if (seenMs !== valueMs) {
    setSeenMs(valueMs);
    if (readMoment(text, valueMs) !== valueMs) setText(typedMoment(valueMs));
  }
  return (
    <TextField
      label={label}
      type="datetime-local"
      step={1}
      max="2999-12-31T23:59:59"
      required
      error={error}
      value={text}
      onChange={({ target }) => {
        setText(target.value);
        onMoment(readMoment(target.value, valueMs));
      }}
    />
  );
}
