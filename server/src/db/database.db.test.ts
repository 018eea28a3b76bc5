import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql, type Generated } from 'kysely';
import { systemClock } from '#lib/clock.ts';
import { Problem } from '#lib/problem.ts';
import { testDatabase, testPatienceMs, type TestDatabase } from '#testing/database.ts';
import { until } from '#testing/until.ts';
import { quietLog } from '#testing/world.ts';
import { newClient } from './connection.ts';
import { CommitUnknown, Database, readConnections, scanConnections } from './database.ts';

interface Tables {
  note: { id: Generated<number>; text: string; at: Date | null };
}

let database: TestDatabase;

before(async () => {
  database = await testDatabase();
  await sql`create table note (id bigint generated always as identity primary key, text text not null unique, at timestamptz)`.execute(
    database.db.write(),
  );
});
after(() => database[Symbol.asyncDispose]());

function texts(): Promise<string[]> {
  const notes = database.db
    .read<Tables>()
    .selectFrom('note')
    .select('text')
    .orderBy('id')
    .execute();
  return notes.then((rows) => rows.map(({ text }) => text));
}

test('a transaction is all or nothing', async () => {
  const { db } = database;
  await db.transaction((tx) =>
    tx.as<Tables>().insertInto('note').values({ text: 'kept' }).execute(),
  );
  const failed = db.transaction(async (tx) => {
    await tx.as<Tables>().insertInto('note').values({ text: 'lost' }).execute();
    throw new Error('changed my mind');
  });
  await assert.rejects(failed, /changed my mind/);
  assert.deepEqual(await texts(), ['kept']);
});

test('a transaction whose failed statement was swallowed is not reported as committed', async () => {
  const failed = database.db.transaction(async (tx) => {
    const insert = tx.as<Tables>().insertInto('note').values({ text: 'twice' });
    await insert.execute();
    await insert.execute().catch(() => undefined);
  });
  await assert.rejects(failed, /abort/i);
  assert.ok(!(await texts()).includes('twice'));
});

test('a COMMIT that is not answered is unknown, not failed', async () => {
  const { db } = database;
  // Deferred, so that it runs inside COMMIT: the session ends there, as with a server that dies.
  await sql`create function end_me() returns trigger language plpgsql as
    $$ begin perform pg_terminate_backend(pg_backend_pid()); return null; end $$`.execute(
    db.write(),
  );
  await sql`create constraint trigger end_me after insert on note deferrable initially deferred
    for each row when (new.text = 'cut') execute function end_me()`.execute(db.write());
  const cut = db.transaction((tx) =>
    tx.as<Tables>().insertInto('note').values({ text: 'cut' }).execute(),
  );
  await assert.rejects(cut, CommitUnknown);
  assert.ok((await db.ping()) >= 0, 'the pool got over it');
});

test('a reading transaction cannot write', async () => {
  const write = database.db.read<Tables>().insertInto('note').values({ text: 'x' }).execute();
  await assert.rejects(write, { code: '25006' });
});

test('a caller who gets no connection in time learns that the database is unavailable; one who has a connection continues', async () => {
  const { target } = database;
  await using db = new Database(target, systemClock, quietLog, 100);
  const holder = newClient(target, { connectionTimeoutMillis: testPatienceMs });
  await holder.connect();
  await holder.query('select pg_advisory_lock(7)');
  const isUnavailable = (error: unknown) =>
    error instanceof Problem && error.code === 'unavailable';
  // A connection to a busy machine may take longer than that, too.
  const share = (): Promise<unknown> =>
    sql`select pg_advisory_lock_shared(7)`
      .execute(db.read())
      .catch((error: unknown) => (isUnavailable(error) ? share() : Promise.reject(error)));
  const sharing = Array.from({ length: readConnections }, share);
  await until(async () => {
    const { rowCount } = await holder.query(
      `select from pg_locks where locktype = 'advisory' and objid = 7 and not granted`,
    );
    return rowCount === readConnections;
  });
  await assert.rejects(db.ping(), isUnavailable);
  await holder.end();
  await Promise.all(sharing);
  assert.ok((await db.ping()) >= 0);
});

