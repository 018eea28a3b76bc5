/** The kept counts of days are those of the entries, whatever was recorded, sealed, taken out and pruned in between. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import * as fc from 'fast-check';
import { sql } from 'kysely';
import { createScope, noGrants } from '#http/scope.ts';
import { uuidv7 } from '#lib/ids.ts';
import { anActor, aChain, type TestChain } from '#testing/activity-chain.ts';
import { pruneChain, type Sealer } from '../activity.ts';
import { allOf, filterConditions } from './condition-store.ts';
import { filterOf } from './filter.ts';
import type { LogFilter } from './rows.ts';
import { LogStore } from './store.ts';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
const users = [uuidv7(1), uuidv7(2)];

let chain: TestChain;
let sealer: Sealer;
let store: LogStore;
let startMs: number;

before(async () => {
  chain = await aChain();
  sealer = chain.sealer();
  store = new LogStore(chain.database.db);
  startMs = chain.clock.now();
});
after(async () => {
  await sealer[Symbol.asyncDispose]();
  await chain[Symbol.asyncDispose]();
});

const by = { userId: users[0]!, email: '', sessionId: users[0]! };
const boss = createScope({ ...by, standing: 'superadmin' }, noGrants);
const colleague = createScope({ ...by, standing: 'user' }, noGrants);

const step = fc.oneof(
  {
    weight: 9,
    arbitrary: fc.record({
      do: fc.constant('record' as const),
      user: fc.constantFrom(...users, null),
      action: fc.constantFrom('camera.watched', 'camera.replaced', 'account.login'),
      isAboutCamera: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('tell' as const),
      user: fc.constantFrom(...users),
      isMock: fc.boolean(),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('wait' as const),
      ms: fc.constantFrom(minuteMs, 7 * 60 * minuteMs, 7 * 60 * minuteMs, dayMs, 40 * dayMs),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('seal' as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('bury' as const),
      isOwn: fc.boolean(),
      limit: fc.nat(3),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('prune' as const) }) },
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

async function take(one: Step): Promise<void> {
  const { activity, clock, database, master, folder } = chain;
  const { db } = database;
  switch (one.do) {
    case 'record': {
      const object = one.isAboutCamera ? ({ type: 'camera', id: uuidv7(7) } as const) : null;
      const actor = anActor({ userId: one.user });
      return activity.recordAlone({ actor, action: one.action, object });
    }
    case 'tell': {
      const note = { text: '', salt: Buffer.alloc(0), words: '', digest: '' };
      const details = { content_type: 'face' };
      const reported = { kind: 'view', object: null, details, note, isMock: one.isMock } as const;
      await db.transaction((tx) =>
        activity.recordReported(tx, anActor({ userId: one.user }), [reported]),
      );
      return;
    }
    case 'wait':
      clock.advance(one.ms);
      return;
    case 'seal':
      await sealer.seal();
      return;
    case 'bury': {
      const filter = filterOf(one.isOwn ? colleague : boss, {}, 'en');
      const burial = { userId: by.userId, at: new Date(clock.now()), limit: one.limit };
      await db.transaction((tx) => store.buryFrom(tx, filter, null, burial));
      return;
    }
    case 'prune':
      await pruneChain({ db, master, folder, clock, days: 90 });
  }
}

const asked = fc.record({
  isOwn: fc.boolean(),
  user: fc.option(fc.constantFrom(...users), { nil: undefined }),
  content_type: fc.constantFrom(undefined, 'camera', 'face', 'system'),
  withMock: fc.boolean(),
  /** Days of the test's time, whole ones and cut ones, from its beginning to after its end. */
  from: fc.option(fc.double({ min: -0.1, max: 1.1, noNaN: true }), { nil: null }),
  until: fc.option(fc.double({ min: -0.1, max: 1.1, noNaN: true }), { nil: null }),
  isCut: fc.boolean(),
});
type Asked = typeof asked extends fc.Arbitrary<infer A> ? A : never;

function filterFor({ isOwn, user, content_type, withMock, from, until, isCut }: Asked): LogFilter {
  const spanMs = chain.clock.now() - startMs;
  const unit = isCut ? 1 : dayMs;
  const at = (share: number | null) =>
    share === null ? null : new Date(Math.round((startMs + share * spanMs) / unit) * unit);
  const filter = filterOf(isOwn ? colleague : boss, { user, content_type }, 'en');
  return { ...filter, withMock, from: at(from), until: at(until) };
}

async function plain(filter: LogFilter): Promise<Map<string, number>> {
  const { rows } = await sql<{ name: string; value: number }>`
    select action as name, count(*)::integer as value from activity_log
     where ${allOf(filterConditions(filter))} group by action`.execute(chain.database.db.read());
  return new Map(rows.map(({ name, value }) => [name, value]));
}

async function days(): Promise<unknown[]> {
  const { rows } = await sql`
    select * from activity_day order by day, user_id, action, content_type, is_mock`.execute(
    chain.database.db.read(),
  );
  return rows;
}

test('APL-029, APL-030, C-804 counts by action are those of the entries one may read, on whole days and cut ones', async () => {
  let counts = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 15, maxLength: 40 }),
      fc.array(asked, { minLength: 8, maxLength: 8 }),
      async (steps, questions) => {
        for (const one of steps) await take(one);
        for (const question of questions) {
          const filter = filterFor(question);
          const found = await store.countByAction(filter);
          const expected = await plain(filter);
          counts += expected.size;
          assert.deepEqual(new Map(found.map(({ name, value }) => [name, value])), expected);
        }
      },
    ),
    { numRuns: 30, endOnFailure: true },
  );
  assert.ok(counts > 50, `${counts}`);
  const kept = await days();
  assert.ok(kept.length > 3, `${kept.length}`);
  await sql`select count_activity_days()`.execute(chain.database.db.write());
  assert.deepEqual(await days(), kept, 'counted anew they are the same');
});
