/**
 * A real database for tests: one PostgreSQL for all test files that run at the same time, and in it an
 * empty, migrated database for each who asks. Started by the first, stopped by the last, whether the
 * files are run by `npm test` or one by one; `NAZAR_TEST_POSTGRES` names another folder for it.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import type { Client } from 'pg';
import { newClient, type Target } from '#db/connection.ts';
import { Database } from '#db/database.ts';
import { migrate, migrationNames, migrationsFolder, schemaFile } from '#db/migrations.ts';
import { EmbeddedPostgres } from '#db/postgres.ts';
import { processState } from '#db/processes.ts';
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
  const template = await makeTemplate(server);
  await server.hold.query(`create database ${name} template ${template} strategy file_copy`);
  const target = server.postgres.connection(name);
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

interface Server {
  readonly postgres: EmbeddedPostgres;
  /** Connected as long as this process uses the server. */
  readonly hold: Client;
}

let databases = 0;
let users = 0;
let running: Promise<Server> | null = null;

async function joinServer(): Promise<Server> {
  users += 1;
  return (running ??= startServer());
}

async function startServer(): Promise<Server> {
  const folder = join(serverFolder(), 'postgres');
  const logFile = join(serverFolder(), 'postgres.log');
  for (;;) {
    const options = { folder, logFile, clock, log, settings, ballast: false };
    const postgres = await EmbeddedPostgres.start(options);
    const hold = newClient(postgres.connection('postgres'), {
      connectionTimeoutMillis: testPatienceMs,
    });
    hold.on('error', () => undefined);
    try {
      await hold.connect();
      await hold.query(`select pg_advisory_lock_shared(${usersLock})`);
      return { postgres, hold };
    } catch {
      // Its last user stopped it in this moment.
      await postgres.release();
    }
  }
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

/** Stops the server when nothing else uses it. */
async function leaveServer(): Promise<void> {
  users -= 1;
  if (users > 0 || !running) return;
  const { postgres, hold } = await running;
  running = null;
  await hold.query(`select pg_advisory_unlock_shared(${usersLock})`);
  const { rows } = await hold.query<{ alone: boolean }>(
    `select pg_try_advisory_lock(${usersLock}) as alone`,
  );
  // Held until the server is gone: who comes now waits, is thrown out, and starts it again.
  await (rows[0]?.alone ? postgres[Symbol.asyncDispose]() : postgres.release());
  await hold.end().catch(() => undefined);
}

/** The name of a database with this code's schema and nothing in it; made by the first who needs it. */
async function makeTemplate({ postgres, hold }: Server): Promise<string> {
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
    await migrate(postgres.connection(unfinished));
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
