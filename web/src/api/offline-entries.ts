/**
 * Entries of the activity log that were made here while the server was away. They belong to one
 * user, live for 24 h at most, and are sent when the server is back: each has an id of its own, by which the
 * server knows one that it has already.
 */
import type { ClientEntry } from '@nazar/contract/activity.ts';
import { signal } from '#lib/signal.ts';
import { store, stored } from '#lib/storage.ts';
import { call } from './call.ts';
import { reachable } from './connection.ts';
import { Problem } from './problem.ts';
import { seeing } from './see-as.ts';

export type OfflineEntry = Pick<ClientEntry, 'action' | 'description' | 'timestamp'> & {
  readonly id: string;
};

interface Kept {
  readonly user_id: string;
  /** When the first was made, in milliseconds since 1970. */
  readonly at: number;
  readonly logs: readonly OfflineEntry[];
}

const LONGEST_MS = 24 * 60 * 60_000;
/** As many as the server takes at once. */
const MOST = 200;

function read(userId: string): Kept | null {
  try {
    const kept = JSON.parse(stored('activity-logs') ?? 'null') as Kept | null;
    const isMine = kept?.user_id === userId && Array.isArray(kept.logs);
    return isMine && Date.now() - kept.at < LONGEST_MS ? kept : null;
  } catch {
    // Another version wrote it.
    return null;
  }
}

/** How many wait. */
export const waitingEntries = signal(0);

function write(kept: Kept | null): void {
  store('activity-logs', kept === null ? null : JSON.stringify(kept));
  waitingEntries.set(kept?.logs.length ?? 0);
}

/** False: there is no room for more. */
export function keepEntry(userId: string, entry: OfflineEntry): boolean {
  const { at, logs } = read(userId) ?? { at: Date.now(), logs: [] };
  if (logs.length >= MOST) return false;
  write({ user_id: userId, at, logs: [...logs, entry] });
  return true;
}

/** One after another, so that none is sent twice. */
let sending: Promise<number> = Promise.resolve(0);

/** Answers how many were added; what could not be sent waits on. */
export function syncEntries(userId: string): Promise<number> {
  sending = sending.then(() => send(userId));
  return sending;
}

async function send(userId: string): Promise<number> {
  const kept = read(userId);
  waitingEntries.set(kept?.logs.length ?? 0);
  // With another's eyes nothing is written in their name.
  if (kept === null || kept.logs.length === 0 || seeing.get() !== null) return 0;
  try {
    const { activityRoutes } = await import('@nazar/contract/activity.ts');
    const { added, accepted } = await call(activityRoutes.sync, { body: { logs: [...kept.logs] } });
    forget(userId, new Set(accepted));
    return added;
  } catch (error) {
    // What the server will never take is not sent again and again.
    if (error instanceof Problem && error.status === 400) forgetEntries();
    return 0;
  }
}

/** Others may have been made meanwhile. */
function forget(userId: string, ids: ReadonlySet<string>): void {
  const kept = read(userId);
  if (kept === null) return;
  const logs = kept.logs.filter(({ id }) => !ids.has(id));
  write(logs.length === 0 ? null : { ...kept, logs });
}

export const forgetEntries = (): void => write(null);

/** Sends what waits as soon as a request reaches the server again. Returns how to stop. */
export function syncWhenBack(userId: string): () => void {
  void syncEntries(userId);
  return reachable.subscribe(() => {
    if (reachable.get()) void syncEntries(userId);
  });
}
