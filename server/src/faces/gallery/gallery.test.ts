/** the people a face is nearest to, compared with a search that computes every distance and sorts everybody. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { plainDistance, plainNearest, type PlainRow } from '#testing/plain-search.ts';
import { Gallery, type Reference } from './gallery.ts';
import { Rows } from './rows.ts';

const pack = 'a@1';
const of = (values: readonly number[]): Float32Array => Float32Array.from(values);
const reference = (...values: number[]): Reference => ({ pack, vector: of(values) });
const ids = (found: readonly { identityId: string }[]): string[] =>
  found.map(({ identityId }) => identityId);

/** Few different numbers, so that equal distances are frequent; integers, so that they are exactly equal. */
const whole = fc.integer({ min: -3, max: 3 });
const real = fc.float({ min: -4, max: 4, noNaN: true, noDefaultInfinity: true });

/** One identity gets these vectors in place of its earlier ones. */
interface Change {
  readonly who: string;
  readonly vectors: Float32Array[];
}

const someDimensions = fc.constantFrom(1, 4, 16, 20, 128, 512);

function changesOf(number: fc.Arbitrary<number>, dimensions: number) {
  const vector = fc
    .array(number, { minLength: dimensions, maxLength: dimensions })
    .map((values) => of(values));
  const change: fc.Arbitrary<Change> = fc.record({
    who: fc.constantFrom('ayla', 'bora', 'cem', 'deniz', 'ece'),
    vectors: fc.array(vector, { maxLength: 4 }),
  });
  return fc.tuple(fc.array(change, { maxLength: 12 }), vector, fc.integer({ min: 0, max: 7 }));
}

/** What both searches return after each of the changes. */
function answers(changes: readonly Change[], probe: Float32Array, k: number) {
  const rows = new Rows(probe.length);
  const plain = new Map<string, PlainRow[]>();
  return changes.map(({ who, vectors }) => {
    rows.replace(who, vectors);
    plain.set(
      who,
      vectors.map((vector) => ({ identityId: who, vector })),
    );
    const expected = plainNearest(probe, [...plain.values()].flat(), k);
    return { found: rows.nearest(probe, k), expected };
  });
}

test('after any additions, replacements and removals the same people at the same distances, equals by id', () => {
  const given = someDimensions.chain((dimensions) => changesOf(whole, dimensions));
  fc.assert(
    fc.property(given, ([changes, probe, k]) => {
      for (const { found, expected } of answers(changes, probe, k)) {
        assert.deepEqual(found, expected);
      }
    }),
    { numRuns: 400 },
  );
});

test('distances of any numbers are right to a millionth', () => {
  const given = someDimensions.chain((dimensions) => changesOf(real, dimensions));
  fc.assert(
    fc.property(given, ([changes, probe, k]) => {
      for (const { found, expected } of answers(changes, probe, k)) {
        assert.equal(found.length, expected.length);
        found.forEach(({ distance }, i) => {
          assert.ok(Math.abs(distance - expected[i]!.distance) <= 1e-6);
        });
      }
    }),
  );
});

/** Reproducible numbers, evenly spread over -1 to 1 (mulberry32). */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 31 - 1;
  };
}

test('nothing near is missed among thousands of vectors in several blocks of memory, in any order of removal', () => {
  const next = randomNumbers(7);
  const aFace = (): Float32Array => Float32Array.from({ length: 128 }, next);
  const like = (face: Float32Array): Float32Array => face.map((value) => value + 0.3 * next());
  const rows = new Rows(128);
  const plain = new Map<string, PlainRow[]>();
  const people = Array.from({ length: 1_500 }, (_, n) => ({ id: `p${n}`, face: aFace() }));
  const replace = (id: string, vectors: Float32Array[]): void => {
    rows.replace(id, vectors);
    plain.set(
      id,
      vectors.map((vector) => ({ identityId: id, vector })),
    );
  };
  const check = (): void => {
    const all = [...plain.values()].flat();
    assert.equal(rows.size, all.length);
    for (const { face } of people.slice(0, 40)) {
      for (const probe of [like(face), aFace()]) {
        const [found, expected] = [rows.nearest(probe, 3), plainNearest(probe, all, 3)];
        assert.deepEqual(ids(found), ids(expected));
        found.forEach(({ distance }, i) => {
          assert.ok(Math.abs(distance - expected[i]!.distance) <= 1e-6);
        });
      }
    }
  };
  people.forEach(({ id, face }, n) =>
    replace(
      id,
      Array.from({ length: 1 + (n % 4) }, () => like(face)),
    ),
  );
  check();
  people.forEach(({ id, face }, n) => {
    if (n % 3 === 0) replace(id, []);
    if (n % 3 === 1) replace(id, [like(face), like(face)]);
  });
  check();
  for (const { id } of people) replace(id, []);
  check();
});

