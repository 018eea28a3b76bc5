import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { chipBytes, labelledFaces, needModels, pictureOf, samplePhoto } from '#testing/vision.ts';
import type { Rect } from '#lib/geometry.ts';
import { distance } from './embed.ts';
import { Engine } from './engine.ts';
import type { FaceView } from './messages.ts';
import { iou, type Picture } from './picture.ts';
import { shippedPack } from './packs/shipped-pack.ts';
import { Votes } from './tracking/votes.ts';

before(needModels);

interface Labelled {
  readonly identity: string;
  readonly path: string;
  readonly view: FaceView;
  readonly vector: Float32Array;
}

/** The largest sure face of a picture, with its vector. */
async function largest(
  engine: Engine,
  picture: Picture,
): Promise<Omit<Labelled, 'identity' | 'path'> | null> {
  const { faces, chips } = await engine.detect(picture, []);
  const [view] = faces.filter(({ score }) => score >= 0.5).toSorted((a, b) => b.iod - a.iod);
  if (!view) return null;
  const start = view.chip! * chipBytes;
  const [vector] = await engine.embed(chips.subarray(start, start + chipBytes), 1);
  return { view, vector: vector! };
}

/** Counted by eye. */
const people = { 1: 3, 2: 2, 3: 3, 4: 4, 5: 5, 6: 4 } as const;

test('every face of the sample photos is found, once, where it is, and nothing else passes', async () => {
  await using engine = await Engine.load();
  for (const number of [1, 2, 3, 4, 5, 6] as const) {
    const picture = await pictureOf(samplePhoto(number));
    const { faces, chips } = await engine.detect(picture);
    const good = faces.filter(({ fault }) => fault === null);
    assert.equal(good.length, people[number], `sample ${number}`);
    assert.equal(chips.length, faces.length * chipBytes);
    for (const { points, box } of good) {
      const [left, right, nose, mouthLeft, mouthRight] = points;
      assert.ok(left![0] < right![0] && mouthLeft![0] < mouthRight![0]);
      assert.ok(nose![1] > left![1] && mouthLeft![1] > nose![1]);
      assert.ok(nose![0] > box.x && nose![0] < box.x + box.width);
    }
    for (const face of good) assertShownBox(face, picture);
  }
});

/** A chip shows the points of its face with room around them, and nothing beyond its picture. */
function assertShownBox({ chipBox, points }: FaceView, picture: Picture): void {
  const { x, y, width, height } = chipBox!;
  assert.ok(x >= 0 && y >= 0 && x + width <= picture.width && y + height <= picture.height);
  for (const [px, py] of points) assert.ok(px > x && px < x + width && py > y && py < y + height);
}

test('a face is found the same in the whole picture and in the region that moved', async () => {
  await using engine = await Engine.load();
  const picture = await pictureOf(samplePhoto(1), 1280);
  const whole = await largest(engine, picture);
  const { faces, chips } = await engine.detect(picture, [whole!.view.box]);
  const [face] = faces;
  const [vector] = await engine.embed(chips.subarray(0, chipBytes), 1);
  assert.ok(face && Math.abs(face.iod - whole!.view.iod) < 0.05 * face.iod);
  assert.ok(distance(vector!, whole!.vector) < 0.2);
});

test('a face that fills the picture, or moves alone, is found all the same', async () => {
  await using engine = await Engine.load();
  const picture = await pictureOf(samplePhoto(3), 1280);
  const { faces } = await engine.detect(picture, []);
  for (const { box } of faces) {
    const alone = (await engine.detect(picture, [box])).faces.some((it) => iou(it.box, box) > 0.5);
    assert.ok(alone, 'its box was all that moved');
    const passport = cropped(picture, box);
    assert.equal((await engine.detect(passport, [])).faces.length, 1, 'its box was all there is');
  }
});

function cropped({ width, rgb }: Picture, box: Rect): Picture {
  const [x, y, side] = [box.x, box.y, box.width].map(Math.round) as [number, number, number];
  const rows = Array.from({ length: side }, (_, i) => {
    const start = ((y + i) * width + x) * 3;
    return rgb.subarray(start, start + side * 3);
  });
  return { width: side, height: side, rgb: Buffer.concat(rows) };
}

test('a picture without a face has none, and a tiny one does no harm', async () => {
  await using engine = await Engine.load();
  for (const [width, height] of [
    [640, 360],
    [1, 1],
    [3, 900],
  ] as const) {
    const rgb = new Uint8Array(width * height * 3).map((_, i) => (i * 7919) % 251);
    assert.deepEqual((await engine.detect({ width, height, rgb }, [])).faces, []);
  }
});

