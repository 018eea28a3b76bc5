/** The week as rows of times, for what a grid of half hours cannot say, and for users who would rather type. */
import { Plus, X } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { useMedia } from '#lib/use-media.ts';
import { Button } from '#ui/button.tsx';
import { SelectField, TextField } from '#ui/fields.tsx';
import { IconButton } from '#ui/icon-button.tsx';
import {
  MAX_SPANS,
  addRow,
  faultOf,
  minutesOf,
  splitNight,
  timeOf,
  weekdays,
  type WeekRow,
} from './week.ts';
import { useWeekdays } from './week-words.ts';

export interface WeekRowsProps {
  rows: readonly WeekRow[];
  onChange: (rows: readonly WeekRow[]) => void;
  /** The user tried to save: every row says what is wrong with it. */
  strict: boolean;
}

export function WeekRows({ rows, onChange, strict }: WeekRowsProps) {
  const { t } = useTranslation();
  const put = (row: WeekRow): void =>
    onChange(rows.map((one) => (one.key === row.key ? row : one)));
  return (
    <div className="grid gap-2">
      {rows.length > 0 && (
        <ul aria-label={t('week.times')} className="grid gap-2">
          {rows.map((row, index) => (
            <Row
              key={row.key}
              row={row}
              number={index + 1}
              strict={strict}
              onChange={put}
              onSplit={() => onChange(splitNight(rows, row))}
              onRemove={() => onChange(rows.filter(({ key }) => key !== row.key))}
            />
          ))}
        </ul>
      )}
      <div>
        <Button
          look="secondary"
          size="small"
          disabled={rows.length >= MAX_SPANS}
          onClick={() => onChange(addRow(rows))}
        >
          <Plus aria-hidden />
          {t('week.addTime')}
        </Button>
      </div>
    </div>
  );
}

interface RowProps {
  row: WeekRow;
  /** From 1, as it is read out. */
  number: number;
  strict: boolean;
  onChange: (row: WeekRow) => void;
  onSplit: () => void;
  onRemove: () => void;
}

/** `8:30` becomes `08:30` once the user leaves the field. */
const tidy = (time: string): string => {
  const minutes = minutesOf(time);
  return minutes === null ? time : timeOf(minutes);
};

function Row({ row, number, strict, onChange, onSplit, onRemove }: RowProps) {
  const { t } = useTranslation();
  const names = useWeekdays();
  const isWide = useMedia('(min-width: 40rem)');
  const [left, setLeft] = useState(false);
  const fault = left || strict ? faultOf(row) : null;
  const leave = (): void => {
    setLeft(true);
    onChange({ ...row, from: tidy(row.from), until: tidy(row.until) });
  };
  const time = (end: 'from' | 'until') => ({
    inputMode: 'text' as const,
    autoComplete: 'off',
    spellCheck: false,
    maxLength: 5,
    value: row[end],
    onBlur: leave,
    onChange: ({ target }: { target: HTMLInputElement }) =>
      onChange({ ...row, [end]: target.value }),
  });
  const isWrong = (end: 'from' | 'until'): string | undefined =>
    fault === 'time' && minutesOf(row[end]) === null ? t('week.badTime') : undefined;
  const order = fault === 'order' ? t('week.badOrder') : undefined;
  return (
    <li className="grid gap-1.5">
      <div className="flex items-start gap-1.5 sm:gap-2">
        <SelectField
          label={t('week.day', { number })}
          hideLabel
          className="min-w-0 flex-1"
          options={weekdays.map((day) => ({
            value: String(day),
            label: (isWide ? names.long : names.short)(day),
          }))}
          value={String(row.day)}
          onChange={({ target }) => onChange({ ...row, day: Number(target.value) })}
        />
        <TextField
          label={t('week.from', { number })}
          hideLabel
          className="w-17 sm:w-20"
          error={isWrong('from')}
          {...time('from')}
        />
        <span aria-hidden className="pt-2 text-muted">
          –
        </span>
        <TextField
          label={t('week.until', { number })}
          hideLabel
          className="w-17 sm:w-20"
          error={isWrong('until') ?? order}
          {...time('until')}
        />
        <IconButton
          label={t('week.removeTime', { number })}
          small
          tooltip={false}
          onClick={onRemove}
        >
          <X aria-hidden />
        </IconButton>
      </div>
      {order !== undefined && minutesOf(row.from) !== minutesOf(row.until) && (
        <div className="justify-self-end">
          <Button look="link" onClick={onSplit}>
            {t('week.split')}
          </Button>
        </div>
      )}
    </li>
  );
}
