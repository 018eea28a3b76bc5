import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asInput, channelsOf } from '../colours.ts';
import { Detector, fill, withoutDoubles } from './detect.ts';
import type { Network } from '../network.ts';
import type { Colours } from '../packs/pack.ts';
import type { FaceCropPixels } from './find-faces.ts';
import { shippedPack } from '../packs/shipped-pack.ts';

const found = (x: number, score: number, width = 100) => ({
  box: { x, y: 0, width, height: width },
  score,
});

test('the best of overlapping boxes stays, neighbours stay both', () => {
  const kept = withoutDoubles([found(0, 0.7), found(20, 0.9), found(200, 0.6)], 0.3);
  assert.deepEqual(
    kept.map(({ score }) => score),
    [0.9, 0.6],
  );
});

test('a face cut by the edge of a tile is not counted beside the whole one', () => {
  const part = { box: { x: 10, y: 10, width: 40, height: 40 }, score: 0.8 };
  assert.deepEqual(withoutDoubles([part, found(0, 0.9)], 0.3), [found(0, 0.9)]);
});

test('a tile becomes planes of levels, black where it does not fill the input', () => {
  const channels = channelsOf({ order: 'rgb', mean: 100, deviation: 1 });
  const rgb = Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12);
  const planes = new Float32Array(3 * 3 * 4).fill(77);
  fill(planes, { width: 2, height: 2, rgb }, { width: 4, height: 3 }, channels);
  const plane = (c: number): number[] =>
    [...planes.subarray(c * 12, (c + 1) * 12)].map((it) => it + 100);
  assert.deepEqual(plane(0), [1, 4, 0, 0, 7, 10, 0, 0, 0, 0, 0, 0]);
  assert.deepEqual(plane(1), [2, 5, 0, 0, 8, 11, 0, 0, 0, 0, 0, 0]);
  assert.deepEqual(plane(2), [3, 6, 0, 0, 9, 12, 0, 0, 0, 0, 0, 0]);
});

test('a network that wants blue first gets it in both detections', () => {
  const colours = { order: 'bgr', mean: [10, 20, 30], deviation: [1, 2, 5] } satisfies Colours;
  const rgb = Uint8Array.of(130, 40, 12, 230, 60, 14);
  const filled = new Float32Array(6);
  fill(filled, { width: 2, height: 1, rgb }, { width: 2, height: 1 }, channelsOf(colours));
  assert.deepEqual([...filled], [2, 4, 10, 20, 20, 40]);
  const planes = Float32Array.of(130, 230, 40, 60, 12, 14);
  asInput(planes, colours);
  assert.deepEqual(planes, filled);
});

const side = 128;

/** A network that proposes one box, around the middle of a cell of its smallest input. */
function networkThatSees(score: number, [cellX, cellY]: readonly [number, number], width: number) {
  const cells = side / 16;
  const answer = {
    scores16: new Float32Array(cells * cells * 2).fill(-20),
    boxes16: new Float32Array(cells * cells * 2 * 16),
    scores32: new Float32Array((cells / 2) ** 2 * 6).fill(-20),
    boxes32: new Float32Array((cells / 2) ** 2 * 6 * 16),
  };
  const index = (cellY * cells + cellX) * 2;
  answer.scores16[index] = Math.log(score / (1 - score));
  answer.boxes16.set([0, 0, width, width], index * 16);
  return { run: async () => answer } as unknown as Network;
}

function detectorThatSees(...what: Parameters<typeof networkThatSees>): Detector {
  return new Detector(shippedPack, async () => networkThatSees(...what));
}

const tile = (nearest: boolean, afar = false) => ({
  part: { x: 100, y: 50, width: 2 * side, height: 2 * side },
  nearest,
  afar,
  width: side,
  height: side,
  rgb: new Uint8Array(side * side * 3),
});