test('C-1003 nothing of a removed vector is left in the memory it lay in', () => {
  const rows = new Rows(16);
  const secret = of(Array.from({ length: 16 }, (_, i) => i + 0.5));
  const other = secret.map((value) => -value);
  rows.replace('first', [secret]);
  rows.replace('second', [other]);
  const holds = (value: number): boolean => new Float32Array(rows.memory.buffer).includes(value);
  assert.ok(holds(15.5) && holds(-15.5));
  rows.replace('first', []);
  assert.ok(!holds(15.5) && holds(-15.5));
  rows.replace('second', []);
  assert.ok(!holds(-15.5));
});

test('no match is found where there are no people, or none are asked for', () => {
  const gallery = new Gallery();
  assert.deepEqual(gallery.nearest(of([1, 2, 3, 4]), pack, 2), []);
  gallery.replace('ayla', [reference(1, 2, 3, 4)]);
  assert.deepEqual(gallery.nearest(of([1, 2, 3, 4]), pack, 0), []);
  assert.deepEqual(gallery.nearest(of([1, 2, 3, 4]), 'b@1', 1), []);
  gallery.replace('ayla', []);
  assert.deepEqual([gallery.size, gallery.nearest(of([1, 2, 3, 4]), pack, 1)], [0, []]);
});

test('a vector that is not a number matches no one, and hides no one', () => {
  const gallery = new Gallery();
  gallery.replace('broken', [reference(NaN, 0, 0, 0)]);
  gallery.replace('ayla', [reference(1, 0, 0, 0)]);
  assert.deepEqual(gallery.nearest(of([0, 0, 0, 0]), pack, 2), [
    { identityId: 'ayla', distance: 1 },
  ]);
  assert.deepEqual(gallery.nearest(of([NaN, 0, 0, 0]), pack, 2), []);
});

test('vectors of different packs are kept apart, whatever their length; those of one have one', () => {
  const gallery = new Gallery();
  const wide = { pack: 'b@1', vector: new Float32Array(1024).fill(0.1) };
  gallery.replace('ayla', [reference(1, 0, 0, 0), wide]);
  gallery.replace('bora', [reference(0, 1, 0, 0)]);
  assert.equal(gallery.size, 2);
  assert.deepEqual(ids(gallery.nearest(wide.vector, 'b@1', 5)), ['ayla']);
  assert.deepEqual(ids(gallery.nearest(of([0, 1, 0, 0]), pack, 5)), ['bora', 'ayla']);
  assert.throws(() => gallery.nearest(wide.vector, pack, 1), RangeError);
  assert.throws(() => gallery.replace('cem', [reference(1)]), RangeError);
  gallery.replace('ayla', [reference(1, 0, 0, 0)]);
  assert.deepEqual(gallery.nearest(wide.vector, 'b@1', 5), []);
});

test('"not this person": what is no nearer to them than to what they are not is never named as them', () => {
  const gallery = new Gallery();
  gallery.replace('ayla', [reference(0, 0, 0, 0), reference(0, 3, 0, 0)]);
  gallery.replace('bora', [reference(9, 0, 0, 0)]);
  const first = (...probe: number[]): string[] => ids(gallery.nearest(of(probe), pack, 1));
  assert.deepEqual(first(4, 0, 0, 0), ['ayla']);
  gallery.setNegatives('ayla', [reference(4, 0, 0, 0), { pack: 'b@1', vector: of([1]) }]);
  assert.deepEqual(first(4, 0, 0, 0), ['bora'], 'the second takes the place');
  assert.deepEqual(first(3, 0, 0, 0), ['bora'], 'near ones too');
  assert.deepEqual(first(2, 0, 0, 0), ['bora'], 'as near to both: not named');
  assert.deepEqual(first(1, 0, 0, 0), ['ayla'], 'they themselves are');
  assert.deepEqual(first(0, 4, 0, 0), ['ayla'], 'by any of their photos');
  gallery.replace('ayla', [reference(0, 0, 0, 0)]);
  assert.deepEqual(first(4, 0, 0, 0), ['bora'], 'it outlasts other photos');
  gallery.setNegatives('ayla', []);
  assert.deepEqual(first(4, 0, 0, 0), ['ayla']);
});

test('with any negatives the search names whom comparing everything names', () => {
  const vectors = fc.array(
    fc.array(whole, { minLength: 4, maxLength: 4 }).map((values) => of(values)),
    { maxLength: 4 },
  );
  const person = fc.record({ references: vectors, negatives: vectors });
  fc.assert(
    fc.property(fc.array(person, { maxLength: 5 }), vectors, (people, probes) => {
      const gallery = new Gallery();
      people.forEach(({ references, negatives }, n) => {
        gallery.replace(
          `p${n}`,
          references.map((vector) => ({ pack, vector })),
        );
        gallery.setNegatives(
          `p${n}`,
          negatives.map((vector) => ({ pack, vector })),
        );
      });
      for (const probe of probes) {
        const rows = people.flatMap(({ references }, n) =>
          references.map((vector) => ({ identityId: `p${n}`, vector })),
        );
        const expected = plainNearest(probe, rows, rows.length).filter(({ identityId, distance }) =>
          people[Number(identityId.slice(1))]!.negatives.every(
            (negative) => distance < plainDistance(probe, negative),
          ),
        );
        assert.deepEqual(gallery.nearest(probe, pack, 2), expected.slice(0, 2));
      }
    }),
  );
});
