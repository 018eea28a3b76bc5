import { sql } from 'kysely';
import type { Database, Tx } from '#db/database.ts';
import type { KeptEntry } from './chain.ts';
import type { EntryTable } from './store.ts';

interface Tables {
  audit_entry: EntryTable;
}

/** `details`: the entry must have this field with this value, compared as text; absent: any value. */
export interface Wanted {
  readonly action: string;
  readonly detail?: { readonly name: string; readonly value: string };
}

export type EntryAbout = Pick<
  KeptEntry,
  'id' | 'recorded_at' | 'source' | 'user_id' | 'ip' | 'user_agent' | 'action' | 'details'
>;

export type RecordedEntry = Pick<KeptEntry, 'id' | 'action' | 'object_id' | 'details'>;

/** SQL of the entries about one account. */
export class AboutStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Those of these ids that are there. */
  entries(tx: Tx, ids: readonly string[]): Promise<RecordedEntry[]> {
    return tx
      .as<Tables>()
      .selectFrom('audit_entry')
      .select(['id', 'action', 'object_id', sql<string>`details::text`.as('details')])
      .where('id', 'in', [...ids])
      .execute();
  }

  /** The newest first. For an action that is named with a detail, only entries that have it. */
  latest(userId: string, wanted: readonly Wanted[], limit: number): Promise<EntryAbout[]> {
    return this.#db
      .read<Tables>()
      .selectFrom('audit_entry')
      .select(['id', 'recorded_at', 'source', 'user_id', 'ip', 'user_agent', 'action'])
      .select(sql<string>`details::text`.as('details'))
      .where('object_type', '=', 'user')
      .where('object_id', '=', userId)
      .where((eb) =>
        eb.or(
          wanted.map(({ action, detail }) => {
            const isIt = eb('action', '=', action);
            if (!detail) return isIt;
            return eb.and([isIt, sql<boolean>`details->>${detail.name} = ${detail.value}`]);
          }),
        ),
      )
      .orderBy('recorded_at', 'desc')
      .orderBy('id', 'desc')
      .limit(limit)
      .execute();
  }
}
