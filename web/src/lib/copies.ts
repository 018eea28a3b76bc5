/**
 * Copies of the server's answers, for a time without it. Each belongs to one user and lives for 24 h at
 * most. A start throws old ones away, and signing out all of them (`api/session.ts`). Code that keeps a copy says what
 * may stand in it: neither pictures of people nor how anything is reached.
 */
import { store, stored, type StorageKey } from './storage.ts';

const copies = [
  'cameras',
  'recordings',
  'logs-cache',
  'panels-cache',
  'recent-searches',
  'alerts',
] as const satisfies readonly StorageKey[];
export type CopyKey = (typeof copies)[number];

export const LONGEST_MS = 24 * 60 * 60_000;

export interface Copy {
  readonly user_id: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly value: unknown;
}

function read(key: CopyKey): Copy | null {
  try {
    const { user_id, at, value } = JSON.parse(stored(key) ?? 'null') as Record<string, unknown>;
    if (typeof user_id !== 'string' || typeof at !== 'number') return null;
    return { user_id, at, value };
  } catch {
    // There is none, or another version wrote it.
    return null;
  }
}

/** A copy of the future was made before the clock was set back: its age is unknown. */
const isYoung = ({ at }: Copy, nowMs: number): boolean => at <= nowMs && nowMs - at < LONGEST_MS;

export function keepCopy(key: CopyKey, copy: Copy): void {
  store(key, JSON.stringify(copy));
}

/** Null: there is none of this user, or it is too old. One that is too old is thrown away. */
export function copyOf(key: CopyKey, userId: string, nowMs: number): Copy | null {
  forgetOldCopies(nowMs);
  const copy = read(key);
  return copy?.user_id === userId ? copy : null;
}

export const forgetCopy = (key: CopyKey): void => store(key, null);

export function forgetOldCopies(nowMs: number): void {
  for (const key of copies) {
    const copy = read(key);
    if (copy === null || !isYoung(copy, nowMs)) store(key, null);
  }
}

export function forgetCopies(): void {
  for (const key of copies) store(key, null);
}
