/** What people send: every kind of photo gives the pixels of its plain JPEG, or is refused with a reason. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import sharp from 'sharp';
import { systemClock } from '#lib/clock.ts';
import { ownWork } from '#lib/limits/turns.ts';
import { createLog } from '#lib/log.ts';
import { Problem } from '#lib/problem.ts';
import { photoKinds } from '#testing/photo-kinds.ts';
import type { Clean } from './clean.ts';
import { Images } from './images.ts';

const own = { account: ownWork };

/** Soft colours and edges in all directions, so that a picture that is turned or mirrored is another one. */
const scene = Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="640" height="480">
  <defs><linearGradient id="g"><stop stop-color="#c08060"/><stop offset="1" stop-color="#5080a0"/></linearGradient></defs>
  <rect width="640" height="480" fill="url(#g)"/>
  <ellipse cx="230" cy="180" rx="120" ry="150" fill="#d8b090"/>
  <rect x="420" y="300" width="160" height="60" fill="#406040"/></svg>`);

/** Mean difference of two pictures, in levels of 0 to 255. */
function difference(
  one: Clean,
  other: Clean,
  channels: (at: number, { rgb }: Clean) => number,
): number {
  let sum = 0;
  const pixels = one.width * one.height;
  for (let at = 0; at < pixels * 3; at++) sum += Math.abs(channels(at, one) - channels(at, other));
  return sum / (pixels * 3);
}
const ofColours = (at: number, { rgb }: Pick<Clean, 'rgb'>): number => rgb[at]!;
const ofGrey = (at: number, { rgb }: Pick<Clean, 'rgb'>): number => {
  const start = at - (at % 3);
  return 0.299 * rgb[start]! + 0.587 * rgb[start + 1]! + 0.114 * rgb[start + 2]!;
};

test('C-520, C-522 each kind of photo is read as its plain JPEG, or refused with its reason', async (t) => {
  await using images = new Images({ clock: systemClock, log: createLog('silent') });
  const kinds = await photoKinds(await sharp(scene).png().toBuffer());
  assert.ok(kinds.length >= 60, `${kinds.length} kinds`);
  const plain = await images.clean(kinds[0]!.bytes, own);
  const wrong: string[] = [];
  for (const { name, bytes, expected } of kinds) {
    const read = await images.clean(bytes, own).catch((error: unknown) => {
      if (!(error instanceof Problem)) throw error;
      return error.code;
    });
    if (typeof read === 'string') {
      if (read !== expected) wrong.push(`${name}: ${read}, not ${expected}`);
      continue;
    }
    if (!['same', 'grey', 'read'].includes(expected)) wrong.push(`${name}: read, not ${expected}`);
    if (read.width !== 640 || read.height !== 480)
      wrong.push(`${name}: ${read.width}x${read.height}`);
    else if (expected !== 'read') {
      const levels = difference(plain, read, expected === 'same' ? ofColours : ofGrey);
      if (levels > (name === 'CMYK JPEG' ? 5 : 2))
        wrong.push(`${name}: ${levels.toFixed(1)} levels from the plain JPEG`);
    }
  }
  assert.deepEqual(wrong, []);
  t.diagnostic(`${kinds.length} kinds`);
});
