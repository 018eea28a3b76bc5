/**
 * What the server said is not there. It is asked for again after a pause that doubles, however many places show it and
 * however often they draw it: a dead camera costs a request a minute, not one at each look.
 */
import { backOffMs } from '#lib/back-off.ts';
import { Problem } from './problem.ts';

/** A camera that has just begun has its first picture within these. */
const FIRST_PAUSE_MS = 5_000;
const LONGEST_PAUSE_MS = 60_000;

interface Missing {
  readonly problem: Problem;
  readonly tries: number;
  readonly untilMs: number;
}

const missing = new Map<string, Missing>();

/** Versions of one picture differ in their query only. */
const nameOf = (address: string): string => address.split('?', 1)[0]!;

/** Why it is not asked for now; null: it may be. */
export function knownMissing(address: string): Problem | null {
  const known = missing.get(nameOf(address));
  return known !== undefined && Date.now() < known.untilMs ? known.problem : null;
}

/** Notes what was refused; other troubles are no answer about the picture. */
export function noteMissing(address: string, error: unknown): void {
  if (!(error instanceof Problem) || error.status !== 404) return;
  const tries = (missing.get(nameOf(address))?.tries ?? 0) + 1;
  const pauseMs = backOffMs(tries, FIRST_PAUSE_MS, LONGEST_PAUSE_MS, Math.random());
  missing.set(nameOf(address), { problem: error, tries, untilMs: Date.now() + pauseMs });
}

export const noteFound = (address: string): void => void missing.delete(nameOf(address));

/** Something has changed (another session, a camera that came back): everything may be asked for again. */
export const forgetMissing = (): void => missing.clear();
