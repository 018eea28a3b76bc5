/** Who stays for longer than a visit lasts: guards at their desks, posters, pictures on a wall. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { migrate, migrationNames } from '#db/migrations.ts';
import type { Scope } from '#http/scope.ts';
import { testDatabase } from '#testing/database.ts';
import { assertCountsAreExact } from '#testing/recount.ts';
import { until } from '#testing/until.ts';
import { aTrackedCamera, type TrackedCamera } from '#testing/tracked-camera.ts';
import { aPicture, aVisit, aWorld, type World } from '#testing/world.ts';
import { longestVisitMs } from './recent-visits.ts';

const hourMs = 60 * 60_000;
let world: World;
let admin: Scope;

before(async () => {
  world = await aWorld();
  admin = await world.actor('admin');
});
after(() => world[Symbol.asyncDispose]());

/** A person stays in view for so long, and then is gone. */
async function stays(it: TrackedCamera, track: string, hours: number): Promise<void> {
  for (let seen = 0; seen < hours * 4; seen += 1) {
    world.clock.advance(hourMs / 4);
    it.trackedVisits.stillSeen(track, world.clock.now());
    await it.trackedVisits.settled();
  }
}

const spans = async (it: TrackedCamera, fromMs: number) =>
  (await it.rows())
    .map(({ timestamp, ended_at, person_name }) => [
      (Date.parse(timestamp) - fromMs) / hourMs,
      (Date.parse(ended_at) - fromMs) / hourMs,
      person_name,
    ])
    .toReversed();

test('~ENT-023 a person who stays for 30 hours has a visit of 24 and one of the rest, of the same person', async () => {
  const it = await aTrackedCamera(world, admin);
  const { identityId } = await world.person(admin, 'Guard', 31);
  const fromMs = world.clock.now();
  const seen = { identityId, startedAtMs: fromMs, seenAtMs: fromMs, picture: aPicture(31, 0.8) };
  const track = it.decide(seen);
  await until(() => it.trackedVisits.recorded(track) !== null);
  const first = it.trackedVisits.recorded(track)!.visitId;
  await stays(it, track, 30);
  assert.deepEqual(await spans(it, fromMs), [
    [0, 24, 'Guard Example'],
    [24 + 1 / hourMs, 30, 'Guard Example'],
  ]);
  const now = it.trackedVisits.recorded(track)!;
  assert.notEqual(now.visitId, first);
  assert.deepEqual([now.isKnown, now.identityId], [true, identityId]);
  // The picture goes along, and a better one goes to the visit of now.
  const before = await world.visits.picture(admin, first);
  assert.deepEqual(await world.visits.picture(admin, now.visitId), before);
  it.decide({ ...seen, track, seenAtMs: world.clock.now(), picture: aPicture(32, 0.95) });
  await it.trackedVisits.settled();
  assert.notDeepEqual(await world.visits.picture(admin, now.visitId), before);
  assert.deepEqual(await world.visits.picture(admin, first), before);
  await assertCountsAreExact(world.database.db);
});

test('~ENT-023 an unknown person who stays for 80 hours is one unknown person in all visits', async () => {
  const it = await aTrackedCamera(world, admin);
  const fromMs = world.clock.now();
  const track = it.decide({ startedAtMs: fromMs, picture: aPicture(41, 0.9) });
  await until(() => it.trackedVisits.recorded(track) !== null);
  await stays(it, track, 80);
  assert.deepEqual(
    (await spans(it, fromMs)).map(([, end]) => end),
    [24, 48 + 1 / hourMs, 72 + 2 / hourMs, 80],
  );
  const { identityId } = it.trackedVisits.recorded(track)!;
  const theirs = await world.visits.visitsOfUnknown(admin, identityId);
  assert.equal(theirs.length, 4);
  for (const { id } of theirs) assert.ok(await world.visits.picture(admin, id));
});

test('~ENT-023 a track that continues the visit of another is the next visit once a day is over', async () => {
  const it = await aTrackedCamera(world, admin);
  const { identityId } = await world.person(admin, 'Looks', 33);
  const fromMs = world.clock.now();
  const look = { identityId, picture: aPicture(33) };
  const one = it.decide({ ...look, startedAtMs: fromMs });
  await until(() => it.trackedVisits.recorded(one) !== null);
  const two = it.decide(look);
  await until(() => it.trackedVisits.recorded(two) !== null);
  // Both are the same visit: two tracks of one person at once end it once.
  world.clock.advance(longestVisitMs + 4_000);
  it.trackedVisits.stillSeen(one, world.clock.now());
  it.trackedVisits.stillSeen(two, world.clock.now());
  await it.trackedVisits.settled();
  assert.equal((await it.rows()).length, 2);
  assert.equal(it.trackedVisits.recorded(one)!.visitId, it.trackedVisits.recorded(two)!.visitId);
  // Back after five seconds, after another day.
  world.clock.advance(longestVisitMs);
  it.trackedVisits.stillSeen(one, world.clock.now() - 5_000);
  await it.trackedVisits.settled();
  const back = it.decide({ ...look, startedAtMs: world.clock.now() });
  await until(() => it.trackedVisits.recorded(back) !== null);
  assert.equal((await it.rows()).length, 3);
});

