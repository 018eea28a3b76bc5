/**
 * Real hosts: masks of a camera that is turned, through all four turns, where it hangs as before and where it was turned
 * against its rotation. A second square must show, so that nothing is right by being black.
 */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { quarterTurns, turnedPolygon, type QuarterTurn } from '@nazar/contract/polygon.ts';
import { makeFilm } from '@nazar/e2e/farm/film.ts';
import { RtspCamera } from '@nazar/e2e/farm/rtsp-camera.ts';
import { greyOfJpeg, picturesOf } from '#testing/grey.ts';
import { aCamera, mediaFolder, openMedia, until, Watcher } from '#testing/media.ts';
import {
  against,
  asBefore,
  mustShowOnlyTheMiddle,
  planesSentBy,
  sizeSentBy,
  upright,
  type Hung,
} from '#testing/turned-scenes.ts';

const timeout = 300_000;

function filmOf(hung: Hung) {
  const shape = { ...sizeSentBy(hung), fps: 10, pictures: 20, gop: 10 };
  const planes = planesSentBy(hung);
  return makeFilm(shape, true, { paints: () => planes });
}

/** Every picture that a viewer got, as it is coded. */
async function shownTo(viewer: Watcher, path: string) {
  const begin = viewer.pieces.findLastIndex((piece) => piece.toString('latin1', 4, 8) === 'ftyp');
  writeFileSync(path, Buffer.concat(viewer.pieces.slice(begin)));
  return picturesOf(path);
}

for (const [name, hangs] of [
  ['as it hung before', () => asBefore],
  ['turned against its rotation', against],
] as const) {
  test(
    `C-401 a masked live view shows nothing of what is hidden after any turn of a camera that hangs ${name}`,
    { timeout },
    async () => {
      using folder = mediaFolder();
      await using media = openMedia(folder);
      const turns: QuarterTurn[] = [];
      for (const rotation of quarterTurns) {
        await using camera = await RtspCamera.start({ film: filmOf(hangs(rotation)) });
        turns.push(rotation);
        const places = turns.map((by) => turnedPolygon(upright, by));
        media.setZones(
          'a',
          places.map((points) => ({ kind: 'privacy', points })),
        );
        media.watch(aCamera('a', camera.url, { rotation }));
        await until(media, 'a', 'live');
        const viewer = new Watcher();
        using _ = media.join('a', viewer, { stream: 'masked' });
        await viewer.has(8);
        const pictures = await shownTo(viewer, join(folder.path, `${rotation}.mp4`));
        assert.ok(pictures.length > 3);
        for (const picture of pictures) mustShowOnlyTheMiddle(picture, `live, ${rotation}`);
        const snapshot = await greyOfJpeg(await media.snapshot('a'));
        mustShowOnlyTheMiddle(snapshot, `snapshot, ${rotation}`);
      }
    },
  );
}
