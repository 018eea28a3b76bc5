/** What retention removes of the recordings, and what it never does. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import { recordingWorld, type RecordingWorld } from '#testing/recordings.ts';
import { quietLog } from '#testing/world.ts';
import { IndexStore } from '../index/index-store.ts';
import { RemovalStore } from './removal-store.ts';
import { Retention } from './retention.ts';
import { localFolder, Roots, type Space } from '../roots.ts';

const start = Date.UTC(2026, 0, 15, 12);
const dayMs = 24 * 60 * 60_000;
const never = new AbortController().signal;

async function retentionOf(
  { world, folder }: RecordingWorld,
  space: () => Space = () => ({ totalBytes: 1e12, freeBytes: 9e11 }),
): Promise<Retention> {
  const { database, clock } = world;
  const index = new IndexStore(database.db);
  const all = await index.roots();
  assert.equal(all[0]?.path, folder);
  const store = new RemovalStore(database.db);
  const roots = await Roots.known(index, { open: localFolder, sized: space });
  return new Retention({ store, index, roots, clock, log: quietLog });
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.mp4'))
    .map((name) => name.replace(/.*\//, '').slice(0, 15))
    .toSorted();
}

/** Records one segment at each of these days from the start. */
async function record(it: RecordingWorld, days: readonly number[]): Promise<void> {
  await it.recordings.policies.changeSettings(it.admin, it.cameraId, { continuousRecording: true });
  for (const day of days) it.opens(start + day * dayMs).closes();
  await it.recordings.settled();
}

const stamps = (...days: readonly string[]): string[] => days.map((day) => `202601${day}T120000`);

test('R-26 REC-035 recordings older than their camera keeps go, oldest first, to the hour', async () => {
  await using it = await recordingWorld();
  await record(it, [-10, -8, -7, -1]);
  await it.recordings.policies.changeSettings(it.admin, it.cameraId, { retentionDays: 7 });
  const retention = await retentionOf(it);
  assert.equal(await retention.run(never), 2);
  assert.deepEqual(filesIn(it.folder), stamps('08', '14'), 'that of 7 days ago ended later');
  assert.equal(readdirSync(`${it.folder}/${it.cameraId}`).length, 2, 'empty folders go too');
  const list = { timezone: 'UTC', ordering: 'started_at', page: 1, page_size: 10 } as const;
  assert.equal((await it.recordings.archive.list(it.admin, list)).count, 2);
});

test('R-08 R-26 a disk that fills up loses its oldest, ten files at a time, and no more than must be', async () => {
  await using it = await recordingWorld();
  await record(it, [-12, -11, -10, -9, -8, -7, -6, -5, -4, -3, -2, -1]);
  const space = (): Space => ({
    totalBytes: 100,
    freeBytes: filesIn(it.folder).length > 5 ? 19 : 20,
  });
  const retention = await retentionOf(it, space);
  assert.equal(await retention.run(never), 10);
  assert.deepEqual(filesIn(it.folder), stamps('13', '14'));
  assert.equal(await retention.run(never), 0);
});

