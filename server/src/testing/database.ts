/**
 * A real database for tests: one PostgreSQL for all test files that run at the same time, and in it an
 * empty, migrated database for each who asks. Started by the first, stopped by the last, whether the
 * files are run by `npm test` or one by one; `NAZAR_TEST_POSTGRES` names another folder for it.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import type { Client } from 'pg';
import { newClient, type Target } from '#db/connection.ts';
import { Database } from '#db/database.ts';
import { migrate, migrationNames, migrationsFolder, schemaFile } from '#db/migrations.ts';
import { EmbeddedPostgres } from '#db/postgres.ts';
import { socketFolder } from '#db/folders.ts';
import { databaseRole } from '#db/postmaster.ts';
import { databaseUser, processState } from '#db/processes.ts';
import { systemClock } from '#lib/clock.ts';

const clock = systemClock;
const log = pino({ level: 'silent' });

/** Advisory locks in the database `postgres`: every process that uses the server holds the first one, shared. */
const usersLock = 1;
const templateLock = 2;

/** A machine that runs several tests at once stalls for seconds. The test's own limit bounds the wait. */
export const testPatienceMs = 60_000;

/** A test's data is gone when the machine is: nothing needs to reach the disk. */
const settings = {
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
  max_connections: '200',
  autovacuum: 'off',
};

export interface TestDatabase extends AsyncDisposable {
  readonly db: Database;
  readonly target: Target;
  /** The same as a DATABASE_URL. */
  readonly url: string;
}

/** Empty, with the schema of this code; dropped when disposed of. Takes a core 12 ms in memory, 230 on a disk. */
export async function testDatabase(): Promise<TestDatabase> {
  const server = await joinServer();
  try {
    return await makeDatabase(server);
  } catch (error) {
    // A migration that fails must fail its test, not keep the process up for an unused server.
    await leaveServer();
    throw error;
  }
}

async function makeDatabase(server: Server): Promise<TestDatabase> {
  const name = `test_${process.pid}_${(databases += 1)}`;
  const template = (server.template ??= await makeTemplate(server));
  await server.hold.query(`create database ${name} template ${template} strategy file_copy`);
  const target = server.connection(name);
  const db = new Database(target, clock, log, testPatienceMs);
  return {
    db,
    target,
    url: `postgresql://${target.user}@localhost/${name}?host=${encodeURIComponent(target.host)}`,
    async [Symbol.asyncDispose]() {
      await db[Symbol.asyncDispose]();
      await server.hold.query(`drop database ${name} with (force)`);
      await leaveServer();
    },
  };
}

/** What it waits for keeps the process running, or not. */
interface Hold extends Client {
  ref(): void;
  unref(): void;
}

interface Server {
  readonly connection: (database: string) => ReturnType<EmbeddedPostgres['connection']>;
  /** Connected as long as this process uses the server. */
  readonly hold: Hold;
  /** The name of a database with this code's schema and nothing in it, once it is known. */
  template?: string;
  /** To be called when nothing of this process uses it. */
  leave(): Promise<void>;
}

let databases = 0;
let users = 0;
let running: Promise<Server> | null = null;

async function joinServer(): Promise<Server> {
  users += 1;
  running ??= keptServer().then((kept) => kept ?? startServer());
  const server = await running;
  server.hold.ref();
  return server;
}

/**
 * The server that `npm test` keeps until its end, if it does: one connection for as long as this process runs. To
 * find, watch and leave the server for each database took a core longer than to make one.
 */
async function keptServer(): Promise<Server | null> {
  if (process.env['NAZAR_TEST_POSTGRES'] === undefined) return null;
  const folder = join(serverFolder(), 'postgres');
  if (!existsSync(folder)) return null;
  const connection = (database: string) => ({
    host: socketFolder(folder, databaseUser()),
    user: databaseRole,
    database,
  });
  const hold = holdOf(connection('postgres'));
  try {
    await hold.connect();
    await hold.query(`select pg_advisory_lock_shared(${usersLock})`);
  } catch {
    // Not there yet: this is the process that keeps it.
    return null;
  }
  // The next one finds it again, or starts it.
  hold.once('end', () => (running = null));
  return { connection, hold, leave: async () => hold.unref() };
}