test('~ENT-023 the next visit is written once, though the answer to its commit is lost and the database away', async () => {
  let attempts = 0;
  const it = await aTrackedCamera(world, admin, {
    edge: {
      beginNext: async (...words) => {
        attempts += 1;
        if (attempts === 1) throw new Error('away');
        const identityId = await world.visits.beginNext(...words);
        if (attempts === 2) throw new Error('no answer');
        return identityId;
      },
    },
  });
  const fromMs = world.clock.now();
  const track = it.decide({ startedAtMs: fromMs, picture: aPicture(51) });
  await until(() => it.trackedVisits.recorded(track) !== null);
  await stays(it, track, 26);
  assert.equal(attempts, 3);
  assert.deepEqual(
    (await spans(it, fromMs)).map(([from, end]) => [from, end]),
    [
      [0, 24],
      [24 + 1 / hourMs, 26],
    ],
  );
});

test('C-1003 nothing more is written of a person who is erased while they stay', async () => {
  const it = await aTrackedCamera(world, admin);
  const { id, identityId } = await world.person(admin, 'Erased', 61);
  const fromMs = world.clock.now();
  const track = it.decide({ identityId, startedAtMs: fromMs, picture: aPicture(61) });
  await until(() => it.trackedVisits.recorded(track) !== null);
  await world.faces.remove(admin, id);
  await stays(it, track, 30);
  assert.equal((await it.rows()).length, 1);
});

test('a visit whose decision comes after more than a day is written whole, and none is longer than the database takes', async () => {
  const it = await aTrackedCamera(world, admin);
  const fromMs = world.clock.now() - 50 * hourMs;
  const track = it.decide({ startedAtMs: fromMs, picture: aPicture(71) });
  await until(async () => (await it.rows()).length === 3);
  await it.trackedVisits.settled();
  assert.deepEqual(
    (await spans(it, fromMs)).map(([, end]) => Math.round(Number(end))),
    [24, 48, 50],
  );
  assert.ok(it.trackedVisits.recorded(track));
  const { visits } = world;
  const visit = (lastsMs: number) =>
    visits.write(aVisit(it.cameraId, fromMs, { endedAtMs: fromMs + lastsMs }));
  await visit(longestVisitMs);
  await assert.rejects(visit(longestVisitMs + 1), /visit_lasts_a_day/);
});

test('visits of over a day that were written before are several, of the same identity, and counted each', async () => {
  await using old = await testDatabase();
  const { db, target } = old;
  await sql`drop schema public cascade`.execute(db.write());
  await sql`create schema public`.execute(db.write());
  const names = migrationNames();
  await migrate(target, undefined, names[names.indexOf('0072-visits-of-a-day') - 1]);
  await fillOld(db.write());
  await migrate(target);
  const { rows } = await sql<{ hours: number; until: string; identity: number; gone: boolean }>`
    select round(extract(epoch from started_at - '2026-01-10 00:00Z') / 3600)::integer as hours,
           to_char(ended_at at time zone 'UTC', 'DD HH24:MI') as until,
           right(identity_id::text, 1)::integer as identity, deleted_at is not null as gone
      from visit order by identity, started_at`.execute(db.read());
  assert.deepEqual(
    rows.map(({ hours, until: end, identity, gone }) => [identity, hours, end, gone]),
    [
      [1, 0, '11 00:00', false],
      [1, 24, '12 00:00', false],
      [1, 48, '12 06:00', false],
      [2, 0, '11 00:00', false],
      [3, 0, '11 00:00', true],
      [3, 24, '11 06:00', true],
    ],
  );
  await assertCountsAreExact(db);
});

/** Visits of 54 hours, of exactly 24, and a deleted one of 30. */
async function fillOld(db: ReturnType<World['database']['db']['write']>): Promise<void> {
  const id = (prefix: string) => sql`(${prefix} || lpad(n::text, 11, '0'))::uuid`;
  await sql`
    insert into camera (id, name, location, type, status, resolution, fps, rotation,
                        enable_face_recognition, created_at, updated_at)
    values ('00000000-0000-4000-8000-00000000000a', 'Gate', 'Yard', 'rtsp', 'inactive', '1280x720',
            25, 0, true, now(), now())`.execute(db);
  await sql`
    insert into identity (id, created_at)
    select ${id('00000000-0000-4000-8000-1')}, now() from generate_series(1, 3) n`.execute(db);
  await sql`
    insert into sighting (id, camera_id, identity_id, started_at, ended_at, confidence, quality, deleted_at)
    select ${id('00000000-0000-4000-8000-2')}, '00000000-0000-4000-8000-00000000000a',
           ${id('00000000-0000-4000-8000-1')}, '2026-01-10 00:00Z',
           timestamptz '2026-01-10 00:00Z' + hours * interval '1 hour', 0.5, 0.5,
           case when n = 3 then now() end
      from (values (1, 54), (2, 24), (3, 30)) as visit (n, hours)`.execute(db);
}
