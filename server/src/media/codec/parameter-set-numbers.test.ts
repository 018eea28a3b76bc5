/** Numbers of parameter sets: which are taken, and pictures of x265 that name another one. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { codedUnits } from '#testing/coded-film.ts';
import { Bits } from './bits.ts';
import { unitsOf } from './h264.ts';
import { pps265, sps265, typeOf265, vps265 } from './h265.ts';
import {
  freeNumber264,
  isOwnNumberFree265,
  ownNumber265,
  renumbered265,
} from './parameter-set-numbers.ts';

const startCode = Buffer.from([0, 0, 0, 1]);
/** The head of a set of H.264 with that number: codes of 1, 3, 5, ... bits, and what follows. */
const sps = (bits: string): Buffer =>
  Buffer.concat([startCode, Buffer.from([0x67, 77, 64, 12]), bitsOf(bits)]);
const pps = (bits: string): Buffer => Buffer.concat([startCode, Buffer.from([0x68]), bitsOf(bits)]);
const bitsOf = (bits: string): Buffer =>
  Buffer.from((bits.padEnd(16, '1').match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
const code31 = '00000100000';
const code30 = '000011111';

test('the highest number is given that neither kind of set has', () => {
  assert.equal(freeNumber264(Buffer.concat([sps('1'), pps('1')])), 31);
  assert.equal(freeNumber264(Buffer.concat([sps(code31), pps('1')])), 30);
  assert.equal(freeNumber264(Buffer.concat([sps('1'), pps(code31), pps(code30)])), 29);
});

const numbersIn = (unit: Buffer): number[] => {
  const bits = new Bits(unit.subarray(2));
  const type = typeOf265(unit);
  if (type === vps265) return [bits.take(4)];
  if (type === sps265) {
    const video = bits.take(4);
    bits.skip(4 + 96);
    return [video, bits.unsigned()];
  }
  if (type === pps265) return [bits.unsigned(), bits.unsigned()];
  bits.skip(type >= 16 && type <= 23 ? 2 : 1);
  return [bits.unsigned()];
};

test('sets and pictures of x265 name the number of ours, and say everything else as before', async () => {
  const film = await codedUnits({ codec: 'hevc', bFrames: 0 });
  const units = film.flatMap((picture) => unitsOf(picture, false));
  const kinds = new Set<number>();
  for (const unit of units) {
    const type = typeOf265(unit);
    if (type > pps265) continue;
    kinds.add(type);
    const own = renumbered265(unit)!;
    assert.deepEqual(new Set(numbersIn(unit)), new Set([0]));
    assert.deepEqual(new Set(numbersIn(own)), new Set([ownNumber265]));
    assert.deepEqual(own.subarray(-3), unit.subarray(-3));
    if (type < vps265) assert.equal(renumbered265(own), null, 'only what x265 numbers 0');
  }
  assert.ok([vps265, sps265, pps265, 1].every((type) => kinds.has(type)));
  const sets = units.filter((unit) => [vps265, sps265, pps265].includes(typeOf265(unit)));
  const framed = (some: readonly Buffer[]) =>
    Buffer.concat(some.flatMap((set) => [startCode, set]));
  assert.equal(isOwnNumberFree265(framed(sets)), true);
  assert.equal(isOwnNumberFree265(framed(sets.map((set) => renumbered265(set)!))), false);
});
