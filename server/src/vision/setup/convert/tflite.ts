/**
 * Reads a TensorFlow Lite model (a FlatBuffer, schema 3): its tensors, constants and operations. Files are pinned by
 * hash, so that what is not expected here is an error, never a guess.
 */

/** Operations by their code in the schema. */
const operations: Readonly<Record<number, string>> = {
  0: 'ADD',
  3: 'CONV_2D',
  4: 'DEPTHWISE_CONV_2D',
  18: 'MUL',
  19: 'RELU',
  22: 'RESHAPE',
  41: 'SUB',
  101: 'ABS',
};

export interface TfliteTensor {
  readonly shape: readonly number[];
  /** Null: it is computed. */
  readonly constant: Float32Array | null;
}

export interface TfliteNode {
  readonly op: string;
  readonly inputs: readonly number[];
  readonly output: number;
  /** The operation's options, by field. */
  readonly options: Table | null;
}

export interface TfliteModel {
  readonly tensors: readonly TfliteTensor[];
  readonly nodes: readonly TfliteNode[];
  readonly input: number;
  readonly output: number;
}

export function readTflite(file: Uint8Array): TfliteModel {
  const model = Table.root(file);
  const codes = model.tables(1).map((code) => Math.max(code.int8(0), code.int32(3)));
  const buffers = model.tables(4).map((buffer) => buffer.bytes(0));
  const [graph] = model.tables(2);
  if (!graph) throw new Error('the file has no graph');
  const nodes = graph.tables(3).map((node) => {
    const code = codes[node.int32(0)]!;
    const op = operations[code];
    if (op === undefined) throw new Error(`operation ${code} is not read`);
    return { op, inputs: node.integers(1), output: node.integers(2)[0]!, options: node.table(4) };
  });
  const tensors = graph.tables(0).map((tensor) => tensorOf(tensor, buffers));
  return { tensors, nodes, input: graph.integers(1)[0]!, output: graph.integers(2)[0]! };
}

const float32 = 0;

function tensorOf(tensor: Table, buffers: readonly Uint8Array[]): TfliteTensor {
  const shape = tensor.integers(0);
  const bytes = buffers[tensor.int32(2)]!;
  const isConstant = bytes.length > 0 && tensor.int8(1) === float32;
  return { shape, constant: isConstant ? new Float32Array(Uint8Array.from(bytes).buffer) : null };
}

/** A table of a FlatBuffer: its fields by number; one that is absent has its default. */
export class Table {
  readonly #view: DataView;
  readonly #at: number;
  readonly #fields: number;

  private constructor(view: DataView, at: number) {
    this.#view = view;
    this.#at = at;
    this.#fields = at - view.getInt32(at, true);
  }

  static root(file: Uint8Array): Table {
    const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
    return new Table(view, view.getUint32(0, true));
  }

  int8(field: number, otherwise = 0): number {
    const at = this.#placeOf(field);
    return at === null ? otherwise : this.#view.getInt8(at);
  }

  int32(field: number, otherwise = 0): number {
    const at = this.#placeOf(field);
    return at === null ? otherwise : this.#view.getInt32(at, true);
  }

  table(field: number): Table | null {
    const at = this.#placeOf(field);
    return at === null ? null : new Table(this.#view, this.#follow(at));
  }

  tables(field: number): Table[] {
    return this.#items(field, 4).map((at) => new Table(this.#view, this.#follow(at)));
  }

  integers(field: number): number[] {
    return this.#items(field, 4).map((at) => this.#view.getInt32(at, true));
  }

  bytes(field: number): Uint8Array {
    const [first = 0, ...rest] = this.#items(field, 1);
    const length = first === 0 ? 0 : rest.length + 1;
    return new Uint8Array(this.#view.buffer, this.#view.byteOffset + first, length);
  }

  /** The addresses of a vector's items. */
  #items(field: number, bytesEach: number): number[] {
    const at = this.#placeOf(field);
    if (at === null) return [];
    const start = this.#follow(at);
    const length = this.#view.getUint32(start, true);
    return Array.from({ length }, (_, i) => start + 4 + i * bytesEach);
  }

  #follow(at: number): number {
    return at + this.#view.getUint32(at, true);
  }

  #placeOf(field: number): number | null {
    const slot = 4 + 2 * field;
    if (slot >= this.#view.getUint16(this.#fields, true)) return null;
    const offset = this.#view.getUint16(this.#fields + slot, true);
    return offset === 0 ? null : this.#at + offset;
  }
}
