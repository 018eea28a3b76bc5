/** The data of charts: rows in the order they are read, each with one value per series. */
import { joined } from '#lib/joined.ts';
export interface ChartSeries {
  readonly key: string;
  readonly label: string;
  /** A colour of CSS, `var(--c1)`. */
  readonly color: string;
}

export interface ChartRow {
  readonly key: string;
  readonly label: string;
  /** As many as there are series, none below zero. */
  readonly values: readonly number[];
}

export interface ChartData {
  /** Names the chart: what is counted, over which time. */
  readonly label: string;
  /** What the rows are: "Day", "Camera". */
  readonly rowHeader: string;
  readonly series: readonly ChartSeries[];
  readonly rows: readonly ChartRow[];
  readonly formatValue: (value: number) => string;
  /** Leads from a row to what it counts; absent where that leads nowhere. */
  readonly onOpen?: ((key: string) => void) | undefined;
  /** For charts over time: narrows them to what was dragged over, both ends included. */
  readonly onZoom?: ((from: string, to: string) => void) | undefined;
}

export const total = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0);

export const largestTotal = (rows: readonly ChartRow[]): number =>
  Math.max(0, ...rows.map(({ values }) => total(values)));

/** One row as it is read or read aloud: "4 March · Recognized 12 · Unknown 3". */
export const reading = (
  { series, formatValue }: Pick<ChartData, 'series' | 'formatValue'>,
  row: ChartRow,
): string =>
  joined([
    row.label,
    ...series.map(({ label }, index) => joined([label, formatValue(row.values[index] ?? 0)], ' ')),
  ]);
