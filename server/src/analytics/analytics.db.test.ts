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
  const { database, cameras, visits, clock } = world;
  analytics = new Analytics({ db: database.db, cameras, visits, clock });
  [admin, user] = [await world.actor('admin'), await world.actor('user')];
});
after(() => world[Symbol.asyncDispose]());

/** The 24 hours that end with the one of `nowMs`, as the summary names them. */
const hoursOf = (nowMs: number): string[] =>
  Array.from({ length: 24 }, (_, index) =>
    new Date(Math.floor(nowMs / hourMs) * hourMs - (23 - index) * hourMs).toISOString(),
  );

test('=ENT-031, =DASH-008, =NSH-011 nothing to count: zeros, and null for every rate and trend', async () => {
  assert.deepEqual(await analytics.summary(admin, 'UTC'), {
    face_stats: { total: 0, known: 0, unknown: 0, unknown_more: false, trend: null },
    camera_stats: { total: 0, active: 0, inactive: 0, maintenance: 0, error: 0, live: 0 },
    recognition_rate: { rate: null, trend: null },
    traffic_flow: hoursOf(world.clock.now()).map((timestamp) => ({ timestamp, count: 0 })),
  });
  const { time_series_data, categories, ...counts } = await analytics.faceStatistics(user, 'UTC');
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

test('=NSH-011, CFL-033 trends compare the last 7 days with the 7 before; =ENT-031 counts are of today', async () => {
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
      await world.visits.write(aVisit(camera, startMs + agoMs + visit * hourMs, who));
    }
  }
  const early = await analytics.summary(admin, 'UTC');
  assert.deepEqual(
    [early.recognition_rate.trend, early.face_stats.trend],
    [null, null],
    'nothing to compare with yet',
  );
  world.clock.advance(8 * dayMs + 4 * hourMs);
  await world.person(admin, 'Late', 2);
  await world.person(admin, 'Later', 3);
  const summary = await analytics.summary(admin, 'UTC');
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
  assert.deepEqual((await analytics.summary(admin, 'UTC')).camera_stats, {
    total: 6,
    active: 3,
    inactive: 1,
    maintenance: 2,
    error: 0,
    live: 0,
  });
});

test('C-310 no user counts what they may not see', async () => {
  const before = await analytics.summary(user, 'UTC');
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
  await world.visits.write(aVisit(camera, world.clock.now() - 1, { picture }));
  await world.person(user, 'Own', 4);
  const { face_stats, camera_stats, recognition_rate } = await analytics.summary(user, 'UTC');
  assert.deepEqual([face_stats.total, face_stats.unknown, camera_stats.total], [1, 1, 1]);
  assert.deepEqual(recognition_rate, { rate: 0, trend: null });
});

test('~ENT-019 how people grew, day by day, active or not', async () => {
  const { id } = await world.person(admin, 'Paused', 5);
  await world.faces.change(admin, id, { is_active: false });
  const { time_series_data, categories, ...counts } = await analytics.faceStatistics(admin, 'UTC');
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

test('~NSH-044 hours of the summary begin, and days of the statistics end, as clocks of the reader do', async () => {
  await using own = await aWorld();
  const { database, cameras, visits, clock } = own;
  clock.advance(Date.parse('2026-01-20T18:20:00Z') - clock.now());
  const figures = new Analytics({ db: database.db, cameras, visits, clock });
  const scope = await own.actor('admin');
  const camera = await own.camera(scope);
  // In Kathmandu, 5:45 ahead, it is five past midnight on 21 January, and this was three minutes before it.
  const atMs = clock.now() - 8 * 60_000;
  await own.visits.write(aVisit(camera, atMs, { picture: aPicture(1) }));
  const { traffic_flow } = await figures.summary(scope, 'Asia/Kathmandu');
  assert.equal(traffic_flow.length, 24);
  assert.deepEqual(traffic_flow.slice(-2), [
    { timestamp: '2026-01-20T17:15:00.000Z', count: 1 },
    { timestamp: '2026-01-20T18:15:00.000Z', count: 0 },
  ]);
  const unknown = async (zone: string): Promise<[string, number][]> => {
    const { time_series_data } = await figures.faceStatistics(scope, zone);
    assert.equal(time_series_data.length, 30);
    return time_series_data.slice(-2).map((day) => [day.date, day.unknown]);
  };
  assert.deepEqual(await unknown('Asia/Kathmandu'), [
    ['2026-01-20', 1],
    ['2026-01-21', 0],
  ]);
  assert.deepEqual(await unknown('America/New_York'), [
    ['2026-01-19', 0],
    ['2026-01-20', 1],
  ]);
  await assert.rejects(figures.summary(scope, 'Mars/X'), { code: 'time_zone_unknown' });
});
