/** One server at a time for a database, with real sessions that really end. */
import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { sql } from 'kysely';
import type { Client } from 'pg';
import { systemClock as clock } from '#lib/clock.ts';
import { Problem } from '#lib/problem.ts';
import { Refusal } from '#lib/refusal.ts';
import { testDatabase, testPatienceMs, type TestDatabase } from '#testing/database.ts';
import { until } from '#testing/until.ts';
import { quietLog } from '#testing/world.ts';
import { alone } from './alone.ts';
import { newClient } from './connection.ts';
import { Database } from './database.ts';
import { openDatabase } from './open.ts';
import { ServerLock } from './server-lock.ts';

const log = quietLog;
let database: TestDatabase;
/** Whose `nazar server` sessions hold or want the lock. */
let rival: Client;

before(async () => {
  database = await testDatabase();
});
after(() => database[Symbol.asyncDispose]());
beforeEach(async () => {
  rival = newClient(database.target, { application_name: `nazar server 77 ${aMinute} gate-1` });
  rival.on('error', () => undefined);
  await rival.connect();
});
afterEach(() => rival.end().catch(() => undefined));

const aMinute = (Date.parse('2026-01-15T12:00:00Z') / 1000).toString(36);
const lockOf = (name: string): string => `pg_advisory_lock(hashtextextended('${name}', 0))`;
const take = (): Promise<ServerLock> =>
  ServerLock.take(database.target, { clock, log, patienceMs: 0 });

const refusalOf = (taking: Promise<unknown>): Promise<string> =>
  taking.then(
    () => assert.fail('it was not refused'),
    (error: unknown) => {
      assert.ok(error instanceof Refusal, String(error));
      return error.message;
    },
  );

/** Ends the sessions of this test's own server lock. */
const cut = (name = `nazar server ${process.pid} %`): Promise<unknown> =>
  sql`select pg_terminate_backend(pid) from pg_stat_activity
       where application_name like ${name} and datname = current_database()`.execute(
    database.db.write(),
  );

test('a second server is refused and learns which one runs; when that one has ended it is not', async () => {
  {
    await using first = await take();
    first.mustHold();
    const sentence = await refusalOf(take());
    assert.match(
      sentence,
      new RegExp(`^Another Nazar uses this database: process ${process.pid} on `),
    );
    assert.match(sentence, /, since 20\d\d-\d\d-\d\d \d\d:\d\d UTC\. Stop it first, /);
  }
  await using second = await take();
  second.mustHold();
});

test('it is refused before anything is changed, also by a server that has not made its tables yet', async () => {
  const name = 'nazar_empty';
  const { db, url, target } = database;
  await sql.raw(`create database ${name}`).execute(db.write());
  const holder = newClient({ ...target, database: name }, { application_name: 'somebody else' });
  try {
    await holder.connect();
    await holder.query(`select ${lockOf('nazar.server')}`);
    const options = {
      url: url.replace(/test_\w+/, name),
      dataFolder: '/nowhere',
      clock,
      log,
      exclusive: true,
    };
    assert.match(
      await refusalOf(openDatabase(options)),
      /a process that the database does not name/,
    );
    const { rows } = await holder.query(`select from pg_class where relname = 'kysely_migration'`);
    assert.equal(rows.length, 0);
    // Nor is it changed under that one by a command of a newer version.
    const beside = { ...options, exclusive: false, borrow: true };
    assert.match(
      await refusalOf(openDatabase(beside)),
      /^This program is newer than the Nazar that uses this database, a process that/,
    );
    const { rows: still } = await holder.query(
      `select from pg_class where relname = 'kysely_migration'`,
    );
    assert.equal(still.length, 0);
    await holder.query(`select pg_advisory_unlock_all()`);
    await using alone = await openDatabase(beside);
    assert.ok((await alone.db.ping()) >= 0);
    // What is there already, commands of the same version use beside a server.
    await holder.query(`select ${lockOf('nazar.server')}`);
    await using same = await openDatabase(beside);
    assert.ok((await same.db.ping()) >= 0);
  } finally {
    await holder.end();
    await sql.raw(`drop database ${name} with (force)`).execute(db.write());
  }
});

