/**
 * Opens the database: the served one of DATABASE_URL, or the embedded one of the data folder; migrates it,
 * makes it ready to use, and ends everything that it started when it is disposed of.
 */
import { join } from 'node:path';
import type { Clock } from '#lib/clock.ts';
import type { Log } from '#lib/log.ts';
import { Refusal } from '#lib/refusal.ts';
import { newClient, usualPatienceMs, type Target } from './connection.ts';
import { Database } from './database.ts';
import { migrate, pendingMigrations } from './migrations.ts';
import { EmbeddedPostgres } from './postgres.ts';
import { mustTakeWrites, servedTarget } from './served.ts';
import { ServerLock } from './server-lock.ts';

export interface DatabaseOptions {
  /** DATABASE_URL, or null for the embedded one. */
  readonly url: string | null;
  /** The data folder, absolute; must exist, with `logs` in it. */
  readonly dataFolder: string;
  readonly clock: Clock;
  readonly log: Log;
  /**
   * For a program beside the server (the admin command): an embedded PostgreSQL that already ran goes on
   * running; one that had to be started is stopped, unless a server has begun to use it meanwhile.
   */
  readonly borrow?: boolean;
  /**
   * For a server, and for programs that must not run beside one: refused while another process holds the database,
   * before anything in it is changed.
   */
  readonly exclusive?: boolean;
  /** The sentence for the case that another process holds it (`ServerLockOptions`). */
  readonly refused?: (who: string) => string;
  /** The folder of the embedded database in the data folder; `postgres` when left out. */
  readonly folderName?: string;
}

export interface OpenDatabase extends AsyncDisposable {
  readonly db: Database;
  /** Process number of the embedded server; null for a served one. */
  readonly pid: () => number | null;
  /** The lock of a database that was opened `exclusive`; else null. */
  readonly lock: ServerLock | null;
}

const databaseName = 'nazar';

export async function openDatabase(options: DatabaseOptions): Promise<OpenDatabase> {
  const { clock, log, url, exclusive = false, refused } = options;
  await using opened = new AsyncDisposableStack();
  const { target, pid } = opened.use(await reachDatabase(options));
  if (url !== null) await mustTakeWrites(url);
  const locking = { clock, log, ...(refused && { refused }) };
  const lock = exclusive ? opened.use(await ServerLock.take(target, locking)) : null;
  const applied = lock ? await migrate(target) : await migrateBeside(target, { clock, log });
  if (applied.length > 0) log.info({ migrations: applied }, 'database migrated');
  const db = opened.use(new Database(target, clock, log, usualPatienceMs, lock));
  const kept = opened.move();
  return { db, pid, lock, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}

/**
 * A command that is newer than a running server must not change the schema: the server knows only its own.
 * Where there is nothing to change, both work side by side.
 */
async function migrateBeside(
  target: Target,
  { clock, log }: Pick<DatabaseOptions, 'clock' | 'log'>,
): Promise<string[]> {
  if ((await pendingMigrations(target)).length === 0) return migrate(target);
  try {
    await using _ = await ServerLock.take(target, { clock, log, refused: newerThan });
    return await migrate(target);
  } catch (error) {
    // A starting server of this version has made its tables meanwhile.
    const isDone = error instanceof Refusal && (await pendingMigrations(target)).length === 0;
    if (isDone) return [];
    throw error;
  }
}

const newerThan = (who: string): string =>
  `This program is newer than the Nazar that uses this database, ${who}, and would change the database under it. Stop it first, or use the program of its version.`;

export interface ReachedDatabase extends AsyncDisposable {
  readonly target: Target;
  readonly pid: OpenDatabase['pid'];
}

/** Opens the database unchanged, whatever schema it has: to copy it or to fill it. */
export async function reachDatabase(options: DatabaseOptions): Promise<ReachedDatabase> {
  const { url, dataFolder, clock, log, borrow = false } = options;
  if (url !== null) {
    const target = await servedTarget(url);
    return { target, pid: () => null, [Symbol.asyncDispose]: async () => undefined };
  }
  const postgres = await EmbeddedPostgres.start({
    folder: join(dataFolder, options.folderName ?? 'postgres'),
    logFile: join(dataFolder, 'logs', 'postgres.log'),
    clock,
    log,
  });
  const leave = async (): Promise<void> => {
    const isUsed = borrow && (postgres.adopted || (await hasOtherUsers(postgres)));
    await (isUsed ? postgres.release() : postgres[Symbol.asyncDispose]());
  };
  try {
    await makeDatabase(postgres.connection('postgres'));
  } catch (error) {
    await leave();
    throw error;
  }
  const target = postgres.connection(databaseName);
  return { target, pid: () => postgres.pid, [Symbol.asyncDispose]: leave };
}

async function makeDatabase(target: Target): Promise<void> {
  const client = newClient(target);
  await client.connect();
  try {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [
      databaseName,
    ]);
    if (rowCount === 0) await client.query(`create database ${databaseName}`);
  } catch (error) {
    // 42P04, 23505: another process created the database at this moment.
    if (!['42P04', '23505'].includes(String((error as NodeJS.ErrnoException).code))) throw error;
  } finally {
    await client.end();
  }
}

/** Each process that uses an embedded server has one connection of this name (and we have ours). */
async function hasOtherUsers(postgres: EmbeddedPostgres): Promise<boolean> {
  const client = newClient(postgres.connection('postgres'));
  await client.connect();
  try {
    const { rowCount } = await client.query(
      `select from pg_stat_activity where application_name = 'nazar watch'`,
    );
    return (rowCount ?? 0) > 1;
  } finally {
    await client.end();
  }
}
