/**
 * The database, as modules use it: typed reads and writes, transactions, notifications between processes. Knows no
 * table: each module's store declares the tables it owns and asks for them by type, `db.read<FaceTables>()`.
 * `open.ts` finds or starts the server, and `migrations.ts` makes its schema.
 */
import { Kysely, PostgresDialect, sql } from 'kysely';
import type { PoolConfig } from 'pg';
import type { Clock } from '#lib/clock.ts';
import type { Log } from '#lib/log.ts';
import { tryLock, type HeldLock } from './advisory-lock.ts';
import {
  isConnectionLost,
  PatientPool,
  usualPatienceMs,
  type ConnectionLock,
  type Target,
} from './connection.ts';
import { Listener, type Reader } from './listener.ts';

/** The connection was lost during COMMIT: the rows may exist or not. Repeat with ON CONFLICT DO NOTHING. */
export class CommitUnknown extends Error {
  override readonly name = 'CommitUnknown';
}

/** One transaction. A module's main class may take it and pass it on; only a store uses what is inside. */
export interface Tx {
  /** Not to be kept beyond the transaction, and not to open another one inside. */
  as<T>(): Kysely<T>;
}

// Six readers left 40 ms p99 of event loop delay with 20 clients on two cores; writers have their own, so
// that a log row never queues behind a user's dashboard (p50 4 ms against 30 in one pool).
export const readConnections = 6;
const writeConnections = 4;
// Two scans keep two cores busy; a third would only make all three slower.
export const scanConnections = 2;
const readTimeoutMs = 30_000;
const writeTimeoutMs = 60_000;

const reading = {
  statement_timeout: readTimeoutMs,
  // Reads must not write: a mistake is an error here, not a row from the wrong pool.
  options: '-c timezone=UTC -c default_transaction_read_only=on',
} satisfies PoolConfig;

export class Database implements AsyncDisposable {
  readonly #read: Kysely<unknown>;
  readonly #scan: Kysely<unknown>;
  readonly #write: Kysely<unknown>;
  readonly #pools: readonly PatientPool[];
  readonly #listener: Listener;
  readonly #clock: Clock;
  readonly #target: Target;

  /**
   * `patienceMs`: how long a caller waits for a connection before the database is unavailable (503). `lock`: must be
   * held for every statement.
   */
  constructor(
    target: Target,
    clock: Clock,
    log: Log,
    patienceMs = usualPatienceMs,
    lock: ConnectionLock | null = null,
  ) {
    const pool = (config: PoolConfig): PatientPool =>
      new PatientPool({ ...target, ...config }, patienceMs, clock, log, lock);
    const read = pool({ max: readConnections, ...reading });
    // A caller of a long query waits for a connection as long as the query may take, instead of being refused.
    const line = { connectionTimeoutMillis: readTimeoutMs };
    const scan = pool({ max: scanConnections, ...reading, ...line });
    const write = pool({
      max: writeConnections,
      statement_timeout: writeTimeoutMs,
      // A transaction that waits for anything but the database holds its locks needlessly.
      idle_in_transaction_session_timeout: writeTimeoutMs,
      options: '-c timezone=UTC',
    });
    this.#pools = [read, scan, write];
    this.#read = new Kysely({ dialect: new PostgresDialect({ pool: read }) });
    this.#scan = new Kysely({ dialect: new PostgresDialect({ pool: scan }) });
    this.#write = new Kysely({ dialect: new PostgresDialect({ pool: write }) });
    this.#listener = new Listener(target, clock, log);
    this.#clock = clock;
    this.#target = target;
  }

  /** For queries that read a page or less; a write here fails. Statements end after 30 s. */
  read<T>(): Kysely<T> {
    return this.#read as Kysely<T>;
  }

  /**
   * The same for queries that may read many rows for a small result: counts over a period, sums, searches in texts.
   * They have connections of their own and queue for them, so that no page of a list ever waits behind such a query.
   */
  scan<T>(): Kysely<T> {
    return this.#scan as Kysely<T>;
  }

  /** For single statements that write. */
  write<T>(): Kysely<T> {
    return this.#write as Kysely<T>;
  }

  /**
   * Commits all of `work` or none of it. Resolves after COMMIT: only then may a row be acknowledged. What
   * `work` throws is rethrown after the rollback; a lost COMMIT is a CommitUnknown.
   */
  async transaction<R>(work: (tx: Tx) => Promise<R>): Promise<R> {
    let stage = 'working' as 'working' | 'failed' | 'committing';
    let failure: unknown;
    const run = async (trx: Kysely<unknown>): Promise<R> => {
      try {
        const result = await work({ as: <T>() => trx as Kysely<T> });
        stage = 'committing';
        return result;
      } catch (error) {
        stage = 'failed';
        failure = error;
        throw error;
      }
    };
    try {
      return await this.#write.transaction().execute(run);
    } catch (error) {
      // A rollback on a lost connection fails as well, and would hide the error that caused it.
      if (stage === 'failed') throw failure;
      if (stage === 'committing' && isConnectionLost(error)) {
        throw new CommitUnknown('COMMIT was not answered', { cause: error });
      }
      throw error;
    }
  }

  /** A lock among all processes that share the database, on a connection of its own; null when another has it. */
  tryLock(name: string): Promise<HeldLock | null> {
    return tryLock(this.#target, name, this.#clock);
  }

  /** `read` receives each payload on the channel from now on, of any process, and null when it may have missed some. */
  listen(channel: string, read: Reader): Disposable {
    return this.#listener.listen(channel, read);
  }

  /**
   * Sent to every listener, in this process too, when `tx` commits. Ids only (8000 bytes at most),
   * one per batch: transactions that notify commit one after another.
   */
  async notify(tx: Tx, channel: string, payload: string): Promise<void> {
    await sql`select pg_notify(${channel}, ${payload})`.execute(tx.as<unknown>());
  }

  /** The time of one round trip, in milliseconds; rejects when there is no answer. */
  async ping(): Promise<number> {
    const startedAtMs = this.#clock.monotonicMs();
    await sql`select 1`.execute(this.#read);
    return this.#clock.monotonicMs() - startedAtMs;
  }

  /** Waits for queries under way. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#listener[Symbol.asyncDispose]();
    await Promise.all(this.#pools.map((pool) => pool.end()));
  }
}
