/** The face on a photo is found, and is the same face, by whichever decoder its file was read. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { before, test } from 'node:test';
import sharp from 'sharp';
import { ownWork } from '#lib/limits/turns.ts';
import { photoKinds } from '#testing/photo-kinds.ts';
import { needModels, openVision, samplePhoto } from '#testing/vision.ts';
import { distance } from '../embed.ts';
import type { Vision } from '../vision.ts';

before(needModels);

/** One for each decoder and each way of colours; all kinds have the pixels of the plain JPEG (photo-kinds.test.ts). */
const ofDecoders = [
  'plain JPEG',
  'CMYK JPEG',
  'JPEG in Display P3',
  'JPEG with Exif orientation 6',
  'PNG of 16 bits',
  'WebP',
  'AVIF',
  'HEIC',
  'HEIC of tiles, turned by 90 degrees',
  'HEIC in Display P3',
];

/** The largest face of a sample, in a picture of 640 x 480. */
async function closeUp(vision: Vision): Promise<Buffer> {
  const { jpeg, faces } = await vision.readPhoto(samplePhoto(1), {
    purpose: 'enrol',
    account: ownWork,
  });
  const { x, y, width, height } = faces[0]!.view.box;
  const [left, top] = [Math.max(0, x - width), Math.max(0, y - height)].map(Math.round);
  const region = {
    left: left!,
    top: top!,
    width: Math.round(3 * width),
    height: Math.round(2.25 * width),
  };
  return sharp(jpeg).extract(region).resize(640, 480).png().toBuffer();
}

test('~FACE-042 the face on a photo of any kind is the face on its plain JPEG', async (t) => {
  const dir = mkdtempSync(join(tmpdir(), 'nazar-kinds-'));
  t.after(() => rmSync(dir, { recursive: true, force: true }));
  await using vision = await openVision(dir);
  const kinds = await photoKinds(await closeUp(vision));
  let plain: Float32Array | null = null;
  for (const wanted of ofDecoders) {
    const { bytes } = kinds.find(({ name }) => name === wanted)!;
    const { face, fault } = await vision.readPhoto(bytes, { purpose: 'enrol', account: ownWork });
    assert.ok(face, `${wanted}: ${fault}`);
    const { vectors } = await vision.embed(face.chip, 1, face.view.pack);
    plain ??= vectors[0]!;
    const far = distance(plain, vectors[0]!);
    t.diagnostic(`${wanted}: ${far.toFixed(3)}`);
    assert.ok(far < vision.pack.embedder.calibration.strict / 2, `${wanted}: ${far}`);
  }
});
