import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { Database, Tx } from '#db/database.ts';
import { folded, startsWith } from '#db/like.ts';
import { countUpTo, maxCounted, mustHavePage, type BoundedPage } from '#db/bounded-page.ts';
import { earlier } from './filter.ts';
import type { Excluded, LogFilter, LogPage, LogRow, NoteRow } from './rows.ts';
import { SearchStore, type Found } from './search-store.ts';

interface Tables {
  activity_log: LogRow;
  activity_note: NoteRow;
  activity_tombstone: { entry_id: string; deleted_at: Date; deleted_by: string };
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

/** SQL of the activity log: the record without what was taken out, and what clients noted beside it. */
export class LogStore {
  readonly #db: Database;
  readonly #search: SearchStore;

  constructor(db: Database) {
    this.#db = db;
    this.#search = new SearchStore(db);
  }

  get #read(): Kysely<Tables> {
    return this.#db.read<Tables>();
  }

  transaction<R>(work: (tx: Tx) => Promise<R>): Promise<R> {
    return this.#db.transaction(work);
  }

  /** Throws page_too_late. */
  async list(filter: LogFilter, page: LogPage): Promise<BoundedPage<LogRow>> {
    const matching = this.#read.selectFrom('activity_log').where(await this.#matches(filter));
    const counted = await countUpTo(matching);
    mustHavePage(counted, page);
    const { pageSize, sortBy, direction } = page;
    const newestOrOldest = matching
      .select([...new Set(['id', 'recorded_at', sortColumns[sortBy]] as const)])
      .orderBy('recorded_at', sortBy === 'timestamp' ? direction : 'desc')
      .orderBy('id', sortBy === 'timestamp' ? direction : 'desc')
      .limit(maxCounted)
      .as('bounded');
    // By anything but time the newest are sorted, as many as are counted: nobody reads millions of them by address.
    const found = await this.#read
      .selectFrom(newestOrOldest)
      .select('id')
      .orderBy(sortColumns[sortBy], direction)
      .$if(sortBy !== 'timestamp', (rows) => rows.orderBy('recorded_at', 'desc'))
      .orderBy('id', sortBy === 'timestamp' ? direction : 'desc')
      .limit(pageSize)
      .offset((page.page - 1) * pageSize)
      .execute();
    return { ...counted, rows: await this.#lines(found.map(({ id }) => id)) };
  }

  /** Newest first, from after that one: an export reads page by page and holds no transaction. */
  async after(filter: LogFilter, last: LogRow | null, limit: number): Promise<LogRow[]> {
    const rest = last
      ? { ...filter, until: earlier(filter.until, new Date(last.recorded_at.getTime() + 1)) }
      : filter;
    return this.#read
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
  }

  async find(filter: LogFilter, id: string): Promise<LogRow | undefined> {
    return this.#read
      .selectFrom('activity_log')
      .select(columns)
      .where(await this.#matches(filter))
      .where('id', '=', id)
      .executeTakeFirst();
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
  async #lines(ids: readonly string[]): Promise<LogRow[]> {
    const rows = await this.#read
      .selectFrom('activity_log')
      .select(columns)
      .where(sql<boolean>`id = any(${[...ids]}::uuid[])`)
      .execute();
    const byId = new Map(rows.map((row) => [row.id, row]));
    return ids.flatMap((id) => byId.get(id) ?? []);
  }

  async #matches(filter: LogFilter, maxNotes = maxCounted + 1): Promise<RawBuilder<boolean>> {
    const { search } = filter;
    const found = search === null ? null : await this.#search.find(search, filter, maxNotes);
    return matches(filter, found);
  }

  /** Makes a tombstone for each match and answers how many. `ids`: only these. */
  async bury(
    tx: Tx,
    filter: LogFilter,
    ids: readonly string[] | null,
    by: { readonly userId: string; readonly at: Date },
  ): Promise<number> {
    const matching = await this.#matches(filter, Infinity);
    const buried = await tx
      .as<Tables>()
      .insertInto('activity_tombstone')
      .columns(['entry_id', 'deleted_at', 'deleted_by'])
      .expression((from) =>
        from
          .selectFrom('activity_log')
          .select(['id', sql<Date>`${by.at}`.as('at'), sql<string>`${by.userId}::uuid`.as('by')])
          .where(matching)
          .$if(ids !== null, (query) => query.where(sql<boolean>`id = any(${ids}::uuid[])`)),
      )
      // Two simultaneous deletions leave one tombstone for each entry.
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    return Number(buried.numInsertedOrUpdatedRows ?? 0n);
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

/** Lists of what matches, so that the planner knows how many entries to expect and an index serves each. */
function anyOf({ words, actions, contentTypes, userIds, noteIds }: Found): RawBuilder<unknown> {
  const any: RawBuilder<unknown>[] = [
    sql`action = any(${[...actions]}::text[])`,
    sql`content_type = any(${[...contentTypes]}::text[])`,
    sql`user_id = any(${[...userIds]}::uuid[])`,
    sql`id = any(${[...noteIds]}::uuid[])`,
  ];
  // An address or the id of a thing is looked for from its beginning.
  if (/^[\da-f.:-]+$/i.test(words)) {
    const beginning = words.toLowerCase();
    any.push(startsWith(sql.ref('ip'), beginning), startsWith(sql.ref('object_id'), beginning));
  }
  return sql`(${sql.join(any, sql` or `)})`;
}
