import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { Network } from '../../network.ts';
import { graphModel } from './graph.ts';
import { convolutionKernel, Weights, WeightsManifest } from './tfjs.ts';

/** Numbers that do not repeat nearby, without a random generator. */
const wave = (count: number, phase: number): number[] =>
  Array.from({ length: count }, (_, i) => Math.sin(i * 1.7 + phase));

interface Grid {
  readonly side: number;
  readonly channels: number;
  /** Channels last, as TensorFlow has it. */
  readonly at: (y: number, x: number, c: number) => number;
}

const grid = (side: number, channels: number, values: readonly number[]): Grid => ({
  side,
  channels,
  at: (y, x, c) =>
    y < 0 || x < 0 || y >= side || x >= side ? 0 : values[(y * side + x) * channels + c]!,
});

function filled(
  side: number,
  channels: number,
  value: (y: number, x: number, c: number) => number,
): Grid {
  const values: number[] = [];
  for (let y = 0; y < side; y++)
    for (let x = 0; x < side; x++) for (let c = 0; c < channels; c++) values.push(value(y, x, c));
  return grid(side, channels, values);
}

/** What TensorFlow defines for a 3 x 3 convolution of stride 2 with SAME padding, on an even side. */
function convolved(input: Grid, kernel: readonly number[], bias: readonly number[]): Grid {
  const outputs = bias.length;
  return filled(input.side / 2, outputs, (y, x, o) => {
    let sum = bias[o]!;
    for (let ky = 0; ky < 3; ky++)
      for (let kx = 0; kx < 3; kx++)
        for (let i = 0; i < input.channels; i++) {
          // Even sides: SAME puts the single padding row at the end.
          const value = input.at(2 * y + ky, 2 * x + kx, i);
          sum += value * kernel[((ky * 3 + kx) * input.channels + i) * outputs + o]!;
        }
    return Math.max(0, sum);
  });
}

function depthwise(input: Grid, kernel: readonly number[]): Grid {
  return filled(input.side, input.channels, (y, x, c) => {
    let sum = 0;
    for (let ky = 0; ky < 3; ky++)
      for (let kx = 0; kx < 3; kx++)
        sum += input.at(y + ky - 1, x + kx - 1, c) * kernel[(ky * 3 + kx) * input.channels + c]!;
    return sum;
  });
}

const b64 = (text: string): string => Buffer.from(text).toString('base64');
const constant = (name: string) => ({ name, op: 'Const', input: [] as string[], attr: {} });
const list = (...i: number[]) => ({ list: { i: i.map(String) } });

/** input 8x8x3 -> conv/2 + relu (20 channels) -> depthwise -> add -> pool -> pad to 48 channels -> [1, 192, 1]. */
function tinyModel() {
  const kernel = wave(3 * 3 * 3 * 20, 0.3);
  const bias = wave(20, 1.1);
  const apart = wave(3 * 3 * 20, 2.2);
  const floats = { kernel, bias, apart };
  const integers = { pads: [0, 0, 0, 0, 0, 0, 0, 28], shape: [1, 192, 1] };
  const shapes = {
    kernel: [3, 3, 3, 20],
    bias: [20],
    apart: [3, 3, 20, 1],
    pads: [4, 2],
    shape: [3],
  };
  const padding = { s: b64('SAME') };
  const model = {
    modelTopology: {
      node: [
        ...Object.keys(shapes).map(constant),
        {
          name: 'x',
          op: 'Placeholder',
          attr: {
            shape: {
              shape: { dim: [{ size: '1' }, { size: '8' }, { size: '8' }, { size: '3' }] },
            },
          },
        },
        {
          name: 'conv',
          op: '_FusedConv2D',
          input: ['x', 'kernel', 'bias'],
          attr: {
            strides: list(1, 2, 2, 1),
            padding,
            fused_ops: { list: { s: [b64('BiasAdd'), b64('Relu')] } },
          },
        },
        {
          name: 'apart',
          op: 'DepthwiseConv2dNative',
          input: ['conv', 'apart'],
          attr: { strides: list(1, 1, 1, 1), padding },
        },
        { name: 'sum', op: 'AddV2', input: ['conv', 'apart'], attr: {} },
        { name: 'relu', op: 'Relu', input: ['sum'], attr: {} },
        {
          name: 'pool',
          op: 'MaxPool',
          input: ['relu'],
          attr: { strides: list(1, 2, 2, 1), ksize: list(1, 2, 2, 1), padding },
        },
        { name: 'pad', op: 'Pad', input: ['pool', 'pads'], attr: {} },
        { name: 'flat', op: 'Reshape', input: ['pad', 'shape'], attr: {} },
        { name: 'Identity', op: 'Identity', input: ['flat'], attr: {} },
      ],
    },
    weightsManifest: [
      {
        paths: ['w.bin'],
        weights: Object.entries(shapes).map(([name, shape]) => ({
          name,
          shape,
          dtype: name in integers ? 'int32' : 'float32',
        })),
      },
    ],
  };
  // The depthwise constant and its node share a name only in this table; nodes are distinguished below.
  model.modelTopology.node[2]!.name = 'apartKernel';
  model.modelTopology.node.find(({ name }) => name === 'apart')!.input = ['conv', 'apartKernel'];
  model.weightsManifest[0]!.weights[2]!.name = 'apartKernel';
  const bytes = Buffer.concat([
    ...Object.values(floats).map((values) => Buffer.from(Float32Array.from(values).buffer)),
    ...Object.values(integers).map((values) => Buffer.from(Int32Array.from(values).buffer)),
  ]);
  return { model, bytes, floats };
}

