import { sql, type Kysely, type RawBuilder, type SelectQueryBuilder } from 'kysely';
import type { SystemLogCount, SystemLogLevel } from '@nazar/contract/system-logs.ts';
import type { Database, Tx } from '#db/database.ts';
import { countUpTo, mustHavePage, type BoundedPage, type Counted } from '#db/bounded-page.ts';
import { hasFolded } from '#db/like.ts';
import type { Page } from '#db/page.ts';

export interface SystemLogRow {
  readonly id: string;
  readonly logged_at: Date;
  readonly level: SystemLogLevel;
  readonly source: string;
  readonly message: string;
  readonly user_id: string | null;
  readonly user_name: string;
  readonly details: Record<string, unknown>;
  readonly repeats: number;
  readonly last_at: Date;
}

/** Null: whatever it is. */
export interface SystemLogWanted {
  readonly level: SystemLogLevel | null;
  readonly source: string | null;
  readonly search: string | null;
  readonly userId: string | null;
  readonly from: Date | null;
  /** Exclusive. */
  readonly until: Date | null;
}

interface Tables {
  system_log: Omit<SystemLogRow, 'user_name'> & { words: string; deleted_at: Date | null };
  activity_user: { id: string; email: string; name: string };
}

type Rows = SelectQueryBuilder<Tables, 'system_log', object>;

/** SQL of reading the system log, and of taking lines out of it. */
export class SystemLogStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  transaction<R>(work: (tx: Tx) => Promise<R>): Promise<R> {
    return this.#db.transaction(work);
  }

  /** Newest first. Throws page_too_late. */
  async list(wanted: SystemLogWanted, page: Page): Promise<BoundedPage<SystemLogRow>> {
    const counted = await this.count(wanted);
    mustHavePage(counted, page);
    const rows = await this.#lines(
      this.#matching(wanted)
        .limit(page.pageSize)
        .offset((page.page - 1) * page.pageSize),
      'desc',
    );
    return { ...counted, rows };
  }

  count(wanted: SystemLogWanted): Promise<Counted> {
    return countUpTo(this.#matching(wanted));
  }

  async find(wanted: SystemLogWanted, id: string): Promise<SystemLogRow | undefined> {
    const rows = await this.#lines(this.#matching(wanted).where(isOne([id])), 'desc');
    return rows[0];
  }

  /** The nearest before or after a line, nearest first. */
  async near(
    wanted: SystemLogWanted,
    { id, logged_at }: SystemLogRow,
    side: 'before' | 'after',
    count: number,
  ): Promise<SystemLogRow[]> {
    const line = sql`(${logged_at}, ${id}::uuid)`;
    const isThere =
      side === 'before'
        ? sql<boolean>`(logged_at, system_log.id) < ${line}`
        : sql<boolean>`(logged_at, system_log.id) > ${line}`;
    const matching = this.#matching(wanted).where(isThere).limit(count);
    return this.#lines(matching, side === 'before' ? 'desc' : 'asc');
  }

  /** By source and level. Whole hours are counted already, unless lines of one user, or with some words, are meant. */
  async counts(wanted: SystemLogWanted): Promise<SystemLogCount[]> {
    const { userId, search, from, until } = wanted;
    const at = sql.ref('logged_at');
    const counted =
      userId === null && search === null
        ? sql`
            select source, level, lines from system_log_hour where ${wholeHours(from, until)}
            union all
            select source, level, 1 from system_log
             where deleted_at is null and (${edges(at, from, until)})`
        : sql`
            select source, level, 1 as lines from system_log
             where deleted_at is null and ${matches(wanted)}`;
    const { rows } = await sql<SystemLogCount>`
      select source,
             coalesce(sum(lines) filter (where level = 'error'), 0) as error,
             coalesce(sum(lines) filter (where level = 'warning'), 0) as warning,
             coalesce(sum(lines) filter (where level = 'info'), 0) as info,
             coalesce(sum(lines) filter (where level = 'debug'), 0) as debug
        from (${counted}) as counted
       group by source having sum(lines) > 0 order by source`.execute(this.#reading(wanted));
    return rows;
  }

  /** Marks those that match, the newest first, and answers how many. `ids`: only these. */
  async markDeleted(
    tx: Tx,
    wanted: SystemLogWanted,
    ids: readonly string[] | null,
    { at, most }: { readonly at: Date; readonly most: number },
  ): Promise<number> {
    const chosen = ids === null ? sql`true` : isOne(ids);
    const { rows } = await sql<{ count: number }>`
      with chosen as (
        select logged_at, id from system_log
         where deleted_at is null and ${matches(wanted)} and ${chosen}
         order by logged_at desc, id desc limit ${most} for update),
      gone as (
        update system_log set deleted_at = ${at} from chosen
         where system_log.logged_at = chosen.logged_at and system_log.id = chosen.id
        returning system_log.logged_at, source, level),
      fewer as (
        update system_log_hour set lines = system_log_hour.lines - counted.lines
          from (select date_trunc('hour', logged_at, 'UTC') as hour, source, level, count(*) as lines
                  from gone group by 1, 2, 3) as counted
         where (system_log_hour.hour, system_log_hour.source, system_log_hour.level)
             = (counted.hour, counted.source, counted.level))
      select count(*) from gone`.execute(tx.as<unknown>());
    return rows[0]!.count;
  }

  #matching(wanted: SystemLogWanted): Rows {
    return this.#reading(wanted)
      .selectFrom('system_log')
      .where('deleted_at', 'is', null)
      .where(matches(wanted));
  }

  #lines(matching: Rows, order: 'asc' | 'desc'): Promise<SystemLogRow[]> {
    return matching
      .leftJoin('activity_user', 'activity_user.id', 'system_log.user_id')
      .select([
        'system_log.id',
        'logged_at',
        'level',
        'source',
        'message',
        'user_id',
        'details',
        'repeats',
        'last_at',
        sql<string>`coalesce(nullif(activity_user.name, ''), activity_user.email, '')`.as(
          'user_name',
        ),
      ])
      .orderBy('logged_at', order)
      .orderBy('system_log.id', order)
      .execute();
  }

  /** A search for words reads more lines than it finds. */
  #reading({ search }: SystemLogWanted): Kysely<Tables> {
    return search === null ? this.#db.read<Tables>() : this.#db.scan<Tables>();
  }
}

