/**
 * Lines that wait to be written: so many at most, and what is said again within a minute is one line with a number.
 * Knows no database, and never makes a caller wait.
 */
import { uuidv7 } from '#lib/ids.ts';
import { aLine, type Line } from './line.ts';

export interface QueuedLine extends Line {
  readonly id: string;
  /** How often it was said, and when last. */
  readonly repeats: number;
  readonly lastAtMs: number;
}

/** A minute of 80 lines per second; 20 MB when each is as long as it may be. */
export const maxWaiting = 5_000;
/** After this long the same is said anew, so that it stands near what it goes with. */
export const repeatMs = 60_000;
/** Different lines whose repetition is noticed. */
const maxRecent = 1_000;

type Counted = { -readonly [K in keyof QueuedLine]: QueuedLine[K] };

export class LineQueue {
  readonly #waiting = new Map<string, Counted>();
  /** The last minute's lines by what they say, written or not. */
  readonly #recent = new Map<string, Counted>();
  /** Written lines that were said again since. */
  readonly #repeated = new Map<string, Counted>();
  #lost = 0;

  get isEmpty(): boolean {
    return this.#waiting.size === 0 && this.#repeated.size === 0 && this.#lost === 0;
  }

  /** Lines that found no room, and were not reported yet. */
  get lost(): number {
    return this.#lost;
  }

  /** The id under which the line will be found; null: there was no room. */
  add(line: Line): string | null {
    const key = keyOf(line);
    const before = this.#recent.get(key);
    if (before && Math.abs(line.atMs - before.atMs) < repeatMs) return this.#again(before, line);
    if (this.#waiting.size >= maxWaiting) {
      this.#lost += 1;
      return null;
    }
    const queued = { ...line, id: uuidv7(line.atMs), repeats: 1, lastAtMs: line.atMs };
    this.#waiting.set(queued.id, queued);
    this.#recent.delete(key); // and back at the end: the oldest is the first to be forgotten
    this.#recent.set(key, queued);
    if (this.#recent.size > maxRecent) this.#recent.delete(this.#recent.keys().next().value!);
    return queued.id;
  }

  /** The oldest lines; they go on waiting until `written`. */
  next(most: number): QueuedLine[] {
    return [...this.#waiting.values().take(most)].map((line) => ({ ...line }));
  }

  /** Lines that were written with a lower number. */
  repeated(most: number): QueuedLine[] {
    return [...this.#repeated.values().take(most)].map((line) => ({ ...line }));
  }

  /** What was said again meanwhile is written again, with its number. */
  written(lines: readonly QueuedLine[]): void {
    for (const { id, repeats } of lines) {
      const line = this.#waiting.get(id) ?? this.#repeated.get(id);
      this.#waiting.delete(id);
      this.#repeated.delete(id);
      if (line && line.repeats > repeats) this.#repeated.set(id, line);
    }
  }

  /** Lines that the database will never take. */
  refused(lines: readonly QueuedLine[]): void {
    for (const { id } of lines) {
      if (this.#waiting.delete(id)) this.#lost += 1;
      this.#repeated.delete(id);
    }
  }

  /** Says in the log itself how many lines are missing from it. */
  tellLosses(atMs: number): void {
    if (this.#lost === 0) return;
    const lines = this.#lost;
    this.#lost = 0;
    const line = aLine({
      level: 'warning',
      source: 'system',
      message: 'lines of the log were lost',
      userId: null,
      details: { lines },
      atMs,
    });
    const id = uuidv7(atMs);
    this.#waiting.set(id, { ...line, id, repeats: 1, lastAtMs: atMs });
  }

  #again(before: Counted, { atMs }: Line): string {
    before.repeats += 1;
    before.lastAtMs = Math.max(before.lastAtMs, atMs);
    if (!this.#waiting.has(before.id)) this.#repeated.set(before.id, before);
    return before.id;
  }
}

const keyOf = ({ level, source, message, userId, details }: Line): string =>
  JSON.stringify([level, source, message, userId, details]);
