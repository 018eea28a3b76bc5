/** What age removes, over 400 days of a stopped clock, and what a clock that jumps does not. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { ActivityQuery } from '@nazar/contract/activity.ts';
import type { PrivacySettings } from '@nazar/contract/settings.ts';
import { ActivityLog } from '#activity/activity.ts';
import type { Scope } from '#http/scope.ts';
import { aPrivacy, type TestPrivacy } from '#testing/privacy.ts';
import { recorded } from '#testing/activity-chain.ts';
import { assertCountsAreExact } from '#testing/recount.ts';
import { aPicture, aVector, aVisit, aWorld, type World } from '#testing/world.ts';
import type { Privacy } from './privacy.ts';

const dayMs = 24 * 60 * 60_000;
let world: World;
let privacy: TestPrivacy;
let running: Privacy;
let admin: Scope;
let camera: string;

before(async () => {
  world = await aWorld();
  privacy = aPrivacy(world);
  running = privacy.start();
  admin = await world.actor('superadmin');
  camera = await world.camera(admin);
});
after(async () => {
  await running[Symbol.asyncDispose]();
  privacy[Symbol.dispose]();
  await world[Symbol.asyncDispose]();
});

const set = (change: Partial<PrivacySettings>): Promise<void> =>
  world.settings.change(admin, { privacy: change }, { confirmed: false });

/** Days that the oldest of each is old; 0: there is none. */
async function oldest(): Promise<Record<'visit' | 'stranger' | 'picture' | 'day', number>> {
  const now = new Date(world.clock.now());
  const { rows } = await sql<Record<'visit' | 'stranger' | 'picture' | 'day', number>>`
    with age as (select visit.*, person_id,
                        extract(epoch from ${now}::timestamptz - started_at) / 86400.0 as days
                   from visit join identity on identity.id = identity_id)
    select coalesce((select max(days) from age), 0)::float8 as visit,
           coalesce((select max(days) from age join visit_picture on visit_id = age.id
                      where person_id is null), 0)::float8 as stranger,
           coalesce((select max(days) from age join visit_picture on visit_id = age.id), 0)::float8
             as picture,
           coalesce((select ${now}::date - min(day) from visit_day), 0)::float8 as day`.execute(
    world.database.db.read(),
  );
  return rows[0]!;
}

test('C-1006 over 400 days nothing is a day older than it may be, and nothing younger is gone', async () => {
  await set({ unknownFaceDays: 30, faceLogDays: 90 });
  const { identityId } = await world.person(admin, 'Regular', 1);
  for (let day = 0; day < 400; day += 1) {
    await world.visits.preparePartitions();
    const nowMs = world.clock.now();
    await world.visits.write(aVisit(camera, nowMs, { identityId, picture: aPicture(1) }));
    const picture = aPicture(100 + day);
    await world.visits.write(aVisit(camera, nowMs + 1, { picture }));
    world.clock.advance(dayMs);
    await running.removeOld();
    const age = await oldest();
    assert.ok(age.stranger <= 31 && age.visit <= 91 && age.picture <= 91 && age.day <= 92);
    if (day > 100) assert.ok(age.stranger > 29.9 && age.visit > 89.9 && age.picture > 89.9);
  }
  await assertCountsAreExact(world.database.db);
  const { rows } = await sql<{ months: number; unreadable: number; readable: number }>`
    select (select count(*) from pg_inherits where inhparent = 'visit'::regclass) as months,
           (select count(*) from identity where person_id is null and data_key is null) as unreadable,
           (select count(*) from identity where person_id is null and data_key is not null) as readable
  `.execute(world.database.db.read());
  assert.ok(rows[0]!.months <= 8, `${rows[0]!.months} partitions`);
  assert.deepEqual([rows[0]!.unreadable, rows[0]!.readable], [370, 30]);
  const reports = (await recorded(world.database.db)).filter(
    (e) => e.action === 'privacy.retention',
  );
  assert.equal(reports.length, 400);
  assert.ok(reports.every(({ source }) => source === 'system'));
  const sum = (name: string): number =>
    reports.reduce((total, { details }) => total + Number(details[name]), 0);
  assert.equal(sum('unknown_faces'), 370);
  assert.ok(sum('months') >= 8, 'whole months go at once');
});

test('R-15, C-1006 a clock that jumps by 400 days removes nothing until it is steady or confirmed', async () => {
  await set({ unknownFaceDays: 30, faceLogDays: 90 });
  await world.visits.write(aVisit(camera, world.clock.now()));
  const before = await oldest();
  const jumped = {
    ...world,
    clock: { ...world.clock, now: () => world.clock.now() + 400 * dayMs },
  };
  using elsewhere = aPrivacy(jumped);
  await using other = elsewhere.start();
  await other.removeOld();
  assert.deepEqual(await oldest(), before);
  world.clock.advance(10 * 60_000);
  await other.removeOld();
  assert.ok((await oldest()).visit > 0);
  const report = await other.removeOldNow(admin);
  assert.ok(report.visits + report.months > 0);
  assert.equal((await oldest()).visit, 0);
  const entry = (await recorded(world.database.db)).findLast(
    (e) => e.action === 'privacy.retention',
  );
  assert.equal(entry?.user_id, admin.userId);
});

