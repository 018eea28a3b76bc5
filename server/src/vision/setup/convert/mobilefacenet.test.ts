/** What is written is what the package delivers, faster. The originals lie in the cache of this machine's set-up. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { facePlugin } from '../mobilefacenet-networks.ts';
import { ModelCache } from '../model-cache.ts';
import { readOnnxLayers, withoutDeadChannels, type Layer } from './layers.ts';
import { mobileFaceNet } from './mobilefacenet.ts';
import { ultraFace } from './ultraface.ts';

const cache = ModelCache.own();
const [feature, detect] = facePlugin.files.map(({ sha256 }) => cache.get(sha256));
const skip = feature && detect ? false : 'the tarball of faceplugin-face-recognition-js is absent';

/** A picture of waves, in the range of what a network sees; `seed` is another one. */
function waves(length: number, seed: number): Float32Array {
  return Float32Array.from({ length }, (_, i) => Math.sin(i * 0.013 * seed + Math.cos(i * 0.0007)));
}

async function answers(file: Uint8Array, shape: readonly number[], seed: number) {
  const session = await InferenceSession.create(file, { intraOpNumThreads: 1 });
  try {
    const length = shape.reduce((a, b) => a * b);
    const results = await session.run({ input: new Tensor('float32', waves(length, seed), shape) });
    return new Map(Object.entries(results).map(([name, it]) => [name, it.data as Float32Array]));
  } finally {
    await session.release();
  }
}

const largestDifference = (a: Float32Array, b: Float32Array): number =>
  a.reduce((most, value, i) => Math.max(most, Math.abs(value - b[i]!)), 0);

test(
  'the recognition network says what it says as delivered, to a millionth',
  { skip },
  async () => {
    const written = mobileFaceNet(readOnnxLayers(feature!), { side: 112, dimensions: 512 });
    for (const seed of [1, 2.3, 5.7]) {
      const [ours] = (await answers(written, [1, 3, 112, 112], seed)).values();
      const [theirs] = (await answers(feature!, [1, 3, 112, 112], seed)).values();
      assert.equal(ours!.length, 512);
      assert.ok(Math.max(...theirs!.map(Math.abs)) > 0.1);
      assert.ok(largestDifference(ours!, theirs!) < 1e-6, `${largestDifference(ours!, theirs!)}`);
    }
  },
);

test('it takes several chips at once, and each has its own answer', { skip }, async () => {
  const written = mobileFaceNet(readOnnxLayers(feature!), { side: 112, dimensions: 512 });
  const [both] = (await answers(written, [2, 3, 112, 112], 1)).values();
  const [first] = (await answers(written, [1, 3, 112, 112], 1)).values();
  assert.equal(both!.length, 1024);
  assert.ok(largestDifference(first!, both!.subarray(0, 512)) < 1e-6);
  assert.ok(largestDifference(first!, both!.subarray(512)) > 0.01);
});

test(
  'no weight is so small that the processor is slow with it, and dead channels are gone',
  { skip },
  () => {
    const layers = withoutDeadChannels(readOnnxLayers(feature!).layers);
    const channels = (of: readonly Layer[]): number =>
      of.reduce((sum, it) => sum + (it.kind === 'convolution' ? it.bias.length : 0), 0);
    const numbers = layers.flatMap((it) =>
      it.kind === 'convolution' ? [...it.weights.data, ...it.bias] : [],
    );
    assert.ok(numbers.every((value) => value === 0 || Math.abs(value) > 1e-12));
    // A channel that dies is gone from two layers: what spreads it, and what filters it.
    assert.equal((channels(readOnnxLayers(feature!).layers) - channels(layers)) / 2, 1264);
  },
);

test(
  "the detector's scores are those of the file as delivered, for its size",
  { skip },
  async () => {
    const shape = [1, 3, 240, 320];
    const ours = await answers(ultraFace(detect!), shape, 1);
    const theirs = (await answers(detect!, shape, 1)).get('scores')!;
    // Theirs are pairs after the softmax, cell by cell; of ours a cell's proposals lie a plane apart.
    const probabilities = [0, 1, 2, 3].flatMap((grid) => {
      const scores = ours.get(`scores${grid}`)!;
      const proposals = [3, 2, 2, 3][grid]!;
      const cells = scores.length / proposals / 2;
      return Array.from({ length: cells * proposals }, (_, i) => {
        const [cell, k] = [Math.floor(i / proposals), i % proposals];
        const [nothing, face] = [
          scores[2 * k * cells + cell]!,
          scores[(2 * k + 1) * cells + cell]!,
        ];
        return 1 / (1 + Math.exp(nothing - face));
      });
    });
    assert.equal(theirs.length, 2 * probabilities.length);
    probabilities.forEach((value, i) => assert.ok(Math.abs(value - theirs[2 * i + 1]!) < 1e-5));
  },
);
