/** Visits taken out of the logs: whose, how many at once, and what of them is counted then. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import type { VisitQuery } from '@nazar/contract/visits.ts';
import type { Scope } from '#http/scope.ts';
import { uuidv7 } from '#lib/ids.ts';
import { Problem } from '#lib/problem.ts';
import { granting } from '#testing/grants.ts';
import { recorded } from '#testing/activity-chain.ts';
import { assertCountsAreExact } from '#testing/recount.ts';
import { aPicture, aVisit, aWorld, type World } from '#testing/world.ts';

const hourMs = 60 * 60_000;
let world: World;
let admin: Scope;
let user: Scope;
let theirs: string;
let others: string;
let lastFace = 500;

before(async () => {
  world = await aWorld();
  admin = await world.actor('superadmin');
  user = await world.actor('user');
  theirs = await world.camera(user);
  others = await world.camera(admin);
  user = { ...user, grants: granting(others, ['live']) };
});
after(() => world[Symbol.asyncDispose]());

async function see(camera: string, atMs: number, identityId: string | null = null) {
  const visit = aVisit(camera, atMs, { identityId, picture: aPicture((lastFace += 1)) });
  await world.visits.write(visit);
  return visit.id;
}
const all = (more: Partial<VisitQuery> = {}): VisitQuery => ({ page: 1, limit: 100, ...more });
async function listed(scope: Scope, more: Partial<VisitQuery> = {}): Promise<string[]> {
  const { results } = await world.visits.list(scope, all(more));
  return results.map(({ id }) => id);
}
const notFound = new Problem('sighting_not_found');

test('=APL-015, LDT-003, LDT-007 a visit is deleted by the user who added the camera, and no one lists or counts it', async () => {
  const nowMs = world.clock.now();
  const [mine, foreign] = [await see(theirs, nowMs), await see(others, nowMs)];
  assert.deepEqual(new Set(await listed(user)), new Set([mine, foreign]));
  await assert.rejects(world.visits.deleting.one(user, foreign), notFound);
  await world.visits.deleting.one(user, mine);
  await assert.rejects(world.visits.deleting.one(user, mine), notFound);
  assert.deepEqual(await listed(user), [foreign]);
  await assert.rejects(world.visits.picture(user, mine), notFound);
  await world.visits.deleting.one(admin, foreign);
  assert.deepEqual(await listed(admin), []);
  await assertCountsAreExact(world.database.db);
  const entries = (await recorded(world.database.db)).filter(
    ({ action }) => action === 'face.visits_deleted',
  );
  assert.deepEqual(
    entries.map(({ user_id, details }) => [user_id, details['visits']]),
    [
      [user.userId, 1],
      [admin.userId, 1],
    ],
  );
});

test('=APL-016, C-304 others’ visits among many stay', async () => {
  const nowMs = world.clock.now() + hourMs;
  const ids = [await see(theirs, nowMs), await see(others, nowMs), uuidv7(nowMs)];
  const { deleted } = await world.visits.deleting.many(user, { ids }, 'UTC');
  assert.equal(deleted, 1);
  assert.deepEqual(await listed(admin), [ids[1]]);
});

test('LDT-004, LDT-006, LDT-007 all that match a filter go in batches, says how many are left, and what comes meanwhile stays', async () => {
  const startMs = Date.UTC(2026, 0, 10, 22);
  await fill(theirs, startMs, 2_300);
  world.clock.advance(hourMs);
  const filter = { camera_id: theirs, is_recognized: false };
  const ask = (more: { as_of?: string; count_only?: boolean }) =>
    world.visits.deleting.many(user, { filter, count_only: false, ...more }, 'UTC');
  const first = await ask({ count_only: true });
  assert.deepEqual([first.deleted, first.left], [0, 2_300]);
  world.clock.advance(1_000);
  const late = await see(theirs, world.clock.now());
  const steps = [];
  for (let left = 1; left > 0;) {
    const said = await ask({ as_of: first.as_of });
    steps.push([said.deleted, said.left]);
    left = said.left;
  }
  assert.deepEqual(steps, [
    [1_000, 1_300],
    [1_000, 300],
    [300, 0],
  ]);
  assert.deepEqual(await listed(admin, { camera_id: theirs }), [late]);
  await assertCountsAreExact(world.database.db);
});

/** Visits of one stranger, 60 an hour, in its quarters 30, 12, 10 and 8, past the front door because they are many. */
async function fill(camera: string, startMs: number, count: number): Promise<void> {
  const { identityId } = await world.visits.write(
    aVisit(camera, startMs, { picture: aPicture((lastFace += 1)) }),
  );
  await sql`
    insert into visit (id, camera_id, identity_id, started_at, ended_at, confidence, quality)
    select gen_random_uuid(), ${camera}, ${identityId}, at, at, 0.5, 0.5
    from generate_series(1, ${count - 1}) n,
         lateral (select ${new Date(startMs)}::timestamptz + n / 60 * interval '1 hour'
                         + (n % 60) ^ 2 / 60 * interval '1 minute') as visit (at)`.execute(
    world.database.db.write(),
  );
}