test('a converted graph computes what TensorFlow defines, compared with plain loops', async () => {
  const { model, bytes, floats } = tinyModel();
  const onnx = graphModel('tiny', JSON.stringify(model), bytes, {
    width: 8,
    height: 8,
    outputs: { Identity: { name: 'result', shape: [1, 192, 1] } },
  });
  const folder = mkdtempSync(join(tmpdir(), 'nazar-onnx-'));
  try {
    writeFileSync(join(folder, 'tiny.onnx'), onnx);
    await using network = await Network.load(join(folder, 'tiny.onnx'));
    const values = wave(8 * 8 * 3, 0);
    const input = grid(8, 3, values);
    const planar = Float32Array.from({ length: values.length }, (_, i) =>
      input.at(Math.floor((i % 64) / 8), i % 8, Math.floor(i / 64)),
    );
    const { result } = await network.run(planar, [1, 3, 8, 8]);

    const conv = convolved(input, floats.kernel, floats.bias);
    const apart = depthwise(conv, floats.apart);
    const sum = (y: number, x: number, c: number) =>
      Math.max(0, conv.at(y, x, c) + apart.at(y, x, c));
    const expected: number[] = [];
    for (let y = 0; y < 2; y++)
      for (let x = 0; x < 2; x++)
        for (let c = 0; c < 48; c++) {
          const four = [0, 1, 2, 3].map((k) => sum(2 * y + (k >> 1), 2 * x + (k & 1), c));
          expected.push(c < 20 ? Math.max(...four) : 0);
        }
    assert.equal(result!.length, expected.length);
    for (const [i, value] of expected.entries()) {
      assert.ok(Math.abs(result![i]! - value) < 1e-5, `value ${i}: ${result![i]} is not ${value}`);
    }
    assert.ok(expected.some((value) => value > 0.5));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

const whole = {
  width: 8,
  height: 8,
  outputs: { Identity: { name: 'result', shape: [1, 192, 1] } },
};

test('an operation that is not written is refused by name, not guessed', () => {
  const { model, bytes } = tinyModel();
  model.modelTopology.node.find(({ name }) => name === 'relu')!.op = 'Elu';
  assert.throws(() => graphModel('tiny', JSON.stringify(model), bytes, whole), /Elu of relu/);
});

test('operators that cannot be carried in wider channels are refused', () => {
  const { model, bytes } = tinyModel();
  model.modelTopology.node.find(({ name }) => name === 'flat')!.input = ['pool', 'shape'];
  assert.throws(
    () => graphModel('tiny', JSON.stringify(model), bytes, whole),
    /20 channels are not reshaped/,
  );
});

/**
 * input 8x8x3 -> conv/2 (16 channels) x scale + shift -> Relu up to 0.5 -> mean of each channel; and a node that no
 * output needs.
 */
function mobileModel() {
  const floats = {
    kernel: wave(3 * 3 * 3 * 16, 0.3),
    scale: wave(16, 0.9),
    shift: wave(16, 1.1),
    most: [0.5],
    least: [0],
  };
  const integers = { axes: [1, 2] };
  const shapes = {
    kernel: [3, 3, 3, 16],
    scale: [16],
    shift: [16],
    most: [],
    least: [],
    axes: [2],
  };
  const dim = [1, 8, 8, 3].map((size) => ({ size: String(size) }));
  const attr = { strides: list(1, 2, 2, 1), padding: { s: b64('SAME') } };
  const model = {
    modelTopology: {
      node: [
        ...Object.keys(shapes).map(constant),
        { name: 'x', op: 'Placeholder', input: [], attr: { shape: { shape: { dim } } } },
        { name: 'conv', op: 'Conv2D', input: ['x', 'kernel'], attr },
        { name: 'scaled', op: 'Mul', input: ['conv', 'scale'], attr: {} },
        { name: 'shifted', op: 'Add', input: ['scaled', 'shift'], attr: {} },
        { name: 'relu', op: 'Relu', input: ['shifted'], attr: {} },
        { name: 'min', op: 'Minimum', input: ['relu', 'most'], attr: {} },
        { name: 'max', op: 'Maximum', input: ['min', 'least'], attr: {} },
        { name: 'mean', op: 'Mean', input: ['max', 'axes'], attr: {} },
        { name: 'age', op: 'Softmax', input: ['mean'], attr: {} },
      ],
    },
    weightsManifest: [
      {
        paths: ['w.bin'],
        weights: Object.entries(shapes).map(([name, shape]) => ({
          name,
          shape,
          dtype: name in integers ? 'int32' : 'float32',
        })),
      },
    ],
  };
  const bytes = Buffer.concat([
    ...Object.values(floats).map((values) => Buffer.from(Float32Array.from(values).buffer)),
    Buffer.from(Int32Array.from(integers.axes).buffer),
  ]);
  const scaled = floats.kernel.map((value, i) => value * floats.scale[i % 16]!);
  const expected = (input: Grid): number[] => {
    const limited = convolved(input, scaled, floats.shift);
    return Array.from({ length: 16 }, (_, c) => {
      let sum = 0;
      for (let y = 0; y < 4; y++)
        for (let x = 0; x < 4; x++) sum += Math.min(0.5, limited.at(y, x, c));
      return sum / 16;
    });
  };
  return { model, bytes, expected };
}

const means = {
  width: 8,
  height: 8,
  batch: 'N',
  outputs: { mean: { name: 'means', shape: ['N', 16] } },
};

test('MobileNet: scales, shifts and limits are joined, several pictures go through, the rest is left out', async () => {
  const { model, bytes, expected } = mobileModel();
  const folder = mkdtempSync(join(tmpdir(), 'nazar-onnx-'));
  try {
    const path = join(folder, 'mobile.onnx');
    writeFileSync(path, graphModel('mobile', JSON.stringify(model), bytes, means));
    await using network = await Network.load(path);
    assert.ok(network.takesSeveral);
    const pictures = [0.5, 2.5].map((phase) => wave(8 * 8 * 3, phase));
    const planes = pictures.flatMap((values) =>
      [0, 1, 2].flatMap((c) => values.filter((_, i) => i % 3 === c)),
    );
    const { means: found } = await network.run(Float32Array.from(planes), [2, 3, 8, 8]);
    const wanted = pictures.flatMap((values) => expected(grid(8, 3, values)));
    assert.equal(found!.length, wanted.length);
    for (const [i, value] of wanted.entries()) {
      assert.ok(Math.abs(found![i]! - value) < 1e-5, `mean ${i}: ${found![i]} is not ${value}`);
    }
    assert.ok(wanted.some((value) => value > 0.1 && value < 0.4));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('limits other than those of Relu6 are refused', () => {
  for (const [name, input] of [
    ['min', ['shifted', 'most']],
    ['max', ['relu', 'most']],
    ['mean', ['max', 'least']],
  ] as const) {
    const { model, bytes } = mobileModel();
    model.modelTopology.node.find((node) => node.name === name)!.input = [...input];
    assert.throws(
      () => graphModel('mobile', JSON.stringify(model), bytes, means),
      /is not written/,
    );
  }
});

test('weights of 16 bits become the numbers they stand for', () => {
  const weights = [{ name: 'w', shape: [5], dtype: 'float32', quantization: { dtype: 'float16' } }];
  const manifest = WeightsManifest.parse([{ paths: ['w'], weights }]);
  // 1, -2, the largest, the smallest above nothing, a third.
  const bits = Uint16Array.of(0x3c00, 0xc000, 0x7bff, 0x0001, 0x3555);
  const { data } = new Weights(manifest, Buffer.from(bits.buffer)).get('w');
  assert.deepEqual([...data], [1, -2, 65_504, 2 ** -24, 0.333251953125]);
});

test('quantised weights become scale x byte + minimum', () => {
  const quantization = { dtype: 'uint8', scale: 0.5, min: -3 } as const;
  const entry = { name: 'w', shape: [3], dtype: 'float32', quantization } as const;
  const manifest = [{ paths: ['w'], weights: [{ ...entry, shape: [3] }] }];
  const weights = new Weights(manifest, Buffer.from([0, 6, 255]));
  assert.deepEqual([...weights.get('w').data], [-3, 0, 124.5]);
});

test('weights that do not fill their file are refused', () => {
  const weights = [{ name: 'w', shape: [2], dtype: 'float32' as const }];
  assert.throws(() => new Weights([{ paths: ['w'], weights }], Buffer.alloc(12)), /end at 8 of 12/);
});

test('kernels turn from height, width, in, out to out, in, height, width', () => {
  const data = Float32Array.from({ length: 2 * 3 * 4 * 5 }, (_, i) => i);
  const kernel = convolutionKernel({ data, shape: [2, 3, 4, 5] });
  assert.deepEqual(kernel.shape, [5, 4, 2, 3]);
  // y 1, x 2, in 3, out 4
  assert.equal(kernel.data[((4 * 4 + 3) * 2 + 1) * 3 + 2], ((1 * 3 + 2) * 4 + 3) * 5 + 4);
});
