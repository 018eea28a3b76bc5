import { useState } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { dayOf, timesOf } from '#lib/local-day.ts';
import { CalendarInput } from '#ui/date/calendar-input.tsx';
import { useTypedText } from '#ui/date/use-typed-text.ts';
import { Field } from '#ui/field.tsx';
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

export function MomentField({ label, valueMs, error, onMoment }: MomentFieldProps) {
  const { t } = useTranslation();
  const [text, setText] = useTypedText(
    valueMs,
    typedMoment,
    (typed) => readMoment(typed, valueMs) === valueMs,
  );
  const [isLeft, setLeft] = useState(false);
  const readMs = readMoment(text, valueMs);
  const format = `${t('ui.date.format')} ${t('ui.date.formatOfTime')}`;
  const isWrong = isLeft && text.trim() !== '' && readMs === null;
  return (
    <Field label={label} required error={isWrong ? t('ui.date.wrong', { format }) : error}>
      {(attributes) => (
        <CalendarInput
          {...attributes}
          label={label}
          placeholder={format}
          value={text}
          day={readMs === null ? null : dayOf(readMs)}
          withDay={(day) => typedMoment(onDay(day, readMs))}
          onChange={({ target }) => {
            setText(target.value);
            setLeft(false);
            onMoment(readMoment(target.value, valueMs));
          }}
          onBlur={() => {
            setLeft(true);
            if (readMs !== null) setText(typedMoment(readMs));
          }}
        />
      )}
    </Field>
  );
}

/** The same time of another day; its beginning where there is no time yet. */
function onDay(day: string, timeMs: number | null): number {
  const at = new Date(timesOf(day).fromMs);
  if (timeMs === null) return at.getTime();
  const time = new Date(timeMs);
  return at.setHours(time.getHours(), time.getMinutes(), time.getSeconds());
}