test('a light question never waits for heavy ones', async () => {
  const { target } = database;
  await using db = new Database(target, systemClock, quietLog, testPatienceMs);
  await using held = await scansHeld(db);
  const light = Array.from({ length: 2 * readConnections }, () => db.ping());
  assert.ok((await Promise.all(light)).every((ms) => ms >= 0));
  assert.equal(held.done(), 0);
});

test('heavy questions wait in line, however little patience there is for a database that is away', async () => {
  const { target } = database;
  await using db = new Database(target, systemClock, quietLog, 1);
  const held = await scansHeld(db);
  await systemClock.wait(50);
  await held[Symbol.asyncDispose]();
  assert.equal(held.done(), 4 * readConnections);
  const write = sql`insert into note (text) values ('x')`.execute(db.scan());
  await assert.rejects(write, { code: '25006' });
});

/** More scans than there are connections, each of which goes on when this is disposed of. */
async function scansHeld(db: Database): Promise<AsyncDisposable & { done(): number }> {
  const holder = newClient(database.target, { connectionTimeoutMillis: testPatienceMs });
  await holder.connect();
  await holder.query('select pg_advisory_lock(8)');
  let done = 0;
  const scan = async (): Promise<void> => {
    await sql`select pg_advisory_lock_shared(8), pg_advisory_unlock_shared(8)`.execute(db.scan());
    done += 1;
  };
  const scans = Promise.all(Array.from({ length: 4 * readConnections }, scan));
  await until(async () => {
    const { rowCount } = await holder.query(
      `select from pg_locks where locktype = 'advisory' and objid = 8 and not granted`,
    );
    return rowCount === scanConnections;
  });
  const release = async (): Promise<void> => {
    await holder.end();
    await scans;
  };
  return { done: () => done, [Symbol.asyncDispose]: release };
}

test('types arrive as declared, and no integer is rounded', async () => {
  const db = database.db.read();
  const { rows } = await sql<Record<string, unknown>>`
    select 9007199254740991::int8 as big, count(*) as count, sum(2::int8) as sum, avg(1.5) as avg,
           array[1, 2]::int8[] as list, '2026-03-29'::date as day, '\\x00ff'::bytea as bytes,
           '2026-03-29 01:30:00+04'::timestamptz as moment, '{"a":1}'::jsonb as json
  `.execute(db);
  assert.deepEqual(rows[0], {
    big: Number.MAX_SAFE_INTEGER,
    count: 1,
    sum: 2,
    avg: 1.5,
    list: [1, 2],
    day: '2026-03-29',
    bytes: Buffer.from([0, 255]),
    moment: new Date('2026-03-28T21:30:00Z'),
    json: { a: 1 },
  });
  await assert.rejects(sql`select 9007199254740993::int8`.execute(db), RangeError);
});

test('a notice arrives when its transaction commits, and not when it does not', async () => {
  const { db } = database;
  const received = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const payloads: (string | null)[] = [];
  using _listening = db.listen('news', (payload) => {
    payloads.push(payload);
    if (payload === null) begun.resolve();
    if (payload === 'two') received.resolve();
  });
  await begun.promise;
  const undone = db.transaction(async (tx) => {
    await db.notify(tx, 'news', 'one');
    throw new Error('no');
  });
  await assert.rejects(undone);
  await db.transaction((tx) => db.notify(tx, 'news', 'two'));
  await received.promise;
  assert.deepEqual(payloads, [null, 'two']);
});

test('a listener that lost its connection comes back and says that it may have missed something', async () => {
  const { db } = database;
  const begun = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let times = 0;
  using _listening = db.listen('more', (payload) => {
    if (payload === null) begun[times++]?.resolve();
  });
  await begun[0]?.promise;
  await sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'nazar news' and datname = current_database()`.execute(
    db.write(),
  );
  await begun[1]?.promise;
});
