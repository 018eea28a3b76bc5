/** Recordings that a user deletes: what goes, what stays, and what is logged. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { sql } from 'kysely';
import { RecordingQuery, TimelineQuery } from '@nazar/contract/recordings.ts';
import type { Scope } from '#http/scope.ts';
import { granting } from '#testing/grants.ts';
import { recordingWorld, type RecordingWorld } from '#testing/recordings.ts';
import { until } from '#testing/until.ts';
import { aVisit } from '#testing/world.ts';

const start = Date.UTC(2026, 0, 15, 12);
const at = (seconds: number): number => start + seconds * 1_000;
const iso = (seconds: number): string => new Date(at(seconds)).toISOString();

async function recordings(it: RecordingWorld) {
  await it.recordings.settled();
  const query = RecordingQuery.parse({ ordering: 'started_at' });
  return (await it.recordings.archive.list(it.admin, query)).results;
}

async function gaps(it: RecordingWorld) {
  const query = TimelineQuery.parse({ from: iso(-60), until: iso(3_600) });
  const [timeline] = await it.recordings.timelines.of(it.admin, [it.cameraId], query);
  return timeline!.gaps.map(({ cause, started_at, ended_at }) => [cause, started_at, ended_at]);
}

const audited = async ({ world }: RecordingWorld) => {
  const { rows } = await sql<{ details: unknown }>`
    select details from audit_entry where action = 'recording.deleted'`.execute(
    world.database.db.read(),
  );
  return rows.map(({ details }) => details);
};

test('C-407 ~REC-011 a deleted recording leaves a gap and an entry with the hash of its footage', async () => {
  await using it = await recordingWorld();
  const { policies, deletion } = it.recordings;
  await policies.changeSettings(it.admin, it.cameraId, { continuousRecording: true });
  const first = it.opens(at(0));
  first.closes(at(10));
  const second = it.opens(at(10));
  second.closes(at(20));
  const kept = it.opens(at(300));
  kept.closes(at(310));
  const hashes = [first, second].map(({ path }) =>
    createHash('sha256').update(readFileSync(path)).digest(),
  );
  const [recording] = await recordings(it);
  await deletion.delete(it.admin, recording!.id);
  assert.deepEqual(
    (await recordings(it)).map(({ startTime }) => startTime),
    [iso(300)],
  );
  assert.deepEqual(await gaps(it), [
    ['deleted', iso(0), iso(20)],
    ['restart', iso(20), iso(300)],
  ]);
  assert.deepEqual(await audited(it), [
    {
      from: iso(0),
      until: iso(20),
      files: 2,
      bytes: recording!.bytes,
      sha256: createHash('sha256').update(Buffer.concat(hashes)).digest('hex'),
    },
  ]);
  await until(() => {
    it.world.clock.advance(1_000);
    return !existsSync(first.path) && !existsSync(second.path);
  });
  assert.equal(existsSync(kept.path), true);
});

test('C-407 a hold on any moment of a recording keeps all of it, and nothing is written down', async () => {
  await using it = await recordingWorld();
  it.opens(at(0)).closes(at(10));
  it.opens(at(10)).closes(at(20));
  const [recording] = await recordings(it);
  const hold = { camera: it.cameraId, from: iso(19), until: iso(25), reason: 'A break-in' };
  const { id } = await it.recordings.holds.add(it.admin, hold);
  const asked = () => it.recordings.deletion.delete(it.admin, recording!.id);
  await assert.rejects(asked, { code: 'recording_held' });
  assert.equal((await recordings(it)).length, 1);
  assert.deepEqual(await audited(it), []);
  await it.recordings.holds.remove(it.admin, id);
  await asked();
  assert.deepEqual(await recordings(it), []);
});

test('a recording that goes on is not deleted', async () => {
  await using it = await recordingWorld();
  it.opens(at(0)).closes(at(10));
  it.opens(at(10));
  const [recording] = await recordings(it);
  await assert.rejects(it.recordings.deletion.delete(it.admin, recording!.id), {
    code: 'recording_goes_on',
  });
});

test('~REC-022 ~REC-023 ~REC-024 ~REC-025 ~REC-026 ~REC-027 figures are those of the files and of the disk', async () => {
  await using it = await recordingWorld();
  const { statistics } = it.recordings;
  const GiB = 1024 ** 3;
  it.disk = { totalBytes: 100 * GiB, freeBytes: 29.5 * GiB };
  const none = await statistics.of(it.admin, it.cameraId);
  assert.deepEqual([none.recordings, none.duration, none.bytes, none.faces], [0, 0, 0, 0]);
  assert.equal(await statistics.newest(it.admin, it.cameraId, 'UTC'), null);
  const first = it.opens(at(0));
  first.closes(at(10));
  it.opens(at(300)).closes(at(310));
  await it.recordings.settled();
  const { visits } = it.world;
  for (const seconds of [5, 9, 200, 305]) {
    const visit = aVisit(it.cameraId, at(seconds), { endedAtMs: at(seconds + 2) });
    await visits.write(visit);
  }
  const now = await statistics.of(it.admin, null);
  const size = readFileSync(first.path).length * 2;
  assert.deepEqual(
    [now.recordings, now.duration, now.bytes, now.faces],
    [2, 20, size, 3],
    'who was seen between is in none',
  );
  assert.deepEqual(now.storage, {
    total_bytes: 100 * GiB,
    free_bytes: 29.5 * GiB,
    used_percent: 71,
    remaining_percent: 29,
  });
  assert.equal(
    (await statistics.newest(it.admin, it.cameraId, 'UTC'))?.startTime,
    iso(300),
    '~REC-029',
  );
});

test('~C-304, ~REC-027 a user who may see no recordings reads of no disk, and others of the disks of theirs', async () => {
  await using it = await recordingWorld(undefined, 2);
  const { statistics, policies } = it.recordings;
  it.disk = { totalBytes: 1_000, freeBytes: 250 };
  const user = await it.world.actor('user');
  const total = async (scope: Scope) => (await statistics.of(scope, null)).storage?.total_bytes;
  const granted: Scope = { ...user, grants: granting(it.cameraId, ['live', 'recordings']) };
  const watching: Scope = { ...user, grants: granting(it.cameraId, ['live']) };
  assert.deepEqual(
    [await total(it.admin), await total(user), await total(watching), await total(granted)],
    [2_000, undefined, undefined, 1_000],
  );
  const own = await it.world.camera(user);
  assert.equal(await total(granted), 1_000, 'both on the first disk');
  await policies.changeSettings(it.admin, own, { storagePath: '/recordings-2/gate/' });
  assert.deepEqual([await total(user), await total(granted)], [1_000, 2_000]);
});

test('~REC-039 a test recording is a minute of the camera, whatever else is recorded', async () => {
  await using it = await recordingWorld();
  const { world, admin, cameraId, plans } = it;
  const ends = await it.recordings.policies.test(admin, cameraId);
  assert.equal(ends.getTime(), world.clock.now() + 60_000);
  assert.equal(plans.get(cameraId)?.type, 'test');
  world.clock.advance(59_000);
  assert.deepEqual(await it.recordings.policies.test(admin, cameraId), ends, 'the same one');
  await it.recordings.policies.changeSettings(admin, cameraId, { continuousRecording: true });
  assert.equal(plans.get(cameraId)?.type, 'test');
  await until(() => {
    world.clock.advance(1_000);
    return plans.get(cameraId)?.type === 'continuous';
  });
  await world.cameras.updateStatus(admin, cameraId, 'inactive');
  await assert.rejects(it.recordings.policies.test(admin, cameraId), { code: 'camera_not_active' });
});

test('~REC-038 an event is sent when a recording begins, is held, let go or deleted, and not while it goes on', async () => {
  await using it = await recordingWorld();
  const { holds, deletion, changed } = it.recordings;
  const changes: string[] = [];
  using _reader = changed.on(({ cameraId }) => changes.push(cameraId));
  it.opens(at(0)).closes(at(10));
  it.opens(at(10)).closes(at(20));
  await it.recordings.settled();
  assert.deepEqual(changes, [it.cameraId]);
  const times = { from: iso(0), until: iso(5), reason: 'evidence' };
  const { id } = await holds.add(it.admin, { camera: it.cameraId, ...times });
  await holds.remove(it.admin, id);
  assert.equal(changes.length, 3);
  const [recording] = await recordings(it);
  await deletion.delete(it.admin, recording!.id);
  assert.equal(changes.length, 4);
  await assert.rejects(deletion.delete(it.admin, recording!.id), { code: 'recording_not_found' });
  assert.equal(changes.length, 4, 'nothing changed');
});
