/**
 * A pack with another geometry, colour order, dimension and metric than the shipped one, end to end: whatever has
 * dlib's shape by accident breaks here.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { after, before, test } from 'node:test';
import { ownWork } from '#lib/limits/turns.ts';
import {
  labelledFaces,
  needModels,
  openVision,
  pictureOf,
  samplePhoto,
  shippedKey,
} from '#testing/vision.ts';
import { partBelow } from '../packs/calibration.ts';
import { distance } from '../embed.ts';
import { Engine } from '../engine.ts';
import { humanNetworks, humanPack } from './human-pack.ts';
import { modelsDir, readPack } from '../packs/installed-packs.ts';
import { readLabelled } from '../packs/labelled.ts';
import { makePack } from './make-models.ts';
import { packKey } from '../packs/pack.ts';
import type { Vision } from '../vision.ts';
import { judge } from '../tracking/candidates.ts';

const dir = mkdtempSync(join(tmpdir(), 'nazar-human-'));
after(() => rmSync(dir, { recursive: true, force: true }));
before(() => {
  needModels();
  makePack(dir, humanPack, humanNetworks);
});
const pack = () => readPack(join(dir, humanPack.id));
const { calibration } = humanPack.embedder;
const limit = { timeout: 120_000 };
const without = labelledFaces === undefined && 'NAZAR_TEST_FACES is not set';

test('files made of the package have the pinned hash; a second time nothing is made', async () => {
  assert.deepEqual(makePack(dir, humanPack, humanNetworks), []);
  assert.deepEqual(await pack(), { ...humanPack, folder: join(dir, humanPack.id) });
});

test(
  'its chips show a third more around the face, its vectors have length 1 and 1024 numbers',
  limit,
  async () => {
    await using engine = await Engine.load(await pack());
    const photo = await pictureOf(samplePhoto(1), 1280);
    const { faces, chips } = await engine.detect(photo);
    assert.ok(faces.length >= 2);
    assert.equal(chips.length, faces.length * 224 * 224 * 3);
    assert.ok(faces.every((face) => face.pack === packKey(humanPack)));
    const vectors = await engine.embed(chips, faces.length);
    for (const vector of vectors) {
      assert.equal(vector.length, 1024);
      assert.ok(Math.abs(Math.hypot(...vector) - 1) < 1e-5);
    }
    assert.ok(distance(vectors[0]!, vectors[1]!) > calibration.openSet, 'two people');
  },
);

test('faces are measured by it as by the shipped pack: gates mean the same', limit, async () => {
  await using human = await Engine.load(await pack());
  await using shipped = await Engine.load();
  const photo = await pictureOf(samplePhoto(2), 1280);
  const [theirs, ours] = [await human.detect(photo), await shipped.detect(photo)];
  assert.equal(theirs.faces.length, ours.faces.length);
  for (const [i, face] of theirs.faces.entries()) {
    const { sharpness, brightness, iod, fault } = ours.faces[i]!;
    assert.equal(face.fault, fault);
    assert.ok(Math.abs(face.iod - iod) < 0.5 && Math.abs(face.brightness - brightness) < 2);
    assert.ok(Math.abs(face.sharpness - sharpness) < 0.1 * sharpness);
  }
});

const packDirs = [modelsDir, dir];

test(
  'it comes to serve, and chips of the shipped pack get vectors of it that match its own',
  limit,
  async () => {
    const run = mkdtempSync(join(tmpdir(), 'nazar-run-'));
    try {
      await using vision = await openVision(run, { packDirs });
      const read = async () => {
        const { faces } = await vision.readPhoto(samplePhoto(1), {
          purpose: 'enrol',
          account: ownWork,
        });
        const good = faces.filter(({ fault }) => fault === null);
        const chips = Buffer.concat(good.map(({ chip }) => chip));
        return vision.embed(chips, good.length, packKey(vision.pack));
      };
      const { jpegs } = await read();
      const kept = jpegs.map((jpeg) => ({ jpeg, pack: shippedKey }));
      const reembedded = await vision.reembed(humanPack.id, kept);
      await vision.use(humanPack.id);
      const own = await read();
      assert.deepEqual(own.pack, { id: humanPack.id, version: humanPack.version });
      assert.equal(own.vectors.length, reembedded.length);
      for (const [i, vector] of own.vectors.entries()) {
        const apart = reembedded.map((other) => distance(vector, other!));
        assert.equal(apart.indexOf(Math.min(...apart)), i);
        assert.ok(apart[i]! < calibration.strict, `${apart[i]}`);
      }
    } finally {
      rmSync(run, { recursive: true, force: true });
    }
  },
);

/** The faces of a sample photo, one picture each, as people are enrolled. */
async function portraits(vision: Vision): Promise<Buffer[]> {
  const { jpeg, faces } = await vision.readPhoto(samplePhoto(1), {
    purpose: 'enrol',
    account: ownWork,
  });
  const { width, height } = await sharp(jpeg).metadata();
  const good = faces.filter(({ fault }) => fault === null);
  return Promise.all(
    good.map(({ view: { box } }) => {
      const left = Math.max(0, Math.round(box.x - box.width));
      const top = Math.max(0, Math.round(box.y - box.height));
      const extract = {
        left,
        top,
        width: Math.min(width - left, Math.round(3 * box.width)),
        height: Math.min(height - top, Math.round(3 * box.height)),
      };
      return sharp(jpeg).extract(extract).jpeg({ quality: 95 }).toBuffer();
    }),
  );
}

