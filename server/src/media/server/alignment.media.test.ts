/**
 * Real hosts: a mask that was drawn on the main picture, over a sub-stream that shows another part of it. A second square
 * beside the hidden one must show, so that nothing is right by being black.
 */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { RtspCamera } from '@nazar/e2e/farm/rtsp-camera.ts';
import type { Rect } from '#lib/geometry.ts';
import { greyOfJpeg, picturesOf } from '#testing/grey.ts';
import { aCamera, mediaFolder, openStubMedia, Watcher, type StubFace } from '#testing/media.ts';
import {
  filmOfScene,
  maskedScene,
  mustHideOnly,
  sceneMask,
  shareBeside,
  streamPairs,
} from '#testing/scenes.ts';
import type { MeasuredAlignment, Media } from '../media.ts';
import type { FrameResult, MediaZone } from '../protocol/messages.ts';
import { rectOnMain } from '../mask/stream-part.ts';
import { pairKey } from '../protocol/stream-pair.ts';

/** A scene is measured for 20 s at a time, with pauses: on a busy machine more than once. */
const timeout = 300_000;
const mask: MediaZone = { kind: 'privacy', points: sceneMask };

/** All pictures of a live view, in the order they came. */
async function shownTo(viewer: Watcher, folder: string) {
  const begins = viewer.pieces.flatMap((piece, index) =>
    piece.toString('latin1', 4, 8) === 'ftyp' ? [index] : [],
  );
  const streams = begins.map(async (begin, nth) => {
    const path = join(folder, `${nth}.mp4`);
    writeFileSync(path, Buffer.concat(viewer.pieces.slice(begin, begins[nth + 1])));
    return picturesOf(path);
  });
  return (await Promise.all(streams)).flat();
}

const nextSeen = (media: Media<StubFace>, of: (seen: FrameResult<StubFace>) => boolean) => {
  const found = Promise.withResolvers<FrameResult<StubFace>>();
  const subscription = media.seen.on((seen) => {
    if (of(seen) && seen.faces.length > 0) found.resolve(seen);
  });
  return found.promise.finally(() => subscription[Symbol.dispose]());
};

for (const { name, main, sub, part, isMeasured } of streamPairs) {
  test(
    `C-401 nothing of what is hidden shows in any picture of either stream: ${name}`,
    { timeout },
    async () => {
      using folder = mediaFolder();
      await using camera = await RtspCamera.start({ film: filmOfScene(maskedScene, main) });
      await using other = await RtspCamera.start({ film: filmOfScene(maskedScene, sub, part) });
      await using media = openStubMedia(folder);
      const measured = Promise.withResolvers<MeasuredAlignment>();
      using _ = media.aligned.on(measured.resolve);
      const drawn: Buffer[] = [];
      using __ = media.drawn.on(({ jpeg }) => void drawn.push(jpeg));
      const aligned = new Set<boolean | null>();
      using ____ = media.healthChanged.on(({ health }) => aligned.add(health.aligned));
      const known = { pair: pairKey('streams', main, sub), part, isConfirmed: true };
      media.setZones('a', [mask]);
      if (!isMeasured) media.align('a', [known]);
      const subSize = (seen: FrameResult<StubFace>): boolean => seen.width === sub.width;
      const seenInSub = nextSeen(media, subSize);
      media.watch(aCamera('a', camera.url, { subUrl: other.url, faceRecognition: true }));
      const viewer = new Watcher();
      using ___ = media.join('a', viewer, { stream: 'masked' });
      await viewer.has(8);
      media.drawFaces('a', [{ id: 1, boxes: [] }], false);
      if (isMeasured) {
        const [first] = viewer.said('stream');
        assert.equal(first?.['width'], main.width, 'made of the main stream until it is known');
        const { alignment } = await measured.promise;
        assert.ok(Math.abs(alignment.part.width - part.width) < 0.015, JSON.stringify(alignment));
      }
      while (viewer.said('stream').at(-1)?.['width'] !== sub.width)
        await viewer.has(viewer.pieces.length + 1);
      const seen = await seenInSub;
      await viewer.has(viewer.pieces.length + 8);
      // Null until both streams came.
      assert.deepEqual([...aligned], isMeasured ? [null, false, true] : [null, true]);
      for (const picture of await shownTo(viewer, folder.path)) {
        mustHideOnly(picture, picture.width === main.width ? undefined : part, name);
      }
      assert.ok(drawn.length >= 2);
      for (const jpeg of drawn) {
        const picture = await greyOfJpeg(jpeg);
        mustHideOnly(picture, picture.width === main.width ? undefined : part, `MJPEG, ${name}`);
      }
      mustHideOnly(await greyOfJpeg(await media.snapshot('a')), undefined, `snapshot, ${name}`);
      const share = seen.faces[0]!.bright / shareBeside(part);
      assert.ok(
        share > 0.6 && share < 1.25,
        `the detector is shown ${share} of what is not hidden`,
      );
      await mustLieOnMain(media, part);
    },
  );
}

/** A box of the sub-stream is carried to where it is on the main picture, and the detector looks there. */
async function mustLieOnMain(media: Media<StubFace>, part: Rect): Promise<void> {
  const box = { x: 0.4, y: 0.3, width: 0.2, height: 0.25 };
  const expected = rectOnMain(box, part);
  for (;;) {
    const { wallMs } = await nextSeen(media, ({ isInMainStream }) => isInMainStream);
    const found = await media.detectInMainStream({ cameraId: 'a', atMs: wallMs, box });
    // The picture of that moment may be gone on a busy machine: another one follows.
    if (!found) continue;
    for (const key of ['x', 'y', 'width', 'height'] as const) {
      assert.ok(Math.abs(found.box[key] - expected[key]) < 0.02, key);
    }
    return;
  }
}