test('something small is in doubt where nothing shows it larger, anything is that scores little', async () => {
  const detector = detectorThatSees(0.15, [2, 3], 20);
  const [found] = await detector.find([tile(true)]);
  assert.ok(found?.doubtful);
  assert.deepEqual(found.box, { x: 160, y: 142, width: 40, height: 40 });
  assert.deepEqual(await detector.find([tile(false)]), []);
  assert.deepEqual(await detectorThatSees(0.15, [2, 3], 60).find([tile(true)]), []);
  // A quick scan leaves the least likely faces to thorough detections.
  assert.deepEqual(await detector.find([tile(true, true)]), []);
  assert.equal((await detectorThatSees(0.25, [2, 3], 20).find([tile(true, true)])).length, 1);
  const [little] = await detectorThatSees(0.6, [2, 3], 60).find([tile(false)]);
  assert.equal(little?.doubtful, true);
  const [certain] = await detectorThatSees(0.9, [2, 3], 60).find([tile(true)]);
  assert.equal(certain?.doubtful, false);
});

test('a face that is whole in one tile comes before what the edge of another left of it, though that scores more', async () => {
  const answers = [
    networkThatSees(0.99, [4, 0], 60),
    networkThatSees(0.9, [3, 3], 60),
    networkThatSees(0.95, [7, 7], 20),
  ];
  const network = { run: async () => answers.shift()!.run(new Float32Array(0), []) };
  const detector = new Detector(shippedPack, async () => network as unknown as Network);
  const near = { ...tile(true), part: { x: 100, y: 300, width: 2 * side, height: 2 * side } };
  const whole = { ...tile(false), part: { x: 0, y: 0, width: 4 * side, height: 4 * side } };
  const beside = { ...tile(true), part: { x: 600, y: 0, width: side, height: side } };
  const found = await detector.find([near, whole, beside]);
  assert.deepEqual(
    found.map(({ box, score }) => [box.x, box.width, Math.round(100 * score)]),
    [
      [710, 20, 95],
      [104, 240, 90],
    ],
  );
});

/** A box of 20 px at 110, 210 of the picture; the crop has two pixels for each of the picture's. */
const crop: FaceCropPixels = {
  box: { x: 110, y: 210, width: 20, height: 20 },
  score: 0.15,
  points: null,
  doubtful: true,
  part: { x: 90, y: 190, width: 60, height: 60 },
  width: 120,
  height: 120,
  detail: 2,
  rgb: new Uint8Array(120 * 120 * 3),
};

test('a face in doubt is seen alone, three times as wide as its box, and placed in the picture', async () => {
  // The 128 px show 60 of the picture; cell 4 has its middle at 72.
  const again = await detectorThatSees(0.8, [4, 4], 42).confirm(crop);
  assert.ok(again && Math.abs(again.score - 0.8) < 1e-6 && !again.doubtful);
  const { x, y, width, height } = again.box;
  const expected = [90 + ((72 - 21) * 60) / 128, 190 + ((72 - 21) * 60) / 128, 19.6875, 19.6875];
  for (const [i, value] of [x, y, width, height].entries()) {
    assert.ok(Math.abs(value - expected[i]!) < 1e-4, `${value}`);
  }
});

test('seen alone it is none when it scores little, or when the face is beside it', async () => {
  assert.equal(await detectorThatSees(0.25, [4, 4], 42).confirm(crop), null);
  assert.equal(await detectorThatSees(0.9, [0, 0], 30).confirm(crop), null);
});

test('a pack with two detectors asks the second about what is in doubt, and about nothing else', async () => {
  const { family, colours, minScore } = shippedPack.detector;
  const inputs = [{ file: 'second', width: side, height: side }];
  const pack = { ...shippedPack, secondDetector: { family, inputs, colours, minScore } };
  const asked: string[] = [];
  const detector = new Detector(pack, async (file) => {
    asked.push(file);
    return networkThatSees(file === 'second' ? 0.8 : 0.35, [4, 4], 42);
  });
  const [found] = await detector.find([tile(true)]);
  assert.ok(found?.doubtful && Math.abs(found.score - 0.35) < 1e-6);
  assert.deepEqual(asked, ['detector-128x128']);
  const again = await detector.confirm(crop);
  assert.ok(again && Math.abs(again.score - 0.8) < 1e-6 && !again.doubtful);
  assert.deepEqual(asked, ['detector-128x128', 'second']);
  // Twice as wide as the box the 128 px show 40 of the picture.
  const second = { ...pack.secondDetector, room: 2 };
  const nearer = new Detector({ ...pack, secondDetector: second }, async () =>
    networkThatSees(0.8, [4, 4], 42),
  );
  const close = await nearer.confirm(crop);
  assert.ok(close && Math.abs(close.box.width - (42 * 40) / 128) < 1e-4, `${close?.box.width}`);
});
