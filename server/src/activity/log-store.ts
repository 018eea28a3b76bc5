import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { Database, Tx } from '#db/database.ts';
import { hasText } from '#db/like.ts';
import { pageOf, type Page, type Paged } from '#db/page.ts';
import type { Source } from './entry.ts';

/** A line of the activity log, with names. */
export interface LogRow {
  readonly id: string;
  readonly recorded_at: Date;
  readonly source: Source;
  readonly is_mock: boolean;
  readonly user_id: string | null;
  readonly user_email: string;
  readonly user_name: string;
  readonly ip: string;
  readonly user_agent: string;
  readonly action: string;
  readonly content_type: string;
  readonly object_id: string | null;
  readonly details: Record<string, unknown>;
  readonly note: string | null;
}

export interface LogFilter {
  /** Null: everybody's. */
  readonly userId: string | null;
  /** Null: all. */
  readonly actions: readonly string[] | null;
  readonly from: Date | null;
  /** Not included. */
  readonly until: Date | null;
  readonly contentType: string | null;
  readonly objectId: string | null;
  readonly ip: string | null;
  readonly search: string;
  /** Actions whose sentence has the searched words in it. */
  readonly searchActions: readonly string[];
  readonly withMock: boolean;
}

export interface LogPage extends Page {
  readonly sortBy: 'user' | 'action' | 'ip' | 'timestamp';
  readonly direction: 'asc' | 'desc';
}

export interface NoteRow {
  readonly entry_id: string;
  readonly user_id: string;
  readonly client_id: string | null;
  /** Null: the words were forgotten. */
  readonly salt: Buffer | null;
  readonly text: string | null;
}

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

  constructor(db: Database) {
    this.#db = db;
  }

  get #read(): Kysely<Tables> {
    return this.#db.read<Tables>();
  }

  transaction<R>(work: (tx: Tx) => Promise<R>): Promise<R> {
    return this.#db.transaction(work);
  }

  list(filter: LogFilter, page: LogPage): Promise<Paged<LogRow>> {
    const rows = this.#read
      .selectFrom('activity_log')
      .where(matches(filter))
      .select(columns)
      .orderBy(sortColumns[page.sortBy], page.direction)
      .$if(page.sortBy !== 'timestamp', (query) => query.orderBy('recorded_at', 'desc'))
      .orderBy('id', page.direction);
    return pageOf(rows, page);
  }

  /** Newest first, from after that one: an export reads page by page and holds no transaction. */
  after(filter: LogFilter, last: LogRow | null, limit: number): Promise<LogRow[]> {
    const rows = this.#read.selectFrom('activity_log').where(matches(filter)).select(columns);
    const rest = last
      ? rows.where(sql<boolean>`(recorded_at, id) < (${last.recorded_at}, ${last.id}::uuid)`)
      : rows;
    return rest.orderBy('recorded_at', 'desc').orderBy('id', 'desc').limit(limit).execute();
  }

  find(filter: LogFilter, id: string): Promise<LogRow | undefined> {
    return this.#read
      .selectFrom('activity_log')
      .select(columns)
      .where(matches(filter))
      .where('id', '=', id)
      .executeTakeFirst();
  }

  async countBy(
    column: 'action' | 'content_type',
    filter: LogFilter,
  ): Promise<{ name: string; value: number }[]> {
    return this.#read
      .selectFrom('activity_log')
      .where(matches(filter))
      .select((is) => [is.ref(column).as('name'), is.fn.countAll<number>().as('value')])
      .groupBy(column)
      .execute();
  }

  /** Makes a tombstone for each match and answers how many. `ids`: only these. */
  async bury(
    tx: Tx,
    filter: LogFilter,
    ids: readonly string[] | null,
    by: { readonly userId: string; readonly at: Date },
  ): Promise<number> {
    const buried = await tx
      .as<Tables>()
      .insertInto('activity_tombstone')
      .columns(['entry_id', 'deleted_at', 'deleted_by'])
      .expression((from) =>
        from
          .selectFrom('activity_log')
          .select(['id', sql<Date>`${by.at}`.as('at'), sql<string>`${by.userId}::uuid`.as('by')])
          .where(matches(filter))
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
      .values([...notes])
      .execute();
  }
}

/** One condition for list, detail, export, statistics and deletion, so that they agree (C-304). */
function matches(filter: LogFilter): RawBuilder<boolean> {
  const { userId, actions, from, until, contentType, objectId, ip, search } = filter;
  const all: RawBuilder<unknown>[] = [];
  if (userId !== null) all.push(sql`user_id = ${userId}`);
  if (actions !== null) all.push(sql`action = any(${[...actions]}::text[])`);
  if (from) all.push(sql`recorded_at >= ${from}`);
  if (until) all.push(sql`recorded_at < ${until}`);
  if (contentType !== null) all.push(sql`content_type = ${contentType}`);
  if (objectId !== null) all.push(sql`object_id = ${objectId}`);
  if (ip !== null) all.push(sql`ip = ${ip}`);
  if (!filter.withMock) all.push(sql`not is_mock`);
  if (search !== '') all.push(found(search, filter.searchActions));
  return all.length === 0 ? sql<boolean>`true` : sql<boolean>`${sql.join(all, sql` and `)}`;
}

function found(search: string, actions: readonly string[]): RawBuilder<boolean> {
  const texts = ['action', 'user_name', 'user_email', 'ip', 'object_id', 'content_type', 'note'];
  const columns = texts.map((column) => sql.ref(column));
  return sql`(action = any(${[...actions]}::text[]) or ${hasText(columns, search)})`;
}