test('a small face is seen but must not be named', async () => {
  await using engine = await Engine.load();
  const photo = await pictureOf(samplePhoto(1), 1280);
  const { view } = (await largest(engine, photo))!;
  const small = await pictureOf(samplePhoto(1), Math.round((1280 * 11) / view.iod));
  const { faces } = await engine.detect(small, []);
  for (const face of faces) if (face.iod < 16) assert.equal(face.fault, 'too_small');
});

/** Photos of one person each, and close crops (bbt). */
async function labelled(engine: Engine): Promise<{ found: Labelled[]; photos: number }> {
  const folder = labelledFaces!;
  const rows = readFileSync(join(folder, 'labels.csv'), 'utf8').trim().split('\n').slice(1);
  const found: Labelled[] = [];
  let photos = 0;
  for (const row of rows) {
    const [set = '', identity = '', path = ''] = row.split(',');
    if (!['lfw10', 'deepface', 'bbt'].includes(set)) continue;
    photos += 1;
    const face = await largest(engine, await pictureOf(readFileSync(join(folder, path))));
    if (face) found.push({ identity: `${set}/${identity}`, path, ...face });
  }
  return { found, photos };
}

const without = labelledFaces === undefined && 'NAZAR_TEST_FACES is not set';

test(
  'labelled photos: found, distinguished, named by one photo each',
  { skip: without },
  async (t) => {
    await using engine = await Engine.load();
    const { found, photos } = await labelled(engine);
    const good = found.filter(({ view }) => view.fault === null);

    await t.test('at least 98 % of the faces are found and pass the gate', () => {
      assert.ok(photos >= 80, `${photos} photos`);
      assert.ok(found.length >= 0.99 * photos, `${found.length} of ${photos} found`);
      assert.ok(good.length >= 0.97 * photos, `${good.length} of ${photos} usable`);
    });

    await t.test('pairs: 97 % of one person are nearer than the threshold, none of two', () => {
      let [same, sameNear, others, othersNear, othersFar1e3] = [0, 0, 0, 0, 0];
      const { openSet, far1e3 } = shippedPack.embedder.calibration;
      for (const [i, a] of good.entries()) {
        for (const b of good.slice(0, i)) {
          const apart = distance(a.vector, b.vector);
          if (a.identity === b.identity) {
            same += 1;
            if (apart < openSet) sameNear += 1;
          } else {
            others += 1;
            if (apart < openSet) othersNear += 1;
            if (apart < far1e3) othersFar1e3 += 1;
          }
        }
      }
      t.diagnostic(
        `${sameNear}/${same} genuine, ${othersNear}/${others} impostor pairs below ${openSet}`,
      );
      assert.ok(sameNear >= 0.97 * same, `${sameNear} of ${same}`);
      assert.equal(othersNear, 0);
      assert.ok(othersFar1e3 <= 0.003 * others, `${othersFar1e3} of ${others}`);
    });

    await t.test('one photo each, half the people strangers: 95 % named, no one misnamed', () => {
      const identities = [...new Set(good.map(({ identity }) => identity))];
      let [mates, named, misnamed] = [0, 0, 0];
      for (const parity of [0, 1]) {
        const enrolled = identities.filter((_, i) => i % 2 === parity);
        const gallery = enrolled.map((identity) => good.find((it) => it.identity === identity)!);
        for (const probe of good) {
          if (gallery.includes(probe)) continue;
          const outcome = nameOf(probe, gallery);
          if (enrolled.includes(probe.identity)) mates += 1;
          if (outcome === probe.identity) named += 1;
          else if (outcome !== null) misnamed += 1;
        }
      }
      t.diagnostic(`${named} of ${mates} named, ${misnamed} misnamed`);
      assert.ok(named >= 0.95 * mates, `${named} of ${mates}`);
      assert.equal(misnamed, 0);
    });
  },
);

/** The name a track of two such pictures would get. */
function nameOf({ view, vector }: Labelled, gallery: readonly Labelled[]): string | null {
  const nearest = gallery
    .map(({ identity, vector: of }) => ({
      who: identity,
      identity,
      distance: distance(of, vector),
    }))
    .toSorted((a, b) => a.distance - b.distance);
  const votes = new Votes();
  const tiers = [{ nearest, gallerySize: gallery.length }];
  for (let i = 0; i < 2; i++) votes.add({ ...view, coarse: false, tiers });
  const outcome = votes.outcome({ calibration: shippedPack.embedder.calibration }, true);
  return outcome.kind === 'known' ? outcome.identity : null;
}