async function startServer(): Promise<Server> {
  const folder = join(serverFolder(), 'postgres');
  const logFile = join(serverFolder(), 'postgres.log');
  for (;;) {
    const options = { folder, logFile, clock, log, settings, ballast: false };
    const postgres = await EmbeddedPostgres.start(options);
    const hold = holdOf(postgres.connection('postgres'));
    try {
      await hold.connect();
      await hold.query(`select pg_advisory_lock_shared(${usersLock})`);
      return {
        connection: (database) => postgres.connection(database),
        hold,
        leave: () => leave(postgres, hold),
      };
    } catch {
      // Its last user stopped it in this moment.
      await postgres.release();
    }
  }
}

function holdOf(target: Target): Hold {
  const hold = newClient(target, { connectionTimeoutMillis: testPatienceMs }) as Hold;
  hold.on('error', () => undefined);
  return hold;
}

function serverFolder(): string {
  const hash = createHash('sha256')
    .update(import.meta.dirname)
    .digest('hex')
    .slice(0, 8);
  const known = join(tmpdir(), `nazar-test-${process.getuid?.() ?? 0}-${hash}`);
  const folder = process.env['NAZAR_TEST_POSTGRES'] ?? known;
  mkdirSync(folder, { recursive: true, mode: 0o711 });
  return folder;
}

async function leaveServer(): Promise<void> {
  users -= 1;
  if (users > 0 || !running) return;
  const server = await running;
  // Another database may be in use meanwhile.
  if (users === 0) await server.leave();
}

/** Stops the server when nothing else uses it. */
async function leave(postgres: EmbeddedPostgres, hold: Client): Promise<void> {
  running = null;
  await hold.query(`select pg_advisory_unlock_shared(${usersLock})`);
  const { rows } = await hold.query<{ alone: boolean }>(
    `select pg_try_advisory_lock(${usersLock}) as alone`,
  );
  // Held until the server is gone: who comes now waits, is thrown out, and starts it again.
  await (rows[0]?.alone ? postgres[Symbol.asyncDispose]() : postgres.release());
  await hold.end().catch(() => undefined);
}

/** Made by the first who needs it; its name says of which code it is. */
async function makeTemplate({ connection, hold }: Server): Promise<string> {
  const hash = createHash('sha256').update(readFileSync(schemaFile));
  for (const name of migrationNames()) {
    hash.update(name).update(readFileSync(join(migrationsFolder, `${name}.ts`)));
  }
  const template = `template_${hash.digest('hex').slice(0, 12)}`;
  await hold.query(`select pg_advisory_lock(${templateLock})`);
  try {
    const names = await databaseNames(hold);
    if (names.includes(template)) return template;
    await dropLeftovers(hold, names);
    const unfinished = `${template}_unfinished`;
    await hold.query(`create database ${unfinished}`);
    await migrate(connection(unfinished));
    await hold.query(`alter database ${unfinished} rename to ${template}`);
    return template;
  } finally {
    await hold.query(`select pg_advisory_unlock(${templateLock})`);
  }
}

async function databaseNames(hold: Client): Promise<string[]> {
  const { rows } = await hold.query<{ name: string }>('select datname as name from pg_database');
  return rows.map(({ name }) => name);
}

/** Templates of other code, and what tests that were killed left behind. */
async function dropLeftovers(hold: Client, names: readonly string[]): Promise<void> {
  for (const name of names) {
    const pid = /^test_(\d+)_/.exec(name)?.[1];
    const abandoned = pid !== undefined && processState(Number(pid)) === 'gone';
    if (!abandoned && !/^template_[0-9a-f]/.test(name)) continue;
    await hold.query(`drop database ${name} with (force)`);
  }
}
