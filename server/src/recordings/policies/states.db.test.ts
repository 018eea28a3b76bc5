/** Why a camera is recorded, how that goes, and who stops it: what a camera's answer says of its recording. */
import assert from 'node:assert/strict';
import { renameSync } from 'node:fs';
import { test } from 'node:test';
import { offHealth, offStream } from '#media/protocol/health.ts';
import { interrupted, recordingWorld, type RecordingWorld } from '#testing/recordings.ts';
import { until } from '#testing/until.ts';
import { aCameraForm } from '#testing/world.ts';

const start = Date.UTC(2026, 0, 15, 12);
const at = (seconds: number): number => start + seconds * 1_000;

async function stateOf({ recordings, cameraId }: RecordingWorld): Promise<unknown[]> {
  await recordings.settled();
  const { reason, state } = recordings.recordingOf(cameraId);
  return [reason, state];
}

test('~CAM-020 a camera says whether it is recorded by hand, by which setting, or not', async () => {
  await using it = await recordingWorld();
  const { admin, cameraId } = it;
  const { policies } = it.recordings;
  const set = (patch: Parameters<typeof policies.changeSettings>[2]) =>
    policies.changeSettings(admin, cameraId, patch);
  const schedule = { timeZone: 'UTC', spans: [{ day: 4, from: '12:00', until: '13:00' }] };
  assert.deepEqual(await stateOf(it), [null, 'off']);
  await set({ motionDetection: true });
  assert.deepEqual(await stateOf(it), ['motion', 'recording']);
  await set({ schedule });
  assert.deepEqual(await stateOf(it), ['scheduled', 'recording']);
  await set({ continuousRecording: true });
  assert.deepEqual(await stateOf(it), ['continuous', 'recording']);
  await policies.toggle(admin, cameraId, true);
  assert.deepEqual(await stateOf(it), ['manual', 'recording']);
  await policies.test(admin, cameraId);
  assert.deepEqual(await stateOf(it), ['test', 'recording']);
  await it.world.cameras.updateStatus(admin, cameraId, 'inactive');
  await set({ retentionDays: 7 });
  assert.deepEqual(await stateOf(it), [null, 'off'], 'a camera that is not active');
});

test('REC-033 REC-034 a new camera is recorded when something moves, says so before it is, and those of before stay', async () => {
  await using it = await recordingWorld();
  const { admin, recordings, world } = it;
  const added = await world.cameras.add(
    admin,
    aCameraForm({ status: 'active', url: 'rtsp://192.168.0.9/b' }),
  );
  const resting = await world.cameras.add(admin, aCameraForm({ name: 'Resting' }));
  await until(() => recordings.recordingOf(added.id).reason !== null);
  assert.deepEqual(recordings.recordingOf(added.id), {
    reason: 'motion',
    state: 'recording',
    cause: null,
    modes: ['motion'],
  });
  assert.deepEqual(recordings.recordingOf(resting.id), {
    reason: null,
    state: 'off',
    cause: null,
    modes: ['motion'],
  });
  assert.equal(it.plans.get(added.id)?.type, 'motion');
  assert.deepEqual(recordings.recordingOf(it.cameraId).modes, []);
  assert.equal(it.plans.get(it.cameraId), undefined);
  const schedule = { timeZone: 'UTC', spans: [{ day: 4, from: '12:00', until: '13:00' }] };
  await recordings.policies.changeSettings(admin, resting.id, { schedule });
  assert.deepEqual(recordings.recordingOf(resting.id).modes, ['scheduled', 'motion']);
  await world.cameras.remove(admin, added.id);
  await until(() => it.plans.get(added.id) === null);
});

test('a camera that waits for motion is distinguished from one that is away, and from one whose disk fails', async () => {
  await using it = await recordingWorld();
  const { recordings, admin, cameraId } = it;
  await recordings.policies.changeSettings(admin, cameraId, { motionDetection: true });
  it.tell(interrupted(at(0), 'no_motion'));
  assert.deepEqual(await stateOf(it), ['motion', 'waiting']);
  it.opens(at(5), { type: 'motion' }).closes(at(15));
  assert.deepEqual(await stateOf(it), ['motion', 'recording']);
  it.tell(interrupted(at(15), 'network'));
  assert.deepEqual(await stateOf(it), ['motion', 'interrupted']);
  it.tell(interrupted(at(20), 'disk'));
  assert.deepEqual(await stateOf(it), ['motion', 'disk_failing']);
  it.tell({ kind: 'gone' });
  assert.deepEqual(await stateOf(it), ['motion', 'interrupted']);
});

