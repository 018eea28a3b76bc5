/**
 * A network out of a TensorFlow Lite file, as it is written, against the file computed operation by operation, channels
 * last: nothing of the conversion is in that. The file is one of this test, with every operation that is read; what
 * becomes of the file of `mobilefacenet-192` is pinned by its hash.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { flatBuffer, type Field, type TableFields } from '#testing/flat-buffer.ts';
import { mobileFaceNet } from './mobilefacenet.ts';
import { readTfliteLayers } from './tflite-layers.ts';
import { readTflite, type TfliteModel, type TfliteNode } from './tflite.ts';

/** An even side: "same" padding at stride 2 then adds a row below and none above. */
const side = 10;
const dimensions = 5;

const number = (value: number): Field => ({ number: value });
const codes = {
  ADD: 0,
  CONV_2D: 3,
  DEPTHWISE_CONV_2D: 4,
  MUL: 18,
  RELU: 19,
  RESHAPE: 22,
  SUB: 41,
  ABS: 101,
} as const;
const codeNames = Object.keys(codes) as (keyof typeof codes)[];

/** Writes a TensorFlow Lite file: each step adds an operation and returns the number of its answer. */
class TfliteFile {
  readonly #tensors: TableFields[] = [];
  /** The first is empty by the format: what is computed has it. */
  readonly #buffers: TableFields[] = [{}];
  readonly #operators: TableFields[] = [];

  tensor(shape: readonly number[], values?: Float32Array): number {
    const buffer = values ? this.#buffers.length : 0;
    if (values) this.#buffers.push({ 0: { bytes: new Uint8Array(values.buffer) } });
    return this.#tensors.push({ 0: { integers: shape }, 1: number(0), 2: number(buffer) }) - 1;
  }

  step(
    op: keyof typeof codes,
    inputs: readonly number[],
    shape: readonly number[],
    options?: TableFields,
  ): number {
    const output = this.tensor(shape);
    this.#operators.push({
      0: number(codeNames.indexOf(op)),
      1: { integers: inputs },
      2: { integers: [output] },
      ...(options && { 4: { table: options } }),
    });
    return output;
  }

  bytes(input: number, output: number): Uint8Array {
    return flatBuffer({
      1: { tables: codeNames.map((name) => ({ 0: number(codes[name]), 3: number(codes[name]) })) },
      2: {
        tables: [
          {
            0: { tables: this.#tensors },
            1: { integers: [input] },
            2: { integers: [output] },
            3: { tables: this.#operators },
          },
        ],
      },
      4: { tables: this.#buffers },
    });
  }
}

/** Numbers that are all different, between -1 and 1. */
const weights = (length: number, seed: number): Float32Array =>
  Float32Array.from({ length }, (_, i) => Math.sin(i * 1.7 + seed));

/** What MobileFaceNet is made of: spread, filter and gather with PReLUs between, a sum, and a vector at the end. */
function smallNetwork(): Uint8Array {
  const file = new TfliteFile();
  const convolution = (
    from: number,
    [rows, inputs, outputs]: readonly [number, number, number],
    out: number,
    { stride = 1, isPadded = true, isDepthwise = false } = {},
  ): number => {
    const shape = isDepthwise ? [1, rows, rows, outputs] : [outputs, rows, rows, inputs];
    const kernel = file.tensor(
      shape,
      weights(
        shape.reduce((a, b) => a * b),
        from + 1,
      ),
    );
    const bias = file.tensor([outputs], weights(outputs, from + 2));
    const options = { 0: number(isPadded ? 0 : 1), 1: number(stride), 2: number(stride) };
    const op = isDepthwise ? 'DEPTHWISE_CONV_2D' : 'CONV_2D';
    return file.step(op, [from, kernel, bias], [1, out, out, outputs], options);
  };
  const prelu = (from: number, shape: readonly number[]): number => {
    const slopes = file.tensor([1, 1, shape[3]!], weights(shape[3]!, from + 3));
    const above = file.step('RELU', [from], shape);
    const size = file.step('ABS', [from], shape);
    const difference = file.step('SUB', [from, size], shape);
    return file.step('ADD', [above, file.step('MUL', [slopes, difference], shape)], shape);
  };
  const input = file.tensor([1, side, side, 3]);
  const first = prelu(convolution(input, [3, 3, 8], 5, { stride: 2 }), [1, 5, 5, 8]);
  const spread = prelu(convolution(first, [1, 8, 16], 5), [1, 5, 5, 16]);
  const filter = convolution(spread, [3, 16, 16], 5, { isDepthwise: true });
  const gathered = convolution(prelu(filter, [1, 5, 5, 16]), [1, 16, 8], 5);
  const sum = file.step('ADD', [first, gathered], [1, 5, 5, 8]);
  const narrow = convolution(sum, [3, 8, 8], 3, { stride: 2, isDepthwise: true });
  const one = convolution(narrow, [3, 8, 8], 1, { isPadded: false, isDepthwise: true });
  const last = convolution(one, [1, 8, dimensions], 1);
  return file.bytes(input, file.step('RESHAPE', [last], [1, dimensions]));
}

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

test('the written layer computes what the file says, to a hundred-thousandth of its range', async () => {
  const file = smallNetwork();
  const last = Float32Array.from({ length: 3 * side * side }, (_, i) =>
    Math.sin(i * 0.13 + Math.cos(i * 0.07)),
  );
  const first = Float32Array.from({ length: last.length }, (_, i) => {
    const [channel, place] = [Math.floor(i / side ** 2), i % side ** 2];
    return last[place * 3 + channel]!;
  });
  const theirs = computed(readTflite(file), last);
  const written = mobileFaceNet(readTfliteLayers(file), { side, dimensions });
  const session = await InferenceSession.create(written, { intraOpNumThreads: 1 });
  const results = await session.run({ input: new Tensor('float32', first, [1, 3, side, side]) });
  await session.release();
  const ours = Object.values(results)[0]!.data as Float32Array;
  const range = Math.max(...theirs) - Math.min(...theirs);
  assert.equal(ours.length, dimensions);
  assert.ok(range > 1);
  ours.forEach((value, i) => assert.ok(Math.abs(value - theirs[i]!) < 1e-5 * range, `${i}`));
});