/** One condition for list, counts, detail, neighbours and deletion, so that they agree. */
function matches({
  level,
  source,
  search,
  userId,
  from,
  until,
}: SystemLogWanted): RawBuilder<boolean> {
  const all: RawBuilder<unknown>[] = [within(sql.ref('logged_at'), from, until)];
  if (level !== null) all.push(sql`level = ${level}`);
  if (source !== null) all.push(sql`source = ${source}`);
  if (userId !== null) all.push(sql`user_id = ${userId}::uuid`);
  if (search !== null) all.push(isFound(search));
  return sql<boolean>`${sql.join(all, sql` and `)}`;
}

const anId = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** By its words, or by its own id, which the browser shows with an error. */
function isFound(search: string): RawBuilder<boolean> {
  const hasWords = hasFolded(sql.ref('words'), search);
  return anId.test(search) ? sql<boolean>`(${hasWords} or ${isOne([search])})` : hasWords;
}

function within(
  at: RawBuilder<unknown>,
  from: Date | null,
  until: Date | null,
): RawBuilder<boolean> {
  const bounds = [
    ...(from ? [sql`${at} >= ${from}`] : []),
    ...(until ? [sql`${at} < ${until}`] : []),
  ];
  return bounds.length === 0 ? sql<boolean>`true` : sql<boolean>`${sql.join(bounds, sql` and `)}`;
}

const hourMs = 60 * 60_000;
const floorHour = (at: Date): Date => new Date(Math.floor(at.getTime() / hourMs) * hourMs);
const ceilHour = (at: Date): Date => new Date(Math.ceil(at.getTime() / hourMs) * hourMs);

const wholeHours = (from: Date | null, until: Date | null): RawBuilder<boolean> =>
  within(sql.ref('hour'), from && ceilHour(from), until && floorHour(until));

/** What a period has before its first whole hour and after its last. */
function edges(
  at: RawBuilder<unknown>,
  from: Date | null,
  until: Date | null,
): RawBuilder<boolean> {
  const [first, last] = [from && ceilHour(from), until && floorHour(until)];
  // Both ends in one hour: nothing of it is whole.
  if (first && last && first > last) return within(at, from, until);
  const parts = [
    ...(from ? [sql`(${within(at, from, first)})`] : []),
    ...(until ? [sql`(${within(at, last, until)})`] : []),
  ];
  return parts.length === 0 ? sql<boolean>`false` : sql<boolean>`${sql.join(parts, sql` or `)}`;
}

/** The end of the last year with four digits; ids of other versions may mean later ones. */
const lastMs = Date.UTC(9999, 11, 31);

/** An id of version 7 says when its line was written, so that only its partition is read. */
function isOne(ids: readonly string[]): RawBuilder<boolean> {
  const times = ids.map((id) => {
    const ms = parseInt(id.replace('-', '').slice(0, 12), 16);
    return new Date(Math.min(ms, lastMs));
  });
  return sql<boolean>`
    (logged_at, system_log.id) in (
      select * from unnest(${times}::timestamptz[], ${[...ids]}::uuid[]))`;
}
