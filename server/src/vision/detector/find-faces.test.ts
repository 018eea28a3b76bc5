import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Rect } from '#lib/geometry.ts';
import type { ImageSource } from '#lib/image-source.ts';
import { aFace } from '#testing/vision.ts';
import type { FaceCrop, FaceView } from '../messages.ts';
import { FalsePositives } from './false-positives.ts';
import { RecentFaces } from './recent-faces.ts';
import { SteadyFaces } from './steady-faces.ts';
import { faceCropOf, findFaces } from './find-faces.ts';
import { shippedPack } from '../packs/shipped-pack.ts';

interface Taken {
  readonly part: Rect;
  readonly width: number;
  readonly height: number;
}

function aView(detail: number, taken: Taken[] = [], quickScan = true): ImageSource {
  return {
    width: 1280,
    height: 720,
    detail,
    maxBoxWidth: 200,
    regions: [],
    quickScan,
    take: async (part, width, height) => {
      taken.push({ part, width, height });
      return new Uint8Array(width * height * 3);
    },
  };
}

/** As in the shipped pack: room of 0.6 boxes on each side. */
const chipWidth = 1.29;

const face = (x: number, y: number, side: number) => ({
  box: { x, y, width: side, height: side },
  score: 0.9,
  points: null,
  doubtful: false,
});

test('a small face is cropped as fine as the camera has it, with room for a turned chip', () => {
  const crop = faceCropOf(face(600, 300, 20), aView(3), chipWidth)!;
  assert.deepEqual(crop.part, { x: 588, y: 288, width: 44, height: 44 });
  assert.deepEqual([crop.width, crop.height, crop.detail], [132, 132, 3]);
});

test('a large face is cropped no finer than its chip needs', () => {
  const { width, part } = faceCropOf(face(400, 200, 320), aView(3), chipWidth)!;
  assert.equal(part.width, 702);
  assert.equal(width, 439);
});

test('the crop of a doubtful face has more room', () => {
  const { part } = faceCropOf({ ...face(600, 300, 20), doubtful: true }, aView(1), chipWidth)!;
  assert.deepEqual(part, { x: 579, y: 279, width: 62, height: 62 });
});

test('a chip that shows more around the face is cropped with more room', () => {
  const { part } = faceCropOf(face(600, 300, 20), aView(1), 1.764)!;
  assert.deepEqual(part, { x: 580, y: 280, width: 60, height: 60 });
});

test('a face at the edge is cropped where there is a picture; one beyond it is dropped', () => {
  const { part } = faceCropOf(face(-10, 690, 50), aView(1), chipWidth)!;
  assert.deepEqual(part, { x: 0, y: 660, width: 70, height: 60 });
  assert.equal(faceCropOf(face(2000, 0, 50), aView(1), chipWidth), null);
});

test('only what the detector sees is taken from a picture: tiles first, then the largest faces', async () => {
  const taken: Taken[] = [];
  const described: FaceCrop[] = [];
  const faces = Array.from({ length: 20 }, (_, i) => face(i * 60, 100, 20 + i));
  await findFaces(aView(1, taken), {
    limits: shippedPack.detector,
    chipWidth,
    find: async (tiles) => {
      assert.deepEqual(
        tiles.map(({ rgb }) => rgb.length),
        [256 * 144 * 3],
      );
      return faces;
    },
    describe: async (crops) => {
      described.push(...crops);
      return { faces: [], chips: Buffer.alloc(0) };
    },
  });
  assert.equal(taken.length, 1 + 16);
  assert.deepEqual(
    described.map(({ box }) => box.width),
    Array.from({ length: 16 }, (_, i) => 39 - i),
  );
});

test('where no face is found nothing more is asked', async () => {
  const found = await findFaces(aView(1), {
    limits: shippedPack.detector,
    chipWidth,
    find: async () => [],
    describe: () => assert.fail('there is nothing to describe'),
  });
  assert.deepEqual(found.faces, []);
});

test('a false positive of the picture before is not cropped again', async () => {
  const falsePositives = new FalsePositives();
  const described: number[] = [];
  const detect = () =>
    findFaces(aView(1), {
      limits: shippedPack.detector,
      chipWidth,
      find: async () => [face(100, 100, 40), { ...face(600, 300, 40), score: 0.4, doubtful: true }],
      describe: async (crops) => {
        described.push(crops.length);
        return { faces: [], chips: Buffer.alloc(0) };
      },
      falsePositives,
    });
  await detect();
  await detect();
  assert.deepEqual(described, [2, 1]);
});

