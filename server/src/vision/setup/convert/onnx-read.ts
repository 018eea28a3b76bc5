/**
 * Reads the few fields of an ONNX file (onnx.proto3) that a network of convolutions has. Files are pinned by hash, so
 * that what is not expected here is an error, never a guess.
 */
import type { Tensor } from './onnx.ts';

export type OnnxAttribute = number | readonly number[] | Tensor;

export interface OnnxNode {
  readonly op: string;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  readonly attributes: Readonly<Record<string, OnnxAttribute>>;
}

export interface OnnxModel {
  readonly nodes: readonly OnnxNode[];
  /** Weights, and the values of Constant nodes, by name. */
  readonly constants: ReadonlyMap<string, Tensor>;
  /** The names of the values that leave the graph. */
  readonly outputs: readonly string[];
}

export function readOnnx(file: Uint8Array): OnnxModel {
  const graph = bytesOf(file, 7)[0]!;
  const nodes = bytesOf(graph, 1).map(nodeOf);
  const constants = new Map(bytesOf(graph, 5).map(tensorOf));
  for (const { op, outputs, attributes } of nodes) {
    const { value } = attributes;
    if (op === 'Constant' && isTensor(value)) constants.set(outputs[0]!, value);
  }
  return { nodes, constants, outputs: bytesOf(graph, 12).map((it) => text(it, 1)) };
}

const isTensor = (value: OnnxAttribute | undefined): value is Tensor =>
  typeof value === 'object' && 'shape' in value;

function nodeOf(bytes: Uint8Array): OnnxNode {
  return {
    op: text(bytes, 4),
    inputs: bytesOf(bytes, 1).map(decoded),
    outputs: bytesOf(bytes, 2).map(decoded),
    attributes: Object.fromEntries(bytesOf(bytes, 5).map(attributeOf)),
  };
}

/** AttributeProto: an integer, a tensor, or a list of integers. */
function attributeOf(bytes: Uint8Array): [string, OnnxAttribute] {
  const [tensor] = bytesOf(bytes, 5);
  const [integer] = integersOf(bytes, 3);
  return [text(bytes, 1), tensor ? tensorOf(tensor)[1] : (integer ?? integersOf(bytes, 8))];
}

const float = 1;
const int64 = 7;

/** Integers are sizes and positions, which float32 holds exactly. */
function tensorOf(bytes: Uint8Array): [string, Tensor] {
  const shape = integersOf(bytes, 1);
  const [kind] = integersOf(bytes, 2);
  const [raw] = bytesOf(bytes, 9);
  if (!raw) throw new Error('only tensors with raw data are read');
  const { buffer } = Uint8Array.from(raw);
  if (kind === float) return [text(bytes, 8), { data: new Float32Array(buffer), shape }];
  if (kind !== int64) throw new Error(`tensors of type ${kind} are not read`);
  const data = Float32Array.from(new BigInt64Array(buffer), Number);
  return [text(bytes, 8), { data, shape }];
}

const decoded = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
const text = (bytes: Uint8Array, field: number): string => {
  const [found] = bytesOf(bytes, field);
  return found ? decoded(found) : '';
};

/** The parts of a message with this number: messages, texts, raw data. */
function bytesOf(message: Uint8Array, wanted: number): Uint8Array[] {
  return valuesOf(message, wanted).filter((value) => typeof value !== 'number');
}

/** Repeated integers are written one by one, or packed into one part. */
function integersOf(message: Uint8Array, wanted: number): number[] {
  return valuesOf(message, wanted).flatMap((value) => {
    if (typeof value === 'number') return [value];
    const reader = new Reader(value);
    const all: number[] = [];
    while (!reader.atEnd) all.push(reader.varint());
    return all;
  });
}

const fixed: Readonly<Record<number, number>> = { 1: 8, 5: 4 };

function valuesOf(message: Uint8Array, wanted: number): (number | Uint8Array)[] {
  const reader = new Reader(message);
  const found: (number | Uint8Array)[] = [];
  while (!reader.atEnd) {
    const key = reader.varint();
    const [field, wire] = [key >> 3, key & 7];
    const value =
      wire === 0 ? reader.varint() : reader.take(wire === 2 ? reader.varint() : fixed[wire]);
    if (field === wanted) found.push(value);
  }
  return found;
}

class Reader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get atEnd(): boolean {
    return this.#at >= this.#bytes.length;
  }

  take(length: number | undefined): Uint8Array {
    const end = this.#at + (length ?? NaN);
    if (!(end <= this.#bytes.length)) throw new Error('the file ends too early, or is no ONNX');
    const part = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return part;
  }

  /** Seven bits a byte, the lowest first. */
  varint(): number {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = this.take(1)[0]!;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return Number(BigInt.asIntN(64, value));
    }
    throw new Error('no number ends here');
  }
}
