/** What a deleted camera recorded: found, played, exported and held by administrators, and by no one else. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { smallFilm } from '@nazar/e2e/farm/film.ts';
import { RecordedDaysQuery, RecordingQuery, TimelineQuery } from '@nazar/contract/recordings.ts';
import type { Scope } from '#http/scope.ts';
import { contentsOf } from '#testing/film.ts';
import { granting } from '#testing/grants.ts';
import { recordFilms } from '#testing/recorded-films.ts';
import { recordingWorld, type RecordingWorld } from '#testing/recordings.ts';
import { until } from '#testing/until.ts';

const minuteMs = 60_000;
const start = Date.UTC(2026, 0, 15, 11);
const iso = (seconds: number): string => new Date(start + seconds * 1_000).toISOString();
const period = { from: iso(0), until: iso(12) };

async function aDeletedCamera(): Promise<RecordingWorld> {
  const it = await recordingWorld();
  const shape = { ...smallFilm, pictures: 12 * smallFilm.fps };
  const film = { codec: 'h264', bFrames: 0, shape } as const;
  await recordFilms(join(it.folder, it.cameraId), it.cameraId, start, [film]);
  await it.recordings.recover();
  await it.recordings.recover();
  it.world.clock.advance(minuteMs);
  await it.world.cameras.remove(it.admin, it.cameraId);
  return it;
}

/** Everything that is asked of one camera, by its name. */
function callsOf({ recordings, cameraId }: RecordingWorld, scope: Scope) {
  const calls = {
    timeline: () => recordings.timelines.of(scope, [cameraId], TimelineQuery.parse(period)),
    days: () => recordings.days.of(scope, cameraId, RecordedDaysQuery.parse({})),
    playback: () => recordings.playback.begin(scope, cameraId, period),
    thumbnail: () => recordings.thumbnails.at(scope, cameraId, null),
    statistics: () => recordings.statistics.of(scope, cameraId),
    newest: () => recordings.statistics.newest(scope, cameraId, 'UTC'),
    export: () => recordings.exports.add(scope, { cameras: [cameraId], ...period }),
    hold: () => recordings.holds.add(scope, { camera: cameraId, ...period, reason: 'A break-in' }),
  };
  return Object.entries(calls);
}

test('C-308 administrators reach the recordings of a deleted camera, and no one else does', async () => {
  await using it = await aDeletedCamera();
  const user = await it.world.actor('user');
  const granted = { ...user, grants: granting(it.cameraId, ['live', 'recordings']) };
  for (const scope of [user, granted]) {
    for (const [name, call] of callsOf(it, scope)) {
      await assert.rejects(call(), { code: 'camera_not_found' }, name);
    }
  }
  for (const [name, call] of callsOf(it, it.admin)) await assert.doesNotReject(call(), name);
  const list = await it.recordings.archive.list(it.admin, RecordingQuery.parse({}));
  assert.deepEqual(
    list.results.map(({ cameraName, cameraDeleted, held }) => [cameraName, cameraDeleted, held]),
    [['Gate', true, true]],
  );
  const staff = { ...it.admin, standing: 'staff' } as const;
  assert.equal(
    (await it.recordings.timelines.of(staff, [it.cameraId], TimelineQuery.parse(period))).length,
    1,
  );
});

test('a deleted camera’s held film is played, exported, and not deleted', async () => {
  await using it = await aDeletedCamera();
  const { recordings, admin, cameraId } = it;
  await recordings.holds.add(admin, { camera: cameraId, ...period, reason: 'A break-in' });
  const scopeOf = () => Promise.resolve(admin);
  const { ticket } = await recordings.playback.begin(admin, cameraId, period);
  const playlist = await recordings.playback.playlist(ticket, '', scopeOf);
  const [, id = ''] = /segment\.mp4\?ticket=[^&]+&id=([0-9a-f-]+)/.exec(playlist) ?? [];
  const { path } = await recordings.playback.file(ticket, id, '', scopeOf);
  assert.ok((await contentsOf(path)).numbers.length > 0);
  const [made] = await recordings.exports.add(admin, { cameras: [cameraId], ...period });
  await until(async () => (await recordings.exports.read(admin, made!.id)).status === 'done');
  const film = await recordings.exports.file(admin, made!.id);
  assert.equal((await contentsOf(film.path)).numbers.length, 12 * smallFilm.fps);
  const { results } = await recordings.archive.list(admin, RecordingQuery.parse({}));
  const whole = await recordings.exports.ofRecording(admin, results[0]!.id);
  assert.equal((await contentsOf(whole.path)).numbers.length, 12 * smallFilm.fps);
  await assert.rejects(recordings.deletion.delete(admin, results[0]!.id), {
    code: 'recording_held',
  });
});

test('deleted cameras are listed as long as recordings of them are kept', async () => {
  await using it = await aDeletedCamera();
  const { recordings, admin, cameraId, world } = it;
  const other = await world.camera(admin, { name: 'Never recorded' });
  await world.cameras.remove(admin, other);
  const [camera, ...more] = await recordings.deletedCameras.list(admin);
  assert.deepEqual(camera, {
    id: cameraId,
    name: 'Gate',
    location: 'Yard',
    deleted_at: new Date(world.clock.now()).toISOString(),
    recordings: 1,
    from: iso(0),
    until: iso(12),
  });
  assert.equal(more.length, 0);
  const [recording] = (await recordings.archive.list(admin, RecordingQuery.parse({}))).results;
  await recordings.deletion.delete(admin, recording!.id);
  assert.deepEqual(await recordings.deletedCameras.list(admin), []);
});