test('R-26 a request for a few gets the oldest, of a camera by age, of a disk by space', async () => {
  await using it = await recordingWorld();
  // In an order in which neither the newest nor the last that was written comes first by chance.
  await record(it, [-6, -9, -3, -12, -1, -10]);
  const other = await it.world.camera(it.admin, { name: 'Other' });
  it.opens(start - 11 * dayMs, { cameraId: other }).closes();
  await it.recordings.settled();
  const store = new RemovalStore(it.world.database.db);
  const [root] = await new IndexStore(it.world.database.db).roots();
  const daysOf = (segments: readonly { readonly path: string }[]): string[] =>
    segments.map(({ path }) => path.replace(/.*\//, '').slice(6, 8));
  const before = new Date(start - 2 * dayMs);
  assert.deepEqual(daysOf(await store.endedBefore([root!.id], it.cameraId, before, 3)), [
    '03',
    '05',
    '06',
  ]);
  assert.deepEqual(daysOf(await store.oldestOf(root!.id, 4)), ['03', '04', '05', '06']);
  assert.equal((await store.endedBefore([root!.id], it.cameraId, before, 10)).length, 5);
});

test('R-15 a clock that jumps ahead removes nothing until it is steady', async () => {
  await using it = await recordingWorld();
  await record(it, [-29, -1]);
  const { clock } = it.world;
  let jumpMs = 0;
  const index = new IndexStore(it.world.database.db);
  const retention = new Retention({
    store: new RemovalStore(it.world.database.db),
    index,
    roots: await Roots.known(index, { open: localFolder }),
    clock: { ...clock, now: () => clock.now() + jumpMs, monotonicMs: () => clock.monotonicMs() },
    log: quietLog,
  });
  assert.equal(await retention.run(never), 0);
  jumpMs = 400 * dayMs;
  for (let minute = 0; minute < 14; minute++) {
    clock.advance(60_000);
    assert.equal(await retention.run(never), 0);
  }
  jumpMs = 0;
  for (let minute = 0; minute < 20; minute++) {
    clock.advance(60_000);
    await retention.run(never);
  }
  assert.equal(filesIn(it.folder).length, 2);
});

test('R-26 a removal that was interrupted is finished', async () => {
  await using it = await recordingWorld();
  await record(it, [-2, -1]);
  const store = new RemovalStore(it.world.database.db);
  const [root] = await new IndexStore(it.world.database.db).roots();
  const [oldest] = await store.oldestOf(root!.id, 1);
  await store.transaction((tx) => store.discard(tx, [oldest!]));
  // Recovery does not take the file for one that lacks its row.
  await it.recordings.recover();
  await it.recordings.recover();
  const retention = await retentionOf(it);
  await retention.run(never);
  assert.deepEqual(filesIn(it.folder), stamps('14'));
});

test('C-407 evidence is removed neither by age nor by space, until the hold is lifted', async () => {
  await using it = await recordingWorld();
  await record(it, [-40, -39, -1]);
  const { recordings, admin, cameraId } = it;
  const hold = await recordings.holds.add(admin, {
    camera: cameraId,
    from: new Date(start - 40 * dayMs + 1_000).toISOString(),
    until: new Date(start - 40 * dayMs + 2_000).toISOString(),
    reason: 'A break-in',
  });
  const full = await retentionOf(it, () => ({ totalBytes: 100, freeBytes: 0 }));
  await full.run(never);
  assert.equal(filesIn(it.folder).length, 1, 'the whole file of which a second is held');
  await recordings.holds.remove(admin, hold.id);
  it.world.clock.advance(60_000);
  await full.run(never);
  assert.equal(filesIn(it.folder).length, 0);
  await assert.rejects(recordings.holds.remove(admin, hold.id), { code: 'hold_not_found' });
});

test('a policy is forecast from what the camera sent, before it is saved', async () => {
  await using it = await recordingWorld();
  const { recordings, admin, cameraId } = it;
  const unknown = await recordings.policies.forecast(admin, cameraId, {
    continuousRecording: true,
  });
  assert.deepEqual(
    [unknown.wanted_days, unknown.kept_days, unknown.bytes_per_day],
    [30, null, null],
  );
  await record(it, [-1]);
  const { results } = await recordings.archive.list(admin, {
    timezone: 'UTC',
    ordering: 'started_at',
    page: 1,
    page_size: 1,
  });
  const perDay = Math.round((results[0]!.bytes / 10) * 86_400);
  it.disk = { totalBytes: 1000 * perDay, freeBytes: 57 * perDay };
  const year = await recordings.policies.forecast(admin, cameraId, { retentionDays: 365 });
  assert.equal(year.bytes_per_day, perDay);
  // 5 % stay free.
  assert.equal(year.kept_days, 7);
  const week = await recordings.policies.forecast(admin, cameraId, { retentionDays: 7 });
  assert.equal(week.kept_days, 7);
  const hours = { timeZone: 'UTC', spans: [{ day: 1, from: '00:00', until: '12:00' }] };
  const patch = { continuousRecording: false, schedule: hours, retentionDays: 365 };
  const mondays = await recordings.policies.forecast(admin, cameraId, patch);
  assert.equal(mondays.bytes_per_day, Math.round(perDay / 14));
  assert.equal(mondays.kept_days, 98);
  const { retentionDays } = await recordings.policies.settings(admin, cameraId);
  assert.equal(retentionDays, 30, 'nothing was changed');
});

test('the days that really fit are measured from ten minutes of recordings, for a camera and for the system', async () => {
  await using it = await recordingWorld();
  const { recordings, admin, cameraId } = it;
  const { fit } = await recordings.statistics.of(admin, cameraId);
  assert.equal(fit, null, 'nothing was recorded');
  const hardlyTenMinutes = Array.from({ length: 60 }, (_, index) => -(index + 2) / 200);
  await record(it, hardlyTenMinutes);
  assert.equal(await recordings.fit(), null, 'too little to say');
  await record(it, [-1 / 200]);
  const { results } = await recordings.archive.list(admin, {
    timezone: 'UTC',
    ordering: 'started_at',
    page: 1,
    page_size: 1,
  });
  const perDay = (results[0]!.bytes / results[0]!.duration) * 86_400;
  it.disk = { totalBytes: 1000 * perDay, freeBytes: 57 * perDay };
  it.world.clock.advance(10 * 60_000);
  const found = await recordings.fit();
  assert.deepEqual(found, { kept_days: 7, wanted_days: 30, short_cameras: 1 });
  assert.deepEqual((await recordings.statistics.of(admin, cameraId)).fit, found);
  assert.deepEqual((await recordings.statistics.of(admin, null)).fit, found);
  const user = await it.world.actor('user');
  assert.equal((await recordings.statistics.of(user, null)).fit, null, 'C-304');
});

test('an inactive camera takes no room: neither of the days of the system nor of another camera, while it is inactive', async () => {
  await using it = await recordingWorld();
  const { recordings, admin, cameraId, world } = it;
  const elevenMinutes = Array.from({ length: 66 }, (_, index) => -(index + 2) / 200);
  await record(it, elevenMinutes);
  const url = 'rtsp://192.168.0.10/a';
  const other = await world.camera(admin, { name: 'Other', status: 'active', url });
  for (const day of elevenMinutes) it.opens(start + day * dayMs, { cameraId: other }).closes();
  await recordings.settled();
  await recordings.policies.changeSettings(admin, other, { continuousRecording: true });
  const list = { timezone: 'UTC', ordering: 'started_at', page: 1, page_size: 1 } as const;
  const [first] = (await recordings.archive.list(admin, list)).results;
  const perDay = (first!.bytes / first!.duration) * 86_400;
  it.disk = { totalBytes: 1000 * perDay, freeBytes: 58 * perDay };

  const both = { kept_days: 4, wanted_days: 30, short_cameras: 2 };
  const alone = { kept_days: 8, wanted_days: 30, short_cameras: 1 };
  const forecast = async () => (await recordings.policies.forecast(admin, cameraId, {})).kept_days;
  assert.deepEqual([await recordings.fit(), await forecast()], [both, 4]);

  await world.cameras.updateStatus(admin, other, 'inactive');
  assert.deepEqual([await recordings.fit(), await forecast()], [alone, 8], 'at once');
  assert.equal((await recordings.statistics.of(admin, other)).fit, null);
  const again = await recordings.policies.forecast(admin, other, {});
  assert.equal(again.kept_days, 4, 'what would fit if it were active');
  await world.cameras.updateStatus(admin, other, 'active');
  assert.deepEqual([await recordings.fit(), await forecast()], [both, 4]);
});
