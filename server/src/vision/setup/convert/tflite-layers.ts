/**
 * A network of convolutions, PReLUs and additions out of a TensorFlow Lite file, as layers. TensorFlow keeps channels
 * last, ONNX first; and it writes PReLU as relu(x) + a (x - |x|), five operations that become one layer again.
 */
import type { Convolution, Layer, Layers } from './layers.ts';
import { readTflite, type TfliteModel, type TfliteNode } from './tflite.ts';

export function readTfliteLayers(file: Uint8Array): Layers {
  const model = readTflite(file);
  const end = model.nodes.at(-1)!;
  const layers = model.nodes.flatMap((node): Layer[] => {
    if (node.op === 'ADD') return [preluOf(node, model) ?? additionOf(node)];
    return node.op.endsWith('CONV_2D') ? [convolutionOf(node, model)] : [];
  });
  if (end.op !== 'RESHAPE') throw new Error(`the last operation is ${end.op}`);
  return { layers, input: nameOf(model.input), last: nameOf(end.inputs[0]!) };
}

const nameOf = (tensor: number): string => `t${tensor}`;

const additionOf = ({ inputs, output }: TfliteNode): Layer => ({
  kind: 'addition',
  from: [nameOf(inputs[0]!), nameOf(inputs[1]!)],
  to: nameOf(output),
});

/** Null: the sum is one of two values. */
function preluOf({ inputs, output }: TfliteNode, { nodes, tensors }: TfliteModel): Layer | null {
  const [above, below] = inputs.map((input) => nodes.find((node) => node.output === input));
  if (above?.op !== 'RELU' || below?.op !== 'MUL') return null;
  const [slopes, difference] = below.inputs;
  const subtraction = nodes.find((node) => node.output === difference);
  const from = above.inputs[0]!;
  const data = tensors[slopes!]!.constant;
  if (subtraction?.op !== 'SUB' || subtraction.inputs[0] !== from || !data) return null;
  // x - |x| is twice what is below zero.
  const doubled = data.map((slope) => 2 * slope);
  return { kind: 'prelu', from: nameOf(from), to: nameOf(output), slopes: doubled };
}

function convolutionOf(
  { op, inputs, output, options }: TfliteNode,
  model: TfliteModel,
): Convolution {
  const [from = 0, weights = 0, bias = 0] = inputs;
  const { tensors } = model;
  const isDepthwise = op === 'DEPTHWISE_CONV_2D';
  const kernel = tensors[weights]!;
  const [, rows = 0, columns = 0] = kernel.shape;
  const strides = [options!.int32(2, 1), options!.int32(1, 1)];
  const [dilationWidth, activation] = isDepthwise ? [5, 4] : [4, 3];
  if (options!.int8(activation) !== 0 || options!.int32(dilationWidth, 1) !== 1) {
    throw new Error(`${op} with an activation or a dilation is not read`);
  }
  const group = isDepthwise ? kernel.shape[3]! : 1;
  const isPadded = options!.int8(0) === 0;
  const size = tensors[from]!.shape.slice(1, 3);
  const pads = isPadded ? samePadding(size, [rows, columns], strides) : [0, 0, 0, 0];
  return {
    kind: 'convolution',
    from: nameOf(from),
    to: nameOf(output),
    attributes: { kernel_shape: [rows, columns], strides, pads, group },
    group,
    weights: isDepthwise ? depthwise(kernel) : ordinary(kernel),
    bias: tensors[bias]!.constant!,
  };
}

type Kernel = TfliteModel['tensors'][number];

/** [out, height, width, in] to [out, in, height, width]. */
function ordinary({ shape, constant }: Kernel) {
  const [out = 0, rows = 0, columns = 0, inputs = 0] = shape;
  const area = rows * columns;
  const data = new Float32Array(constant!.length);
  constant!.forEach((value, i) => {
    const [o, place, input] = [
      Math.floor(i / (area * inputs)),
      Math.floor(i / inputs) % area,
      i % inputs,
    ];
    data[(o * inputs + input) * area + place] = value;
  });
  return { data, shape: [out, inputs, rows, columns] };
}

/** [1, height, width, channels] to [channels, 1, height, width]. */
function depthwise({ shape, constant }: Kernel) {
  const [, rows = 0, columns = 0, channels = 0] = shape;
  const area = rows * columns;
  const data = new Float32Array(constant!.length);
  constant!.forEach((value, i) => {
    data[(i % channels) * area + Math.floor(i / channels)] = value;
  });
  return { data, shape: [channels, 1, rows, columns] };
}

/** Above, left, below, right: as many as make the output the input divided by the stride; the odd one comes after. */
function samePadding(
  size: readonly number[],
  kernel: readonly number[],
  strides: readonly number[],
): number[] {
  const totals = size.map((length, i) => {
    const steps = Math.ceil(length / strides[i]!) - 1;
    return Math.max(0, steps * strides[i]! + kernel[i]! - length);
  });
  return [...totals.map((it) => it >> 1), ...totals.map((it) => it - (it >> 1))];
}
