/**
 * Work that only one of the processes that share a database does at a time. The lock is the database's and ends
 * with its connection, however that ends: a crash leaves no stale lock, and the work is informed by `lost`.
 */
import type { Database } from './database.ts';

/**
 * Returns null without calling `work` when another process is doing it. `lost` is aborted when the lock is lost with
 * its connection: another process may begin, so the work ends before its next step.
 */
export async function alone<R>(
  db: Pick<Database, 'tryLock'>,
  name: string,
  work: (lost: AbortSignal) => Promise<R>,
): Promise<R | null> {
  await using lock = await db.tryLock(name);
  // Awaited here, because the lock is released at the end of this function.
  return lock && (await work(lock.lost));
}
