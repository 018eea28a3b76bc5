/**
 * Rows of CSV (RFC 4180) that a spreadsheet takes for text. A cell that a spreadsheet would read as
 * a formula gets an apostrophe in front, and so does one that begins with an apostrophe, so that taking one
 * away gives back exactly what was written.
 */

/** Excel takes a file for UTF-8 when it begins with this; without it ə, ğ and ı are rubbish there. */
export const csvStart = '\uFEFF';

/** Also after what a spreadsheet drops in front, and in the wide forms that it folds. */
const formula = /^(?:['\t\r\n]|[\p{White_Space}\p{Cf}\0]*[=+\-@＝＋－＠])/u;

/** Figures are no text and stay as they are: -5 is a number, not a formula. */
export type Cell = string | number | boolean | null;

export function csvRow(cells: readonly Cell[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

function csvCell(cell: Cell): string {
  if (cell === null) return '';
  const text = typeof cell === 'string' && formula.test(cell) ? `'${cell}` : String(cell);
  return /[",\r\n;\t]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
