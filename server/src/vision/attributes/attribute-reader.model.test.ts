/** What is read off chips is what face-api's way of cutting the picture gives, with both packs of set-up. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import type { Point, Rect } from '#lib/geometry.ts';
import { systemClock } from '#lib/clock.ts';
import { aClock } from '#testing/clock.ts';
import { labelledFaces, needModels, pictureOf, samplePhoto } from '#testing/vision.ts';
import { templateOf } from '../align.ts';
import { chipOf } from '../chip.ts';
import { Engine } from '../engine.ts';
import { Landmarks } from '../landmarks.ts';
import type { FaceView } from '../messages.ts';
import { Network } from '../network.ts';
import { installedPacks, modelsDir, networkPath, shipped } from '../packs/installed-packs.ts';
import { mobileFaceNetPack } from '../packs/mobilefacenet-pack.ts';
import type { Picture } from '../picture.ts';
import { warp } from '../sample.ts';
import { cropSide } from './attribute-crop.ts';
import { attributePath } from './attribute-files.ts';
import { AttributeReader } from './attribute-reader.ts';
import { estimateOf, type FaceEstimate } from './estimate.ts';

before(needModels);

const all = ['age', 'gender', 'emotion'] as const;
const packs = (await installedPacks(modelsDir)).filter(({ id }) =>
  [shipped.id, mobileFaceNetPack.id].includes(id),
);

/** As face-api cuts a picture: the outline of 68 points and a tenth more on each side, made square with black. */
class TheirWay implements AsyncDisposable {
  readonly #networks: readonly Network[];
  readonly #landmarks: Landmarks;

  private constructor(networks: readonly Network[]) {
    this.#networks = networks;
    this.#landmarks = new Landmarks(networks[2]!, shipped.landmarks!);
  }

  static async open(): Promise<TheirWay> {
    const paths = [await attributePath('age-gender'), await attributePath('expression')];
    const landmarks = await networkPath(shipped, 'landmarks');
    return new TheirWay(await Promise.all([...paths, landmarks].map((path) => Network.load(path))));
  }

