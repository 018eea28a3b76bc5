/** Rows that come in while a list is read: they wait at its head until the reader asks for them. */

interface Row {
  readonly id: string;
}

export interface Held<T extends Row> {
  /** In the order in which they stand on the screen. */
  readonly rows: readonly T[];
  /** Rows that would stand above or between them. */
  readonly waiting: readonly T[];
}

/**
 * The list as it is read, with what the server says of it now: rows change where they stand, go when the server has
 * them no more, and are added at the end, which moves nothing. Rows that are pushed off the page by waiting ones stay.
 */
export function hold<T extends Row>(shown: readonly T[], now: readonly T[]): Held<T> {
  const known = new Set(shown.map(({ id }) => id));
  const lastKnown = now.findLastIndex(({ id }) => known.has(id));
  // Nothing that is being read is left: there is nothing to be moved.
  if (lastKnown === -1) return { rows: now, waiting: [] };
  const answered = new Map(now.map((row) => [row.id, row]));
  const waiting = now.slice(0, lastKnown).filter(({ id }) => !known.has(id));
  const added = now.slice(lastKnown + 1);
  const lastAnswered = shown.findLastIndex(({ id }) => answered.has(id));
  const pushedOff = shown.slice(lastAnswered + 1).slice(0, added.length === 0 ? waiting.length : 0);
  const stay = shown.slice(0, lastAnswered + 1).flatMap(({ id }) => answered.get(id) ?? []);
  return { rows: [...stay, ...pushedOff, ...added], waiting };
}
