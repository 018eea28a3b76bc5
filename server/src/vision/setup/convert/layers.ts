/**
 * A network of convolutions, PReLUs and additions, as layers that can be changed before they are written again. Two
 * things make one slow that training left in it: weights so small that the processor leaves its fast path for them,
 * and channels that say the same whatever the picture shows.
 */
import type { Attribute, Tensor } from './onnx.ts';
import { readOnnx, type OnnxModel, type OnnxNode } from './onnx-read.ts';

export interface Convolution {
  readonly kind: 'convolution';
  readonly from: string;
  readonly to: string;
  readonly attributes: Readonly<Record<string, Attribute>>;
  readonly group: number;
  readonly weights: Tensor;
  readonly bias: Float32Array;
}

export interface PRelu {
  readonly kind: 'prelu';
  readonly from: string;
  readonly to: string;
  readonly slopes: Float32Array;
}

export interface Addition {
  readonly kind: 'addition';
  readonly from: readonly [string, string];
  readonly to: string;
}

export type Layer = Convolution | PRelu | Addition;

/** Denormal numbers begin at 1e-38; what is below this adds nothing to an answer of about 0.1. */
const smallestWeight = 1e-12;

/** A network in the order of its layers. */
export interface Layers {
  readonly layers: readonly Layer[];
  /** The value that goes in, and the one that the answer is made of. */
  readonly input: string;
  readonly last: string;
}

/** Reads an ONNX file whose last operation makes a vector of the last layer's answer. */
export function readOnnxLayers(file: Uint8Array): Layers {
  const model = readOnnx(file);
  const end = model.nodes.find(({ op }) => op === 'Reshape');
  const nodes = model.nodes.filter((node) => node !== end && node.op !== 'Constant');
  return {
    layers: nodes.map((node) => layerOf(node, model)),
    input: 'input',
    last: end?.inputs[0] ?? '',
  };
}

function layerOf({ op, inputs, outputs, attributes }: OnnxNode, model: OnnxModel): Layer {
  const [from = '', second = '', third = ''] = inputs;
  const [to = ''] = outputs;
  const constant = (name: string): Tensor => {
    const found = model.constants.get(name);
    if (!found) throw new Error(`${name} is no constant`);
    return found;
  };
  if (op === 'Add') return { kind: 'addition', from: [from, second], to };
  if (op === 'PRelu') return { kind: 'prelu', from, to, slopes: constant(second).data };
  if (op !== 'Conv') throw new Error(`${op} is not written`);
  const { data, shape } = constant(second);
  return {
    kind: 'convolution',
    from,
    to,
    attributes: attributes as Record<string, Attribute>,
    group: attributes['group'] as number,
    weights: { data: withoutSmallest(data), shape },
    bias: withoutSmallest(constant(third).data),
  };
}

const withoutSmallest = (data: Float32Array): Float32Array =>
  data.map((value) => (Math.abs(value) < smallestWeight ? 0 : value));

/** What lies between two sums of a network: channels are spread out, each filtered alone, and brought together. */
interface Block {
  readonly spread: Convolution;
  readonly first: PRelu;
  readonly filter: Convolution;
  readonly second: PRelu;
  readonly gather: Convolution;
}

const parts = ['spread', 'first', 'filter', 'second', 'gather'] as const;

/** ONNX Runtime works on so many channels at a time (AVX-512): less than a whole lot saves nothing. */
const lot = 16;
/** A channel whose filter has no weight above this is dead: it says the same of every picture. */
const deadWeight = 1e-6;

/** The same network without its dead channels: what one says goes into the bias of the layer after it. */
export function withoutDeadChannels(given: readonly Layer[]): Layer[] {
  let layers = [...given];
  // One after another: what gathers the channels of one block may spread those of the next.
  for (let at = 0; at < layers.length; at++) {
    const block = blockFrom(layers[at]!, layers);
    if (!block) continue;
    const narrow = narrowed(block, livingChannels(block.filter));
    const changed = new Map<Layer, Layer>(
      parts.map((part) => [block[part], narrow[part]] as const),
    );
    layers = layers.map((layer) => changed.get(layer) ?? layer);
  }
  return layers;
}

