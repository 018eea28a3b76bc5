/** Connections: their common configuration, and waiting for a database that is restarting. */
import { callbackify } from 'node:util';
import { Client, Pool, type ClientConfig, type PoolClient, type PoolConfig } from 'pg';
import { backoffMs } from '#lib/backoff.ts';
import type { Clock } from '#lib/clock.ts';
import type { Log } from '#lib/log.ts';
import { Problem } from '#lib/problem.ts';
import { typeParsers } from './types.ts';

/** The fields that identify a database: a socket folder, or the address of a served one. */
export type Target = Pick<ClientConfig, 'host' | 'user' | 'database' | 'connectionString'>;

/** An embedded server that died answers again within 0.2-1 s; a request waits rather than fail. */
export const usualPatienceMs = 5_000;

/** Connections that stay open while idle: no new one can begin while the disk is full (`hasNoRoom`). */
const keptConnections = 2;

const common: ClientConfig = {
  application_name: 'nazar',
  connectionTimeoutMillis: usualPatienceMs,
  // A served database may be behind a firewall that drops quiet connections.
  keepAlive: true,
  types: typeParsers,
};

export function newClient(target: Target, config: ClientConfig = {}): Client {
  return new Client({ ...common, ...target, ...config });
}

/** States of SQL in which the session is over: connection exceptions, shutdown, crash, cannot connect now. */
const lostStates = /^(08...|57P0[1-5])$/;
const lostErrors = new Set([
  // A socket of this machine at which too many wait already.
  'EAGAIN',
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
]);

/** Whether the connection, not the query, was at fault. Does not say whether the query was executed. */
export function isConnectionLost(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = (error as NodeJS.ErrnoException).code;
  if (code !== undefined) return lostStates.test(code) || lostErrors.has(code);
  return /^(Connection terminated|Client has encountered a connection error|timeout exceeded)/.test(
    error.message,
  );
}

/**
 * Whether a session could not begin because the disk is full: after a vacuum of a catalog, PostgreSQL rewrites its
 * catalog cache files for new sessions. Existing sessions can still read.
 */
function hasNoRoom(error: unknown): boolean {
  return ((error ?? {}) as { code?: unknown }).code === '53100';
}

/** Whether the row itself was refused (SQL classes 22 and 23): the same row will be refused again. */
export function isRowRefused(error: unknown): boolean {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' && /^2[23]...$/.test(code);
}

/** The lock that a process must hold to use its connections (`server-lock.ts`). Lost connections are waited out. */
export interface ConnectionLock {
  /** Throws when it is not held. */
  mustHold(): void;
  /** The same for a new connection. */
  prove(): Promise<void>;
}

function proving(lock: ConnectionLock): PoolConfig['verify'] {
  const prove = callbackify(() => lock.prove());
  return (_client, done) => prove((error) => done(error ?? undefined));
}

/**
 * A pool that waits for its database. Only the attempt to get a connection is repeated, before anything has been
 * sent: no statement is ever repeated.
 */
export class PatientPool {
  readonly #pool: Pool;
  readonly #clock: Clock;
  readonly #patienceMs: number;
  readonly #mustHold: () => void;
  readonly #ended = new AbortController();
  /** Kysely opens its control connections with these. */
  readonly options: PoolConfig;
  readonly Client = Client;

  /**
   * Tries for `patienceMs` to reach the database. `config.connectionTimeoutMillis`: how long a caller waits while all
   * connections are taken; `patienceMs` by default. `lock`: must be held to use a connection.
   */
  constructor(
    config: PoolConfig,
    patienceMs: number,
    clock: Clock,
    log: Log,
    lock: ConnectionLock | null = null,
  ) {
    this.options = {
      ...common,
      connectionTimeoutMillis: patienceMs,
      min: keptConnections,
      ...config,
    };
    this.#pool = new Pool({ ...this.options, ...(lock && { verify: proving(lock) }) });
    this.#mustHold = () => lock?.mustHold();
    this.#clock = clock;
    this.#patienceMs = patienceMs;
    // A connection whose server dies emits an error event, idle or in use; without listeners for both it
    // would end this process. The query under way, if any, gets the error as well.
    this.#pool.on('error', (error) => log.warn({ err: error }, 'an idle connection was lost'));
    this.#pool.on('connect', (client) => client.on('error', () => undefined));
  }

  async connect(): Promise<PoolClient> {
    const deadlineMs = this.#clock.monotonicMs() + this.#patienceMs;
    for (let failures = 1; ; failures += 1) {
      try {
        this.#mustHold();
        return await this.#pool.connect();
      } catch (error) {
        const isFull = hasNoRoom(error);
        if (!(isFull || isConnectionLost(error)) || this.#ended.signal.aborted) throw error;
        if (this.#clock.monotonicMs() > deadlineMs) {
          throw isFull ? error : new Problem('unavailable', {}, error);
        }
      }
      const delayMs = backoffMs({ firstMs: 20, maxMs: 500 }, failures, Math.random);
      await this.#clock.wait(delayMs, this.#ended.signal);
    }
  }

  async end(): Promise<void> {
    this.#ended.abort();
    await this.#pool.end();
  }
}
