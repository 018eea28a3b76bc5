/** Exports for users who may not see behind privacy masks: made by a real worker of real files. */
import assert from 'node:assert/strict';
import { readdirSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { smallFilm } from '@nazar/e2e/farm/film.ts';
import { ExportQuery } from '@nazar/contract/exports.ts';
import { RecordingQuery } from '@nazar/contract/recordings.ts';
import { turnedPolygon } from '@nazar/contract/polygon.ts';
import type { ZoneFields } from '@nazar/contract/zones.ts';
import type { Scope } from '#http/scope.ts';
import { WorkerLost } from '#media/media.ts';
import { contentsOf } from '#testing/film.ts';
import { granting } from '#testing/grants.ts';
import { brightness, centreMask, isMasked, picturesOf, rectangle } from '#testing/grey.ts';
import { recordFilms } from '#testing/recorded-films.ts';
import { recordingWorld, type RecordingWorld } from '#testing/recordings.ts';
import { turnCamera } from '#testing/turned-camera.ts';
import { until } from '#testing/until.ts';
import { verifyExport } from './proof.ts';

const minuteMs = 60_000;
const start = Date.UTC(2026, 0, 15, 12);
const iso = (seconds: number): string => new Date(start + seconds * 1_000).toISOString();
const shape = { ...smallFilm, pictures: 12 * smallFilm.fps };

async function aRecordedWorld(
  asked?: Parameters<typeof recordingWorld>[0],
): Promise<{ it: RecordingWorld; guard: Scope }> {
  const it = await recordingWorld(asked);
  await recordFilms(join(it.folder, it.cameraId), it.cameraId, start, [
    { codec: 'h264', bFrames: 0, shape },
    { codec: 'h264', bFrames: 0, shape, afterSeconds: 8 },
  ]);
  await it.recordings.recover();
  await it.recordings.recover();
  it.world.clock.advance(minuteMs);
  await draw(it, centreMask);
  const grants = granting(it.cameraId, ['live', 'recordings']);
  return { it, guard: { ...(await it.world.actor('user')), grants } };
}

async function draw(it: RecordingWorld, ...masks: (typeof centreMask)[]): Promise<void> {
  const zones = masks.map((points) => ({ kind: 'privacy', name: '', points }));
  await it.world.cameras.zones.replace(it.admin, it.cameraId, zones as unknown as ZoneFields[]);
}

async function exported(it: RecordingWorld, scope: Scope, from = 3, end = 25) {
  const { exports } = it.recordings;
  const asked = { cameras: [it.cameraId], from: iso(from), until: iso(end) };
  const [{ id } = { id: '' }] = await exports.add(scope, asked);
  await until(async () => ['done', 'failed'].includes((await exports.read(scope, id)).status));
  return await exports.read(scope, id);
}

const filesOf = (it: RecordingWorld): string[] =>
  readdirSync(it.folder, { recursive: true })
    .map(String)
    .filter((name) => /exports\/./.test(name));

test('C-401 C-408 an export has its masks in every picture, begins and ends in time, and says so in its proof', async () => {
  const { it, guard } = await aRecordedWorld();
  await using _ = it;
  const result = await exported(it, guard);
  assert.deepEqual(
    [result.status, result.fault, result.masked, result.progress],
    ['done', null, true, 1],
  );
  const { path } = await it.recordings.exports.file(guard, result.id);
  const pictures = await picturesOf(path);
  assert.ok(pictures.length >= 14 * 12, `${pictures.length} of 14 s`);
  for (const picture of pictures) isMasked(picture);
  assert.ok(Math.abs(result.seconds! - 14) < 0.2, `${result.seconds} s`);
  const { numbers } = await contentsOf(path);
  assert.equal(numbers.length, pictures.length);
  const second = numbers.findIndex((number, index) => number < (numbers[index - 1] ?? 0));
  assert.deepEqual([numbers[0], numbers[second]], [75, 0], 'as it begins at the second asked for');
  assert.ok(numbers.slice(0, second).every((number) => number >= 75 && number < 300));
  assert.ok(numbers.slice(second).every((number) => number < 125));
  const { fault, manifest } = await verifyExport(path, null);
  assert.deepEqual([fault, manifest?.masked, manifest?.sources.length], [null, true, 3]);
  assert.deepEqual(
    manifest?.pieces.map(({ from, until: end }) => [from, end]),
    [
      [iso(3), iso(12)],
      [iso(20), iso(25)],
    ],
  );
  assert.deepEqual(filesOf(it), [`exports/${result.id}.mp4`], 'nothing else is left');
});

test('a user who holds unmasked gets the copied export, and the other one never gets that', async () => {
  const { it, guard } = await aRecordedWorld();
  await using _ = it;
  const { exports } = it.recordings;
  const seeing = { ...guard, grants: granting(it.cameraId, ['live', 'recordings', 'unmasked']) };
  const result = await exported(it, seeing, 0, 5);
  assert.equal(result.masked, false);
  const { path } = await exports.file(seeing, result.id);
  const pictures = await picturesOf(path);
  assert.equal(pictures.length, 5 * smallFilm.fps, 'as many as were recorded');
  assert.ok(pictures.every((picture) => brightness(picture, 0.5, 0.7) > 45));
  assert.equal((await verifyExport(path, null)).manifest?.masked, false);
  await assert.rejects(exports.file(guard, result.id), { code: 'camera_masked' });
  await assert.rejects(exports.ticket(guard, result.id), { code: 'camera_masked' });
});

test('a mask that is drawn after an export was made closes it, and ~REC-010 makes another one', async () => {
  const { it, guard } = await aRecordedWorld();
  await using _ = it;
  const { archive, exports } = it.recordings;
  const { results } = await archive.list(guard, RecordingQuery.parse({}));
  const { path } = await exports.ofRecording(guard, results[0]!.id);
  assert.equal((await exports.ofRecording(guard, results[0]!.id)).path, path, 'made once');
  const [{ id } = { id: '' }] = (await exports.list(guard, ExportQuery.parse({}))).results;
  const corner = rectangle(0, 0.5, 0.2, 0.4);
  await draw(it, centreMask, corner);
  await assert.rejects(exports.file(guard, id), { code: 'camera_masked' });
  const again = await exports.ofRecording(guard, results[0]!.id);
  assert.notEqual(again.path, path);
  const [picture] = await picturesOf(again.path);
  assert.ok(brightness(picture!, 0.1, 0.7) < 40);
  await draw(it, centreMask);
  assert.equal((await exports.file(guard, id)).path, path, 'it hides all that is hidden again');
});

test('C-401 a camera that is turned there and back closes an export that was made before', async () => {
  const { it, guard } = await aRecordedWorld();
  await using _ = it;
  const { exports } = it.recordings;
  const { id } = await exported(it, guard);
  assert.ok(await exports.file(guard, id));
  for (const rotation of [90, 0] as const) {
    await turnCamera(it.world, it.admin, it.cameraId, rotation);
    await draw(it, centreMask);
  }
  await assert.rejects(exports.file(guard, id), { code: 'camera_masked' });
  const again = await exported(it, guard);
  const { path } = await exports.file(guard, again.id);
  const [picture] = await picturesOf(path);
  // Where the mask may have been while it was turned, too.
  const turned = turnedPolygon(centreMask, 90)[0]!;
  assert.ok(brightness(picture!, turned[0] - 0.02, turned[1] + 0.02) < 40);
});

test('a worker that dies over an export leaves nothing on the disk', async () => {
  let left = 3;
  const { it, guard } = await aRecordedWorld((workers) => ({
    ask: async (question, ...more) => {
      const answer = await workers.ask(question, ...more);
      if (question.kind === 'export' && (left -= 1) >= 0) throw new WorkerLost('over an export');
      return answer as never;
    },
  }));
  await using _ = it;
  const result = await exported(it, guard);
  assert.deepEqual([result.status, result.fault], ['failed', 'interrupted']);
  assert.deepEqual(filesOf(it), []);
});

test('a recorded file that is not what it was makes no export', async () => {
  const { it, guard } = await aRecordedWorld();
  await using _ = it;
  const names = readdirSync(it.folder, { recursive: true }).map(String);
  const [name = ''] = names.filter((one) => one.endsWith('.mp4'));
  truncateSync(join(it.folder, name), 2_000);
  assert.deepEqual((await exported(it, guard, 0, 25)).fault, 'file_changed');
  assert.deepEqual(filesOf(it), []);
});