test(
  'a photo is checked again, and shows more than the chip another pack made of it',
  limit,
  async () => {
    const run = mkdtempSync(join(tmpdir(), 'nazar-run-'));
    try {
      await using vision = await openVision(run, { packDirs });
      const [photo, other] = (await portraits(vision)) as [Buffer, Buffer];
      const { face } = await vision.readPhoto(photo, { purpose: 'enrol', account: ownWork });
      const { jpegs } = await vision.embed(face!.chip, 1, face!.view.pack);
      const chip = { jpeg: jpegs[0]!, pack: shippedKey };
      const made = await vision.reembed(humanPack.id, [
        chip,
        { ...chip, photo },
        { ...chip, photo: other },
        { ...chip, photo: Buffer.from('no picture') },
        chip,
      ]);
      const [byChip, byPhoto, ...rest] = made as [Float32Array, Float32Array, ...Float32Array[]];
      await vision.use(humanPack.id);
      const seen = (await vision.readPhoto(photo, { purpose: 'enrol', account: ownWork })).face!;
      const own = (await vision.embed(seen.chip, 1, seen.view.pack)).vectors[0]!;
      assert.ok(distance(byPhoto, own) < 0.05, `${distance(byPhoto, own)}`);
      assert.ok(distance(byChip, own) > 2 * distance(byPhoto, own), `${distance(byChip, own)}`);
      for (const [i, vector] of rest.entries()) {
        assert.ok(distance(vector, byChip) < 0.001, `${i}: its chip stands`);
      }
    } finally {
      rmSync(run, { recursive: true, force: true });
    }
  },
);

test(
  'labelled photos: it distinguishes people by its own limits, and misnames no one',
  { ...limit, skip: without },
  async (t) => {
    await using engine = await Engine.load(await pack());
    const { faces, people, pairs, found } = await readLabelled(engine, labelledFaces!);
    const { genuine, impostor } = pairs;
    t.diagnostic(
      `${faces} faces of ${people} people, ${genuine.length} and ${impostor.length} pairs`,
    );
    assert.ok(genuine.length >= 300 && impostor.length >= 5_000);
    assert.ok(partBelow(genuine, calibration.openSet) >= 0.9);
    assert.ok(partBelow(genuine, calibration.far1e3) >= 0.96);
    assert.ok(partBelow(impostor, calibration.openSet) <= 0.0005);
    const first = [...Map.groupBy(found, ({ person }) => person).values()].map(([one]) => one!);
    let [named, misnamed, probes] = [0, 0, 0];
    for (const { person, vector } of found.filter((one) => !first.includes(one))) {
      const nearest = first
        .map((one) => ({
          who: one.person,
          identity: one.person,
          distance: distance(one.vector, vector),
        }))
        .toSorted((a, b) => a.distance - b.distance);
      const { choice } = judge(
        { iod: 40, sharpness: 200 },
        [{ nearest, gallerySize: first.length }],
        { calibration },
      );
      probes += 1;
      if (choice?.who === person) named += 1;
      else if (choice) misnamed += 1;
    }
    t.diagnostic(`${named} of ${probes} named by one photo each, ${misnamed} misnamed`);
    assert.ok(named >= 0.85 * probes, `${named} of ${probes}`);
    assert.equal(misnamed, 0);
  },
);
