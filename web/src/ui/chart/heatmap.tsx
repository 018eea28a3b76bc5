/**
 * Counts in two directions as a table with coloured cells. One cell takes the focus; arrow keys go from cell to cell,
 * Enter leads to what it counts.
 */
import { useRef, useState, type KeyboardEvent } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { cx } from '#lib/class-names.ts';
import { joined } from '#lib/joined.ts';
import { mixOf, stepOf, steps } from './ramp.ts';

export interface HeatmapCell {
  readonly key: string;
  /** The whole name of the place: "Monday, 14:00". */
  readonly label: string;
  readonly value: number;
}

export interface HeatmapProps {
  label: string;
  columns: readonly { readonly key: string; readonly label: string }[];
  /** A cell that is null lies outside of what is counted. */
  rows: readonly {
    readonly key: string;
    readonly label: string;
    readonly cells: readonly (HeatmapCell | null)[];
  }[];
  formatValue: (value: number) => string;
  /** Prints the figures into the cells: where these are few. */
  showsValues?: boolean;
  onOpen?: ((key: string) => void) | undefined;
}

const moves: Readonly<Record<string, readonly [rows: number, columns: number]>> = {
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
};

export const colorOf = (step: number): string =>
  `color-mix(in oklab, var(--recognized) ${mixOf(step)}%, var(--surface-2))`;

export function Heatmap(props: HeatmapProps) {
  const { label, columns, rows } = props;
  const largest = Math.max(
    0,
    ...rows.flatMap(({ cells }) => cells.map((cell) => cell?.value ?? 0)),
  );
  const [at, setAt] = useState<readonly [number, number] | null>(null);
  const table = useRef<HTMLTableElement>(null);
  const first = rows[0]?.cells.findIndex((cell) => cell !== null) ?? 0;
  const [row, column] = at ?? [0, first];
  const move = (event: KeyboardEvent): void => {
    const by = moves[event.key];
    if (by === undefined) return;
    event.preventDefault();
    const next = [row + by[0], column + by[1]] as const;
    if (!rows[next[0]]?.cells[next[1]]) return;
    setAt(next);
    table.current?.rows[next[0] + 1]?.cells[next[1] + 1]
      ?.querySelector<HTMLElement>('[tabindex]')
      ?.focus();
  };
  return (
    <div className="overflow-x-auto">
      <table
        ref={table}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-to-interactive-role -- arrow keys go through it
        role="grid"
        aria-label={label}
        className="w-full border-separate border-spacing-0.5"
        onKeyDown={move}
      >
        <thead>
          <tr>
            {/* oxlint-disable-next-line jsx-a11y/control-has-associated-label -- the corner, which is empty */}
            <td />
            {columns.map(({ key, label: name }) => (
              <th
                key={key}
                scope="col"
                className="figures px-0.5 text-caption font-normal text-muted"
              >
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((line, rowAt) => (
            <tr key={line.key}>
              <th
                scope="row"
                className="w-px pr-2 text-left text-meta font-normal whitespace-nowrap text-muted"
              >
                {line.label}
              </th>
              {line.cells.map((cell, columnAt) => (
                <td key={columns[columnAt]!.key} className="p-0">
                  {cell && (
                    <Cell
                      {...props}
                      cell={cell}
                      step={stepOf(cell.value, largest)}
                      isCurrent={rowAt === row && columnAt === column}
                      onFocus={() => setAt([rowAt, columnAt])}
                    />
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface CellProps extends Pick<HeatmapProps, 'formatValue' | 'showsValues' | 'onOpen'> {
  cell: HeatmapCell;
  step: number;
  isCurrent: boolean;
  onFocus: () => void;
}

/** At least 4.5:1 on the last two steps, in both themes; on the others the text's own colour has 5:1 and more. */
const inks: Readonly<Record<number, string>> = {
  5: 'text-black dark:text-white',
  6: 'text-white dark:text-black',
};

function Cell({ cell, step, isCurrent, onFocus, formatValue, showsValues, onOpen }: CellProps) {
  const text = joined([cell.label, formatValue(cell.value)]);
  const shared = {
    tabIndex: isCurrent ? 0 : -1,
    'aria-label': text,
    title: text,
    'data-step': step,
    className: cx(
      'figures grid h-7 w-full min-w-6 place-items-center rounded-xs text-caption hover:ring-2 hover:ring-line-strong',
      inks[step] ?? 'text-fg',
    ),
    style: { background: colorOf(step) },
    onFocus,
  };
  const value = showsValues && formatValue(cell.value);
  // Read, but leading nowhere, it is no button.
  if (onOpen === undefined) {
    return (
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a coloured cell, no picture of its own
      <span role="img" {...shared}>
        {value}
      </span>
    );
  }
  return (
    <button type="button" {...shared} onClick={() => onOpen(cell.key)}>
      {value}
    </button>
  );
}

export function HeatmapLegend({
  largest,
  formatValue,
}: {
  largest: number;
  formatValue: (value: number) => string;
}) {
  const { t } = useTranslation();
  return (
    <div className="flex items-center gap-2 text-meta text-muted">
      <span>{t('chart.low')}</span>
      <span aria-hidden className="flex gap-0.5">
        {Array.from({ length: steps + 1 }, (_, step) => (
          <span key={step} className="size-3 rounded-xs" style={{ background: colorOf(step) }} />
        ))}
      </span>
      <span>{t('chart.high', { value: formatValue(Math.max(1, largest)) })}</span>
    </div>
  );
}
