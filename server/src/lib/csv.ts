/**
 * Rows of CSV (RFC 4180) that a spreadsheet reads as text. A cell that a spreadsheet would read as
 * a formula gets an apostrophe in front, and so does a cell that begins with an apostrophe, so that removing one
 * gives back exactly what was written.
 */

/** The byte order mark: Excel reads a file as UTF-8 when it begins with this; without it, it garbles ə, ğ and ı. */
export const csvStart = '\uFEFF';

/** Also after characters that a spreadsheet drops in front, and in the full-width forms that it folds. */
const formula = /^(?:['\t\r\n]|[\p{White_Space}\p{Cf}\0]*[=+\-@＝＋－＠])/u;

/** Numbers stay as they are: -5 is a number, not a formula. */
export type Cell = string | number | boolean | null;

export function csvRow(cells: readonly Cell[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

function csvCell(cell: Cell): string {
  if (cell === null) return '';
  const text = typeof cell === 'string' && formula.test(cell) ? `'${cell}` : String(cell);
  return /[",\r\n;\t]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
