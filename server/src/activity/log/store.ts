import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { Database, Tx } from '#db/database.ts';
import { folded, startsWith } from '#db/like.ts';
import { maxCounted, mustHavePage, type BoundedPage } from '#db/bounded-page.ts';
import { earlier } from './filter.ts';
import { hasPart, NameStore } from './name-store.ts';
import type {
  Excluded,
  LogFilter,
  LogPage,
  LogRow,
  NamedRow,
  NameReader,
  NoteRow,
} from './rows.ts';
import { fewIds, SearchStore, type Found, type FoundSentence } from './search-store.ts';

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

const sortColumns = {
  user: 'user_name',
  action: 'action',
  ip: 'ip',
  timestamp: 'recorded_at',
} as const;

interface Burial {
  readonly userId: string;
  readonly at: Date;
}

/** Where an entry stands in the log, which is read from the newest on. */
export type EntryPlace = Pick<LogRow, 'id' | 'recorded_at'>;

interface Buried {
  readonly buried: number;
  /** The oldest that matched. */
  readonly last: EntryPlace | null;
}

/** SQL of the activity log: the record without what was taken out, and what clients noted beside it. */
export class LogStore {
  readonly #db: Database;
  readonly #names: NameStore;
  readonly #search: SearchStore;

  constructor(db: Database) {
    this.#db = db;
    this.#names = new NameStore(db);
    this.#search = new SearchStore(db, this.#names);
  }

  get #read(): Kysely<Tables> {
    return this.#db.read<Tables>();
  }

  transaction<R>(work: (tx: Tx) => Promise<R>): Promise<R> {
    return this.#db.transaction(work);
  }

  /** Throws page_too_late. */
  async list(filter: LogFilter, page: LogPage): Promise<BoundedPage<NamedRow>> {
    const { pageSize, sortBy, direction } = page;
    // As many as are counted, and one to know whether there are more: read once, for count and page alike.
    const bounded = this.#read
      .selectFrom('activity_log')
      .where(await this.#matches(filter))
      .select([...new Set(['id', 'recorded_at', sortColumns[sortBy]] as const)])
      .orderBy('recorded_at', sortBy === 'timestamp' ? direction : 'desc')
      .orderBy('id', sortBy === 'timestamp' ? direction : 'desc')
      .limit(maxCounted + 1);
    const time = sql.raw(sortBy === 'timestamp' ? direction : 'desc');
    // By anything but time the newest are sorted, as many as are counted: nobody reads millions of them by address.
    const { rows: found } = await sql<{ id: string | null; found: number }>`
      with bounded as materialized (${bounded}),
      counted as (
        select * from bounded order by recorded_at ${time}, id ${time} limit ${maxCounted}
      ),
      page as (
        select id, row_number() over () as place from (
          select id from counted
           order by ${sql.ref(sortColumns[sortBy])} ${sql.raw(direction)}, recorded_at ${time}, id ${time}
           limit ${pageSize} offset ${(page.page - 1) * pageSize}
        ) as sorted
      )
      select page.id, (select count(*)::integer from bounded) as found
        from (values (1)) as one left join page on true order by place`.execute(this.#read);
    const total = found[0]?.found ?? 0;
    const counted = { count: Math.min(total, maxCounted), more: total > maxCounted };
    mustHavePage(counted, page);
    return {
      ...counted,
      rows: await this.#lines(
        filter.reader,
        found.flatMap(({ id }) => id ?? []),
      ),
    };
  }

  /** Newest first, from after that one: an export reads page by page and holds no transaction. */
  async after(filter: LogFilter, last: LogRow | null, limit: number): Promise<NamedRow[]> {
    const rest = last
      ? { ...filter, until: earlier(filter.until, new Date(last.recorded_at.getTime() + 1)) }
      : filter;
    const rows = await this.#read
      .selectFrom('activity_log')
      .where(await this.#matches(rest))
      .$if(last !== null, (rows) =>
        rows.where(sql<boolean>`(recorded_at, id) < (${last?.recorded_at}, ${last?.id}::uuid)`),
      )
      .select(columns)
      .orderBy('recorded_at', 'desc')
      .orderBy('id', 'desc')
      .limit(limit)
      .execute();
    return this.#named(filter.reader, rows);
  }

  async find(filter: LogFilter, id: string): Promise<NamedRow | undefined> {
    const rows = await this.#read
      .selectFrom('activity_log')
      .select(columns)
      .where(await this.#matches(filter))
      .where('id', '=', id)
      .execute();
    const [row] = await this.#named(filter.reader, rows);
    return row;
  }

  async countByAction(filter: LogFilter): Promise<{ name: string; value: number }[]> {
    return this.#read
      .selectFrom('activity_log')
      .where(await this.#matches(filter, Infinity))
      .select((is) => [is.ref('action').as('name'), is.fn.countAll<number>().as('value')])
      .groupBy('action')
      .execute();
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

  async #matches(filter: LogFilter, maxEntries = maxCounted + 1): Promise<RawBuilder<boolean>> {
    const { search } = filter;
    const found = search === null ? null : await this.#search.find(search, filter, maxEntries);
    return matches(filter, found);
  }

  /** Makes a tombstone for each match of these ids, and answers how many. */
  async bury(tx: Tx, filter: LogFilter, ids: readonly string[], by: Burial): Promise<number> {
    const matching = await this.#matches(filter, Infinity);
    const { buried } = await this.#bury(
      tx,
      sql`select id, recorded_at from activity_log
           where ${matching} and id = any(${[...ids]}::uuid[])`,
      by,
    );
    return buried;
  }

  /**
   * The newest `limit` matches from after `last` on get tombstones. `last` of the answer is null when there were none:
   * going on from there, no batch reads past what the batches before it buried.
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
           where ${await this.#matches(filter, Infinity)} ${older}
           order by recorded_at desc, id desc limit ${limit}`,
      by,
    );
  }

  /** Two simultaneous deletions leave one tombstone for each entry. */
  async #bury(tx: Tx, matching: RawBuilder<unknown>, { at, userId }: Burial): Promise<Buried> {
    const { rows } = await sql<{ buried: number; id: string | null; recorded_at: Date | null }>`
      with matching as materialized (${matching}),
      buried as (
        insert into activity_tombstone (entry_id, deleted_at, deleted_by)
        select id, ${at}::timestamptz, ${userId}::uuid from matching
        on conflict do nothing returning entry_id
      )
      select (select count(*)::integer from buried) as buried, oldest.id, oldest.recorded_at
        from (values (1)) as one
        left join lateral (
          select id, recorded_at from matching order by recorded_at, id limit 1
        ) as oldest on true`.execute(tx.as<unknown>());
    const { buried, id, recorded_at } = rows[0]!;
    return { buried, last: id !== null && recorded_at !== null ? { id, recorded_at } : null };
  }

  /** Serialises the notes of one user, so that what is there stays known until the transaction ends. */
  async lockNotesOf(tx: Tx, userId: string): Promise<void> {
    await sql`select pg_advisory_xact_lock(801, hashtext(${userId}))`.execute(tx.as<Tables>());
  }

  /** Entries that this client told before, by its own ids of them. */
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
    await tx
      .as<Tables>()
      .insertInto('activity_note')
      .values(notes.map((note) => ({ ...note, words: folded(sql`${note.words}::text`) })))
      .execute();
  }
}