test('a certain face is confirmed where none was; rejected, it is asked about in the next picture too', async () => {
  const scene = { falsePositives: new FalsePositives(), recentFaces: new RecentFaces() };
  const asked: boolean[][] = [];
  const detect = (isFace: boolean) =>
    findFaces(aView(1), {
      limits: shippedPack.detector,
      chipWidth,
      find: async () => [face(100, 100, 40)],
      describe: async (crops) => {
        asked.push(crops.map(({ doubtful }) => doubtful));
        const faces = isFace ? crops.map(({ box }) => ({ box }) as FaceView) : [];
        return { faces, chips: Buffer.alloc(0) };
      },
      ...scene,
    });
  for (const isFace of [false, true, true]) await detect(isFace);
  assert.deepEqual(asked, [[true], [true], [false]]);
});

test('a quick scan measures who is steady no more and passes them on; a thorough detection measures everyone', async () => {
  const scene = { recentFaces: new RecentFaces(), steadyFaces: new SteadyFaces() };
  const taken: Taken[] = [];
  const measured: number[][] = [];
  const detect = async (quickScan: boolean) => {
    const { faces, chips } = await findFaces(aView(1, taken, quickScan), {
      limits: shippedPack.detector,
      chipWidth,
      find: async () => [face(100, 100, 60), face(600, 300, 40)],
      describe: async (crops) => {
        measured.push(crops.map(({ box }) => box.x));
        // The one on the right is confirmed only from the fifth picture on.
        const isFace = ({ box }: FaceCrop): boolean => box.x === 100 || measured.length > 4;
        const views = crops.filter(isFace).map(({ box }, chip) => aFace({ box, chip }));
        return { faces: views, chips: Buffer.alloc(10 * views.length) };
      },
      ...scene,
    });
    return [...faces.map(({ box, chip }) => [box.x, chip]), chips.length];
  };
  for (let i = 0; i < 5; i++) await detect(i % 3 !== 0);
  assert.deepEqual(await detect(true), [[100, null], [600, 0], 10], 'largest first');
  assert.deepEqual(measured.slice(4), [[100, 600], [600]]);
  assert.deepEqual(await detect(false), [[100, 0], [600, 1], 20]);
  assert.deepEqual(measured.at(-1), [100, 600]);
  for (let i = 0; i < 2; i++) await detect(false);
  taken.length = 0;
  assert.deepEqual(await detect(true), [[100, null], [600, null], 0]);
  assert.equal(taken.length, 1, 'one tile, and no face cut out');
});

test('a picture between those that are due uses what they found, and counts for nothing of it', async () => {
  const lamp = { ...face(600, 300, 40), score: 0.4, doubtful: true };
  const run = async (extras: number) => {
    const scene = {
      falsePositives: new FalsePositives(),
      recentFaces: new RecentFaces(),
      steadyFaces: new SteadyFaces(),
    };
    const detect = async (isExtra: boolean) => {
      const asked: number[] = [];
      const { faces } = await findFaces(aView(1, [], true), {
        limits: shippedPack.detector,
        chipWidth,
        find: async () => [face(100, 100, 60), lamp],
        describe: async (crops) => {
          asked.push(...crops.map(({ box }) => box.x));
          const views = crops.filter(({ box }) => box.x === 100);
          return {
            faces: views.map(({ box }, chip) => aFace({ box, chip })),
            chips: Buffer.alloc(10 * views.length),
          };
        },
        ...scene,
        isExtra,
      });
      return [asked, faces.map(({ box, chip }) => [box.x, chip])];
    };
    const [due, between]: [unknown[], unknown[]] = [[], []];
    for (let i = 0; i < 14; i++) {
      due.push(await detect(false));
      for (let k = 0; k < extras; k++) between.push(await detect(true));
    }
    return { due, between };
  };
  const usual = await run(0);
  const more = await run(4);
  assert.deepEqual(more.due, usual.due);
  const first = [[100], [[100, 0]]];
  assert.deepEqual(more.between.slice(0, 4), [first, first, first, first], 'not the lamp again');
  assert.ok(more.between.slice(-4).some((one) => JSON.stringify(one) === '[[],[[100,null]]]'));
});
