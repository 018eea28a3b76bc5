import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { sql, type RawBuilder } from 'kysely';
import { anActor, aChain, recorded, type TestChain } from '#testing/activity-chain.ts';
import { pruneChain, type Sealer } from './activity.ts';

const dayMs = 24 * 60 * 60_000;
let chain: TestChain;
let sealer: Sealer;

beforeEach(async () => {
  chain = await aChain();
  sealer = chain.sealer();
});
afterEach(async () => {
  await sealer[Symbol.asyncDispose]();
  await chain[Symbol.asyncDispose]();
});

async function write(count: number): Promise<void> {
  for (let written = 0; written < count; written += 1) {
    await chain.activity.recordAlone({ actor: anActor(), action: 'account.logout', object: null });
  }
  await sealer.seal();
}
const prune = (days = 365) => {
  const { database, master, folder, clock } = chain;
  return pruneChain({ db: database.db, master, folder, clock, days });
};
const sequences = async () => (await recorded(chain.database.db)).map(({ sequence }) => sequence);

test('C-804 entries older than the policy go, younger ones stay, and the rest still proves itself', async () => {
  await write(5);
  chain.clock.advance(366 * dayMs);
  await write(3);
  assert.deepEqual(await prune(), { removed: 5, fault: null });
  assert.deepEqual(await sequences(), [6, 7, 8]);
  const { entries, pruned, fault } = await chain.verify();
  assert.deepEqual([entries, pruned, fault], [3, 5, null]);
  assert.deepEqual(await prune(), { removed: 0, fault: null });
  await write(2);
  chain.clock.advance(366 * dayMs);
  await prune();
  assert.deepEqual(await sequences(), [10], 'the last one stays: the chain grows from it');
  await write(1);
  const later = await chain.verify();
  assert.deepEqual([later.entries, later.pruned, later.fault], [2, 9, null]);
});

test('C-804 H-11 nothing goes before its time: by no policy, and by no statement', async () => {
  await write(4);
  chain.clock.advance(89 * dayMs);
  await write(1);
  await assert.rejects(async () => prune(89), RangeError);
  assert.deepEqual(await prune(90), { removed: 0, fault: null });
  const db = chain.database.db.write();
  // A checkpoint alone opens nothing that is younger than 90 days.
  await sql`
    insert into audit_checkpoint (sequence, mac, made_at, signature)
    select 4, mac, ${new Date(chain.clock.now())}, sha256('') from audit_entry where sequence = 4`.execute(
    db,
  );
  for (const statement of [
    sql`delete from audit_entry where sequence <= 4`,
    sql`delete from audit_checkpoint`,
    sql`update audit_checkpoint set sequence = 3`,
    sql`truncate audit_checkpoint`,
  ]) {
    await assert.rejects(statement.execute(db), /is never changed/);
  }
});

test('C-804 an entry that was taken out of the activity log goes with its tombstone and note', async () => {
  await write(2);
  const db = chain.database.db.write();
  await sql`insert into activity_tombstone select id, now(), gen_random_uuid() from audit_entry`.execute(
    db,
  );
  await sql`
    insert into activity_note (entry_id, user_id, salt, text, ip, action, content_type, is_mock)
    select id, gen_random_uuid(), sha256(''), '{}', ip, action, 'system', false from audit_entry`.execute(
    db,
  );
  chain.clock.advance(366 * dayMs);
  await write(1);
  assert.deepEqual(await prune(), { removed: 2, fault: null });
  const left = await sql<{ n: number }>`
    select (select count(*) from activity_tombstone) + (select count(*) from activity_note) as n`.execute(
    db,
  );
  assert.equal(left.rows[0]!.n, 0);
});

test('C-804 C-801 evidence is not pruned: a changed old entry stops it and stays', async () => {
  await write(6);
  chain.clock.advance(366 * dayMs);
  await write(1);
  await chain.attack(sql`update audit_entry set ip = '198.51.100.1' where sequence = 3`);
  const { removed, fault } = await prune();
  assert.deepEqual([removed, fault?.kind], [0, 'changed']);
  assert.equal((await sequences()).length, 7);
});

const attacks: readonly (readonly [string, string, readonly RawBuilder<unknown>[]])[] = [
  ['the checkpoint is deleted', 'missing', [sql`delete from audit_checkpoint`]],
  [
    'it is moved forward',
    'checkpoint',
    [
      sql`update audit_checkpoint set sequence = 7, mac = (select mac from audit_entry where sequence = 7)`,
      sql`delete from audit_entry where sequence <= 7`,
    ],
  ],
  [
    'another is put beside it',
    'checkpoint',
    [
      sql`insert into audit_checkpoint select 7, entry.mac, made_at, signature
          from audit_checkpoint, audit_entry entry where entry.sequence = 7`,
      sql`delete from audit_entry where sequence <= 7`,
    ],
  ],
  [
    'its hour is changed',
    'checkpoint',
    [sql`update audit_checkpoint set made_at = made_at - interval '1 day'`],
  ],
  ['its hour is none', 'checkpoint', [sql`update audit_checkpoint set made_at = 'infinity'`]],
  [
    'its signature is another',
    'checkpoint',
    [sql`update audit_checkpoint set signature = sha256(signature)`],
  ],
  [
    'an old entry is put back',
    'returned',
    [
      sql`insert into audit_entry select gen_random_uuid(), recorded_at, source, is_mock, user_id, session_id, ip,
          user_agent, action, object_type, object_id, details, 2, mac from audit_entry where sequence = 6`,
    ],
  ],
  [
    'the first entry after it is removed',
    'missing',
    [sql`delete from audit_entry where sequence = 6`],
  ],
  ['everything after it is removed', 'cut', [sql`delete from audit_entry`]],
];
for (const [name, kind, statements] of attacks) {
  test(`C-804 an attack on the checkpoint is found: ${name}`, async () => {
    await write(5);
    chain.clock.advance(366 * dayMs);
    await write(4);
    await sealer[Symbol.asyncDispose](); // writes an anchor
    await prune();
    assert.equal((await chain.verify()).fault, null);
    await chain.attack(...statements);
    assert.equal((await chain.verify()).fault?.kind, kind);
  });
}
