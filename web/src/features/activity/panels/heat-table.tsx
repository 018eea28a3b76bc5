/** Counts of hours or days as a heatmap in one of its three scales, with its legend. */
import { useTranslation } from '#lib/i18n.ts';
import { useFormat } from '#lib/format.ts';
import { dayAfter, momentOf } from '#lib/local-day.ts';
import { Heatmap, HeatmapLegend, type HeatmapProps } from '#ui/chart/heatmap.tsx';
import { byDays, byHours, mondaysOf, sumByWeek } from './heat.ts';
import type { Scale } from './panels.ts';
import type { Period } from './period.ts';

export interface HeatTableProps {
  scale: Scale;
  period: Period;
  /** By `1-14` (Monday, 14:00), or by day. */
  counts: ReadonlyMap<string, number>;
  /** Absent: it leads nowhere. */
  onOpen?: (from: string, to: string, hour: number | undefined) => void;
}

type Table = Pick<HeatmapProps, 'columns' | 'rows'> & {
  readonly showsValues: boolean;
  /** What a cell stands for; absent: for nothing that could be listed. */
  readonly open?: ((key: string) => void) | undefined;
};

export function HeatTable(props: HeatTableProps) {
  const { t } = useTranslation();
  const { formatNumber } = useFormat();
  const { columns, rows, showsValues, open } = useTable(props);
  const values = rows.flatMap(({ cells }) => cells.map((cell) => cell?.value ?? 0));
  const formatValue = (value: number): string => formatNumber(value);
  return (
    <div className="grid grid-cols-1 gap-3">
      <Heatmap
        label={t('panels.names.heatmap')}
        columns={columns}
        rows={rows}
        showsValues={showsValues}
        formatValue={formatValue}
        onOpen={open}
      />
      <HeatmapLegend largest={Math.max(0, ...values)} formatValue={formatValue} />
    </div>
  );
}

function useTable(props: HeatTableProps): Table {
  const words = useTimeWords();
  if (props.scale === 'hour') return hoursTable(props, words);
  return props.scale === 'day' ? daysTable(props, words) : weeksTable(props, words);
}

type Words = ReturnType<typeof useTimeWords>;

function useTimeWords() {
  const { t } = useTranslation();
  const { formatTime } = useFormat();
  // 2024 began on a Monday.
  const weekday = (number: number, weekday: 'long' | 'short') =>
    formatTime(momentOf(`2024-01-0${number}`), { weekday });
  return {
    weekday,
    day: (day: string) => formatTime(momentOf(day), { day: 'numeric', month: 'short' }),
    fullDay: (day: string) =>
      formatTime(momentOf(day), { weekday: 'long', day: 'numeric', month: 'long' }),
    visits: t('panels.visits'),
  };
}

const clock = (hour: number): string => `${String(hour).padStart(2, '0')}:00`;

function hoursTable({ period, counts, onOpen }: HeatTableProps, words: Words): Table {
  const lines = byHours(period);
  const dayOf = new Map(
    lines.flatMap(({ cells }) =>
      cells.map((cell) => [`${cell!.weekday}-${cell!.hour}`, cell!.day]),
    ),
  );
  const isOneWeek = lines.every(({ cells }) => cells[0]?.day !== null);
  const open = (key: string): void => {
    const day = dayOf.get(key);
    if (day) onOpen?.(day, day, Number(key.split('-')[1]));
  };
  return {
    columns: Array.from({ length: 24 }, (_, hour) => ({ key: String(hour), label: String(hour) })),
    rows: lines.map(({ row, cells }) => ({
      key: String(row),
      label: words.weekday(row, 'short'),
      cells: cells.map((cell) => {
        const key = `${row}-${cell!.hour}`;
        const label = `${words.weekday(row, 'long')}, ${clock(cell!.hour)}`;
        return { key, label, value: counts.get(key) ?? 0 };
      }),
    })),
    showsValues: false,
    open: onOpen && isOneWeek ? open : undefined,
  };
}

function daysTable({ period, counts, onOpen }: HeatTableProps, words: Words): Table {
  return {
    columns: [1, 2, 3, 4, 5, 6, 7].map((number) => ({
      key: String(number),
      label: words.weekday(number, 'short'),
    })),
    rows: byDays(period).map(({ row, cells }) => ({
      key: row,
      label: words.day(row),
      cells: cells.map((day) =>
        day === null ? null : { key: day, label: words.fullDay(day), value: counts.get(day) ?? 0 },
      ),
    })),
    showsValues: true,
    open: onOpen && ((day) => onOpen(day, day, undefined)),
  };
}

const within = (day: string, least: string, most: string): string =>
  day < least ? least : day > most ? most : day;

function weeksTable({ period, counts, onOpen }: HeatTableProps, words: Words): Table {
  const weeks = sumByWeek(counts);
  const rows = mondaysOf(period).map((monday) => {
    const label = `${words.day(monday)} – ${words.day(dayAfter(monday, 6))}`;
    return { key: monday, label, cells: [{ key: monday, label, value: weeks.get(monday) ?? 0 }] };
  });
  const clip = (day: string): string => within(day, period.from, period.to);
  return {
    columns: [{ key: 'visits', label: words.visits }],
    rows,
    showsValues: true,
    open: onOpen && ((monday) => onOpen(clip(monday), clip(dayAfter(monday, 6)), undefined)),
  };
}
