import { sql, type Generated, type Kysely, type QueryCreator } from 'kysely';
import type { Tx } from '#db/database.ts';

/** What changed, and when: a reader of the feed reads the subject as it is now. */
export interface Change {
  readonly kind: 'visit' | 'warning';
  /** Id of the visit or the warning. */
  readonly subject: string;
  readonly at: Date;
}

export interface TakenChange extends Change {
  /** Ascending as changes were written, not as they became visible. */
  readonly id: number;
}

interface Tables {
  feed_change: Change & { readonly id: Generated<number> };
}

/** The change is there when `tx` commits. */
export async function addChange(tx: Tx, { kind, subject, at }: Change): Promise<void> {
  await tx.as<Tables>().insertInto('feed_change').values({ kind, subject, at }).execute();
}

/** `db` whose next statement adds the change as well: for writers that count round trips. */
export function adding<T>(db: Kysely<T>, { kind, subject, at }: Change): QueryCreator<T> {
  const together = (db as unknown as Kysely<Tables>).with('feed_addition', (feed) =>
    feed.insertInto('feed_change').values({ kind, subject, at }),
  );
  return together as unknown as QueryCreator<T>;
}

/** The visible changes beyond that id that no other transaction holds, the first of them first; holds them. */
export function takeChanges(
  tx: Tx,
  { afterId, limit }: { readonly afterId: number; readonly limit: number },
): Promise<TakenChange[]> {
  return tx
    .as<Tables>()
    .selectFrom('feed_change')
    .select(['id', 'kind', 'subject', 'at'])
    .where('id', '>', afterId)
    .orderBy('id')
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .execute();
}

/** What `tx` writes besides is what followed from these changes. */
export async function removeChanges(tx: Tx, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  await sql`delete from feed_change where id = any(${[...ids]}::bigint[])`.execute(tx.as<Tables>());
}
