import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import * as fc from 'fast-check';
import { sql, type RawBuilder } from 'kysely';
import { uuidv7 } from '#lib/ids.ts';
import { anActor, aChain, type TestChain } from '#testing/activity-chain.ts';
import type { Sealer } from './activity.ts';

/** `npm run test:security` sets 1000. */
const attacks = Number(process.env['NAZAR_TEST_ATTACKS'] ?? 50);
const length = 40;

let chain: TestChain;
let sealer: Sealer;

before(async () => {
  chain = await aChain();
  sealer = chain.sealer();
  await write(length);
  await sealer.seal();
  await sql`create table untouched as select * from audit_entry`.execute(chain.database.db.write());
});
after(async () => {
  await sealer[Symbol.asyncDispose]();
  await chain[Symbol.asyncDispose]();
});
afterEach(() => restore());

async function write(count: number): Promise<void> {
  const { activity, clock } = chain;
  for (let written = 0; written < count; written += 1) {
    clock.advance(7);
    const object = { type: 'camera', id: uuidv7(written) } as const;
    const details = { fields: ['name'], number: written };
    await activity.recordAlone({ actor: anActor(), action: 'camera.replaced', object, details });
  }
}

function restore(): Promise<void> {
  return chain.attack(
    sql`delete from audit_entry`,
    sql`insert into audit_entry select * from untouched`,
  );
}

/** What to do, and the sequence of the first row that is wrong then. */
interface Attack {
  readonly statements: readonly RawBuilder<unknown>[];
  readonly firstBad: number;
}

const place = fc.integer({ min: 1, max: length });

/** Each column that the chain covers, changed to something that the column takes. */
const changes = [
  sql`recorded_at = recorded_at + interval '1 millisecond'`,
  sql`recorded_at = 'infinity'`,
  sql`source = 'console'`,
  sql`is_mock = not is_mock`,
  sql`user_id = null`,
  sql`user_id = gen_random_uuid()`,
  sql`session_id = gen_random_uuid()`,
  sql`ip = '198.51.100.1'`,
  sql`user_agent = user_agent || ' '`,
  sql`action = 'camera.watched'`,
  sql`object_id = gen_random_uuid()::text`,
  sql`object_type = 'face'`,
  sql`object_type = null, object_id = null`,
  sql`details = '{}'`,
  sql`details = (details::text || ' ')::json`,
  sql`id = gen_random_uuid()`,
  sql`mac = sha256(mac)`,
];

const modify = fc.tuple(place, fc.constantFrom(...changes)).map(([at, change]): Attack => ({
  statements: [sql`update audit_entry set ${change} where sequence = ${at}`],
  firstBad: at,
}));

/** Not at the end: that is what anchors are for. */
const remove = fc
  .tuple(fc.integer({ min: 1, max: length - 1 }), fc.boolean(), fc.boolean())
  .map(([at, closesGap, keepsRow]): Attack => ({
    statements: [
      keepsRow
        ? sql`update audit_entry set sequence = null, mac = null where sequence = ${at}`
        : sql`delete from audit_entry where sequence = ${at}`,
      ...(closesGap ? shifted(at, -1) : []),
    ],
    firstBad: at,
  }));

/** A copy of another entry, its signature too. */
const insert = fc.tuple(place, place).map(([at, from]): Attack => ({
  statements: [
    ...shifted(at - 1, 1),
    sql`insert into audit_entry select gen_random_uuid(), recorded_at, source, is_mock, user_id, session_id, ip,
          user_agent, action, object_type, object_id, details, ${at}, mac from untouched where sequence = ${from}`,
  ],
  firstBad: at,
}));

const reorder = fc
  .uniqueArray(place, { minLength: 2, maxLength: 2 })
  .map(([one = 0, other = 0]): Attack => ({
    statements: [
      sql`update audit_entry set sequence = ${length + 1} where sequence = ${one}`,
      sql`update audit_entry set sequence = ${one} where sequence = ${other}`,
      sql`update audit_entry set sequence = ${other} where sequence = ${length + 1}`,
    ],
    firstBad: Math.min(one, other),
  }));

/** Everything before some place is gone; the rest may be numbered anew. */
const beheadings = fc
  .tuple(fc.integer({ min: 1, max: length - 1 }), fc.boolean())
  .map(([until, renumbers]): Attack => ({
    statements: [
      sql`delete from audit_entry where sequence <= ${until}`,
      ...(renumbers ? shifted(until, -until) : []),
    ],
    firstBad: 1,
  }));

/** By way of numbers far away: the index checks each row as it is moved. */
function shifted(after: number, by: number): RawBuilder<unknown>[] {
  return [
    sql`update audit_entry set sequence = sequence + 1000000 where sequence > ${after}`,
    sql`update audit_entry set sequence = sequence - 1000000 + ${by} where sequence > 1000000`,
  ];
}

test('C-801 every change, removal, insertion and reordering is found, with the first bad row', async () => {
  const found = await chain.verify();
  assert.deepEqual([found.entries, found.fault, found.unsealed], [length, null, 0]);
  const anyAttack = fc.oneof(modify, remove, insert, reorder, beheadings);
  await fc.assert(
    fc.asyncProperty(anyAttack, async ({ statements, firstBad }) => {
      await restore();
      await chain.attack(...statements);
      const { fault } = await chain.verify();
      assert.ok(fault && fault.kind !== 'anchor', 'not found');
      assert.equal(fault.sequence, firstBad);
    }),
    { numRuns: attacks },
  );
});

test('C-801 two entries of one number are found even where nothing forbids them', async () => {
  await chain.attack(
    sql`alter table audit_entry drop constraint audit_entry_sequence_key`,
    sql`insert into audit_entry select gen_random_uuid(), recorded_at, source, is_mock, user_id, session_id, ip,
          user_agent, action, object_type, object_id, details, sequence, mac from untouched where sequence = 7`,
  );
  const { fault } = await chain.verify();
  assert.ok(fault && fault.kind !== 'anchor');
  assert.equal(fault.sequence, 7);
  await restore();
  await chain.attack(
    sql`alter table audit_entry add constraint audit_entry_sequence_key unique (sequence)`,
  );
});