test('C-1006 words of clients go by age; their lines stay, and one that is sent again is there once', async () => {
  const { activity, clock, database } = world;
  const log = new ActivityLog({ db: database.db, activity, clock, development: false });
  const offline = {
    id: 'kept-offline',
    action: 'view',
    description: 'Canary at the gate',
  } as const;
  const lines = async (): Promise<string[]> => {
    const query = ActivityQuery.parse({ user: admin.userId, action: 'view' });
    return (await log.list(admin, query, 'en')).results.map(({ description }) => description);
  };
  await set({ activityNoteDays: 30 });
  await log.sync(admin, [offline]);
  clock.advance(dayMs);
  await log.add(admin, { action: 'view', description: 'Later words' }, 'en');
  clock.advance(29 * dayMs);
  assert.equal((await running.removeOldNow(admin)).notes, 0);
  clock.advance(1);
  assert.equal((await running.removeOldNow(admin)).notes, 1);
  assert.equal((await running.removeOldNow(admin)).notes, 0, 'once');
  const [later, older] = await lines();
  assert.equal(later, 'Later words');
  assert.notEqual(older, offline.description);
  assert.equal((await log.sync(admin, [offline])).added, 0);
  assert.equal((await lines()).length, 2);
  const { rows } = await sql`select from activity_note where text like '%Canary%'`.execute(
    database.db.read(),
  );
  assert.deepEqual(rows, []);
  clock.advance(dayMs);
  await set({ activityNoteDays: 0 });
  assert.equal((await running.removeOldNow(admin)).notes, 0, 'as long as the activity log');
});

test('C-1006 people who were not seen for as long as the policy says are erased, others stay', async () => {
  await using fresh = await aWorld();
  using kept = aPrivacy(fresh);
  await using now = kept.start();
  const owner = await fresh.actor('superadmin');
  const gate = await fresh.camera(owner);
  const [gone, seen] = [await fresh.person(owner, 'Gone', 2), await fresh.person(owner, 'Seen', 3)];
  await now.removeOldNow(owner);
  fresh.clock.advance(200 * dayMs);
  const { identityId } = seen;
  const picture = aPicture(3);
  await fresh.visits.write(aVisit(gate, fresh.clock.now(), { identityId, picture }));
  fresh.clock.advance(166 * dayMs);
  await now.removeOldNow(owner);
  assert.equal((await fresh.faces.list(owner, query)).count, 2, 'off until somebody turns it on');
  const wanted = { privacy: { unseenPersonDays: 365 } };
  await fresh.settings.change(owner, wanted, { confirmed: false });
  const { people } = await now.removeOldNow(owner);
  await now.runErasures();
  const { results } = await fresh.faces.list(owner, query);
  assert.deepEqual([people, results.map(({ id }) => id)], [1, [seen.id]]);
  const { results: erasures } = await now.list(owner, { page: 1, page_size: 10 });
  assert.deepEqual(
    erasures.map(({ reason, state }) => [reason, state]),
    [['retention', 'done']],
  );
  await assert.rejects(fresh.faces.read(owner, gone.id), { code: 'face_not_found' });
});

const query = { ordering: '-created_at', page: 1, page_size: 100 } as const;

test('C-1006 old visits of a stranger who keeps coming go all the same', async () => {
  await using fresh = await aWorld();
  using kept = aPrivacy(fresh);
  await using now = kept.start();
  const owner = await fresh.actor('superadmin');
  const gate = await fresh.camera(owner);
  const privacySettings = { privacy: { unknownFaceDays: 30, faceLogDays: 90 } };
  await fresh.settings.change(owner, privacySettings, { confirmed: false });
  const left = async (): Promise<unknown> => {
    const { rows } = await sql`
      select (select count(distinct identity_id) from visit) as strangers,
             (select count(*) from visit_picture) as pictures,
             (select count(*) from stranger_reference) as vectors,
             (select count(*) from identity where data_key is not null) as keys`.execute(
      fresh.database.db.read(),
    );
    return rows[0];
  };
  for (let visit = 0; visit < 5; visit += 1) {
    await fresh.visits.write(aVisit(gate, fresh.clock.now(), { picture: unlikeItself(visit) }));
    fresh.clock.advance(10 * dayMs);
  }
  assert.deepEqual(await left(), { strangers: 1, pictures: 5, vectors: 5, keys: 1 });
  await now.removeOldNow(owner);
  assert.deepEqual(await left(), { strangers: 1, pictures: 3, vectors: 3, keys: 1 });
  fresh.clock.advance(25 * dayMs);
  await now.removeOldNow(owner);
  assert.deepEqual(await left(), { strangers: 1, pictures: 0, vectors: 0, keys: 0 });
});

/** The same person, each time a little more like another. */
function unlikeItself(step: number) {
  const template = aVector(1);
  template[2] = step * 0.3;
  return { ...aPicture(1), template };
}
