import assert from 'node:assert/strict';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { sql } from 'kysely';
import { newClient } from '#db/connection.ts';
import { anActor, aChain, recorded, type TestChain } from '#testing/activity-chain.ts';
import { until } from '#testing/until.ts';

let chain: TestChain;

beforeEach(async () => {
  chain = await aChain();
});
afterEach(() => chain[Symbol.asyncDispose]());

const anEntry = { action: 'account.logout', object: null } as const;

async function write(count: number): Promise<void> {
  for (let written = 0; written < count; written += 1) {
    await chain.activity.recordAlone({ actor: anActor(), ...anEntry });
  }
}

/** Many at once, as if written one by one. */
async function writeMany(count: number): Promise<void> {
  await sql`
    insert into audit_entry (id, recorded_at, source, is_mock, ip, user_agent, action, details)
    select gen_random_uuid(), now(), 'request', false, '192.0.2.7', 'test', 'account.login', '{}'
      from generate_series(1, ${count})`.execute(chain.database.db.write());
}

async function sequences(): Promise<(number | null)[]> {
  return (await recorded(chain.database.db)).map(({ sequence }) => sequence);
}

test('C-801 an entry is there when its transaction is, and not without it', async () => {
  const { db } = chain.database;
  const failing = db.transaction(async (tx) => {
    await chain.activity.record(tx, { actor: anActor(), ...anEntry });
    throw new Error('undone');
  });
  await assert.rejects(failing, /undone/);
  assert.deepEqual(await recorded(db), []);
  await write(1);
  assert.deepEqual(await sequences(), [null]);
});

test('C-801 entries are sealed within a second of being committed, by the clock', async () => {
  await using sealer = chain.sealer();
  await sealer.seal();
  await write(3);
  chain.clock.advance(1_000);
  await until(async () => (await sequences()).every((sequence) => sequence !== null));
  assert.deepEqual(
    (await sequences()).toSorted((a, b) => Number(a) - Number(b)),
    [1, 2, 3],
  );
});

test('C-801 rows that become visible late get later places, and none is skipped', async () => {
  await using sealer = chain.sealer();
  const late = newClient(chain.database.target);
  await late.connect();
  await late.query('begin');
  // Written first, with the lowest id of all, and committed last.
  await late.query(`
    insert into audit_entry (id, recorded_at, source, is_mock, ip, user_agent, action, details)
    values ('00000000-0000-7000-8000-000000000000', now(), 'request', false, '', '', 'account.login', '{}')`);
  await write(2);
  await sealer.seal();
  await late.query('commit');
  await late.end();
  await sealer.seal();
  const rows = await recorded(chain.database.db);
  assert.equal(rows.find(({ action }) => action === 'account.login')?.sequence, 3);
  assert.equal((await chain.verify()).fault, null);
});

test('C-801 three sealers at once make one chain without a gap', async () => {
  await using stack = new AsyncDisposableStack();
  const sealers = [1, 2, 3].map(() => stack.use(chain.sealer()));
  for (let round = 0; round < 10; round += 1) {
    await writeMany(50);
    await Promise.all(sealers.map((sealer) => sealer.seal()));
  }
  await sealers[0]!.seal();
  const { entries, fault, unsealed } = await chain.verify();
  assert.deepEqual([entries, fault, unsealed], [500, null, 0]);
});

test('C-801 entries recorded when a server died are sealed by the next one', async () => {
  await write(5);
  assert.equal((await chain.verify()).unsealed, 5);
  await chain.sealer()[Symbol.asyncDispose]();
  const { entries, anchors, fault } = await chain.verify();
  assert.deepEqual([entries, anchors, fault], [5, 1, null]);
});

test('C-801 a server that dies while it seals leaves the lock and the chain to others', async () => {
  const dying = newClient(chain.database.target);
  dying.on('error', () => undefined);
  await dying.connect();
  await dying.query('begin');
  await dying.query('select pg_advisory_xact_lock(801802803)');
  await write(2);
  await using sealer = chain.sealer();
  assert.equal(await sealer.seal(), 0, 'somebody else seals');
  const { rows } = await dying.query<{ pid: number }>('select pg_backend_pid() as pid');
  await sql`select pg_terminate_backend(${rows[0]!.pid})`.execute(chain.database.db.write());
  await until(async () => (await sealer.seal()) > 0 || !(await sequences()).includes(null));
  assert.deepEqual((await chain.verify()).entries, 2);
});

test('C-802 an anchor is written each 1,000 entries, each five minutes, and at the end', async () => {
  const anchors = async () => (await chain.verify()).anchors;
  {
    await using sealer = chain.sealer();
    await writeMany(999);
    await sealer.seal();
    assert.equal(await anchors(), 0);
    await write(1);
    await sealer.seal();
    assert.equal(await anchors(), 1);
    await write(1);
    chain.clock.advance(5 * 60_000);
    await until(async () => (await anchors()) === 2);
    chain.clock.advance(5 * 60_000);
    await sealer.seal();
    assert.equal(await anchors(), 2, 'nothing new is nothing to anchor');
    await write(1);
  }
  assert.equal(await anchors(), 3);
  assert.equal((await chain.verify()).entries, 1_002);
});

