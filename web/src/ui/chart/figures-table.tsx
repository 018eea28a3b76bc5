/** A chart as a table: the same rows, series and figures in words. */
import type { ChartData, ChartRow } from './chart-data.ts';

function Name({ row, onOpen }: { row: ChartRow } & Pick<ChartData, 'onOpen'>) {
  if (onOpen === undefined) return row.label;
  return (
    <button
      type="button"
      className="min-h-6 text-left text-primary-text underline-offset-4 hover:underline touch:min-h-11"
      onClick={() => onOpen(row.key)}
    >
      {row.label}
    </button>
  );
}

export function FiguresTable({ label, rowHeader, series, rows, formatValue, onOpen }: ChartData) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls is reached by keys
    <section aria-label={label} tabIndex={0} className="max-h-80 overflow-auto">
      <table className="w-full border-collapse text-left text-ui">
        <caption className="sr-only">{label}</caption>
        <thead className="text-meta text-muted">
          <tr>
            <th scope="col" className="py-2 pr-3 font-medium">
              {rowHeader}
            </th>
            {series.map((one) => (
              <th key={one.key} scope="col" className="py-2 pl-3 text-right font-medium">
                {one.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.key} className="border-t border-line">
              <th scope="row" className="py-1.5 pr-3 font-normal [overflow-wrap:anywhere]">
                <Name row={row} onOpen={onOpen} />
              </th>
              {series.map((one, index) => (
                <td key={one.key} className="figures py-1.5 pl-3 text-right">
                  {formatValue(row.values[index] ?? 0)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