  async read(picture: Picture, box: Rect): Promise<FaceEstimate> {
    const { x, y, width, height } = outline(await this.#landmarks.find(picture, box));
    const side = 1.2 * Math.max(width, height);
    const scale = side / cropSide;
    const tx = x + width / 2 - side / 2 + scale / 2 - 0.5;
    const ty = y + height / 2 - side / 2 + scale / 2 - 0.5;
    const input = new Float32Array(3 * cropSide ** 2);
    const crop = { kind: 'planes', data: input } as const;
    warp(picture, { a: scale, b: 0, tx, ty }, cropSide, crop);
    const [ageGender, expression] = this.#networks;
    const shape = [1, 3, cropSide, cropSide];
    const answers = [await ageGender!.run(input, shape), await expression!.run(input, shape)];
    return estimateOf({ ...answers[0], ...answers[1] }, all);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const network of this.#networks) await network[Symbol.asyncDispose]();
  }
}

function outline(points: readonly Point[]): Rect {
  const xs = points.map(([x]) => x);
  const ys = points.map(([, y]) => y);
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  return { x, y, width: Math.max(...xs) - x, height: Math.max(...ys) - y };
}

function chipPicture(engine: Engine, view: FaceView, found: { faces: FaceView[]; chips: Buffer }) {
  const { side } = engine.template;
  return { width: side, height: side, rgb: chipOf(view, found.faces, found.chips)! };
}

for (const pack of packs) {
  test(`~SET-016 chips of ${pack.id} read as face-api's crops of the picture do`, async (t) => {
    await using engine = await Engine.load(pack);
    await using reader = new AttributeReader(systemClock);
    await using theirWay = await TheirWay.open();
    const years: number[] = [];
    let [faces, genders, emotions] = [0, 0, 0];
    for (const number of [1, 2, 3, 4, 5, 6] as const) {
      const picture = await pictureOf(samplePhoto(number), 1280);
      const found = await engine.detect(picture);
      for (const view of found.faces.filter(({ fault }) => fault === null)) {
        const chip = chipPicture(engine, view, { ...found, faces: [...found.faces] });
        const ours = await reader.read(chip, engine.template, all);
        const theirs = await theirWay.read(picture, view.box);
        faces += 1;
        years.push(Math.abs(ours.age! - theirs.age!));
        if (ours.man! > 0.5 === theirs.man! > 0.5) genders += 1;
        if (ours.emotion!.looks === theirs.emotion!.looks) emotions += 1;
      }
    }
    const apart = years.reduce((sum, each) => sum + each, 0) / faces;
    t.diagnostic(
      `${faces} faces: ages ${apart.toFixed(1)} years apart, gender ${genders}, emotion ${emotions}`,
    );
    assert.ok(faces >= 18 && apart < 4 && genders >= faces - 1 && emotions >= 0.65 * faces);
  });
}

/** Known by name. */
const men = ['Ariel_Sharon', 'Colin_Powell', 'George_W_Bush', 'Hugo_Chavez', 'Tony_Blair', 'obama'];
const women = ['penny', 'amy', 'Family1-Mom', 'Family2-Lady', 'Family3-Lady', 'amy_adams'];

for (const pack of packs) {
  test(
    `~SET-016 chips of ${pack.id}: whom labelled photos show, and how far their ages spread`,
    { skip: labelledFaces === undefined && 'NAZAR_TEST_FACES is not set' },
    async (t) => {
      await using engine = await Engine.load(pack);
      await using reader = new AttributeReader(systemClock);
      const rows = readFileSync(join(labelledFaces!, 'labels.csv'), 'utf8').trim().split('\n');
      const right = { man: 0, woman: 0 };
      const seen = { man: 0, woman: 0 };
      for (const row of rows.slice(1)) {
        const [, identity = '', path = ''] = row.split(',');
        const gender = men.includes(identity) ? 'man' : women.includes(identity) ? 'woman' : null;
        if (gender === null) continue;
        const found = await engine.detect(
          await pictureOf(readFileSync(join(labelledFaces!, path))),
        );
        const [view] = found.faces.filter(({ fault }) => fault === null);
        if (!view) continue;
        const chip = chipPicture(engine, view, { ...found, faces: [...found.faces] });
        const { man } = await reader.read(chip, engine.template, ['gender']);
        seen[gender] += 1;
        if (man! > 0.5 === (gender === 'man')) right[gender] += 1;
      }
      t.diagnostic(`men ${right.man} of ${seen.man}, women ${right.woman} of ${seen.woman}`);
      assert.ok(seen.man >= 50 && right.man >= 0.95 * seen.man);
      assert.ok(seen.woman >= 18 && right.woman >= 0.9 * seen.woman);
    },
  );
}

test('~SET-016 a network is loaded when it is needed, and given back when nothing is asked', async () => {
  const clock = aClock();
  await using reader = new AttributeReader(clock);
  const template = templateOf({ template: 'arcface-112', side: 112 });
  const chip = { width: 112, height: 112, rgb: new Uint8Array(112 * 112 * 3).fill(90) };
  assert.deepEqual(reader.loaded, []);
  await reader.read(chip, template, ['emotion']);
  assert.deepEqual(reader.loaded, ['expression']);
  await reader.read(chip, template, ['age', 'gender']);
  assert.deepEqual(reader.loaded, ['expression', 'age-gender']);
  clock.advance(4 * 60_000);
  await reader.read(chip, template, ['age']);
  clock.advance(4 * 60_000);
  assert.equal(reader.loaded.length, 2, 'not while it is asked');
  clock.advance(2 * 60_000);
  await new Promise(setImmediate);
  assert.deepEqual(reader.loaded, []);
  const { age, man, emotion } = await reader.read(chip, template, ['age']);
  assert.ok(age !== null && man === null && emotion === null, 'and loaded again');
});
