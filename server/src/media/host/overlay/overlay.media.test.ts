/** Real hosts: JPEGs with boxes in them, at the camera's frame rate and ours, and under privacy masks. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import sharp from 'sharp';
import { makeFilm } from '@nazar/e2e/farm/film.ts';
import { RtspCamera } from '@nazar/e2e/farm/rtsp-camera.ts';
import { aCamera, mediaFolder, openMedia, until } from '#testing/media.ts';

const film = makeFilm();
const timeout = 60_000;
const box = { x: 0.5, y: 0.5, width: 0.25, height: 0.25, label: 'Əli Ağa 98 %', named: true };

async function pixel(jpeg: Buffer, x: number, y: number): Promise<number[]> {
  const { data, info } = await sharp(jpeg).raw().toBuffer({ resolveWithObject: true });
  const at = (Math.round(y * info.height) * info.width + Math.round(x * info.width)) * 3;
  return [...data.subarray(at, at + 3)];
}
const isRed = ([r = 0, g = 0, b = 0]: number[]): boolean => r > 180 && g < 130 && b < 130;

test(
  '~NSH-021, =LIVE-006 each drawing comes back with its own boxes, and none when no viewer wants one',
  { timeout },
  async () => {
    using folder = mediaFolder();
    await using camera = await RtspCamera.start({ film });
    await using media = openMedia(folder);
    media.watch(aCamera('a', camera.url));
    await until(media, 'a', 'live');
    const pictures = new Map<number, Buffer[]>();
    let enough = Promise.withResolvers<void>();
    using _ = media.drawn.on(({ drawingId, jpeg }) => {
      pictures.set(drawingId, [...(pictures.get(drawingId) ?? []), jpeg]);
      if ([7, 8].every((id) => (pictures.get(id)?.length ?? 0) >= 3)) enough.resolve();
    });
    media.drawFaces(
      'a',
      [
        { id: 7, boxes: [box] },
        { id: 8, boxes: [] },
      ],
      true,
    );
    await enough.promise;
    const [named, bare] = [pictures.get(7)!.at(-1)!, pictures.get(8)!.at(-1)!];
    assert.ok(isRed(await pixel(named, 0.501, 0.6)), 'the left side of the box');
    assert.ok(!isRed(await pixel(bare, 0.501, 0.6)), 'nobody else’s boxes');
    media.drawFaces('a', [], false);
    // What is asked later is answered later: by then the host knows that no viewer wants more.
    await media.snapshot('a');
    const counted = pictures.get(7)!.length;
    await media.snapshot('a');
    enough = Promise.withResolvers();
    assert.ok(pictures.get(7)!.length - counted <= 1, 'the one under way');
  },
);

test(
  'a privacy mask hides its place in them too, and the camera is upright',
  { timeout },
  async () => {
    using folder = mediaFolder();
    await using camera = await RtspCamera.start({ film });
    await using media = openMedia(folder);
    media.watch(aCamera('a', camera.url, { rotation: 90 }));
    await until(media, 'a', 'live');
    const points = [
      [0, 0],
      [1, 0],
      [1, 0.5],
      [0, 0.5],
    ] as [number, number][];
    media.setZones('a', [{ kind: 'privacy', points }]);
    const masked = Promise.withResolvers<Buffer>();
    using _ = media.drawn.on(({ jpeg }) => masked.resolve(jpeg));
    media.drawFaces('a', [{ id: 1, boxes: [] }], false);
    const jpeg = await masked.promise;
    const { width, height } = await sharp(jpeg).metadata();
    assert.deepEqual([width, height], [film.height, film.width]);
    assert.ok((await pixel(jpeg, 0.5, 0.25)).every((part) => part < 24));
    assert.ok((await pixel(jpeg, 0.5, 0.75)).some((part) => part > 40));
  },
);
