import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { assemble, get, i32, load, loop, op, set, when, type Code } from './wasm.ts';

const memory = new WebAssembly.Memory({ initial: 1 });

/** A function of one address that begins with these locals besides. */
function compiled(body: Code, locals: readonly ('i32' | 'f64' | 'v128')[] = []) {
  const bytes = assemble({ name: 'run', parameters: ['i32'], locals, result: 'i32', body });
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytes), { env: { memory } });
  return exports['run'] as (address: number) => number;
}

test('every whole number of 32 bits is written so that it is read again', () => {
  for (const value of [0, 63, 64, 127, 128, -1, -64, -65, -128, 2 ** 31 - 1, -(2 ** 31)]) {
    assert.equal(compiled(i32(value))(0), value, `${value}`);
  }
  fc.assert(fc.property(fc.integer(), (value) => assert.equal(compiled(i32(value))(0), value)));
});

test('offsets of loads of any length reach their address', () => {
  const numbers = new Int32Array(memory.buffer);
  for (const offset of [0, 4, 124, 128, 16_380, 16_384, 65_532]) {
    numbers[offset / 4] = offset + 7;
    assert.equal(compiled([get(0), load('i32.load', offset)])(0), offset + 7, `${offset}`);
  }
  assert.throws(() => compiled([get(0), load('i32.load', 65_536)])(0), WebAssembly.RuntimeError);
});

test('a loop goes on while its condition holds, and `when` does what it holds', () => {
  const [count, doubled] = [0, 1];
  const run = compiled(
    [
      loop(
        [get(doubled), i32(2), op('i32.add'), set(doubled)],
        [get(count), i32(-1), op('i32.add'), set(count)],
        [get(doubled), i32(100), op('i32.ge_u'), when(i32(-5), op('return'))],
        [i32(0), get(count), op('i32.lt_u'), op('br_if', 0)],
      ),
      get(doubled),
    ],
    ['i32'],
  );
  assert.deepEqual([run(1), run(7), run(49), run(50)], [2, 14, 98, -5]);
});

test('products of bytes and 16-bit numbers are summed with their signs', () => {
  const value = fc.array(fc.integer({ min: -127, max: 127 }), { minLength: 8, maxLength: 8 });
  const lanes = [0, 1, 2, 3].map((lane) => [get(1), op('i32x4.extract_lane', lane)]);
  const dot = compiled(
    [
      [get(0), load('v128.load8x8_s', 64)],
      [get(0), load('v128.load', 0), op('i32x4.dot_i16x8_s'), set(1)],
      [lanes, op('i32.add'), op('i32.add'), op('i32.add')],
    ],
    ['v128'],
  );
  fc.assert(
    fc.property(value, value, (bytes, factors) => {
      const numbers = factors.map((factor) => factor * 32);
      new Int8Array(memory.buffer).set(bytes, 64);
      new Int16Array(memory.buffer).set(numbers);
      const sum = bytes.reduce((before, byte, i) => before + byte * numbers[i]!, 0);
      assert.equal(dot(0), sum);
    }),
  );
});

test('parts that do not fit together are refused by the engine', () => {
  assert.throws(() => compiled([get(0), op('f64.add')]), WebAssembly.CompileError);
  assert.throws(() => compiled(get(1)), WebAssembly.CompileError);
});
