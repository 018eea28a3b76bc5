/**
 * The user with whose eyes this tab looks, if any. For the tab only: another tab goes on as the
 * administrator. Every call names that user then, and the server refuses what may not be asked so.
 */
import { accountRoutes } from '@nazar/contract/accounts.ts';
import { seeAsRoutes } from '@nazar/contract/see-as.ts';
import { signal, useSignal } from '#lib/signal.ts';
import { seenAs } from '#lib/storage.ts';

export interface SeenUser {
  readonly id: string;
  readonly name: string;
}

function kept(): SeenUser | null {
  try {
    const { id, name } = JSON.parse(seenAs.get() ?? 'null') as Record<string, unknown>;
    return typeof id === 'string' && typeof name === 'string' ? { id, name } : null;
  } catch {
    return null;
  }
}

export const seeing = signal<SeenUser | null>(kept());
export const useSeeing = (): SeenUser | null => useSignal(seeing);

export function see(user: SeenUser | null): void {
  seenAs.set(user === null ? null : JSON.stringify(user));
  seeing.set(user);
}

/** What stays the administrator's own: how their pages look, the way out, and beginning and leaving this. */
const own = new Set<string>([
  accountRoutes.preferences.path,
  accountRoutes.logout.path,
  seeAsRoutes.begin.path,
]);

/** Adds a path that concerns this browser only, and never the user the reader sees as. */
export const keepOwn = (path: string): void => void own.add(path);

/** The user a call names; null: none. `path` is the route's path, or the address of a picture. */
export function eyesFor(path: string): string | null {
  return own.has(path) ? null : (seeing.get()?.id ?? null);
}
