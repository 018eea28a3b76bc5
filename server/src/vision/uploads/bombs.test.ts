/**
 * pictures that were made to hurt, and good ones with bytes changed. Each ends as a clean picture or a refusal
 * with its reason; none costs the server more than its helper process. `NAZAR_TEST_IMAGES` says how many are mutated
 * (150), `NAZAR_TEST_SEED` repeats a run.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import * as fc from 'fast-check';
import sharp from 'sharp';
import { systemClock } from '#lib/clock.ts';
import { ownWork } from '#lib/limits/turns.ts';
import { createLog } from '#lib/log.ts';
import { Problem } from '#lib/problem.ts';
import { bombs } from '#testing/bombs.ts';
import { Images } from './images.ts';

const own = { account: ownWork };

const MiB = 1024 * 1024;
/** What the server may keep of all pictures together. */
const maxKeptBytes = 20 * MiB;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** What is still held, in V8's heap and outside of it, once the rest is not needed. */
function heldBytes(): number {
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
const total = Number(process.env['NAZAR_TEST_IMAGES'] ?? 150);
const seed = Number(process.env['NAZAR_TEST_SEED'] ?? Date.now() % 2 ** 31);
const refusals = [
  'image_type',
  'image_too_large',
  'image_too_many_pixels',
  'image_too_slow',
  'image_unreadable',
];

/** `clean`, or the code of the refusal; anything else is thrown. */
async function outcomeOf(images: Images, bytes: Buffer): Promise<string> {
  try {
    const { jpeg, width, height } = await images.clean(bytes, own);
    assert.ok(width <= 1600 && height <= 1600);
    assert.equal((await sharp(jpeg).metadata()).exif, undefined);
    return 'clean';
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    assert.ok(refusals.includes(error.code), error.code);
    return error.code;
  }
}

function count(outcomes: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const outcome of outcomes) counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  return [...counts].map(([outcome, n]) => `${outcome}: ${n}`).join(', ');
}

async function aPicture(): Promise<Buffer> {
  return sharp({
    create: { width: 40, height: 30, channels: 3, background: { r: 9, g: 99, b: 9 } },
  })
    .jpeg()
    .toBuffer();
}

test('R-14, C-521, C-522, C-523 34 bombs are refused or defused, each alone, without growing the server', async (t) => {
  await using images = new Images({ clock: systemClock, log: createLog('silent') });
  const good = await aPicture();
  await images.clean(good, own);
  const corpus = await bombs();
  assert.ok(corpus.length >= 34);
  const before = process.memoryUsage().rss;
  let peak = before;
  const heldBefore = heldBytes();
  const outcomes: string[] = [];
  for (const [name, bytes] of corpus) {
    const outcome = await outcomeOf(images, bytes);
    outcomes.push(outcome);
    peak = Math.max(peak, process.memoryUsage().rss);
    assert.equal(await outcomeOf(images, good), 'clean', `after ${name}`);
    assert.ok(images.processes <= 2);
  }
  const kept = heldBytes() - heldBefore;
  t.diagnostic(
    `${count(outcomes)}; server + ${Math.round((peak - before) / MiB)} MiB at most, ${(kept / MiB).toFixed(1)} kept`,
  );
  assert.ok(kept <= maxKeptBytes, `${Math.round(kept / MiB)} MiB are kept`);
});

const place = fc.nat(2 ** 30);

/** A change to the bytes of a good picture; the first ones, which tell its kind, stay. */
const mutation = fc.record({
  picture: fc.nat(5),
  flips: fc.array(fc.tuple(place, fc.nat(255)), { maxLength: 12 }),
  cutAt: fc.option(place, { freq: 2 }),
  doubled: fc.option(place, { freq: 3 }),
});

const firstBytes = 12;
const within = (at: number, { length }: Buffer): number =>
  firstBytes + (at % (length - firstBytes));

function mutated(good: Buffer, { flips, cutAt, doubled }: Mutation): Buffer {
  let bytes = Buffer.from(good);
  for (const [at, value] of flips) bytes[within(at, bytes)] = value;
  if (doubled !== null) bytes = Buffer.concat([bytes, bytes.subarray(within(doubled, bytes))]);
  return cutAt === null ? bytes : bytes.subarray(0, within(cutAt, bytes));
}
type Mutation = typeof mutation extends fc.Arbitrary<infer Each> ? Each : never;

test('R-14 mutated pictures are read or refused, and nothing else happens', async (t) => {
  await using images = new Images({ clock: systemClock, log: createLog('silent') });
  const base = sharp({
    create: {
      width: 320,
      height: 240,
      channels: 3,
      background: 'black',
      noise: { type: 'gaussian', mean: 90, sigma: 40 },
    },
  });
  const pictures = await Promise.all([
    base.clone().jpeg().toBuffer(),
    base
      .clone()
      .jpeg({ progressive: true })
      .withExif({ IFD0: { Artist: 'x' } })
      .toBuffer(),
    base.clone().png().toBuffer(),
    base.clone().png({ progressive: true, palette: true }).toBuffer(),
    base.clone().webp().toBuffer(),
    base.clone().webp({ lossless: true }).toBuffer(),
  ]);
  const outcomes: string[] = [];
  const property = fc.asyncProperty(mutation, async (how) => {
    outcomes.push(await outcomeOf(images, mutated(pictures[how.picture]!, how)));
    assert.ok(images.processes <= 2);
  });
  t.diagnostic(`NAZAR_TEST_SEED=${seed} NAZAR_TEST_IMAGES=${total}`);
  await fc.assert(property, { numRuns: total, seed });
  assert.equal(await outcomeOf(images, await aPicture()), 'clean');
  t.diagnostic(count(outcomes));
});
