/**
 * Writes FlatBuffers for tests of what reads them: every scalar takes four bytes, every table has its own list of
 * fields, and nothing is shared. Described in the FlatBuffers documentation, "Internals".
 */
export type Field =
  | { readonly number: number }
  | { readonly table: TableFields }
  | { readonly tables: readonly TableFields[] }
  | { readonly integers: readonly number[] }
  | { readonly bytes: Uint8Array };

/** Fields by their numbers; one that is left out has its default. */
export type TableFields = Readonly<Record<number, Field>>;

export function flatBuffer(root: TableFields): Uint8Array {
  const writer = new Writer();
  writer.reference((at) => writer.table(at, root));
  writer.finish();
  return writer.bytes();
}

class Writer {
  #data = Buffer.alloc(1024);
  #length = 0;
  /** What is referred to and not written yet: it comes after whatever refers to it. */
  readonly #open: (() => void)[] = [];

  bytes(): Uint8Array {
    return this.#data.subarray(0, this.#length);
  }

  finish(): void {
    for (let next = this.#open.shift(); next; next = this.#open.shift()) next();
  }

  /** Four bytes that say how far away is what `write` puts down later; `write` gets the place of these bytes. */
  reference(write: (from: number) => void): void {
    const from = this.#take(4);
    this.#open.push(() => write(from));
  }

  table(from: number, fields: TableFields): void {
    const numbers = Object.keys(fields).map(Number);
    const slots = Math.max(-1, ...numbers) + 1;
    const list = this.#take(4 + 2 * slots);
    const at = this.#take(4);
    this.#data.writeUInt16LE(4 + 2 * slots, list);
    this.#data.writeUInt16LE(4 + 4 * numbers.length, list + 2);
    this.#data.writeInt32LE(at - list, at);
    this.#data.writeUInt32LE(at - from, from);
    for (const number of numbers) {
      this.#data.writeUInt16LE(this.#length - at, list + 4 + 2 * number);
      this.#field(fields[number]!);
    }
  }

  #field(field: Field): void {
    if ('number' in field) this.#integer(field.number);
    else this.reference((from) => this.#value(from, field));
  }

  #value(from: number, field: Exclude<Field, { number: number }>): void {
    if ('table' in field) return this.table(from, field.table);
    this.#data.writeUInt32LE(this.#length - from, from);
    if ('bytes' in field) {
      this.#integer(field.bytes.length);
      const at = this.#take(field.bytes.length);
      this.#data.set(field.bytes, at);
      return;
    }
    const items = 'tables' in field ? field.tables : field.integers;
    this.#integer(items.length);
    for (const item of items) {
      if (typeof item === 'number') this.#integer(item);
      else this.reference((place) => this.table(place, item));
    }
  }

  #integer(value: number): void {
    const at = this.#take(4);
    this.#data.writeInt32LE(value, at);
  }

  /** Returns the place of so many more bytes; every place is a multiple of four. */
  #take(length: number): number {
    const at = this.#length;
    this.#length += Math.ceil(length / 4) * 4;
    if (this.#length > this.#data.length) {
      this.#data = Buffer.concat([
        this.#data,
        Buffer.alloc(Math.max(this.#length, this.#data.length)),
      ]);
    }
    return at;
  }
}
