/** Rows of data: a table where there is room, and lists of rows and of pairs for everywhere. */
import type { ReactNode } from 'react';
import { cx } from '#lib/class-names.ts';

/** The widths are those of the table's own box, not of the window: a sidebar may stand beside it. */
const rooms = {
  small: 'hidden @min-[28rem]:table-cell',
  medium: 'hidden @min-[56rem]:table-cell',
  wide: 'hidden @min-[71rem]:table-cell',
};

export interface Column<T> {
  key: string;
  header: string;
  cell: (row: T) => ReactNode;
  /** Figures stand at the end of their column. */
  numeric?: boolean;
  /** The header is for screen readers only: columns of buttons or ticks. */
  hideHeader?: boolean;
  /** How much room the table must have before this column shows; it always shows without. */
  room?: keyof typeof rooms;
  className?: string;
}

export interface DataTableProps<T> {
  /** Names the table. */
  caption: string;
  columns: readonly Column<T>[];
  rows: readonly T[];
  rowKey: (row: T) => string;
}

/** Show it from `md` upwards (`hidden md:block` round it) and a `RowList` below: phones get no sideways tables. */
export function DataTable<T>({ caption, columns, rows, rowKey }: DataTableProps<T>) {
  return (
    <div className="card @container overflow-hidden">
      <table className="w-full border-collapse text-left text-ui">
        <caption className="sr-only">{caption}</caption>
        <thead className="bg-surface-2 text-meta text-muted">
          <tr>
            {columns.map((column) => (
              <th
                key={column.key}
                scope="col"
                className={cx(
                  'px-3 py-2.5 font-medium',
                  column.numeric && 'text-right',
                  column.room && rooms[column.room],
                )}
              >
                {column.hideHeader ? (
                  <span className="sr-only">{column.header}</span>
                ) : (
                  column.header
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={rowKey(row)} className="border-t border-line hover:bg-surface-2/60">
              {columns.map((column) => (
                <td
                  key={column.key}
                  className={cx(
                    'h-11 px-3 py-1.5',
                    column.numeric && 'figures text-right',
                    column.room && rooms[column.room],
                    column.className,
                  )}
                >
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

export interface RowProps {
  /** A picture or an avatar. */
  lead?: ReactNode;
  title: ReactNode;
  text?: ReactNode;
  /** A badge or a menu. */
  aside?: ReactNode;
}

/** Rows divided by lines: put `Row`s inside. */
export function RowList({ label, children }: { label: string; children: ReactNode }) {
  return (
    <ul aria-label={label} className="divide-y divide-line">
      {children}
    </ul>
  );
}

export function Row({ lead, title, text, aside }: RowProps) {
  return (
    <li className="flex min-h-14 items-center gap-3 py-2.5">
      {lead}
      <div className="min-w-0 flex-1">
        <div className="truncate text-ui font-medium">{title}</div>
        {text !== undefined && <div className="text-meta text-muted">{text}</div>}
      </div>
      {aside !== undefined && <div className="shrink-0">{aside}</div>}
    </li>
  );
}

export interface FactsProps {
  facts: readonly { name: string; value: ReactNode }[];
  /** Puts names above their values on phones: for names of unknown length. */
  stacks?: boolean;
}

/** Names and values side by side. */
export function Facts({ facts, stacks = false }: FactsProps) {
  return (
    <dl
      className={cx(
        'grid gap-x-4 gap-y-1.5 text-ui',
        stacks ? 'grid-cols-1 sm:grid-cols-[auto_1fr]' : 'grid-cols-[auto_1fr]',
      )}
    >
      {facts.map((fact) => (
        <div key={fact.name} className={stacks ? 'sm:contents' : 'contents'}>
          <dt className="text-muted">{fact.name}</dt>
          <dd className="min-w-0 font-medium">{fact.value}</dd>
        </div>
      ))}
    </dl>
  );
}