test('a camera that is not recorded says why as its timeline does, and a schedule that rests is distinguished from none', async () => {
  await using it = await recordingWorld();
  const { recordings, admin, cameraId } = it;
  const schedule = { timeZone: 'UTC', spans: [{ day: 4, from: '13:00', until: '14:00' }] };
  await recordings.policies.changeSettings(admin, cameraId, {
    schedule,
    motionDetection: false,
  });
  assert.deepEqual(await stateOf(it), [null, 'outside_schedule']);
  await recordings.policies.changeSettings(admin, cameraId, { continuousRecording: true });
  it.opens(at(0)).closes(at(10));
  await recordings.settled();
  assert.equal(recordings.recordingOf(cameraId).cause, null);
  it.tell(interrupted(at(10), 'password'));
  await recordings.settled();
  assert.equal(recordings.recordingOf(cameraId).cause, 'password');
  it.world.clock.advance(20_000);
  const query = { from: undefined, until: undefined, resolution_ms: 0 };
  const [timeline] = await recordings.timelines.of(admin, [cameraId], query);
  assert.equal(timeline?.gaps.at(-1)?.cause, 'password');
  await it.world.cameras.updateStatus(admin, cameraId, 'inactive');
  await recordings.policies.changeSettings(admin, cameraId, { retentionDays: 7 });
  assert.deepEqual(await stateOf(it), [null, 'off'], 'a camera that is not active');
});

test('a full disk is distinguished from one that is away, and both keep the reason', async () => {
  await using it = await recordingWorld();
  const { recordings, admin, cameraId, folder } = it;
  await recordings.policies.toggle(admin, cameraId, true);
  const GiB = 1024 ** 3;
  const reaches = (state: string) =>
    until(() => {
      it.world.clock.advance(1_000);
      return recordings.recordingOf(cameraId).state === state;
    });
  it.disk = { totalBytes: 100 * GiB, freeBytes: GiB / 4 };
  await reaches('disk_full');
  renameSync(folder, `${folder}-away`);
  await reaches('disk_away');
  assert.deepEqual(await stateOf(it), ['manual', 'disk_away']);
  renameSync(`${folder}-away`, folder);
  it.disk = { totalBytes: 100 * GiB, freeBytes: GiB };
  await until(() => {
    it.world.clock.advance(1_000);
    return it.plans.get(cameraId)?.type === 'manual';
  });
  it.opens(at(0), { type: 'manual' });
  assert.deepEqual(await stateOf(it), ['manual', 'recording']);
});

test('~REC-036 the main stream is recorded until a user changes it, and the recorder follows', async () => {
  await using it = await recordingWorld();
  const { admin, cameraId, plans } = it;
  const { policies } = it.recordings;
  await policies.toggle(admin, cameraId, true);
  const heights = [plans.get(cameraId)?.height];
  for (const quality of ['low', 'high', 'medium', 'ultra'] as const) {
    await policies.changeSettings(admin, cameraId, { quality });
    heights.push(plans.get(cameraId)?.height);
  }
  assert.deepEqual(heights, [2160, 480, 1080, 720, 2160]);
  const settings = await policies.settings(admin, cameraId);
  assert.deepEqual([settings.quality, settings.recorded], ['ultra', null]);
});

test('~REC-036 a forecast says which stream another quality would record', async (t) => {
  await using it = await recordingWorld();
  const { admin, cameraId } = it;
  const { cameras } = it.world;
  const { policies } = it.recordings;
  const none = await policies.forecast(admin, cameraId, { quality: 'low' });
  assert.equal(none.recorded, null, 'it sends nothing');
  const read = cameras.read.bind(cameras);
  const sub = { ...offStream, state: 'live', width: 640, height: 480 } as const;
  const health = { ...offHealth, state: 'live', width: 1920, height: 1080, sub } as const;
  t.mock.method(cameras, 'read', async (...asked: Parameters<typeof read>) => ({
    ...(await read(...asked)),
    health,
  }));
  const low = await policies.forecast(admin, cameraId, { quality: 'low' });
  assert.deepEqual(low.recorded, { stream: 'sub', width: 640, height: 480, sound: false });
  const settings = await policies.settings(admin, cameraId);
  assert.equal(settings.recorded?.stream, 'main', 'nothing was changed');
  assert.deepEqual(settings.qualities.low, low.recorded);
  // The camera has no picture of 2160 lines.
  assert.deepEqual(settings.qualities.ultra, settings.recorded);
});

test('a test recording is stopped by hand like any other that a user began', async () => {
  await using it = await recordingWorld();
  const { admin, cameraId } = it;
  const { policies } = it.recordings;
  await policies.test(admin, cameraId);
  await policies.toggle(admin, cameraId, false);
  assert.deepEqual(await stateOf(it), [null, 'off']);
  await assert.rejects(policies.toggle(admin, cameraId, false), { code: 'recording_not_active' });
});

test('viewers of a camera learn when why and how it is recorded changes, and not otherwise', async () => {
  await using it = await recordingWorld();
  const { recordings, admin, cameraId, folder } = it;
  const states: unknown[] = [];
  using _ = recordings.changed.on((news) => {
    assert.equal(news.cameraId, cameraId);
    states.push(recordings.recordingOf(cameraId).state);
  });
  await recordings.settled();
  renameSync(folder, `${folder}-away`);
  await recordings.policies.toggle(admin, cameraId, true);
  await recordings.settled();
  assert.deepEqual(states, ['disk_away']);
  await recordings.policies.changeSettings(admin, cameraId, { retentionDays: 7 });
  await recordings.settled();
  assert.deepEqual(states, ['disk_away'], 'nothing else changed');
  await recordings.policies.toggle(admin, cameraId, false);
  await recordings.settled();
  assert.deepEqual(states, ['disk_away', 'off']);
});