test('=APL-017, =APL-018, LDD-003, NSH-044 a day of a person goes by the reader’s clock', async () => {
  const { id, identityId } = await world.person(user, 'Daily', (lastFace += 1));
  const midnight = Date.UTC(2026, 0, 20, 20);
  world.clock.advance(midnight + 24 * hourMs - world.clock.now());
  const before = await see(theirs, midnight - 1, identityId);
  const on = [await see(theirs, midnight, identityId), await see(theirs, midnight + hourMs)];
  const kept = await see(others, midnight + 2, identityId);
  const day = `2026-01-21.${id}`;
  await world.visits.deleting.day(user, day, 'Asia/Baku');
  const left = await listed(admin, { start_date: '2026-01-20', end_date: '2026-01-21' });
  assert.deepEqual(new Set(left), new Set([before, on[1], kept]));
  await assert.rejects(world.visits.deleting.day(user, day, 'Asia/Baku'), notFound);
  await assert.rejects(world.visits.deleting.day(user, '2026-13-77.unknown', 'UTC'), notFound);
  const ids = ['2026-01-21.unknown', `2026-01-20.${id}`];
  const { deleted } = await world.visits.deleting.days(user, { ids }, 'Asia/Baku');
  assert.equal(deleted, 2);
  assert.deepEqual(await listed(admin, { start_date: '2026-01-20', end_date: '2026-01-21' }), [
    kept,
  ]);
  await assertCountsAreExact(world.database.db);
});

test('=ENT-023, C-712 a late page is the one of an earlier page number, and a page too late is refused', async () => {
  const camera = await world.camera(admin);
  await fill(camera, Date.UTC(2025, 10, 1, 5, 30), 3_456);
  const { identityId } = await world.person(admin, 'Late', (lastFace += 1));
  const named = [];
  for (let n = 0; n < 30; n += 1)
    named.push(await see(camera, Date.UTC(2025, 10, 2) + n, identityId));
  const cut = {
    start_date: new Date(Date.UTC(2025, 10, 1, 6, 10)).toISOString(),
    end_date: new Date(Date.UTC(2025, 10, 3, 12, 20)).toISOString(),
  };
  const asks = [{}, cut, { is_recognized: false }, { ...cut, is_recognized: true }];
  for (const ask of asks) {
    const { rows } = await sql<{ id: string }>`
      select visit.id from visit join identity on identity.id = identity_id
      where camera_id = ${camera} and deleted_at is null
        and (${ask === cut || 'end_date' in ask} is false or started_at between ${cut.start_date} and ${cut.end_date}::timestamptz - interval '1 ms')
        and (${'is_recognized' in ask} is false or (person_id is not null) = ${'end_date' in ask})
      order by started_at desc, visit.id desc`.execute(world.database.db.read());
    const expected = rows.map(({ id }) => id);
    const limit = 250;
    for (let page = 1; (page - 1) * limit < expected.length; page += 1) {
      const query = all({ camera_id: camera, ...ask, page, limit });
      const { count, results } = await world.visits.list(admin, query);
      assert.equal(count, expected.length);
      assert.deepEqual(
        results.map(({ id }) => id),
        expected.slice((page - 1) * limit, page * limit),
        `page ${page} of ${JSON.stringify(ask)}`,
      );
    }
    const late = all({ camera_id: camera, ...ask, page: 999_999 });
    await assert.rejects(
      world.visits.list(admin, late),
      new Problem('page_too_late', { field: 'page' }),
    );
  }
  assert.equal(named.length, 30);
});
