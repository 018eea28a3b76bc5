/** Visits of each day, recognized and unrecognized; a day leads to its visits, dragging narrows the period. */
import type { GroupedCounts } from '@nazar/contract/visit-counts.ts';
import { useTranslation } from '#lib/i18n.ts';
import { useFormat } from '#lib/format.ts';
import { momentOf } from '#lib/local-day.ts';
import { ChartView } from '#ui/chart/chart-view.tsx';
import { TimeChart, type TimeForm } from '#ui/chart/time-chart.tsx';
import type { Change } from '../search.ts';
import { leadTo } from './figures.ts';
import { useKinds } from './use-kinds.ts';

export interface DaysChartProps {
  panel: 'faces' | 'daily';
  label: string;
  form: TimeForm;
  counts: GroupedCounts;
  onChange: (change: Change) => void;
}

export function DaysChart({ panel, label, form, counts, onChange }: DaysChartProps) {
  const { t } = useTranslation();
  const { formatNumber, formatTime } = useFormat();
  const data = {
    label,
    rowHeader: t('panels.day'),
    series: useKinds(),
    rows: counts.results.map(({ key, recognized, unrecognized }) => ({
      key,
      label: formatTime(momentOf(key), { day: 'numeric', month: 'short' }),
      values: [recognized, unrecognized],
    })),
    formatValue: (value: number) => formatNumber(value),
    onOpen: (day: string) => onChange(leadTo(panel, 'day', { from: day, to: day })),
    onZoom: (from: string, to: string) => onChange({ from, to, days: undefined, hour: undefined }),
  };
  return (
    <ChartView data={data}>
      <TimeChart form={form} data={data} />
    </ChartView>
  );
}
