import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chipBytes, chipSide } from '#testing/vision.ts';
import { distance, Embedder, planes } from './embed.ts';
import type { Network } from './network.ts';
import { shippedPack } from './packs/shipped-pack.ts';

const area = chipSide * chipSide;
const chip = new Uint8Array(chipBytes).map((_, i) => i % 253);
const spots = [
  [0, 0, 0],
  [149, 149, 2],
  [17, 80, 1],
] as const;
const colourAt = (x: number, y: number, channel: number): number =>
  chip[(y * chipSide + x) * 3 + channel]!;

test('a chip becomes three planes, or those of its mirror image', () => {
  const input = new Float32Array(chipBytes);
  planes(chip, false, input);
  for (const [x, y, channel] of spots) {
    assert.equal(input[channel * area + y * chipSide + x], colourAt(x, y, channel));
  }
  planes(chip, true, input);
  for (const [x, y, channel] of spots) {
    const mirror = chipSide - 1 - x;
    assert.equal(input[channel * area + y * chipSide + mirror], colourAt(x, y, channel));
  }
});

/** An embedder whose network reports what it was given at one spot, and how often it was run. */
function anEmbedder(settings: Partial<typeof shippedPack.embedder>, takesSeveral = true) {
  const asked: number[] = [];
  const seen: number[][] = [];
  const network = {
    takesSeveral,
    run: async (input: Float32Array, [count = 0]: readonly number[]) => {
      asked.push(count);
      const vectors = Array.from({ length: count }, (_, i) => {
        seen.push([input[i * chipBytes]!, input[i * chipBytes + 2 * area]!]);
        return [3, 4 * seen.length];
      });
      return { anything: Float32Array.from(vectors.flat()) };
    },
  } as unknown as Network;
  const pack = { ...shippedPack.embedder, dimensions: 2, ...settings };
  return { embedder: new Embedder(network, pack), seen, asked };
}

test('a vector is the mean of a chip and its mirror image, or of the chip alone', async () => {
  for (const takesSeveral of [true, false]) {
    const both = anEmbedder({ flip: true }, takesSeveral);
    assert.deepEqual(await both.embedder.embed(chip, 1), [Float32Array.of(3, 6)]);
    assert.deepEqual(both.asked, takesSeveral ? [2] : [1, 1]);
  }
  const one = anEmbedder({ flip: false });
  assert.deepEqual(await one.embedder.embed(chip, 1), [Float32Array.of(3, 4)]);
  const short = anEmbedder({ dimensions: 3 });
  await assert.rejects(short.embedder.embed(chip, 1), /4 numbers for 2 of 3/);
});

test('vectors that are compared by their angle have length 1', async () => {
  const { embedder } = anEmbedder({ flip: false, metric: 'cosine' });
  const [vector] = await embedder.embed(chip, 1);
  assert.ok(Math.abs(vector![0]! - 0.6) < 1e-6 && Math.abs(vector![1]! - 0.8) < 1e-6);
});

test('a network that wants blue first and other numbers gets them', async () => {
  const { embedder, seen } = anEmbedder({
    flip: false,
    colours: { order: 'bgr', mean: [1, 2, 3], deviation: [2, 2, 4] },
  });
  await embedder.embed(chip, 1);
  assert.deepEqual(seen, [[(colourAt(0, 0, 2) - 1) / 2, (colourAt(0, 0, 0) - 3) / 4]]);
});

test('distance is Euclidean', () => {
  assert.equal(distance(Float32Array.of(1, 2, 3), Float32Array.of(1, 5, 7)), 5);
});
