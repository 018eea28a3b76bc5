/**
 * Writes an ONNX model: the few fields of the protobuf schema (onnx.proto3, IR version 8, opset 17) that a graph of
 * convolutions needs. It has no dependency, because the whole of protobuf would be a larger thing to trust than these
 * 150 lines, and hashes pin what is written anyway.
 */

/** A value in the graph: the result of an operation, or a constant. */
export type Value = string;

export type Attribute = number | string | readonly number[];

/** A constant laid out for ONNX: convolution kernels as [out, in / group, height, width]. */
export interface Tensor {
  readonly data: Float32Array;
  readonly shape: readonly number[];
}

/** A number is a fixed size, a word names a size known at run time (`N` for the batch). */
type Dimension = number | string;

interface Port {
  readonly name: string;
  readonly shape: readonly Dimension[];
}

const float = 1;
const int64 = 7;

export class OnnxGraph {
  readonly #name: string;
  readonly #nodes: Message[] = [];
  readonly #constants: Message[] = [];
  readonly #inputs: Port[] = [];
  readonly #outputs: Port[] = [];
  #named = 0;

  constructor(name: string) {
    this.#name = name;
  }

  input(name: string, shape: readonly Dimension[]): Value {
    this.#inputs.push({ name, shape });
    return name;
  }

  /** `value` leaves the graph under `name`. */
  output(name: string, value: Value, shape: readonly Dimension[]): void {
    this.#add('Identity', [value], {}, name);
    this.#outputs.push({ name, shape });
  }

  constant({ data, shape }: Tensor): Value {
    return this.#constant(float, shape, Buffer.from(data.buffer, data.byteOffset, data.byteLength));
  }

  integers(values: readonly number[]): Value {
    const data = BigInt64Array.from(values, BigInt);
    return this.#constant(int64, [values.length], Buffer.from(data.buffer));
  }

  op(type: string, inputs: readonly Value[], attributes: Record<string, Attribute> = {}): Value {
    return this.#add(type, inputs, attributes, `v${this.#named++}`);
  }

  build(): Buffer {
    const graph = new Message();
    for (const node of this.#nodes) graph.message(1, node);
    graph.text(2, this.#name);
    for (const constant of this.#constants) graph.message(5, constant);
    for (const port of this.#inputs) graph.message(11, valueInfo(port));
    for (const port of this.#outputs) graph.message(12, valueInfo(port));
    const opset = new Message().text(1, '').integer(2, 17);
    return new Message().integer(1, 8).text(2, 'nazar').message(8, opset).message(7, graph).bytes();
  }

  #add(
    type: string,
    inputs: readonly Value[],
    attributes: Record<string, Attribute>,
    output: Value,
  ): Value {
    const node = new Message();
    for (const input of inputs) node.text(1, input);
    node.text(2, output).text(3, output).text(4, type);
    for (const [name, value] of Object.entries(attributes)) node.message(5, attribute(name, value));
    this.#nodes.push(node);
    return output;
  }

  #constant(type: number, shape: readonly number[], data: Buffer): Value {
    const name = `c${this.#named++}`;
    const tensor = new Message();
    for (const size of shape) tensor.integer(1, size);
    this.#constants.push(tensor.integer(2, type).text(8, name).blob(9, data));
    return name;
  }
}

/** AttributeProto; the last field of each kind is its type tag (2 INT, 3 STRING, 7 INTS). */
function attribute(name: string, value: Attribute): Message {
  const message = new Message().text(1, name);
  if (typeof value === 'string') return message.text(4, value).integer(20, 3);
  if (typeof value === 'number') return message.integer(3, value).integer(20, 2);
  for (const item of value) message.integer(8, item);
  return message.integer(20, 7);
}

function valueInfo({ name, shape }: Port): Message {
  const dimensions = new Message();
  for (const size of shape) {
    const dimension = new Message();
    dimensions.message(
      1,
      typeof size === 'number' ? dimension.integer(1, size) : dimension.text(2, size),
    );
  }
  const tensor = new Message().integer(1, float).message(2, dimensions);
  return new Message().text(1, name).message(2, new Message().message(1, tensor));
}

/** One protobuf message, written field by field. */
class Message {
  readonly #parts: Buffer[] = [];

  /** Negative integers occur only in data. */
  integer(field: number, value: number): this {
    this.#parts.push(varint(field << 3), varint(value));
    return this;
  }

  blob(field: number, data: Buffer): this {
    this.#parts.push(varint((field << 3) | 2), varint(data.length), data);
    return this;
  }

  text(field: number, value: string): this {
    return this.blob(field, Buffer.from(value));
  }

  message(field: number, value: Message): this {
    return this.blob(field, value.bytes());
  }

  bytes(): Buffer {
    return Buffer.concat(this.#parts);
  }
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  while (rest > 127) {
    bytes.push((rest % 128) | 128);
    rest = Math.floor(rest / 128);
  }
  bytes.push(rest);
  return Buffer.from(bytes);
}
