/**
 * Photos that lie on their side or stand on their head, as scanners and apps that drop what a phone wrote about the
 * turn leave them. They are turned upright before anything is made of them.
 */
import assert from 'node:assert/strict';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { before, test } from 'node:test';
import sharp from 'sharp';
import { ownWork } from '#lib/limits/turns.ts';
import { labelledFaces, needModels, openVision, samplePhoto } from '#testing/vision.ts';
import { distance } from './embed.ts';
import { mobileFaceNetPack } from './packs/mobilefacenet-pack.ts';
import { shippedPack } from './packs/shipped-pack.ts';
import { turns } from './turns.ts';
import type { Photo, Vision } from './vision.ts';

before(needModels);

const limit = { timeout: 300_000 };
const without = labelledFaces === undefined && 'NAZAR_TEST_FACES is not set';
const people = 12;

function folder() {
  const dir = mkdtempSync(join(tmpdir(), 'nazar-turned-'));
  return { dir, [Symbol.dispose]: () => rmSync(dir, { recursive: true, force: true }) };
}

/** One photo of each person, without what its file says of itself. */
async function portraits(): Promise<{ name: string; photo: Buffer }[]> {
  const folders = globSync('{lfw10,agfr,msfam}/*', { cwd: labelledFaces! }).toSorted();
  assert.ok(folders.length >= people);
  const chosen = folders.slice(0, people).map(async (name) => {
    const [first] = globSync('*.{jpg,jpeg,png}', { cwd: join(labelledFaces!, name) }).toSorted();
    const bytes = readFileSync(join(labelledFaces!, name, first!));
    return { name, photo: await sharp(bytes).autoOrient().flatten().png().toBuffer() };
  });
  return Promise.all(chosen);
}

const turned = (photo: Buffer, degrees: number): Promise<Buffer> =>
  sharp(photo).rotate(degrees).jpeg({ quality: 95 }).toBuffer();

async function vectorOf(vision: Vision, { face }: Photo): Promise<Float32Array> {
  assert.ok(face);
  return (await vision.embed(face.chip, 1, face.view.pack)).vectors[0]!;
}

test('a photo on its side or upside down is kept upright, the small copy too', limit, async () => {
  using temporary = folder();
  await using vision = await openVision(temporary.dir);
  const photo = samplePhoto(1);
  const upright = await vision.readPhoto(photo, { purpose: 'recognise', account: ownWork });
  assert.equal(upright.turned, 0);
  for (const degrees of turns.slice(1)) {
    const read = await vision.readPhoto(await turned(photo, degrees), {
      purpose: 'recognise',
      account: ownWork,
    });
    assert.equal(read.turned, 360 - degrees);
    const { width, height } = upright;
    assert.deepEqual([read.width, read.height], [width, height]);
    const [whole, small, smallBefore] = await Promise.all(
      [read.jpeg, read.thumbnail, upright.thumbnail].map((bytes) => sharp(bytes).metadata()),
    );
    assert.deepEqual([whole!.width, whole!.height], [width, height]);
    assert.deepEqual([small!.width, small!.height], [smallBefore!.width, smallBefore!.height]);
    assert.equal(read.faces.length, upright.faces.length);
    const grey = (bytes: Buffer) => sharp(bytes).greyscale().resize(8, 8, { fit: 'fill' }).raw();
    const [now, was] = await Promise.all(
      [read.jpeg, upright.jpeg].map((bytes) => grey(bytes).toBuffer()),
    );
    assert.ok(
      now!.every((value, i) => Math.abs(value - was![i]!) < 12),
      'its pixels are turned',
    );
  }
});

/** The usual pack in all turns, the one that is always there by what it takes for upright most often. */
for (const [{ id, embedder }, tried] of [
  [mobileFaceNetPack, turns.slice(1)],
  [shippedPack, [180]],
] as const) {
  test(
    `${people} people are known by photos turned by ${tried.join(', ')} degrees: ${id}`,
    { ...limit, skip: without },
    async () => {
      using temporary = folder();
      await using vision = await openVision(temporary.dir, { packId: id });
      for (const { name, photo } of await portraits()) {
        const upright = await vision.readPhoto(photo, { purpose: 'enrol', account: ownWork });
        assert.deepEqual([upright.turned, upright.fault], [0, null], name);
        const own = await vectorOf(vision, upright);
        for (const degrees of tried) {
          const read = await vision.readPhoto(await turned(photo, degrees), {
            purpose: 'enrol',
            account: ownWork,
          });
          assert.deepEqual([read.turned, read.fault], [360 - degrees, null], `${name} ${degrees}`);
          const apart = distance(own, await vectorOf(vision, read));
          assert.ok(apart < embedder.calibration.strict, `${name} at ${degrees}: ${apart}`);
        }
      }
    },
  );
}
