/**
 * Photos of several people, put together from labelled photos: another stands large in the middle, and the person
 * who is meant small beside them. `NAZAR_TEST_GROUPS` says how many (12).
 */
import assert from 'node:assert/strict';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { before, test } from 'node:test';
import sharp from 'sharp';
import { ownWork } from '#lib/limits/turns.ts';
import { labelledFaces, needModels, openVision } from '#testing/vision.ts';
import { mobileFaceNetPack } from './packs/mobilefacenet-pack.ts';
import { packKey } from './packs/pack.ts';
import type { Photo, References, Vision } from './vision.ts';

before(needModels);

const groups = Number(process.env['NAZAR_TEST_GROUPS'] ?? 12);
const without = labelledFaces === undefined && 'NAZAR_TEST_FACES is not set';
const limit = { timeout: 600_000, skip: without };
/** How wide the faces in a group are, in pixels. */
const [large, small] = [200, 150];
const gap = 20;

interface Portrait {
  readonly person: string;
  /** The face with what surrounds it. */
  readonly picture: Buffer;
  /** How wide the face is in it. */
  readonly face: number;
  readonly references: References;
}

/** Two or more portraits of each of so many people. */
async function portraits(vision: Vision, count: number): Promise<Portrait[][]> {
  const people: Portrait[][] = [];
  for (const person of globSync('{lfw10,deepface,bbt,agfr}/*', {
    cwd: labelledFaces!,
  }).toSorted()) {
    const files = globSync('*.{jpg,jpeg,png}', { cwd: join(labelledFaces!, person) }).toSorted();
    const own: Portrait[] = [];
    if (people.length === count) break;
    for (const file of files.slice(0, 3)) {
      const photo = await vision.readPhoto(readFileSync(join(labelledFaces!, person, file)), {
        purpose: 'enrol',
        account: ownWork,
      });
      if (photo.face) own.push(await portraitOf(vision, person, photo));
    }
    if (own.length > 1) people.push(own);
  }
  return people;
}

async function portraitOf(vision: Vision, person: string, photo: Photo): Promise<Portrait> {
  const { chip, view } = photo.face!;
  const { vectors } = await vision.embed(chip, 1, view.pack);
  const { x, y, width, height } = view.box;
  const side = Math.round(2.2 * Math.max(width, height));
  const left = Math.max(0, Math.round(x + width / 2 - side / 2));
  const top = Math.max(0, Math.round(y + height / 2 - side / 2));
  const picture = await sharp(photo.jpeg)
    .extract({
      left,
      top,
      width: Math.min(side, photo.width - left),
      height: Math.min(side, photo.height - top),
    })
    .png()
    .toBuffer();
  return {
    person,
    picture,
    face: Math.max(width, height),
    references: { pack: view.pack, vectors },
  };
}

/** The photo, and where the smaller portrait begins. */
interface Group {
  readonly photo: Buffer;
  readonly sideLeft: number;
}

async function group(middle: Portrait, side: Portrait): Promise<Group> {
  const sized = async ({ picture, face }: Portrait, wanted: number) => {
    const { width } = await sharp(picture).metadata();
    const resized = sharp(picture).resize({ width: Math.round((width * wanted) / face) });
    return resized.png().toBuffer({ resolveWithObject: true });
  };
  const [one, two] = [await sized(middle, large), await sized(side, small)];
  const sideLeft = one.info.width + gap;
  const height = Math.max(one.info.height, two.info.height);
  const width = sideLeft + two.info.width;
  const photo = await sharp({ create: { width, height, channels: 3, background: '#888' } })
    .composite([
      { input: one.data, left: 0, top: 0 },
      { input: two.data, left: sideLeft, top: 0 },
    ])
    .jpeg({ quality: 92 })
    .toBuffer();
  return { photo, sideLeft };
}

/** Whose face is chosen, by where it is. */
function chosenIn({ chosen }: Photo, { sideLeft }: Group): 'middle' | 'side' | null {
  if (!chosen) return null;
  const { x, width } = chosen.view.box;
  return x + width / 2 < sideLeft ? 'middle' : 'side';
}

test(
  'on a group photo the face that fits the person is meant, however small; without photos of them none is, until one is chosen',
  limit,
  async (t) => {
    const dir = mkdtempSync(join(tmpdir(), 'nazar-groups-'));
    using _ = { [Symbol.dispose]: () => rmSync(dir, { recursive: true, force: true }) };
    await using vision = await openVision(dir, { packId: mobileFaceNetPack.id });
    const people = await portraits(vision, Math.min(groups, 20));
    const counts = { fits: 0, unclear: 0 };
    for (let i = 0; i < groups; i++) {
      const own = people[i % people.length]!;
      const step = 1 + Math.floor(i / people.length);
      const [others, third] = [step, step + 1].map((by) => people[(i + by) % people.length]!);
      const made = await group(others![step % others!.length]!, own[step % own.length]!);
      const { references } = own[(step + 1) % own.length]!;
      const read = (wanted: Partial<Parameters<Vision['readPhoto']>[1]>): Promise<Photo> =>
        vision.readPhoto(made.photo, { purpose: 'enrol', account: ownWork, ...wanted });
      const name = `${own[0]!.person} beside ${others![0]!.person}`;
      assert.equal(chosenIn(await read({ references }), made), 'side', name);
      counts.fits += 1;
      const unknown = await read({});
      // The detector's boxes of the same face differ with its size: now and then the larger is twice as large.
      const [first, second] = unknown.faces.map(({ view }) => view.box.width);
      if (second! >= first! / 2) {
        assert.deepEqual([unknown.fault, unknown.chosen], ['several_faces', null], name);
        counts.unclear += 1;
      }
      const noOnes = await read({ references: third![0]!.references });
      assert.equal(noOnes.fault, 'several_faces', name);
      if (i > 0) continue;
      const places = [0, 1].map((faceIndex) =>
        read({ faceIndex }).then((photo) => chosenIn(photo, made)),
      );
      assert.deepEqual(new Set(await Promise.all(places)), new Set(['middle', 'side']));
      await assert.rejects(read({ faceIndex: 40 }), { code: 'face_index_unknown' });
      const stale = { ...references, pack: packKey({ id: 'gone', version: '1' }) };
      assert.equal((await read({ references: stale })).fault, 'several_faces', 'of another pack');
    }
    assert.equal(counts.fits, groups);
    assert.ok(counts.unclear > 0.9 * groups);
    t.diagnostic(`${people.length} people, ${groups} groups`);
  },
);
