import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { Database, Tx } from '#db/database.ts';
import { folded } from '#db/like.ts';
import { mustHavePage, type BoundedPage } from '#db/bounded-page.ts';
import { counted, dayColumns } from '../day-store.ts';
import { allOf, filterConditions, matchCondition } from './condition-store.ts';
import { countByAction, type DeedCount } from './count-store.ts';
import { MatchStore, usualLimits } from './match-store.ts';
import { NameStore } from './name-store.ts';
import type {
  EntryPlace,
  LogFilter,
  LogPage,
  LogRow,
  NamedRow,
  NameReader,
  NoteRow,
} from './rows.ts';
import { SearchStore } from './search-store.ts';

interface Tables {
  activity_log: LogRow;
  activity_note: NoteRow;
  audit_entry: { id: string; user_id: string | null; source: string; recorded_at: Date };
}

const columns = [
  'id',
  'recorded_at',
  'source',
  'is_mock',
  'user_id',
  'user_email',
  'user_name',
  'ip',
  'user_agent',
  'action',
  'content_type',
  'object_id',
  'details',
  'note',
  'sequence',
] as const;

interface Burial {
  readonly userId: string;
  readonly at: Date;
}

interface Buried {
  readonly buried: number;
  /** The oldest entry that matched. */
  readonly last: EntryPlace | null;
}

/** SQL of the activity log: the entries without the removed ones, and what clients noted beside them. */
export class LogStore {
  readonly #db: Database;
  readonly #names: NameStore;
  readonly #search: SearchStore;
  readonly #matches: MatchStore;

  constructor(db: Database, limits = usualLimits) {
    this.#db = db;
    this.#names = new NameStore(db);
    this.#search = new SearchStore(db, this.#names);
    this.#matches = new MatchStore(db, limits);
  }

