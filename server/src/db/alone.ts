/**
 * Work that one process at a time does, of all that share a database. The lock is the database's and ends
 * with its connection, however that ends: nothing is left to judge after a crash.
 */
import { sql } from 'kysely';
import type { Database } from './database.ts';

/** Null without having called `work` when another process is at it. */
export async function alone<R>(
  db: Database,
  name: string,
  work: () => Promise<R>,
): Promise<R | null> {
  return db
    .write<unknown>()
    .connection()
    .execute(async (holder) => {
      const { rows } = await sql<{ mine: boolean }>`
        select pg_try_advisory_lock(hashtextextended(${name}, 0)) as mine`.execute(holder);
      if (!rows[0]?.mine) return null;
      try {
        return await work();
      } finally {
        await sql`select pg_advisory_unlock(hashtextextended(${name}, 0))`
          .execute(holder)
          .catch(() => undefined); // A lost connection has let go of it.
      }
    });
}