/** One condition for list, detail, export, statistics and deletion, so that they agree (C-304). */
function matches(filter: LogFilter, found: Found | null): RawBuilder<boolean> {
  const { userId, actions, from, until, contentType, objectId, ip } = filter;
  const all: RawBuilder<unknown>[] = [];
  if (userId !== null) all.push(sql`user_id = ${userId}`);
  if (actions !== null) all.push(sql`action = any(${[...actions]}::text[])`);
  if (from) all.push(sql`recorded_at >= ${from}`);
  if (until) all.push(sql`recorded_at < ${until}`);
  if (contentType !== null) all.push(sql`content_type = ${contentType}`);
  if (objectId !== null) all.push(sql`object_id = ${objectId}`);
  if (ip !== null) all.push(sql`ip = ${ip}`);
  all.push(...exclusions(filter.not));
  if (!filter.withMock) all.push(sql`not is_mock`);
  if (found) all.push(anyOf(found));
  return all.length === 0 ? sql<boolean>`true` : sql<boolean>`${sql.join(all, sql` and `)}`;
}

function exclusions({ actions, contentType, ip, userId }: Excluded): RawBuilder<unknown>[] {
  const none: RawBuilder<unknown>[] = [];
  if (actions !== null) none.push(sql`action <> all(${[...actions]}::text[])`);
  if (contentType !== null) none.push(sql`content_type <> ${contentType}`);
  if (ip !== null) none.push(sql`ip <> ${ip}`);
  if (userId !== null) none.push(sql`user_id is distinct from ${userId}::uuid`);
  return none;
}

/** Groups and shared layouts, which leave no name behind: their entries have it. */
const namedByEntry: readonly string[] = ['user_group', 'camera_group', 'wall_layout'];

function ownNameOf({ content_type, details: { name } }: LogRow): string {
  return namedByEntry.includes(content_type) && typeof name === 'string' ? name : '';
}

/** Lists of what matches, so that the planner knows how many entries to expect and an index serves each. */
function anyOf(found: Found): RawBuilder<unknown> {
  const { words, actions, contentTypes, userIds, entryIds, objectIds } = found;
  const any: RawBuilder<unknown>[] = [
    sql`action = any(${[...actions]}::text[])`,
    sql`content_type = any(${[...contentTypes]}::text[])`,
    sql`user_id = any(${[...userIds]}::uuid[])`,
    sql`id = any(${[...entryIds]}::uuid[])`,
    ...found.sentences.flatMap(hasSentence),
  ];
  if (objectIds.length > 0) any.push(sql`object_id = any(${[...objectIds]}::text[])`);
  // An address or the id of a thing is looked for from its beginning.
  if (/^[\da-f.:-]+$/i.test(words)) {
    const beginning = words.toLowerCase();
    any.push(startsWith(sql.ref('ip'), beginning), startsWith(sql.ref('object_id'), beginning));
  }
  return sql`(${sql.join(any, sql` or `)})`;
}

/** What was found by few objects is among the entries. */
function hasSentence({ action, to, pattern, objectIds }: FoundSentence): RawBuilder<unknown>[] {
  const all = [sql`action = ${action}`];
  if (to !== null) all.push(sql`details->>'to' = ${to}`);
  if (pattern === null) return [sql`(${sql.join(all, sql` and `)})`];
  const arms: RawBuilder<unknown>[] = [];
  const isFound = to === null && fewIds(objectIds ?? []);
  if (objectIds && objectIds.length > 0 && !isFound) {
    arms.push(sql`object_id = any(${[...objectIds]}::text[])`);
  }
  if (ownNameDeed.test(action)) arms.push(hasPart(sql`details->>'name'`, pattern));
  return arms.map((arm) => sql`(${sql.join([...all, arm], sql` and `)})`);
}

const ownNameDeed = /\.(?:group|layout)_/;