  get #read(): Kysely<Tables> {
    return this.#db.read<Tables>();
  }

  transaction<R>(work: (tx: Tx) => Promise<R>): Promise<R> {
    return this.#db.transaction(work);
  }

  /** Throws page_too_late. */
  async list(filter: LogFilter, page: LogPage): Promise<BoundedPage<NamedRow>> {
    const { search, reader } = filter;
    const { ids, ...counted } = search
      ? await this.#matches.page(filter, await this.#search.find(search, reader), page)
      : await this.#matches.pageOfAll(filter, page);
    mustHavePage(counted, page);
    return { ...counted, rows: await this.#lines(reader, ids) };
  }

  /** Newest first, only entries older than `last`: an export reads page by page and holds no transaction. */
  async after(filter: LogFilter, last: LogRow | null, limit: number): Promise<NamedRow[]> {
    const { search, reader } = filter;
    if (search) {
      const found = await this.#search.find(search, reader);
      const ids = await this.#matches.newest(filter, found, last, limit);
      return this.#lines(reader, ids);
    }
    const rows = await this.#read
      .selectFrom('activity_log')
      .where(allOf(filterConditions(filter)))
      .$if(last !== null, (rows) =>
        rows.where(sql<boolean>`(recorded_at, id) < (${last?.recorded_at}, ${last?.id}::uuid)`),
      )
      .select(columns)
      .orderBy('recorded_at', 'desc')
      .orderBy('id', 'desc')
      .limit(limit)
      .execute();
    return this.#named(reader, rows);
  }

  async find(filter: LogFilter, id: string): Promise<NamedRow | undefined> {
    const rows = await this.#read
      .selectFrom('activity_log')
      .select(columns)
      .where(await this.#matching(filter))
      .where('id', '=', id)
      .execute();
    const [row] = await this.#named(filter.reader, rows);
    return row;
  }

  async countByAction(filter: LogFilter): Promise<readonly DeedCount[]> {
    const { search, reader } = filter;
    if (search) {
      return this.#matches.countByAction(filter, await this.#search.find(search, reader));
    }
    return countByAction(this.#db.scan(), filter);
  }

  /** In the order of the ids. */
  async #lines(reader: NameReader, ids: readonly string[]): Promise<NamedRow[]> {
    const rows = await this.#read
      .selectFrom('activity_log')
      .select(columns)
      .where(sql<boolean>`id = any(${[...ids]}::uuid[])`)
      .execute();
    const byId = new Map((await this.#named(reader, rows)).map((row) => [row.id, row]));
    return ids.flatMap((id) => byId.get(id) ?? []);
  }

  async #named(reader: NameReader, rows: readonly LogRow[]): Promise<NamedRow[]> {
    const names = await this.#names.of(reader, rows);
    return rows.map((row) => {
      const found = names.get(`${row.content_type} ${row.object_id}`);
      return {
        ...row,
        object_name: found?.name ?? ownNameOf(row),
        object_exists: found?.is_there ?? false,
      };
    });
  }

  /** Whether one entry matches. A page of all matches is found by arms instead. */
  async #matching(filter: LogFilter): Promise<RawBuilder<boolean>> {
    const { search, reader } = filter;
    const conditions = filterConditions(filter);
    if (!search) return allOf(conditions);
    const found = await this.#search.find(search, reader);
    return allOf([...conditions, matchCondition(found, 'activity_log')]);
  }

  /** Makes a tombstone for each match among these ids, and returns their number. */
  async bury(tx: Tx, filter: LogFilter, ids: readonly string[], by: Burial): Promise<number> {
    const matching = await this.#matching(filter);
    const { buried } = await this.#bury(
      tx,
      sql`select id, recorded_at from activity_log
           where ${matching} and id = any(${[...ids]}::uuid[])`,
      by,
    );
    return buried;
  }

  /**
   * Gives tombstones to the newest `limit` matches that are older than `last`. `last` of the result is null when there
   * were none: a batch that continues from there does not read what the batches before it buried.
   */
  async buryFrom(
    tx: Tx,
    filter: LogFilter,
    last: EntryPlace | null,
    { limit, ...by }: Burial & { readonly limit: number },
  ): Promise<Buried> {
    const older = last
      ? sql`and (recorded_at, id) < (${last.recorded_at}, ${last.id}::uuid)`
      : sql``;
    return this.#bury(
      tx,
      sql`select id, recorded_at from activity_log
           where ${await this.#matching(filter)} ${older}
           order by recorded_at desc, id desc limit ${limit}`,
      by,
    );
  }

  /** Two simultaneous deletions leave one tombstone for each entry. */
  async #bury(tx: Tx, matching: RawBuilder<unknown>, { at, userId }: Burial): Promise<Buried> {
    const { rows } = await sql<{ buried: number; id: string | null; recorded_at: Date | null }>`
      with matching as materialized (${matching}),
      locked as materialized (
        select id from audit_entry where id in (select id from matching) order by id for key share
      ),
      buried as (
        insert into activity_tombstone (entry_id, deleted_at, deleted_by)
        select id, ${at}::timestamptz, ${userId}::uuid from locked
        on conflict do nothing returning entry_id
      ),
      entry as (
        select ${dayColumns} from audit_entry where id in (select entry_id from buried)
      ),
      counted as (${counted(sql`entry`, 'buried', 1)})
      select (select count(*)::integer from buried) as buried, oldest.id, oldest.recorded_at
        from (values (1)) as one
        left join lateral (
          select id, recorded_at from matching order by recorded_at, id limit 1
        ) as oldest on true`.execute(tx.as<unknown>());
    const { buried, id, recorded_at } = rows[0]!;
    return { buried, last: id !== null && recorded_at !== null ? { id, recorded_at } : null };
  }

  /** Serialises the notes of one user, so that the existing ones do not change until the transaction ends. */
  async lockNotesOf(tx: Tx, userId: string): Promise<void> {
    await sql`select pg_advisory_xact_lock(801, hashtext(${userId}))`.execute(tx.as<Tables>());
  }

  /** Entries that this client sent before, by its own ids for them. */
  async noted(tx: Tx, userId: string, clientIds: readonly string[]): Promise<Map<string, string>> {
    if (clientIds.length === 0) return new Map();
    const rows = await tx
      .as<Tables>()
      .selectFrom('activity_note')
      .select(['client_id', 'entry_id'])
      .where('user_id', '=', userId)
      .where('client_id', 'in', clientIds)
      .execute();
    return new Map(rows.map(({ client_id, entry_id }) => [client_id ?? '', entry_id]));
  }

  async countOfClient(tx: Tx, userId: string, since: Date): Promise<number> {
    const { count } = await tx
      .as<Tables>()
      .selectFrom('audit_entry')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('user_id', '=', userId)
      .where('source', '=', 'client')
      .where('recorded_at', '>', since)
      .executeTakeFirstOrThrow();
    return count;
  }

  async addNotes(tx: Tx, notes: readonly NoteRow[]): Promise<void> {
    if (notes.length === 0) return;
    const list = <K extends keyof NoteRow>(name: K): NoteRow[K][] =>
      notes.map((note) => note[name]);
    await sql`
      insert into activity_note (entry_id, user_id, client_id, salt, text, words,
                                 ip, action, content_type, object_id, is_mock)
      select note.entry_id, note.user_id, note.client_id, note.salt, note.text, ${folded(sql`note.words`)},
             entry.ip, entry.action, entry.content_type, entry.object_id, entry.is_mock
        from unnest(${list('entry_id')}::uuid[], ${list('user_id')}::uuid[], ${list('client_id')}::text[],
                    ${list('salt')}::bytea[], ${list('text')}::text[], ${list('words')}::text[])
             as note (entry_id, user_id, client_id, salt, text, words)
        join activity_entry entry on entry.id = note.entry_id`.execute(tx.as<Tables>());
  }
}

/** Groups and shared layouts leave no name behind when they are deleted: their entries contain it. */
const namedByEntry: readonly string[] = ['user_group', 'camera_group', 'wall_layout'];

function ownNameOf({ content_type, details: { name } }: LogRow): string {
  return namedByEntry.includes(content_type) && typeof name === 'string' ? name : '';
}
