import { useTranslation } from '#lib/i18n.ts';
import { SelectField } from '#ui/fields.tsx';
import type { Week } from './use-week.ts';
import { MAX_SPANS, paint } from './week.ts';
import { WeekGrid } from './week-grid.tsx';
import { WeekRows } from './week-rows.tsx';

export interface WeekTableProps {
  /** What the chosen times are. */
  label: string;
  week: Week;
  /** The user tried to save. */
  strict: boolean;
}

/** The browser's own list may lack the zone in use: `UTC` stands in few of them. */
const zonesWith = (zone: string): string[] =>
  [...new Set([zone, 'UTC', ...Intl.supportedValuesOf('timeZone')])].toSorted();

/** Times of a week: a grid, rows of times, and whose clocks they are. */
export function WeekTable({ label, week, strict }: WeekTableProps) {
  const { t } = useTranslation();
  const { rows, timeZone, fault, put } = week;
  const said =
    fault === 'many'
      ? t('problem:field.max_items', { max: MAX_SPANS })
      : strict && fault === 'empty'
        ? t('week.noTimes')
        : undefined;
  return (
    <div className="grid grid-cols-1 gap-4 sm:rounded-control sm:border sm:border-line sm:p-4">
      <SelectField
        label={t('week.timeZone')}
        hint={t('week.timeZoneHint')}
        options={zonesWith(timeZone).map((value) => ({ value, label: value.replaceAll('_', ' ') }))}
        value={timeZone}
        onChange={({ target }) => put({ timeZone: target.value })}
      />
      <WeekGrid
        label={label}
        rows={rows}
        onPaint={(area, on) => put({ rows: paint(rows, area, on) })}
      />
      <WeekRows rows={rows} strict={strict} onChange={(next) => put({ rows: next })} />
      {said !== undefined && (
        <p role="alert" className="text-meta text-danger-text">
          {said}
        </p>
      )}
    </div>
  );
}
