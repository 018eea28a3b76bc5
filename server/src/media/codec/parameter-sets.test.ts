/** What distinguishes one stream of a coding from the next, as cameras say it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { unitsOf } from '@nazar/e2e/farm/rtp.ts';
import { codedUnits, type Coding } from '#testing/coded-film.ts';
import { parameterSetsOf } from './h264.ts';
import { parameterSetsOf265 } from './h265.ts';

const shape = { width: 320, height: 184, fps: 12, gop: 4, pictures: 4 };
const startCode = Buffer.from([0, 0, 0, 1]);
const packet = (units: readonly Buffer[]): Buffer =>
  Buffer.concat(units.flatMap((unit) => [startCode, unit]));

const codings = [
  ['h264', parameterSetsOf, (unit: Buffer) => [7, 8].includes(unit[0]! & 31)],
  ['hevc', parameterSetsOf265, (unit: Buffer) => [32, 33, 34].includes((unit[0]! >> 1) & 63)],
] as const;

for (const [codec, setsOf, isSet] of codings) {
  const unitsFor = async (more: Partial<Coding> = {}): Promise<Buffer[]> => {
    const [picture] = await codedUnits({ codec, bFrames: 0, shape, ...more });
    return unitsOf(picture!);
  };

  test(`${codec}: parameter sets that a camera says twice are those that it said once`, async () => {
    const units = await unitsFor();
    const sets = units.filter(isSet);
    const once = setsOf(packet(units), false);
    assert.deepEqual(once, packet(sets));
    assert.deepEqual(setsOf(packet([...sets, ...units]), false), once);
    assert.equal(setsOf(packet(units.filter((unit) => !isSet(unit))), false), null);
  });

  test(`${codec}: those of another size are others, whichever are said twice`, async () => {
    const units = await unitsFor();
    const other = await unitsFor({ shape: { ...shape, width: 640, height: 360 } });
    const sets = other.filter(isSet);
    assert.notDeepEqual(setsOf(packet([...sets, ...other]), false), setsOf(packet(units), false));
  });
}
