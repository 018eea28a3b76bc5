import { sql, type ColumnType, type Kysely, type OperationNodeSource } from 'kysely';
import type { Database, Tx } from '#db/database.ts';
import type { KeptEntry, Link } from './chain.ts';
import type { Checkpoint } from './checkpoints.ts';
import { counted, dayColumns } from './day-store.ts';

/** Details are written and read as text, letter by letter; as JSON values they would be parsed. */
export type EntryTable = Omit<KeptEntry, 'details'> & {
  details: ColumnType<object, string, never>;
};

interface Tables {
  audit_checkpoint: Checkpoint;
  audit_check: { readonly claimed_at: Date; readonly finished_at: Date };
  audit_entry: EntryTable & { readonly sequence: number | null; readonly mac: Buffer | null };
}

export type SealedEntry = KeptEntry & Link;

/** The lock of the sealer, for one transaction; any number that no other code uses. */
const sealerLock = 801_802_803;

const columns = [
  'id',
  'recorded_at',
  'source',
  'is_mock',
  'user_id',
  'session_id',
  'ip',
  'user_agent',
  'action',
  'object_type',
  'object_id',
  sql<string>`details::text`.as('details'),
] as const;

/** SQL of the activity log; the only writer of its tables. */
export class ActivityStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  transaction<R>(work: (tx: Tx) => Promise<R>): Promise<R> {
    return this.#db.transaction(work);
  }

  async add(tx: Tx, entries: readonly KeptEntry[]): Promise<void> {
    if (entries.length === 0) return;
    const rows = entries.map((entry) => ({ ...entry, sequence: null, mac: null }));
    const added = tx.as<Tables>().insertInto('audit_entry').values(rows);
    if (!entries.some(hasDetails)) await added.execute();
    else await this.#addWithDetails(tx, added.returningAll());
  }

  /** Adds entries and what a search reads of them, in one statement. */
  async #addWithDetails(tx: Tx, added: OperationNodeSource): Promise<void> {
    await sql`
      with entry as (${added})
      insert into activity_detail (entry_id, user_id, words, tokens, ip, action, content_type, object_id, is_mock)
      select id, user_id, activity_words(details), activity_tokens(details), ip, action,
             coalesce(object_type, details->>'content_type', 'system'), object_id, is_mock
        from entry where source <> 'client' and details::text <> '{}'`.execute(tx.as<Tables>());
  }

  /** True in at most one transaction at a time, among all processes, until that transaction ends. */
  async maySeal(tx: Tx): Promise<boolean> {
    const { rows } = await sql<{
      mine: boolean;
    }>`select pg_try_advisory_xact_lock(${sealerLock}) as mine`.execute(tx.as<Tables>());
    return rows[0]?.mine ?? false;
  }

  /** The end of the chain as it is now; null when nothing is sealed. */
  async head(tx: Tx): Promise<Link | null> {
    const row = await tx
      .as<Tables>()
      .selectFrom('audit_entry')
      .select(['sequence', 'mac'])
      .where('sequence', 'is not', null)
      .orderBy('sequence', 'desc')
      .limit(1)
      .executeTakeFirst();
    return row ? asLink(row) : null;
  }

  async macAt(tx: Tx, sequence: number): Promise<Buffer | null> {
    const row = await tx
      .as<Tables>()
      .selectFrom('audit_entry')
      .select('mac')
      .where('sequence', '=', sequence)
      .executeTakeFirst();
    return row?.mac ?? null;
  }

  /** The oldest entries without a place, locked before the counts of their days (see day-store.ts). */
  lockUnsealed(tx: Tx, limit: number): Promise<KeptEntry[]> {
    return tx
      .as<Tables>()
      .selectFrom('audit_entry')
      .select(columns)
      .where('sequence', 'is', null)
      .orderBy('id')
      .limit(limit)
      .forUpdate()
      .execute();
  }

  async countUnsealed(): Promise<number> {
    const { count } = await this.#read
      .selectFrom('audit_entry')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('sequence', 'is', null)
      .executeTakeFirstOrThrow();
    return count;
  }

  /** Sealed entries are counted from now on. */
  async seal(tx: Tx, links: readonly (Link & { readonly id: string })[]): Promise<void> {
    await sql`
      with entry as (
        update audit_entry set sequence = sealed.sequence, mac = sealed.mac
          from unnest(${links.map(({ id }) => id)}::uuid[], ${links.map(({ sequence }) => sequence)}::bigint[],
                      ${links.map(({ mac }) => mac)}::bytea[]) as sealed (id, sequence, mac)
         where audit_entry.id = sealed.id returning ${dayColumns}
      )
      ${counted(sql`entry`, 'entries', 1)}`.execute(tx.as<Tables>());
  }

  /** Sealed entries in their order, after the given one; two with the same number are both returned. */
  async sealedAfter(
    after: { readonly sequence: number; readonly id: string } | null,
    limit: number,
  ): Promise<SealedEntry[]> {
    let rows = this.#read
      .selectFrom('audit_entry')
      .select([...columns, 'sequence', 'mac'])
      .where('sequence', 'is not', null);
    if (after) {
      rows = rows.where(sql<boolean>`(sequence, id) > (${after.sequence}, ${after.id}::uuid)`);
    }
    const found = await rows.orderBy('sequence').orderBy('id').limit(limit).execute();
    return found.map((row) => ({ ...row, ...asLink(row) }));
  }

  checkpoints(): Promise<Checkpoint[]> {
    return this.#read.selectFrom('audit_checkpoint').selectAll().orderBy('sequence').execute();
  }

  /** The chain begins after that entry from now on; it and the ones before are deleted. */
  async prune(made: Checkpoint): Promise<void> {
    await this.#db.transaction(async (tx) => {
      await tx.as<Tables>().insertInto('audit_checkpoint').values(made).execute();
      await sql`
        select count(*) from (
          select from audit_entry where sequence <= ${made.sequence} order by id for update
        ) as locked`.execute(tx.as<Tables>());
      await sql`
        with entry as (
          delete from activity_tombstone using audit_entry
           where audit_entry.id = entry_id and sequence <= ${made.sequence} returning ${dayColumns}
        )
        ${counted(sql`entry`, 'buried', -1)}`.execute(tx.as<Tables>());
      await sql`
        with entry as (
          delete from audit_entry where sequence <= ${made.sequence} returning ${dayColumns}
        )
        ${counted(sql`entry`, 'entries', -1)}`.execute(tx.as<Tables>());
      // Nothing younger than 90 days is deleted, so no younger day becomes empty.
      await sql`
        delete from activity_day
         where day <= (${made.made_at}::timestamptz at time zone 'UTC')::date - 90 and entries = 0 and buried = 0`.execute(
        tx.as<Tables>(),
      );
    });
  }

  /** True for one of the processes that call it at once, if the last check is long enough ago. */
  async claimCheck(at: {
    readonly now: Date;
    readonly claimedBefore: Date;
    readonly finishedBefore: Date;
  }): Promise<boolean> {
    const claimed = await this.#db
      .write<Tables>()
      .updateTable('audit_check')
      .set({ claimed_at: at.now })
      .where('claimed_at', '<=', at.claimedBefore)
      .where('finished_at', '<=', at.finishedBefore)
      .executeTakeFirst();
    return claimed.numUpdatedRows > 0n;
  }

  async finishCheck(finished_at: Date): Promise<void> {
    await this.#db.write<Tables>().updateTable('audit_check').set({ finished_at }).execute();
  }

  get #read(): Kysely<Tables> {
    return this.#db.read<Tables>();
  }
}

/** Reports of clients are stored in their notes instead. */
const hasDetails = ({ source, details }: KeptEntry): boolean =>
  source !== 'client' && details !== '{}';

function asLink({ sequence, mac }: { sequence: number | null; mac: Buffer | null }): Link {
  return { sequence: sequence ?? 0, mac: mac ?? Buffer.alloc(0) };
}
