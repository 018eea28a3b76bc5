/** A day that is typed as the language of the page writes it, or chosen from a calendar. */
import { useState } from 'react';
import { useTranslation, type Translate } from '#lib/i18n.ts';
import { isDay } from '#lib/local-day.ts';
import { readDay, shownDay } from '#lib/typed-date.ts';
import { Field, type FieldProps } from '../field.tsx';
import { CalendarInput } from './calendar-input.tsx';
import { useTypedText } from './use-typed-text.ts';

export interface DateFieldProps extends Omit<FieldProps, 'children'> {
  /** `2026-11-27`; '' for none. A form may keep what is no day, so that it is refused and not lost. */
  value: string;
  min?: string | undefined;
  max?: string | undefined;
  disabled?: boolean;
  name?: string;
  /** '' once it is emptied; null while what is typed is no day that can be chosen. */
  onDay: (day: string | null, text: string) => void;
  onBlur?: () => void;
}

export function DateField(props: DateFieldProps) {
  const { value, min, max, disabled, name, onDay, onBlur, error, ...surroundings } = props;
  const { t } = useTranslation();
  const [text, setText] = useTypedText(
    value,
    shownDay,
    (typed) => (readDay(typed) ?? typed) === value,
  );
  const [wasLeft, setWasLeft] = useState(false);
  const day = readDay(text);
  const fault = faultOf(t, text, min, max);
  return (
    <Field {...surroundings} error={(wasLeft ? fault : undefined) ?? error}>
      {(attributes) => (
        <CalendarInput
          {...attributes}
          label={props.label}
          name={name}
          disabled={disabled}
          inputMode="numeric"
          placeholder={t('ui.date.format')}
          value={text}
          day={day}
          min={min}
          max={max}
          withDay={shownDay}
          onChange={({ target }) => {
            setText(target.value);
            setWasLeft(false);
            const typed = target.value.trim();
            const isRight = faultOf(t, typed, min, max) === undefined;
            onDay(isRight ? (readDay(typed) ?? '') : null, typed);
          }}
          onBlur={() => {
            setWasLeft(true);
            if (day !== null) setText(shownDay(day));
            onBlur?.();
          }}
        />
      )}
    </Field>
  );
}

/** What is wrong with what was typed, and what to do. */
function faultOf(
  t: Translate,
  text: string,
  min: string | undefined,
  max: string | undefined,
): string | undefined {
  if (text.trim() === '') return undefined;
  const day = readDay(text);
  if (day === null) return t('ui.date.wrong', { format: t('ui.date.format') });
  if (max !== undefined && isDay(max) && day > max)
    return t('ui.date.late', { day: shownDay(max) });
  if (min !== undefined && isDay(min) && day < min)
    return t('ui.date.early', { day: shownDay(min) });
  return undefined;
}
