/** Stills of segments: which is shown for a moment and over some time, to whom, and what becomes of them. */
import assert from 'node:assert/strict';
import { rmSync, truncateSync, statSync } from 'node:fs';
import { test } from 'node:test';
import { sql } from 'kysely';
import { StillsQuery } from '@nazar/contract/playback.ts';
import { RecordingQuery } from '@nazar/contract/recordings.ts';
import type { Scope } from '#http/scope.ts';
import { granting } from '#testing/grants.ts';
import { recordingWorld, type RecordingWorld } from '#testing/recordings.ts';
import { until } from '#testing/until.ts';

const start = Date.UTC(2026, 0, 15, 12);
const at = (seconds: number): number => start + seconds * 1_000;
const iso = (seconds: number): string => new Date(at(seconds)).toISOString();
const dayS = 86_400;
const { signal } = new AbortController();

/** Begins as a JPEG does, and says when its segment began. */
const aStill = (seconds: number): Buffer =>
  Buffer.concat([Buffer.from([0xff, 0xd8]), Buffer.from(`still ${seconds}`)]);

/** Segments of ten seconds; each still is half a second old. */
function record(it: RecordingWorld, ...begin: readonly number[]): string[] {
  return begin.map((seconds) => {
    const opened = it.opens(at(seconds));
    opened.closes(at(seconds + 10), null, {
      still: { atMs: 500, jpeg: aStill(seconds), shows: 'main' },
    });
    return opened.path;
  });
}

async function stillAt(it: RecordingWorld, seconds: number, scope = it.admin): Promise<string> {
  await it.recordings.settled();
  const jpeg = await it.recordings.stills.at(scope, it.cameraId, new Date(at(seconds)));
  return jpeg.toString('latin1', 2);
}

async function stillsOver(
  it: RecordingWorld,
  from: number,
  end: number,
  count: number,
  scope = it.admin,
) {
  await it.recordings.settled();
  const query = StillsQuery.parse({ from: iso(from), until: iso(end), count: `${count}` });
  const stills = await it.recordings.stills.over(scope, it.cameraId, query, signal);
  return stills.map((still) => [
    (Date.parse(still.at) - start) / 1_000,
    Buffer.from(still.jpeg, 'base64').toString('latin1', 2),
  ]);
}

const begun = async (...asked: Parameters<typeof stillsOver>) =>
  (await stillsOver(...asked)).map(([seconds]) => Number(seconds) - 0.5);

test('a moment has the still nearest to it, and a pause has none', async () => {
  await using it = await recordingWorld();
  record(it, 0, 10, 300);
  assert.equal(await stillAt(it, 0), 'still 0');
  assert.equal(await stillAt(it, 5), 'still 0');
  assert.equal(
    await stillAt(it, 6),
    'still 10',
    'the next is nearer, although its file is not that of the moment',
  );
  assert.equal(await stillAt(it, 19.9), 'still 10');
  for (const seconds of [-1, 20, 299, 310]) {
    await assert.rejects(stillAt(it, seconds), { code: 'recording_not_found' }, `${seconds}`);
  }
});

test('stills over some time are spread evenly, and begin with what was being recorded', async () => {
  await using it = await recordingWorld();
  record(it, ...Array.from({ length: 30 }, (_, index) => index * 10), 600);
  assert.deepEqual(await stillsOver(it, 0, 40, 4), [
    [0.5, 'still 0'],
    [10.5, 'still 10'],
    [20.5, 'still 20'],
    [30.5, 'still 30'],
  ]);
  assert.deepEqual(
    await begun(it, 5, 30, 200),
    [0, 10, 20],
    'each once, however closely one looks',
  );
  assert.deepEqual(await begun(it, 0, 300, 3), [0, 100, 200]);
  assert.deepEqual(await begun(it, 0, 900, 9), [0, 100, 200, 600], 'none for a pause');
  assert.deepEqual(await begun(it, 350, 500, 9), [], 'nor before it ends');
  assert.deepEqual(await begun(it, -dayS, 30 * dayS, 1), [0]);
});

test('a file that is shorter than its row says, or gone, shows nothing else', async () => {
  await using it = await recordingWorld();
  const [shorter, gone] = record(it, 0, 10, 20);
  await it.recordings.settled();
  truncateSync(shorter!, statSync(shorter!).size - 1);
  rmSync(gone!);
  assert.deepEqual(await begun(it, 0, 30, 3), [20]);
  await assert.rejects(stillAt(it, 0), { code: 'recording_not_found' });
});

test('R-03 an index that is made again from the files knows the stills', async () => {
  await using it = await recordingWorld();
  record(it, 0, 10);
  const before = await stillsOver(it, 0, 20, 2);
  await sql`delete from recording_segment`.execute(it.world.database.db.write());
  assert.deepEqual(await stillsOver(it, 0, 20, 2), []);
  await it.recordings.recover();
  await it.recordings.recover();
  assert.deepEqual(await stillsOver(it, 0, 20, 2), before);
});

test('a deleted recording, and one that is too old, takes its stills along', async () => {
  await using it = await recordingWorld();
  const files = record(it, 0, 300, 310);
  await it.recordings.settled();
  const query = RecordingQuery.parse({ ordering: 'started_at' });
  const { results } = await it.recordings.archive.list(it.admin, query);
  await it.recordings.deletion.delete(it.admin, results[0]!.id);
  assert.deepEqual(await begun(it, 0, 400, 40), [300, 310]);
  await assert.rejects(stillAt(it, 1), { code: 'recording_not_found' });
  await it.recordings.policies.changeSettings(it.admin, it.cameraId, { retentionDays: 1 });
  it.world.clock.advance(at(305 + dayS) + 5_000 - it.world.clock.now());
  await until(async () => (await begun(it, 0, 400, 40)).length === 1);
  assert.deepEqual(await begun(it, 0, 400, 40), [310]);
  const sizes = files.map((file) => statSync(file, { throwIfNoEntry: false })?.size ?? 0);
  assert.deepEqual([sizes[0], sizes[1], sizes[2]! > 0], [0, 0, true]);
});

test('C-806 a view of stills is recorded in the activity log like playback, once an hour', async () => {
  await using it = await recordingWorld();
  record(it, 0, 10);
  await stillsOver(it, 0, 20, 2);
  await stillAt(it, 3);
  const { rows } = await sql`select from audit_entry where action = 'recording.played'`.execute(
    it.world.database.db.read(),
  );
  assert.equal(rows.length, 1);
});

test('C-401 stills are for users who may see the recordings of their camera', async () => {
  await using it = await recordingWorld();
  record(it, 0);
  const user = await it.world.actor('user');
  const as = (...capabilities: Parameters<typeof granting>[1]): Scope => ({
    ...user,
    grants: granting(it.cameraId, capabilities),
  });
  const guard = as(...(['live', 'recordings'] as const));
  assert.equal(await stillAt(it, 1, guard), 'still 0');
  assert.equal((await stillsOver(it, 0, 10, 1, guard)).length, 1);
  const viewer = as('live');
  await assert.rejects(stillAt(it, 1, viewer), { code: 'forbidden' });
  await assert.rejects(stillsOver(it, 0, 10, 1, viewer), { code: 'forbidden' });
  await assert.rejects(stillAt(it, 1, user), { code: 'camera_not_found' });
  await assert.rejects(stillsOver(it, 0, 10, 1, user), { code: 'camera_not_found' });
});
