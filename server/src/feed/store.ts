import { sql, type Generated, type Kysely, type QueryCreator } from 'kysely';
import type { Tx } from '#db/database.ts';

/**
 * Each kind has one reader. Alerts take `visit` and `warning`, and write what notifications take: `alert` (one was
 * raised), `alert_over` (one is over by itself), `assignment` (one was assigned to another user) and `known_visit`
 * (recognition decided whom a visit shows).
 */
export type ChangeKind =
  | 'visit'
  | 'warning'
  | 'alert'
  | 'alert_over'
  | 'assignment'
  | 'known_visit'
  | 'account'
  | 'export';

/** What changed, and when: a reader of the feed reads the subject as it is now. */
export interface Change {
  readonly kind: ChangeKind;
  /** Id of the visit, the warning, the alert, the entry of the activity log about an account, or the export. */
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

/** The same for several. */
export async function addChanges(tx: Tx, changes: readonly Change[]): Promise<void> {
  if (changes.length === 0) return;
  await sql`
    insert into feed_change (kind, subject, at)
    select * from unnest(${changes.map(({ kind }) => kind)}::text[],
                         ${changes.map(({ subject }) => subject)}::uuid[],
                         ${changes.map(({ at }) => at.toISOString())}::timestamptz[])`.execute(
    tx.as<Tables>(),
  );
}

/** False: another server reads these kinds until its transaction ends. */
export async function mayRead(tx: Tx, reader: string): Promise<boolean> {
  const { rows } = await sql<{ mine: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${reader}, 0)) as mine`.execute(
    tx.as<Tables>(),
  );
  return rows[0]?.mine === true;
}

/** `db` whose next statement adds the change as well: for writers that count round trips. */
export function adding<T>(db: Kysely<T>, { kind, subject, at }: Change): QueryCreator<T> {
  const together = (db as unknown as Kysely<Tables>).with('feed_addition', (feed) =>
    feed.insertInto('feed_change').values({ kind, subject, at }),
  );
  return together as unknown as QueryCreator<T>;
}

export interface Taking {
  readonly kinds: readonly ChangeKind[];
  readonly afterId: number;
  readonly limit: number;
}

/** The visible changes of these kinds beyond that id that no other transaction holds, the first of them first; holds them. */
export function takeChanges(tx: Tx, { kinds, afterId, limit }: Taking): Promise<TakenChange[]> {
  return tx
    .as<Tables>()
    .selectFrom('feed_change')
    .select(['id', 'kind', 'subject', 'at'])
    .where('id', '>', afterId)
    .where('kind', 'in', [...kinds])
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
