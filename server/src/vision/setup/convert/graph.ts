/**
 * Turns a TensorFlow.js graph model into ONNX, node by node: the operations that BlazeFace and MobileNet are made of,
 * and an error for any other; what no output needs is left out. TensorFlow keeps channels last, ONNX first: constants
 * are transposed at conversion, values only where a Reshape at the end makes the order visible.
 *
 * A network of convolutions takes inputs of any size, but ONNX Runtime plans its memory and fuses its operations only
 * for a size it knows: left open, the same net took 30 % more. So each size is a graph.
 */
import * as z from 'zod/mini';
import { channelsInLanes, inLanes, lanes } from './lanes.ts';
import { OnnxGraph, type Tensor, type Value } from './onnx.ts';
import { convolutionKernel, depthwiseKernel, Weights, WeightsManifest } from './tfjs.ts';

const Integers = z.object({ list: z.object({ i: z.optional(z.array(z.string())) }) });
const Node = z.object({
  name: z.string(),
  op: z.string(),
  input: z._default(z.array(z.string()), []),
  attr: z._default(
    z.object({
      strides: z.optional(Integers),
      ksize: z.optional(Integers),
      padding: z.optional(z.object({ s: z.string() })),
      fused_ops: z.optional(z.object({ list: z.object({ s: z.optional(z.array(z.string())) }) })),
      shape: z.optional(
        z.object({ shape: z.object({ dim: z.array(z.object({ size: z.string() })) }) }),
      ),
    }),
    {},
  ),
});
type Node = z.infer<typeof Node>;

const GraphModel = z.object({
  modelTopology: z.object({ node: z.array(Node) }),
  weightsManifest: WeightsManifest,
});

export interface GraphShape {
  readonly width: number;
  readonly height: number;
  /** Pictures at once; absent: one. A name leaves it open, which costs networks with a Reshape their plan. */
  readonly batch?: string;
  /** The ONNX name and shape of each node that leaves the graph. */
  readonly outputs: Readonly<
    Record<string, { readonly name: string; readonly shape: readonly (number | string)[] }>
  >;
}

export function graphModel(
  name: string,
  json: string,
  files: Buffer,
  { outputs, ...size }: GraphShape,
): Buffer {
  const model = GraphModel.parse(JSON.parse(json));
  const { node: nodes } = model.modelTopology;
  const conversion = new Conversion(name, new Weights(model.weightsManifest, files), size);
  const needed = ancestors(nodes, Object.keys(outputs));
  for (const node of nodes) if (needed.has(node.name)) conversion.add(node);
  for (const [from, to] of Object.entries(outputs)) conversion.output(from, to);
  return conversion.build();
}

/** Returns the wanted nodes, and all that they are made from. */
function ancestors(nodes: readonly Node[], wanted: readonly string[]): Set<string> {
  const inputs = new Map(nodes.map(({ name, input }) => [name, input]));
  const found = new Set<string>();
  const open = [...wanted];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (found.has(name)) continue;
    found.add(name);
    open.push(...(inputs.get(name) ?? []));
  }
  return found;
}

class Conversion {
  readonly #graph: OnnxGraph;
  readonly #weights: Weights;
  readonly #size: Omit<GraphShape, 'outputs'>;
  readonly #values = new Map<string, Value>();
  /** Channels of a value as TensorFlow has them; the graph carries `lanes` of that. */
  readonly #channels = new Map<Value, number>();
  readonly #constants = new Set<string>();
  /** Values that are nowhere below zero. */
  readonly #positive = new Set<Value>();

  constructor(name: string, weights: Weights, size: Omit<GraphShape, 'outputs'>) {
    this.#graph = new OnnxGraph(name);
    this.#weights = weights;
    this.#size = size;
  }

  build(): Buffer {
    return this.#graph.build();
  }

  output(from: string, { name, shape }: GraphShape['outputs'][string]): void {
    this.#graph.output(name, this.#value(from), shape);
  }

