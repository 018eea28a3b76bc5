/**
 * Turns a TensorFlow.js graph model into ONNX, node by node: the ten operations BlazeFace is made of, and
 * an error for any other. TensorFlow keeps channels last, ONNX first: constants are turned at conversion,
 * values only where a Reshape at the end makes the order visible.
 */
import * as z from 'zod/mini';
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

/** `outputs` gives each Identity node that leaves the graph its ONNX name and shape. */
export function graphModel(
  name: string,
  json: string,
  files: Buffer,
  outputs: Record<string, { name: string; shape: readonly number[] }>,
): Buffer {
  const model = GraphModel.parse(JSON.parse(json));
  const conversion = new Conversion(name, new Weights(model.weightsManifest, files));
  for (const node of model.modelTopology.node) conversion.add(node);
  for (const [from, to] of Object.entries(outputs)) conversion.output(from, to);
  return conversion.build();
}

class Conversion {
  readonly #graph: OnnxGraph;
  readonly #weights: Weights;
  readonly #values = new Map<string, Value>();
  readonly #constants = new Set<string>();

  constructor(name: string, weights: Weights) {
    this.#graph = new OnnxGraph(name);
    this.#weights = weights;
  }

  build(): Buffer {
    return this.#graph.build();
  }

  output(from: string, { name, shape }: { name: string; shape: readonly number[] }): void {
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
        return graph.input('input', channelsFirst(sizes(node)));
      case 'Identity':
        return this.#value(first);
      case 'Relu':
        return graph.op('Relu', [this.#value(first)]);
      case 'AddV2':
        return graph.op('Add', [this.#value(first), this.#value(second)]);
      case '_FusedConv2D':
      case 'DepthwiseConv2dNative':
        return this.#convolution(node);
      case 'MaxPool':
        return graph.op('MaxPool', [this.#value(first)], {
          kernel_shape: innerTwo(integers(node.attr.ksize)),
          ...placement(node),
        });
      case 'Pad':
        return this.#pad(first, this.#constant(second));
      case 'Reshape':
        return this.#reshape(first, this.#constant(second));
      default:
        throw new Error(`operation ${node.op} of ${node.name} is not written`);
    }
  }

  #convolution(node: Node): Value {
    const [input = '', filter = '', bias = ''] = node.input;
    const depthwise = node.op === 'DepthwiseConv2dNative';
    const weights = this.#constant(filter);
    const kernel = depthwise ? depthwiseKernel(weights) : convolutionKernel(weights);
    const fused = (node.attr.fused_ops?.list.s ?? []).map(fromBase64);
    const inputs = [this.#value(input), this.#graph.constant(kernel)];
    if (fused.includes('BiasAdd')) inputs.push(this.#graph.constant(flat(this.#constant(bias))));
    const output = this.#graph.op('Conv', inputs, {
      kernel_shape: kernel.shape.slice(2),
      group: depthwise ? kernel.shape[0]! : 1,
      ...placement(node),
    });
    const rest = fused.filter((name) => name !== 'BiasAdd' && name !== 'Relu');
    if (rest.length > 0) throw new Error(`fused ${rest.join()} of ${node.name} is not written`);
    return fused.includes('Relu') ? this.#graph.op('Relu', [output]) : output;
  }

  /** TensorFlow pairs (before, after) per axis; ONNX wants all befores, then all afters. */
  #pad(input: string, { data }: Tensor): Value {
    const [n0 = 0, n1 = 0, h0 = 0, h1 = 0, w0 = 0, w1 = 0, c0 = 0, c1 = 0] = data;
    const pads = this.#graph.integers([n0, c0, h0, w0, n1, c1, h1, w1]);
    return this.#graph.op('Pad', [this.#value(input), pads]);
  }

  #reshape(input: string, { data }: Tensor): Value {
    const last = this.#graph.op('Transpose', [this.#value(input)], { perm: [0, 2, 3, 1] });
    return this.#graph.op('Reshape', [last, this.#graph.integers([...data])]);
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
const channelsFirst = ([n = 0, h = 0, w = 0, c = 0]: number[]): number[] => [n, c, h, w];
const innerTwo = ([, h = 0, w = 0]: number[]): number[] => [h, w];
const flat = ({ data }: Tensor): Tensor => ({ data, shape: [data.length] });
const fromBase64 = (text: string): string => Buffer.from(text, 'base64').toString();