function blockFrom(spread: Layer, layers: readonly Layer[]): Block | null {
  const onlyUser = ({ to }: Layer): Layer | undefined => {
    const users = layers.filter(({ from }) =>
      typeof from === 'string' ? from === to : from.includes(to),
    );
    return users.length === 1 ? users[0] : undefined;
  };
  const first = onlyUser(spread);
  const filter = first && onlyUser(first);
  const second = filter && onlyUser(filter);
  const gather = second && onlyUser(second);
  if (spread.kind !== 'convolution' || spread.group > 1 || first?.kind !== 'prelu') return null;
  if (filter?.kind !== 'convolution' || filter.group !== spread.bias.length) return null;
  if (second?.kind !== 'prelu' || gather?.kind !== 'convolution' || gather.group > 1) return null;
  return { spread, first, filter, second, gather };
}

/** In whole lots: some dead ones stay. */
function livingChannels({ weights, bias }: Convolution): number[] {
  const channels = Array.from(bias, (_, channel) => channel);
  const isDead = (channel: number): boolean =>
    rowOf(weights.data, bias.length, channel).every((weight) => Math.abs(weight) < deadWeight);
  const living = channels.filter((channel) => !isDead(channel));
  const room = Math.ceil(living.length / lot) * lot - living.length;
  return [...living, ...channels.filter(isDead).slice(0, room)].toSorted((a, b) => a - b);
}

function narrowed({ spread, first, filter, second, gather }: Block, living: number[]): Block {
  const rows = (data: Float32Array, count: number): Float32Array =>
    Float32Array.from(living.flatMap((channel) => [...rowOf(data, count, channel)]));
  const count = filter.bias.length;
  const narrow = (layer: Convolution, more: object = {}): Convolution => ({
    ...layer,
    ...more,
    weights: {
      data: rows(layer.weights.data, count),
      shape: [living.length, ...layer.weights.shape.slice(1)],
    },
    bias: rows(layer.bias, count),
  });
  const group = living.length;
  return {
    spread: narrow(spread),
    first: { ...first, slopes: rows(first.slopes, count) },
    filter: narrow(filter, { group, attributes: { ...filter.attributes, group } }),
    second: { ...second, slopes: rows(second.slopes, count) },
    gather: gathering(gather, living, saidWhenDead(filter, second)),
  };
}

/** What each channel says when its filter is nothing but its bias. */
function saidWhenDead({ bias }: Convolution, { slopes }: PRelu): Float32Array {
  return bias.map((value, channel) => (value < 0 ? value * slopes[channel]! : value));
}

function gathering(layer: Convolution, living: readonly number[], said: Float32Array): Convolution {
  const { data, shape } = layer.weights;
  const [outputs = 0, inputs = 0, ...rest] = shape;
  if (rest.some((length) => length > 1)) throw new Error('only layers of one pixel gather');
  const dead = Array.from(said, (_, channel) => channel).filter((it) => !living.includes(it));
  const weightOf = (output: number, channel: number): number => data[output * inputs + channel]!;
  return {
    ...layer,
    bias: layer.bias.map((value, output) =>
      dead.reduce((sum, channel) => sum + weightOf(output, channel) * said[channel]!, value),
    ),
    weights: {
      data: Float32Array.from({ length: outputs * living.length }, (_, i) =>
        weightOf(Math.floor(i / living.length), living[i % living.length]!),
      ),
      shape: [outputs, living.length, ...rest],
    },
  };
}

function rowOf(data: Float32Array, rows: number, row: number): Float32Array {
  const length = data.length / rows;
  return data.subarray(row * length, (row + 1) * length);
}
