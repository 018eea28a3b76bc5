/** Thumbnails of what a real camera recorded, decoded in a real media worker. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import sharp from 'sharp';
import { RecordingQuery } from '@nazar/contract/recordings.ts';
import type { ZoneFields } from '@nazar/contract/zones.ts';
import { recordFilms } from '#testing/recorded-films.ts';
import { recordingWorld } from '#testing/recordings.ts';

const start = Date.UTC(2026, 0, 15, 12);
const at = (seconds: number): Date => new Date(start + seconds * 1_000);

test('a moment of the past is the last key frame before it, upright and small', async () => {
  await using it = await recordingWorld();
  const { folder, cameraId, recordings, admin } = it;
  await recordFilms(join(folder, cameraId), cameraId, start, [
    { codec: 'h264', bFrames: 0 },
    { codec: 'hevc', bFrames: 0, rotation: 90, afterSeconds: 118 },
  ]);
  await recordings.recover();
  await recordings.recover();
  const { thumbnails } = recordings;
  const picture = await thumbnails.at(admin, cameraId, at(1.5));
  const { width, height, format } = await sharp(picture).metadata();
  assert.deepEqual([width, height, format], [320, 184, 'jpeg']);
  assert.deepEqual(await thumbnails.at(admin, cameraId, at(1.9)), picture, 'the same key frame');
  assert.notDeepEqual(await thumbnails.at(admin, cameraId, at(0.5)), picture);
  await assert.rejects(thumbnails.at(admin, cameraId, at(30)), { code: 'recording_not_found' });
  const query = RecordingQuery.parse({});
  const [{ id } = { id: '' }] = (await recordings.archive.list(admin, query)).results;
  const turned = await sharp(await thumbnails.ofRecording(admin, id)).metadata();
  assert.deepEqual([turned.width, turned.height], [184, 320]);
  const left = [
    [0, 0],
    [0.5, 0],
    [0.5, 1],
    [0, 1],
  ] as const;
  const mask = { kind: 'privacy', name: '', points: left.map(([x, y]) => [x, y]) } as const;
  await it.world.cameras.zones.replace(admin, cameraId, [mask as ZoneFields]);
  const behind = await sharp(await thumbnails.at(admin, cameraId, at(1.5)))
    .extract({ left: 0, top: 0, width: 150, height: 184 })
    .raw()
    .toBuffer();
  assert.ok(Math.max(...behind) < 32, 'nothing shows behind a mask, whenever it was drawn');
});
