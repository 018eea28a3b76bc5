import { useFormat } from '#lib/format.ts';
import { BarList } from '#ui/chart/bar-list.tsx';
import { ChartView } from '#ui/chart/chart-view.tsx';

export interface CountBarsProps {
  label: string;
  /** What the rows are. */
  rowHeader: string;
  /** What is counted. */
  series: string;
  rows: readonly { key: string; label: string; value: number }[];
  onOpen: (key: string) => void;
}

/** Counts by name as bars, each of which leads to what it counts. */
export function CountBars({ label, rowHeader, series, rows, onOpen }: CountBarsProps) {
  const { formatNumber } = useFormat();
  const data = {
    label,
    rowHeader,
    series: [{ key: 'count', label: series, color: 'var(--c1)' }],
    rows: rows.map(({ key, label: name, value }) => ({ key, label: name, values: [value] })),
    formatValue: (value: number) => formatNumber(value),
    onOpen,
  };
  return (
    <ChartView data={data} hideLegend>
      <BarList data={data} />
    </ChartView>
  );
}