  add(node: Node): void {
    if (node.op === 'Const') this.#constants.add(node.name);
    else this.#values.set(node.name, this.#convert(node));
  }

  #convert(node: Node): Value {
    const graph = this.#graph;
    const [first = '', second = ''] = node.input;
    switch (node.op) {
      case 'Placeholder':
        return this.#input(node);
      case 'Identity':
        return this.#value(first);
      case 'Relu':
        return this.#notNegative(first, graph.op('Relu', [this.#value(first)]));
      case 'Minimum':
        return this.#limited(first, this.#constant(second));
      case 'Maximum':
        return this.#atLeast(first, this.#constant(second));
      case 'Add':
      case 'AddV2':
        return this.#same(first, graph.op('Add', [this.#value(first), this.#operand(second)]));
      case 'Mul':
        return this.#same(first, graph.op('Mul', [this.#value(first), this.#operand(second)]));
      case 'Mean':
        return this.#mean(first, this.#constant(second));
      case 'Conv2D':
      case '_FusedConv2D':
      case 'DepthwiseConv2dNative':
        return this.#convolution(node);
      case 'MaxPool':
        return this.#pool(node);
      case 'Pad':
        return this.#pad(first, this.#constant(second));
      case 'Reshape':
        return this.#reshape(first, this.#constant(second));
      default:
        throw new Error(`operation ${node.op} of ${node.name} is not written`);
    }
  }

  #input(node: Node): Value {
    const [, , , channels = 0] = sizes(node);
    const { width, height, batch = 1 } = this.#size;
    return this.#wide(this.#graph.input('input', [batch, channels, height, width]), channels);
  }

  /** Another value, or a constant of one number per channel. */
  #operand(name: string): Value {
    if (!this.#constants.has(name)) return this.#value(name);
    const data = channelsInLanes(this.#constant(name));
    return this.#graph.constant({ data, shape: [data.length, 1, 1] });
  }

  #notNegative(name: string, value: Value): Value {
    this.#positive.add(value);
    return this.#same(name, value);
  }

  /** Relu6 comes as Relu, Minimum, Maximum: it becomes one Clip, which ONNX Runtime fuses with what is before it. */
  #limited(name: string, { data }: Tensor): Value {
    const value = this.#value(name);
    if (!this.#positive.has(value)) throw new Error(`a Minimum of ${name} is not written`);
    const [least, most] = [0, data[0]!].map((limit) =>
      this.#graph.constant({ data: Float32Array.of(limit), shape: [] }),
    );
    return this.#notNegative(name, this.#graph.op('Clip', [value, least!, most!]));
  }

  #atLeast(name: string, { data }: Tensor): Value {
    const value = this.#value(name);
    if (this.#positive.has(value) && data[0] === 0) return value;
    throw new Error(`a Maximum of ${name} is not written`);
  }

  #mean(name: string, { data: axes }: Tensor): Value {
    if (axes.join() !== '1,2') throw new Error(`a mean over ${axes.join()} is not written`);
    const channels = this.#channelsOf(name);
    if (lanes(channels) !== channels) throw new Error(`a mean of ${channels} is not written`);
    return this.#graph.op('Flatten', [this.#graph.op('GlobalAveragePool', [this.#value(name)])]);
  }

  #convolution(node: Node): Value {
    const [input = '', filter = '', bias = ''] = node.input;
    const depthwise = node.op === 'DepthwiseConv2dNative';
    const weights = this.#constant(filter);
    const narrow = depthwise ? depthwiseKernel(weights) : convolutionKernel(weights);
    const outputs = narrow.shape[0]!;
    const kernel = inLanes(narrow, depthwise);
    const fused = (node.attr.fused_ops?.list.s ?? []).map(fromBase64);
    const inputs = [this.#value(input), this.#graph.constant(kernel)];
    if (fused.includes('BiasAdd')) {
      const data = channelsInLanes(this.#constant(bias));
      inputs.push(this.#graph.constant({ data, shape: [data.length] }));
    }
    const output = this.#graph.op('Conv', inputs, {
      kernel_shape: kernel.shape.slice(2),
      group: depthwise ? kernel.shape[0]! : 1,
      ...placement(node),
    });
    const rest = fused.filter((name) => name !== 'BiasAdd' && name !== 'Relu');
    if (rest.length > 0) throw new Error(`fused ${rest.join()} of ${node.name} is not written`);
    const relu = fused.includes('Relu');
    return this.#wide(relu ? this.#graph.op('Relu', [output]) : output, outputs);
  }

  #pool(node: Node): Value {
    const [input = ''] = node.input;
    const attributes = { kernel_shape: innerTwo(integers(node.attr.ksize)), ...placement(node) };
    return this.#same(input, this.#graph.op('MaxPool', [this.#value(input)], attributes));
  }

  /**
   * Adds channels of zeros after the existing ones, by a convolution that copies: an ONNX Pad would make the runtime
   * leave its own layout of channels for all of the rest (32 operations of reordering in BlazeFace).
   */
  #pad(input: string, { data }: Tensor): Value {
    const added = data.at(-1)!;
    if (data.slice(0, -1).some((count) => count !== 0))
      throw new Error('only channels are padded behind');
    const from = this.#channelsOf(input);
    const copy = new Float32Array((from + added) * from);
    for (let i = 0; i < from; i++) copy[i * from + i] = 1;
    const kernel = inLanes({ data: copy, shape: [from + added, from, 1, 1] }, false);
    const inputs = [this.#value(input), this.#graph.constant(kernel)];
    const attributes = { kernel_shape: [1, 1], strides: [1, 1], group: 1 };
    return this.#wide(this.#graph.op('Conv', inputs, attributes), from + added);
  }

  /** [1, height, width, proposals x values] as [1, all proposals, values]. */
  #reshape(input: string, { data }: Tensor): Value {
    const channels = this.#channelsOf(input);
    if (lanes(channels) !== channels) throw new Error(`${channels} channels are not reshaped`);
    const last = this.#graph.op('Transpose', [this.#value(input)], { perm: [0, 2, 3, 1] });
    return this.#graph.op('Reshape', [last, this.#graph.integers([1, -1, data.at(-1)!])]);
  }

  #wide(value: Value, channels: number): Value {
    this.#channels.set(value, channels);
    return value;
  }

  /** `value` has the channels of the one called `name`. */
  #same(name: string, value: Value): Value {
    return this.#wide(value, this.#channelsOf(name));
  }

  #channelsOf(name: string): number {
    const channels = this.#channels.get(this.#value(name));
    if (channels === undefined) throw new Error(`nobody knows the channels of ${name}`);
    return channels;
  }

  #value(name: string): Value {
    const value = this.#values.get(name);
    if (value === undefined) throw new Error(`no value called ${name}`);
    return value;
  }

  #constant(name: string): Tensor {
    if (!this.#constants.has(name)) throw new Error(`${name} is no constant`);
    return this.#weights.get(name);
  }
}

function placement(node: Node): Record<string, readonly number[] | string> {
  const strides = innerTwo(integers(node.attr.strides));
  const padding = fromBase64(node.attr.padding?.s ?? '');
  if (padding === 'SAME') return { strides, auto_pad: 'SAME_UPPER' };
  if (padding === 'VALID') return { strides };
  throw new Error(`padding ${padding} of ${node.name} is not written`);
}

const integers = (value: z.infer<typeof Integers> | undefined): number[] =>
  (value?.list.i ?? []).map(Number);
const sizes = (node: Node): number[] =>
  (node.attr.shape?.shape.dim ?? []).map(({ size }) => Number(size));
const innerTwo = ([, h = 0, w = 0]: number[]): number[] => [h, w];
const fromBase64 = (text: string): string => Buffer.from(text, 'base64').toString();
