/** Faces and pictures for tests: made up, or the sample photos that come with face-api. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { systemClock } from '#lib/clock.ts';
import { createLog } from '#lib/log.ts';
import { makeModels } from '#vision/setup/make-models.ts';
import type { FaceView } from '#vision/messages.ts';
import { packKey } from '#vision/packs/pack.ts';
import { Vision, type VisionOptions } from '#vision/vision.ts';
import type { Picture } from '#vision/picture.ts';
import { shippedPack } from '#vision/packs/shipped-pack.ts';

/** Chips of the shipped pack. */
export const chipSide = shippedPack.embedder.side;
export const chipBytes = chipSide * chipSide * 3;
export const shippedKey = packKey(shippedPack);

/** A good frontal face of 40 px between the eyes. */
export function aFace(change: Partial<FaceView> = {}): FaceView {
  return {
    box: { x: 100, y: 100, width: 80, height: 80 },
    score: 0.9,
    points: [
      [120, 130],
      [160, 130],
      [140, 150],
      [125, 165],
      [155, 165],
    ],
    iod: 40,
    sharpness: 200,
    yaw: 0,
    brightness: 128,
    quality: 0.9,
    fault: null,
    chip: null,
    chipBox: { x: 85, y: 85, width: 110, height: 110 },
    pack: shippedKey,
    ...change,
  };
}

/** A chip that resembles no other: waves whose direction depends on `look`. */
export function aChip(look: number): Buffer {
  const chip = Buffer.alloc(chipBytes);
  for (let y = 0; y < chipSide; y++) {
    for (let x = 0; x < chipSide; x++) {
      const wave = Math.sin((x * Math.cos(look) + y * Math.sin(look)) / 12 + look * 7);
      chip.fill(Math.round(128 + 100 * wave), (y * chipSide + x) * 3, (y * chipSide + x) * 3 + 3);
    }
  }
  return chip;
}

/** The folder of labelled photos, where there is one: `<set>/<identity>/<photo>`, labels.csv. */
export const labelledFaces = process.env['NAZAR_TEST_FACES'];

/** Several people, from the front; every installation has it. */
export function samplePhoto(number: 1 | 2 | 3 | 4 | 5 | 6): Buffer {
  const folder = '../../../node_modules/@vladmandic/face-api/demo';
  return readFileSync(join(import.meta.dirname, folder, `sample${number}.jpg`));
}

/** The shipped pack, made if set-up has not run since it changed. */
export function needModels(): void {
  makeModels();
}

/** Has one host; its sockets and logs lie in that folder. */
export function openVision(folder: string, more: Partial<VisionOptions> = {}): Promise<Vision> {
  return Vision.open({
    hosts: 1,
    runDir: folder,
    logsDir: folder,
    version: 'test',
    clock: systemClock,
    log: createLog('silent'),
    ...more,
  });
}

export async function pictureOf(photo: Buffer, longestSide = 1600): Promise<Picture> {
  const { data, info } = await sharp(photo)
    .autoOrient()
    .resize(longestSide, longestSide, { fit: 'inside', withoutEnlargement: true })
    .flatten({ background: 'black' })
    .toColourspace('srgb')
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, rgb: data };
}