test('a lock that went with its connection is held again, and meanwhile nothing is sent', async () => {
  await using lock = await take();
  const asked: string[] = [];
  const seen = {
    mustHold: () => {
      try {
        lock.mustHold();
        asked.push('held');
      } catch (error) {
        asked.push('lost');
        throw error;
      }
    },
    prove: () => lock.prove(),
  };
  await using db = new Database(database.target, clock, log, testPatienceMs, seen);
  await db.ping();
  assert.deepEqual(asked, ['held']);
  await cut();
  await until(() => {
    try {
      lock.mustHold();
      return false;
    } catch {
      return true;
    }
  });
  assert.ok((await db.ping()) >= 0, 'whoever asks waits for it');
  assert.ok(asked.includes('lost'));
  assert.equal(asked.at(-1), 'held');
  assert.match(await refusalOf(take()), new RegExp(`process ${process.pid} on`));
});

test('a server whose lock another one took sends nothing any more, and learns who did', async () => {
  await using lock = await take();
  await using db = new Database(database.target, clock, log, testPatienceMs, lock);
  await db.ping();
  const queued = rival.query(`select ${lockOf('nazar.server')}`);
  await until(async () => (await waitingFor()) === 1);
  await cut();
  await queued;
  const { message } = await lock.takenOver;
  assert.match(message, /^Another Nazar took this database over while it was out of reach: /);
  assert.match(message, /process 77 on gate-1, since 2026-01-15 12:00 UTC\. This one ended;/);
  await assert.rejects(
    db.ping(),
    (error) => error instanceof Problem && error.code === 'unavailable',
  );
});

test('the rest of a server’s own broken connection does not keep it out', async () => {
  await using lock = await take();
  const { rows } = await sql<{ name: string }>`select application_name as name from pg_stat_activity
    where application_name like ${`nazar server ${process.pid} %`}`.execute(database.db.read());
  const own = rows[0]?.name ?? assert.fail('the lock has no session');
  await rival.query(`select set_config('application_name', $1, false)`, [own]);
  const { rows: pids } = await rival.query<{ pid: number }>('select pg_backend_pid() as pid');
  const queued = rival.query(`select ${lockOf('nazar.server')}`).catch(() => undefined);
  await until(async () => (await waitingFor()) === 1);
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = ${own} and pid <> ${pids[0]!.pid}`.execute(database.db.write());
  await queued;
  await until(() => {
    try {
      lock.mustHold();
      return true;
    } catch {
      return false;
    }
  });
  await assert.rejects(rival.query('select 1'));
});

test('a process that stood still longer than a lock is proven must prove it first', async () => {
  let aheadMs = 0;
  const jumping = { ...clock, monotonicMs: () => clock.monotonicMs() + aheadMs };
  await using lock = await ServerLock.take(database.target, { clock: jumping, log, patienceMs: 0 });
  lock.mustHold();
  aheadMs = 60_000;
  assert.throws(() => lock.mustHold(), { name: 'LockLost' });
  await lock.prove();
  lock.mustHold();
});

test('work that is done alone learns that its lock went, and another may begin', async () => {
  const { db } = database;
  const began = Promise.withResolvers<AbortSignal>();
  const end = Promise.withResolvers<string>();
  const first = alone(db, 'a work', (lost) => {
    began.resolve(lost);
    return end.promise;
  });
  const lost = await began.promise;
  assert.equal(await alone(db, 'a work', async () => 'second'), null);
  assert.equal(await alone(db, 'another work', async () => 'third'), 'third');
  assert.equal(lost.aborted, false);
  await cut('nazar lock %');
  await until(() => lost.aborted);
  assert.equal(await alone(db, 'a work', async () => 'second'), 'second');
  end.resolve('first');
  assert.equal(await first, 'first', 'what it did stays done');
});

async function waitingFor(): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from pg_locks
    where locktype = 'advisory' and not granted
      and database = (select oid from pg_database where datname = current_database())`.execute(
    database.db.read(),
  );
  return rows[0]?.n ?? 0;
}