test('C-802 a cut tail is found by the anchor, however much has been written since', async () => {
  await write(10);
  await chain.sealer()[Symbol.asyncDispose]();
  await chain.attack(sql`delete from audit_entry where sequence > 6`);
  const { entries, fault } = await chain.verify();
  assert.equal(entries, 6);
  assert.equal(fault?.kind, 'cut');
  assert.equal(fault.sequence, 7);
  await write(20);
  await chain.sealer()[Symbol.asyncDispose]();
  const again = (await chain.verify()).fault;
  assert.equal(again?.kind, 'rewritten');
  assert.equal(again.sequence, 10);
});

test('C-802 a tail cut under a running server is anchored by what it remembers', async () => {
  await using sealer = chain.sealer();
  await write(10);
  await sealer.seal();
  await chain.attack(sql`delete from audit_entry where sequence > 6`);
  assert.equal((await chain.verify()).fault, null, 'no anchor names what was cut yet');
  await sealer.seal();
  assert.equal((await chain.verify()).fault?.kind, 'cut');
});

test('C-802 an emptied chain is found; an anchor that is not ours or half written is seen as such', async () => {
  await write(3);
  await chain.sealer()[Symbol.asyncDispose]();
  const file = join(chain.folder, 'anchors');
  const whole = readFileSync(file, 'latin1');
  appendFileSync(file, '7 ab');
  assert.equal((await chain.verify()).fault, null);
  await write(1);
  await chain.sealer()[Symbol.asyncDispose]();
  const { anchors, fault } = await chain.verify();
  assert.deepEqual([anchors, fault], [2, null]);
  writeFileSync(file, whole.replace(/^3/, '2'));
  assert.deepEqual((await chain.verify()).fault, { kind: 'anchor', line: 1 });
  writeFileSync(file, whole);
  await chain.attack(sql`delete from audit_entry`);
  const emptied = (await chain.verify()).fault;
  assert.deepEqual([emptied?.kind, emptied?.kind === 'cut' && emptied.sequence], ['cut', 1]);
});

test('C-804 H-11 the database refuses every change of what is in the activity log', async () => {
  await write(2);
  await chain.sealer()[Symbol.asyncDispose]();
  await write(1);
  const db = chain.database.db.write();
  const refused = [
    sql`update audit_entry set ip = '198.51.100.1' where sequence = 1`,
    sql`update audit_entry set mac = sha256(mac) where sequence = 1`,
    sql`update audit_entry set sequence = null, mac = null where sequence = 2`,
    sql`update audit_entry set ip = '198.51.100.1' where sequence is null`,
    sql`update audit_entry set ip = '198.51.100.1', sequence = 3, mac = sha256('') where sequence is null`,
    sql`update audit_entry set details = '{"a":1}', sequence = 3, mac = sha256('') where sequence is null`,
    sql`delete from audit_entry where sequence = 2`,
    sql`delete from audit_entry where sequence is null`,
    sql`truncate audit_entry cascade`,
    sql`insert into audit_entry select gen_random_uuid(), recorded_at, source, is_mock, user_id, session_id, ip,
          user_agent, action, object_type, object_id, details, 9, mac from audit_entry where sequence = 1`,
  ];
  for (const statement of refused) {
    await assert.rejects(statement.execute(db), /is never changed/, statement.compile(db).sql);
  }
  assert.equal((await chain.verify()).fault, null);
});

test('H-11 an entry that is taken out of the activity log leaves a tombstone and stays in the chain', async () => {
  await write(2);
  await chain.sealer()[Symbol.asyncDispose]();
  const db = chain.database.db.write();
  const shown = async () => (await sql`select id from activity_log`.execute(db)).rows.length;
  assert.equal(await shown(), 2);
  await sql`
    insert into activity_tombstone
    select id, now(), gen_random_uuid() from audit_entry where sequence = 1`.execute(db);
  assert.equal(await shown(), 1);
  for (const statement of [
    sql`delete from activity_tombstone`,
    sql`update activity_tombstone set deleted_at = now()`,
    sql`truncate activity_tombstone`,
  ]) {
    await assert.rejects(statement.execute(db), /is never changed/);
  }
  const { entries, fault } = await chain.verify();
  assert.deepEqual([entries, fault], [2, null]);
});

test('C-802 a transaction that was undone at its end is neither remembered nor anchored', async () => {
  await using sealer = chain.sealer();
  await write(2);
  await sealer.seal();
  const db = chain.database.db.write();
  // Fails at COMMIT, as a lost connection does.
  await sql`
    create function fail_at_commit() returns trigger language plpgsql as $$
    begin raise exception 'not committed'; end $$`.execute(db);
  await sql`
    create constraint trigger fails after update on audit_entry deferrable initially deferred
      for each row execute function fail_at_commit()`.execute(db);
  await writeMany(1_000);
  await assert.rejects(sealer.seal(), /not committed/);
  await sql`drop trigger fails on audit_entry`.execute(db);
  assert.deepEqual((await chain.verify()).anchors, 0);
  await sealer.seal();
  const { entries, anchors, fault } = await chain.verify();
  assert.deepEqual([entries, anchors, fault], [1_002, 1, null]);
});
