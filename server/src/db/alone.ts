/**
 * Work that one process at a time does, of all that share a database. The lock is the database's and ends
 * with its connection, however that ends: nothing is left to judge after a crash, and the work is told.
 */
import type { Database } from './database.ts';

/**
 * Null without having called `work` when another process is at it. `lost` is aborted when the lock went with its
 * connection: another process may begin, so the work ends before its next step.
 */
export async function alone<R>(
  db: Pick<Database, 'tryLock'>,
  name: string,
  work: (lost: AbortSignal) => Promise<R>,
): Promise<R | null> {
  await using lock = await db.tryLock(name);
  // Awaited here: the lock is let go at the end of this function.
  return lock && (await work(lock.lost));
}
