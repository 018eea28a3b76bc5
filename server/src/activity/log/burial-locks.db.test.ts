/** Entries are taken out of the log while the same ones are sealed, or removed by age: none waits for the other in turn. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { createScope, noGrants } from '#http/scope.ts';
import { uuidv7 } from '#lib/ids.ts';
import { anActor, aChain, type TestChain } from '#testing/activity-chain.ts';
import { until } from '#testing/until.ts';
import { pruneChain } from '../activity.ts';
import { filterOf } from './filter.ts';
import { LogStore } from './store.ts';

const dayMs = 24 * 60 * 60_000;
const userId = uuidv7(1);
const scope = createScope(
  { userId, email: '', sessionId: userId, standing: 'superadmin' },
  noGrants,
);

async function watch(chain: TestChain): Promise<void> {
  for (const id of [uuidv7(7), uuidv7(8)]) {
    await chain.activity.recordAlone({
      actor: anActor({ userId }),
      action: 'camera.watched',
      object: { type: 'camera', id },
    });
  }
}

function bury({ database: { db }, clock }: TestChain): Promise<number> {
  const store = new LogStore(db);
  const by = { userId, at: new Date(clock.now()), limit: 100 };
  const filter = filterOf(scope, {}, 'en');
  return db.transaction(async (tx) => (await store.buryFrom(tx, filter, null, by)).buried);
}

async function waiting({ database: { db } }: TestChain): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from pg_stat_activity
     where datname = current_database() and wait_event_type = 'Lock'`.execute(db.read<unknown>());
  return rows[0]!.count;
}

/** The first of two waits for the counts of the day, with all that it locked before; then the second begins. */
async function meet<A, B>(
  chain: TestChain,
  first: () => Promise<A>,
  second: () => Promise<B>,
): Promise<[A, B]> {
  const { db } = chain.database;
  const both = await db.transaction(async (tx) => {
    await sql`select from activity_day for update`.execute(tx.as<unknown>());
    const one = first();
    await until(async () => (await waiting(chain)) === 1);
    const other = second();
    await until(async () => (await waiting(chain)) === 2);
    return { ended: Promise.allSettled([one, other]), one, other };
  });
  await both.ended;
  return [await both.one, await both.other];
}

async function days({ database: { db } }: TestChain): Promise<unknown[]> {
  const { rows } = await sql`
    select entries, buried from activity_day order by day`.execute(db.read<unknown>());
  return rows;
}

test('~C-804 entries that are taken out of the log while they are sealed are counted once', async () => {
  await using chain = await aChain();
  await using sealer = chain.sealer();
  await watch(chain);
  await sealer.seal();
  await watch(chain);
  const [buried, sealed] = await meet(
    chain,
    () => bury(chain),
    () => sealer.seal(),
  );
  assert.deepEqual([buried, sealed], [4, 2]);
  assert.deepEqual(await days(chain), [{ entries: 4, buried: 4 }]);
});

test('~C-804 entries that are removed by age while they are taken out of the log go once', async () => {
  await using chain = await aChain();
  await using sealer = chain.sealer();
  await watch(chain);
  await sealer.seal();
  chain.clock.advance(100 * dayMs);
  await watch(chain);
  await sealer.seal();
  const { database, master, folder, clock } = chain;
  const [buried, pruned] = await meet(
    chain,
    () => bury(chain),
    () => pruneChain({ db: database.db, master, folder, clock, days: 90 }),
  );
  assert.equal(buried, 4);
  assert.deepEqual(pruned, { removed: 2, fault: null });
  assert.deepEqual(await days(chain), [{ entries: 2, buried: 2 }]);
});
