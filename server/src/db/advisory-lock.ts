/**
 * Advisory locks of the database, each held by one session on a connection of its own. Such a lock ends with its
 * connection, however that ends: a crash leaves no stale lock, and the holder is informed when the lock is lost.
 */
import { hostname } from 'node:os';
import type { Client } from 'pg';
import { awaitAtMost, type Clock } from '#lib/clock.ts';
import { newClient, type Target } from './connection.ts';

/** Has the code of a connection error in SQL, so that code that waits for a database waits for this too. */
export class LockLost extends Error {
  override readonly name = 'LockLost';
  readonly code = '08003';
}

export interface HeldLock extends AsyncDisposable {
  /** Aborted when the connection is over, and the lock with it. */
  readonly lost: AbortSignal;
  /** Resolves when the database answered on the connection. Throws LockLost within that time, and ends the lock. */
  prove(withinMs: number): Promise<void>;
}

/** The session that holds a lock, as the database knows it; null where the database does not say. */
export interface LockHolder {
  /** The process number of the session, which `pg_terminate_backend` takes. */
  readonly backendPid: number;
  readonly name: string;
  /** Where its connection comes from; null: a socket of the database's machine. */
  readonly address: string | null;
}

/**
 * A machine that disappears without closing its connections would hold its locks for two hours, the time after which
 * systems probe a quiet connection: with these settings, 25 s. A server that cannot set them (or a socket, which needs
 * none) keeps its own.
 */
const askEarly = `select set_config(name, value, false)
  from (values ('tcp_keepalives_idle', '10'), ('tcp_keepalives_interval', '5'), ('tcp_keepalives_count', '3')) as wanted (name, value)`;

/** Null when another session has it. `name`: the session's application name, at most 63 bytes of ASCII. */
export async function tryLock(
  target: Target,
  lock: string,
  clock: Pick<Clock, 'wait'>,
  name = `nazar lock ${process.pid} ${hostname()}`,
): Promise<HeldLock | null> {
  const client = newClient(target, { application_name: name.slice(0, 63) });
  const lost = new AbortController();
  client.on('error', () => lost.abort());
  client.once('end', () => lost.abort());
  try {
    await client.connect();
    await client.query(askEarly).catch(() => undefined);
    const { rows } = await client.query<{ mine: boolean }>(
      'select pg_try_advisory_lock(hashtextextended($1, 0)) as mine',
      [lock],
    );
    if (rows[0]?.mine === true) return heldBy(client, lost, clock);
  } catch (error) {
    await client.end().catch(() => undefined);
    throw error;
  }
  await client.end().catch(() => undefined);
  return null;
}

function heldBy(client: Client, lost: AbortController, clock: Pick<Clock, 'wait'>): HeldLock {
  const end = async (): Promise<void> => {
    // An unreachable network does not answer the close: the wait is bounded.
    await awaitAtMost(
      clock,
      client.end().catch(() => undefined),
      farewellMs,
    );
  };
  return {
    lost: lost.signal,
    async prove(withinMs) {
      let isProven = false;
      const asked = client.query('select 1').then(
        () => (isProven = true),
        () => undefined,
      );
      if (!lost.signal.aborted) await awaitAtMost(clock, asked, withinMs, lost.signal);
      if (isProven && !lost.signal.aborted) return;
      lost.abort();
      void end();
      throw new LockLost('the connection of a lock is over');
    },
    [Symbol.asyncDispose]: end,
  };
}

const farewellMs = 1_000;

/** Null when the lock is free now. */
export async function holderOf(target: Target, lock: string): Promise<LockHolder | null> {
  const client = newClient(target);
  try {
    await client.connect();
    const { rows } = await client.query<{ pid: number; name: string | null; ip: string | null }>(
      `with wanted as (select hashtextextended($1, 0) as key)
       select held.pid, application_name as name, host(client_addr) as ip
         from wanted
         join pg_locks held on held.locktype = 'advisory' and held.granted and held.objsubid = 1
          and held.classid::bigint = (key >> 32) & 4294967295
          and held.objid::bigint = key & 4294967295
          and held.database = (select oid from pg_database where datname = current_database())
         left join pg_stat_activity session on session.pid = held.pid`,
      [lock],
    );
    const [row] = rows;
    return row ? { backendPid: row.pid, name: row.name ?? '', address: row.ip } : null;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Ends a session of the same database user, if it still exists. */
export async function endSession(target: Target, { backendPid }: LockHolder): Promise<void> {
  const client = newClient(target);
  try {
    await client.connect();
    await client.query('select pg_terminate_backend($1)', [backendPid]);
  } finally {
    await client.end().catch(() => undefined);
  }
}
