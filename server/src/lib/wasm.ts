/**
 * As much of WebAssembly's binary format as a loop written by hand needs: one function over one memory.
 * Instructions have the names of the specification, so that a program reads like its text format. Nothing is
 * checked here: the engine does that when it compiles the bytes.
 */

/** Operation codes of the core specification (3.0, section 5.4); those of SIMD begin with 0xfd. */
const codes = {
  loop: [0x03],
  if: [0x04],
  end: [0x0b],
  br_if: [0x0d],
  return: [0x0f],
  'local.get': [0x20],
  'local.set': [0x21],
  'i32.load': [0x28],
  'f32.load': [0x2a],
  'i32.const': [0x41],
  'i32.eqz': [0x45],
  'i32.lt_u': [0x49],
  'i32.ge_u': [0x4f],
  'f64.gt': [0x64],
  'i32.add': [0x6a],
  'f64.add': [0xa0],
  'f64.sub': [0xa1],
  'f64.mul': [0xa2],
  'f64.convert_i32_s': [0xb7],
  'f64.promote_f32': [0xbb],
  'v128.load': [0xfd, 0x00],
  /** Eight bytes with a sign, each widened to 16 bits. */
  'v128.load8x8_s': [0xfd, 0x01],
  'i32x4.extract_lane': [0xfd, 0x1b],
  'i32x4.add': [0xfd, 0xae, 0x01],
  /** Products of eight 16-bit numbers by eight, neighbours added: four sums of 32 bits. */
  'i32x4.dot_i16x8_s': [0xfd, 0xba, 0x01],
} as const;
export type Operation = keyof typeof codes;

const valueTypes = { i32: 0x7f, f64: 0x7c, v128: 0x7b } as const;
export type ValueType = keyof typeof valueTypes;

/** Encoded instructions in order, nested in whatever way reads best. */
export type Code = readonly (number | Code)[];

export interface WasmFunction {
  readonly name: string;
  readonly parameters: readonly ValueType[];
  readonly locals: readonly ValueType[];
  readonly result: ValueType;
  readonly body: Code;
}

/** An instruction without operands, or with one of a single byte: a lane, a depth. */
export const op = (name: Operation, ...operand: [] | [number]): Code => [codes[name], operand];
/** Locals are numbered from 0, parameters first. */
export const get = (local: number): Code => [codes['local.get'], unsigned(local)];
export const set = (local: number): Code => [codes['local.set'], unsigned(local)];
export const i32 = (value: number): Code => [codes['i32.const'], signed(value)];
/** From the address on the stack plus `offset`; addresses may be of any alignment. */
export const load = (name: Operation, offset: number): Code => [codes[name], 0, unsigned(offset)];

const noResult = 0x40;
/** `br_if 0` directly inside it starts the next iteration. */
export const loop = (...body: Code[]): Code => [codes.loop, noResult, body, codes.end];
/** Takes a condition from the stack. */
export const when = (...body: Code[]): Code => [codes.if, noResult, body, codes.end];

/** A module that imports its memory as `env.memory` and exports the function by its name. */
export function assemble(made: WasmFunction): Uint8Array<ArrayBuffer> {
  const { name, parameters, locals, result, body } = made;
  const typesOf = (types: readonly ValueType[]): Code =>
    vector(types.map((type) => [valueTypes[type]]));
  const code = flat([vector(locals.map((type) => [1, valueTypes[type]])), body, codes.end]);
  const onlyOne = unsigned(0);
  return Uint8Array.from(
    flat([
      [0x00, 0x61, 0x73, 0x6d], // "\0asm"
      [0x01, 0x00, 0x00, 0x00], // version 1
      section(1, [0x60, typesOf(parameters), typesOf([result])]),
      section(2, [text('env'), text('memory'), 0x02, 0x00, unsigned(0)]), // at least 0 pages
      section(3, onlyOne),
      section(7, [text(name), 0x00, onlyOne]),
      section(10, [unsigned(code.length), code]),
    ]),
  );
}

/** Each section holds one entry: of types, imports, functions, exports, code. */
function section(id: number, entry: Code): Code {
  const content = flat(vector([entry]));
  return [id, unsigned(content.length), content];
}

const vector = (items: readonly Code[]): Code => [unsigned(items.length), items];
const text = (value: string): Code => vector([...Buffer.from(value)].map((byte) => [byte]));

function flat(code: Code): number[] {
  return code.flatMap((part) => (typeof part === 'number' ? [part] : flat(part)));
}

/** LEB128: seven bits a byte, the lowest first; the eighth says that more follow. */
function unsigned(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 0x7f; rest >>>= 7) bytes.push((rest & 0x7f) | 0x80);
  return [...bytes, rest];
}

/** The same for signed 32-bit numbers; the sign is the highest of the last seven bits. */
function signed(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  for (; rest < -0x40 || rest > 0x3f; rest >>= 7) bytes.push((rest & 0x7f) | 0x80);
  return [...bytes, rest & 0x7f];
}
