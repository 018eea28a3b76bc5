/**
 * The system log: what the log prints is also kept in the database for some days, to be searched in the
 * browser. Administrators read all of it, other users what was logged of their own requests and browsers.
 */
import type { Deletion } from '@nazar/contract/visit-deletion.ts';
import { maxDeleted } from '@nazar/contract/visit-deletion.ts';
import type {
  BrowserError,
  SystemLogCount,
  SystemLogDeletion,
  SystemLogEntry,
  SystemLogFilter,
  SystemLogLevel,
  SystemLogQuery,
  SystemLogStatsQuery,
} from '@nazar/contract/system-logs.ts';
import { systemLogLevels } from '@nazar/contract/system-logs.ts';
import type { Activity } from '#activity/activity.ts';
import type { Database, Tx } from '#db/database.ts';
import type { Scope } from '#http/scope.ts';
import { BelievedTime } from '#lib/believed-time.ts';
import type { Clock } from '#lib/clock.ts';
import type { Log, LogLines } from '#lib/log.ts';
import { Problem } from '#lib/problem.ts';
import { dayPartitions, isOver, keptFrom } from './days.ts';
import { aLine, browserSource, lineOf, ownSource } from './line.ts';
import { LineQueue } from './line-queue.ts';
import { LineWriter } from './line-writer.ts';
import { ReportLimits } from './report-limits.ts';
import { SourceLevels } from './source-levels.ts';
import { SystemLogStore, type SystemLogRow, type SystemLogWanted } from './store.ts';
import { SystemLogWritingStore } from './writing-store.ts';

export interface SystemLogOptions {
  readonly db: Database;
  readonly activity: Activity;
  /** What the log prints; null: nothing but what browsers report. */
  readonly lines: LogLines | null;
  /** How many whole days are kept before today. */
  readonly days: number;
  readonly clock: Clock;
  readonly log: Log;
}

/** Today and two more: a day is ready long before it begins. */
const daysAhead = 3;

export class SystemLog implements AsyncDisposable {
  /** Which lines are kept. */
  readonly levels: SourceLevels;
  readonly #options: SystemLogOptions;
  readonly #queue = new LineQueue();
  readonly #writing: SystemLogWritingStore;
  readonly #store: SystemLogStore;
  readonly #writer: LineWriter;
  readonly #limits: ReportLimits;
  readonly #time = new BelievedTime();
  readonly #following: Disposable | undefined;
  readonly #log: Log;

