/** One horizontal bar per row, its pieces beside each other, as long as its total is against the largest. */
import { cx } from '#lib/class-names.ts';
import { largestTotal, reading, total, type ChartData, type ChartRow } from './chart-data.ts';
import { stacked } from './stack.ts';
import { useRove } from './use-rove.ts';

export interface BarListProps {
  data: ChartData;
  /** The row that is open beside the list. */
  selected?: string | undefined;
  /** What a whole bar stands for, where the largest is on another page; else that of these rows. */
  largest?: number | undefined;
}

export function BarList({ data, selected, ...props }: BarListProps) {
  const { label, rows } = data;
  const largest = Math.max(largestTotal(rows), props.largest ?? 0);
  const onKeyDown = useRove();
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- moves the focus between its buttons
    <ul aria-label={label} className="grid grid-cols-1 gap-1" onKeyDown={onKeyDown}>
      {rows.map((row) => (
        <li key={row.key}>
          <Row data={data} row={row} largest={largest} isSelected={row.key === selected} />
        </li>
      ))}
    </ul>
  );
}

interface RowProps {
  data: ChartData;
  row: ChartRow;
  largest: number;
  isSelected: boolean;
}

function Row({ data, row, largest, isSelected }: RowProps) {
  const { onOpen } = data;
  const content = <Bar data={data} row={row} largest={largest} />;
  if (onOpen === undefined) return <div className="px-2 py-1.5">{content}</div>;
  return (
    <button
      type="button"
      aria-pressed={isSelected}
      aria-label={reading(data, row)}
      className={cx(
        'block w-full rounded-control px-2 py-1.5 text-left hover:bg-surface-2 touch:min-h-11',
        isSelected && 'bg-primary-soft hover:bg-primary-soft',
      )}
      onClick={() => onOpen(row.key)}
    >
      {content}
    </button>
  );
}

function Bar({ data: { series, formatValue }, row, largest }: Omit<RowProps, 'isSelected'>) {
  return (
    <>
      <span className="flex items-baseline justify-between gap-3 text-ui">
        <span className="min-w-0 truncate font-medium">{row.label}</span>
        <span className="figures text-meta whitespace-nowrap text-muted">
          {series.length > 1 && `${row.values.map(formatValue).join(' + ')} = `}
          <b className="font-semibold text-fg">{formatValue(total(row.values))}</b>
        </span>
      </span>
      <span
        aria-hidden
        className="relative mt-1 block h-2.5 overflow-hidden rounded-full bg-surface-3"
      >
        {stacked(row.values, largest).map(({ from, until }, at) => (
          <span
            key={series[at]!.key}
            className="absolute inset-y-0"
            style={{
              left: `${from * 100}%`,
              width: `${(until - from) * 100}%`,
              background: series[at]!.color,
            }}
          />
        ))}
      </span>
    </>
  );
}
