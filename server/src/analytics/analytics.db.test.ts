import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Scope } from '#http/scope.ts';
import { aPicture, aVisit, aWorld, type World } from '#testing/world.ts';
import { Analytics } from './analytics.ts';

const hourMs = 60 * 60_000;
const dayMs = 24 * hourMs;
let world: World;
let analytics: Analytics;
let admin: Scope;
let user: Scope;

before(async () => {
  world = await aWorld();
  const { database, cameras, sightings, clock } = world;
  analytics = new Analytics({ db: database.db, cameras, sightings, clock });
  [admin, user] = [await world.actor('admin'), await world.actor('user')];
});
after(() => world[Symbol.asyncDispose]());

/** The 24 hours that end with the one of `nowMs`, as the summary names them. */
const hoursOf = (nowMs: number): string[] =>
  Array.from({ length: 24 }, (_, index) =>
    new Date(Math.floor(nowMs / hourMs) * hourMs - (23 - index) * hourMs).toISOString(),
  );

test('ENT-031, DASH-008, NSH-011 nothing to count: zeros, and null for every rate and trend', async () => {
  assert.deepEqual(await analytics.summary(admin), {
    face_stats: { total: 0, known: 0, unknown: 0, unknown_more: false, trend: null },
    camera_stats: { total: 0, active: 0, inactive: 0, maintenance: 0, error: 0 },
    recognition_rate: { rate: null, trend: null },
    traffic_flow: hoursOf(world.clock.now()).map((timestamp) => ({ timestamp, count: 0 })),
  });
  const { time_series_data, categories, ...counts } = await analytics.faceStatistics(user);
  assert.equal(time_series_data.length, 30);
  assert.equal(time_series_data.at(-1)?.date, '2026-01-15');
  assert.deepEqual(categories, []);
  assert.deepEqual(counts, {
    total_faces: 0,
    active_faces: 0,
    inactive_faces: 0,
    unknown_faces: 0,
    unknown_faces_more: false,
  });
});

test('NSH-011, CFL-033 trends compare the last 7 days with the 7 before; ENT-031 counts are of today', async () => {
  const camera = await world.camera(admin);
  const startMs = world.clock.now();
  const { identityId } = await world.person(admin, 'Early', 1);
  // The week before: one of four recognised. This week: three of four.
  for (const [agoMs, recognised] of [
    [0, 1],
    [8 * dayMs, 3],
  ] as const) {
    for (let visit = 0; visit < 4; visit += 1) {
      const look = agoMs > 0 ? 10 + visit : 20 + visit;
      const who = visit < recognised ? { identityId } : { picture: aPicture(look) };
      await world.sightings.record(aVisit(camera, startMs + agoMs + visit * hourMs, who));
    }
  }
  const early = await analytics.summary(admin);
  assert.deepEqual(
    [early.recognition_rate.trend, early.face_stats.trend],
    [null, null],
    'nothing to compare with yet',
  );
  world.clock.advance(8 * dayMs + 4 * hourMs);
  await world.person(admin, 'Late', 2);
  await world.person(admin, 'Later', 3);
  const summary = await analytics.summary(admin);
  assert.deepEqual(summary.recognition_rate, { rate: 75, trend: 50 });
  assert.deepEqual(summary.face_stats, {
    total: 3,
    known: 3,
    unknown: 4,
    unknown_more: false,
    trend: 1,
  });
  assert.deepEqual(
    summary.traffic_flow.map(({ count }) => count).filter((count) => count > 0),
    [1, 1, 1, 1],
  );
  for (const status of ['active', 'active', 'active', 'maintenance', 'maintenance'] as const)
    await world.camera(admin, { status, url: 'rtsp://192.168.1.9/s' });
  assert.deepEqual((await analytics.summary(admin)).camera_stats, {
    total: 6,
    active: 3,
    inactive: 1,
    maintenance: 2,
    error: 0,
  });
});

test('C-310 nobody counts what they may not see', async () => {
  const before = await analytics.summary(user);
  assert.deepEqual(before.face_stats, {
    total: 0,
    known: 0,
    unknown: 0,
    unknown_more: false,
    trend: null,
  });
  assert.ok(before.traffic_flow.every(({ count }) => count === 0));
  const camera = await world.camera(user);
  const picture = aPicture(30);
  await world.sightings.record(aVisit(camera, world.clock.now() - 1, { picture }));
  await world.person(user, 'Own', 4);
  const { face_stats, camera_stats, recognition_rate } = await analytics.summary(user);
  assert.deepEqual([face_stats.total, face_stats.unknown, camera_stats.total], [1, 1, 1]);
  assert.deepEqual(recognition_rate, { rate: 0, trend: null });
});

test('~ENT-019 how people grew, day by day, active or not', async () => {
  const { id } = await world.person(admin, 'Paused', 5);
  await world.faces.change(admin, id, { is_active: false });
  const { time_series_data, categories, ...counts } = await analytics.faceStatistics(admin);
  assert.deepEqual(counts, {
    total_faces: 5,
    active_faces: 4,
    inactive_faces: 1,
    unknown_faces: 5,
    unknown_faces_more: false,
  });
  const today = time_series_data.at(-1)!;
  assert.deepEqual([today.active, today.inactive], [4, 1]);
  assert.deepEqual([time_series_data.at(-3)?.active, time_series_data[0]?.active], [1, 0]);
  assert.equal(
    categories.reduce((sum, { count }) => sum + count, 0),
    5,
  );
});