  private constructor(options: SystemLogOptions, levels: SourceLevels, log: Log) {
    this.#options = options;
    this.levels = levels;
    this.#log = log;
    this.#store = new SystemLogStore(options.db);
    this.#writing = new SystemLogWritingStore(options.db);
    this.#limits = new ReportLimits(options.clock);
    this.#writer = new LineWriter({
      queue: this.#queue,
      store: this.#writing,
      clock: options.clock,
      log: this.#log,
    });
    this.#following = options.lines?.follow((text) => {
      const line = lineOf(text, (source, level) => levels.keeps(source, level));
      if (line) this.#queue.add(line);
    });
  }

  /** A day that cannot be made does not stop the start: its lines go to the default partition. */
  static async open(options: SystemLogOptions): Promise<SystemLog> {
    const { db, activity, clock } = options;
    const log = options.log.child({ module: ownSource });
    const levels = await SourceLevels.open({ db, activity, clock, log });
    const systemLog = new SystemLog(options, levels, log);
    systemLog.#isTimeBelieved();
    await systemLog.prepareDays();
    return systemLog;
  }

  /** Throws page_too_late. */
  async list(
    scope: Scope,
    { page, page_size: pageSize, ...filter }: SystemLogQuery,
  ): Promise<{ count: number; more: boolean; results: SystemLogEntry[] }> {
    const { count, more, rows } = await this.#store.list(wanted(scope, filter), { page, pageSize });
    return { count, more, results: rows.map((row) => entryOf(scope, row)) };
  }

  /** Throws system_log_not_found. */
  async read(scope: Scope, id: string): Promise<SystemLogEntry> {
    return entryOf(scope, await this.#mustFind(scope, id));
  }

  /** Throws system_log_not_found. */
  async neighbours(
    scope: Scope,
    id: string,
    count: number,
  ): Promise<{ before: SystemLogEntry[]; after: SystemLogEntry[] }> {
    const row = await this.#mustFind(scope, id);
    const near = (side: 'before' | 'after'): Promise<SystemLogRow[]> =>
      this.#store.near(wanted(scope, {}), row, side, count);
    const [before, after] = await Promise.all([near('before'), near('after')]);
    const entries = (rows: readonly SystemLogRow[]) => rows.map((one) => entryOf(scope, one));
    return { before: entries(before), after: entries(after.toReversed()) };
  }

  stats(scope: Scope, query: SystemLogStatsQuery): Promise<SystemLogCount[]> {
    return this.#store.counts(wanted(scope, query));
  }

  /** The levels that occur, the gravest first. */
  async countByLevel(
    scope: Scope,
    query: SystemLogStatsQuery,
  ): Promise<{ name: SystemLogLevel; value: number }[]> {
    const counts = await this.stats(scope, query);
    return systemLogLevels
      .map((level) => ({
        name: level,
        value: counts.reduce((sum, count) => sum + count[level], 0),
      }))
      .filter(({ value }) => value > 0);
  }

  /** Throws system_log_not_found, also for another user's entry. */
  async remove(scope: Scope, id: string): Promise<void> {
    const deleted = await this.#store.transaction((tx) =>
      this.#delete(tx, scope, wanted(scope, {}), [id]),
    );
    if (deleted === 0) throw new Problem('system_log_not_found');
  }

  async removeMany(scope: Scope, asked: SystemLogDeletion): Promise<Deletion> {
    const asOf = 'ids' in asked || !asked.as_of ? this.#now(1) : new Date(asked.as_of);
    if ('ids' in asked) {
      const deleted = await this.#store.transaction((tx) =>
        this.#delete(tx, scope, wanted(scope, {}), asked.ids),
      );
      return { deleted, left: 0, as_of: asOf.toISOString() };
    }
    const filter = wanted(scope, asked.filter);
    const all = { ...filter, until: filter.until && filter.until < asOf ? filter.until : asOf };
    const deleted = asked.count_only
      ? 0
      : await this.#store.transaction((tx) => this.#delete(tx, scope, all, null));
    const { count: left, more } = await this.#store.count(all);
    return { deleted, left, ...(more ? { more } : {}), as_of: asOf.toISOString() };
  }

  /**
   * The id under which the entry can be read in a moment. Throws too_many_requests, and unavailable while so many
   * lines wait that there is no room.
   */
  reportBrowserError(scope: Scope, { kind, message, stack, page }: BrowserError): { id: string } {
    this.#limits.take(scope.userId);
    const line = aLine({
      level: 'error',
      source: browserSource,
      message,
      userId: scope.userId,
      details: { kind, page: page.replace(/[?#].*$/s, ''), stack },
      atMs: this.#options.clock.now(),
    });
    const id = this.#queue.add(line);
    if (id === null) throw new Problem('unavailable');
    return { id };
  }

  /** Makes the partitions of today and the days after it; called at start and hourly. */
  async prepareDays(): Promise<void> {
    for (const day of dayPartitions(this.#options.clock.now(), daysAhead)) {
      await this.#writing
        .ensureDay(day)
        .catch((err: unknown) => this.#log.error({ err, name: day.name }, 'no room for a day'));
    }
  }

  /** Removes nothing while the hour cannot be believed. */
  async removeOld(): Promise<void> {
    if (!this.#isTimeBelieved()) return;
    const kept = keptFrom(this.#options.clock.now(), this.#options.days);
    for (const name of await this.#writing.days()) {
      if (isOver(name, kept)) await this.#writing.dropDay(name);
    }
    await this.#writing.removeBefore(kept);
  }

  /** Writes what waits; false: the database takes nothing now. */
  flush(): Promise<boolean> {
    return this.#writer.flush();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#following?.[Symbol.dispose]();
    this.levels[Symbol.dispose]();
    await this.#writer[Symbol.asyncDispose]();
  }

  async #mustFind(scope: Scope, id: string): Promise<SystemLogRow> {
    const row = await this.#store.find(wanted(scope, {}), id);
    if (!row) throw new Problem('system_log_not_found');
    return row;
  }

  async #delete(
    tx: Tx,
    scope: Scope,
    filter: SystemLogWanted,
    ids: readonly string[] | null,
  ): Promise<number> {
    const batch = { at: this.#now(), most: maxDeleted };
    const deleted = await this.#store.markDeleted(tx, filter, ids, batch);
    if (deleted === 0) return 0;
    await this.#options.activity.record(tx, {
      actor: scope,
      action: 'system.log_deleted',
      object: null,
      details: { entries: deleted },
    });
    return deleted;
  }

  #isTimeBelieved(): boolean {
    const { clock } = this.#options;
    const reading = { wallMs: clock.now(), monotonicMs: clock.monotonicMs() };
    return this.#time.isBelieved(reading, null);
  }

  #now(afterMs = 0): Date {
    return new Date(this.#options.clock.now() + afterMs);
  }
}

const dayMs = 24 * 60 * 60_000;

/** Users who are no administrators reach their own entries only, whatever `user` they ask for. */
function wanted(scope: Scope, filter: SystemLogFilter): SystemLogWanted {
  const { level = null, source, search, user = null, start_date, end_date } = filter;
  return {
    level,
    source: source ? source : null,
    search: search ? search : null,
    userId: scope.seesAll ? user : scope.userId,
    from: start_date === undefined ? null : new Date(start_date),
    until: end_date === undefined ? null : endOf(end_date),
  };
}

/** A day means to its end, an instant means itself. */
function endOf(dateOrInstant: string): Date {
  const at = new Date(dateOrInstant);
  return dateOrInstant.length === 10 ? new Date(at.getTime() + dayMs) : at;
}

/** How the server works inside is for administrators: others read the details of their own browser's errors. */
function entryOf(scope: Scope, row: SystemLogRow): SystemLogEntry {
  return {
    id: row.id,
    level: row.level,
    message: row.message,
    source: row.source,
    user: row.user_id,
    user_name: row.user_name,
    timestamp: row.logged_at.toISOString(),
    repeats: row.repeats,
    last_at: row.last_at.toISOString(),
    details: scope.seesAll || row.source === browserSource ? row.details : {},
  };
}
