/**
 * The inner loop of the search: which row may be near enough? A search is as fast as memory is read, so each row has
 * a short form of one byte a number, a quarter of the vector itself. The short form only ever rules rows out: the
 * others are compared exactly, so the result is that of comparing everything.
 *
 * With r = s R + e (R integers of one byte, s the row's scale, e the rounding error) and the same for the probe p,
 * the triangle inequality says |p - r| >= |sp P - s R| - |ep| - |e|. A row is ruled out when
 *
 *   sp² P·P + s² R·R - 2 sp s P·R > (limit + |ep| + |e|)²
 *
 * P·R is summed in integers, exactly; the rest is double precision, and both errors are stored slightly too large to
 * make up for its rounding.
 */
import { assemble, get, i32, load, loop, op, set, when, type Code } from '#lib/wasm.ts';

/** Rows are padded with zeros to whole steps of the loop: two loads of eight bytes. */
export const stepDimensions = 16;
/** Codes of rows lie within this, those of probes within the other: they have 16 bits each. */
const maxRowCode = 127;
const maxProbeCode = 4095;
/** Up to here no sum of products of codes leaves 32 bits: 127 x 4095 x 4096 < 2^31. */
export const maxDimensions = 4096;

/** After the codes of a row, 4 bytes each: s, R·R as an integer, |e|; 4 more are unused. */
const tail = { scale: 0, square: 4, error: 8, bytes: 16 } as const;
export const shortFormBytes = (dimensions: number): number => dimensions + tail.bytes;

/**
 * Returns the address of the first short form from `at` on, before `end`, that is not ruled out; else `end`. `reach`
 * is limit + |ep|, `twiceScale` is 2 sp, `square` is sp² P·P. The probe's codes are read from address 0.
 */
export type Scan = (
  at: number,
  end: number,
  reach: number,
  twiceScale: number,
  square: number,
) => number;

/** `dimensions` in whole steps. */
export function createScan(dimensions: number, memory: WebAssembly.Memory): Scan {
  const module = new WebAssembly.Module(assemble({ ...scan, body: scanBody(dimensions) }));
  const { exports } = new WebAssembly.Instance(module, { env: { memory } });
  const run = exports[scan.name] as Scan;
  // An i32 comes out with a sign, an address has none: beyond 2 GiB it would be negative.
  return (...given) => run(...given) >>> 0;
}

const scan = {
  name: 'scan',
  parameters: ['i32', 'i32', 'f64', 'f64', 'f64'],
  locals: ['v128', 'v128', 'f64', 'f64'],
  result: 'i32',
} as const;
const [at, end, reach, twiceScale, square, even, odd, scale, sum] = [0, 1, 2, 3, 4, 5, 6, 7, 8];

function scanBody(dimensions: number): Code {
  const field = (name: 'scale' | 'square' | 'error', as: 'f32.load' | 'i32.load'): Code => [
    [get(at), load(as, dimensions + tail[name])],
    op(as === 'f32.load' ? 'f64.promote_f32' : 'f64.convert_i32_s'),
  ];
  const reached: Code = [get(reach), field('error', 'f32.load'), op('f64.add'), set(sum)];
  return [
    [get(at), get(end), op('i32.ge_u'), when(get(end), op('return'))],
    loop(
      [dotProduct(dimensions), set(sum)],
      [field('scale', 'f32.load'), set(scale)],
      get(square),
      [get(scale), get(scale), op('f64.mul'), field('square', 'i32.load'), op('f64.mul')],
      op('f64.add'),
      [get(twiceScale), get(scale), op('f64.mul'), get(sum), op('f64.mul')],
      op('f64.sub'),
      [reached, get(sum), get(sum), op('f64.mul')],
      // Not "less or equal": NaN is not ruled out either.
      [op('f64.gt'), op('i32.eqz'), when(get(at), op('return'))],
      [get(at), i32(shortFormBytes(dimensions)), op('i32.add'), set(at)],
      [get(at), get(end), op('i32.lt_u'), op('br_if', 0)],
    ),
    get(end),
  ];
}

/** P·R of the row at `at`, in double precision. Two sums: the additions of one do not wait for the other. */
function dotProduct(dimensions: number): Code {
  const steps: Code[] = [];
  for (let first = 0; first < dimensions; first += stepDimensions) {
    for (const [sumOf, start] of [[even, first] as const, [odd, first + 8] as const]) {
      const products: Code = [
        [get(at), load('v128.load8x8_s', start)],
        [i32(0), load('v128.load', 2 * start)],
        op('i32x4.dot_i16x8_s'),
      ];
      const added: Code = first === 0 ? [] : [get(sumOf), op('i32x4.add')];
      steps.push([products, added, set(sumOf)]);
    }
  }
  const lanes = [0, 1, 2, 3].map((lane) => [get(even), op('i32x4.extract_lane', lane)]);
  return [
    steps,
    [get(even), get(odd), op('i32x4.add'), set(even)],
    [lanes, op('i32.add'), op('i32.add'), op('i32.add'), op('f64.convert_i32_s')],
  ];
}

export interface ShortForm {
  readonly scale: number;
  /** The sum of the squared codes. */
  readonly square: number;
  /** At least as long as the rounding error. */
  readonly error: number;
}

/** Makes up for the rounding of the comparison (1e-15 of a squared length), and for |e| stored in 32 bits. */
const slack = 1e-6;

/** Writes the codes of a row; the scale and the error are exact in 32 bits, or larger. */
export const shortenRow = (vector: Float32Array, codes: Int8Array): ShortForm =>
  shorten(vector, codes, maxRowCode);
export const shortenProbe = (vector: Float32Array, codes: Int16Array): ShortForm =>
  shorten(vector, codes, maxProbeCode);

function shorten(vector: Float32Array, codes: Int8Array | Int16Array, maxCode: number): ShortForm {
  let largest = 0;
  for (const value of vector) largest = Math.max(largest, Math.abs(value));
  const scale = Math.fround(largest / maxCode);
  let [square, lost, length] = [0, 0, 0];
  vector.forEach((value, i) => {
    const code = scale > 0 ? Math.max(-maxCode, Math.min(maxCode, Math.round(value / scale))) : 0;
    codes[i] = code;
    square += code * code;
    lost += (value - code * scale) ** 2;
    length += value * value;
  });
  const error = Math.sqrt(lost) * (1 + slack) + Math.sqrt(length) * slack;
  return { scale, square, error };
}
