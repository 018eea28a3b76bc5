import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { joining, minJoinQuality, type NearStranger } from './joining.ts';

/** As in the shipped pack; repeated here so that the table can be read. */
const limits = {
  far1e2: 0.63,
  far1e3: 0.585,
  openSet: 0.54,
  strict: 0.5,
  margin: 0.06,
  split: 0.55,
  logistic: [15.95, -27.5] as [number, number],
};

const near = (strangerId: string, distance: number): NearStranger => ({
  strangerId,
  identityId: `${strangerId}'s`,
  distance,
});

interface Case {
  readonly name: string;
  readonly nearest: readonly NearStranger[];
  readonly beside?: readonly string[];
  readonly quality?: number;
  readonly compared?: number;
  readonly resembles?: boolean;
  readonly says: string;
}

const table: readonly Case[] = [
  { name: 'nobody was seen before', nearest: [], says: 'begin' },
  { name: 'near one, far from the next', nearest: [near('a', 0.4), near('b', 0.9)], says: "a's" },
  {
    name: 'nearer than naming asks for is not near enough',
    nearest: [near('a', 0.51)],
    says: 'apart',
  },
  { name: 'too far to be named: somebody new', nearest: [near('a', 0.55)], says: 'begin' },
  { name: 'as near to two', nearest: [near('a', 0.4), near('b', 0.45)], says: 'apart' },
  {
    name: 'too poor a picture, however near',
    nearest: [near('a', 0.1)],
    quality: 0.29,
    says: 'apart',
  },
  { name: 'too poor to begin somebody', nearest: [], quality: 0.29, says: 'apart' },
  { name: 'too little to name somebody enrolled', nearest: [], resembles: true, says: 'apart' },
  {
    name: 'near a stranger, and too little to name somebody enrolled',
    nearest: [near('a', 0.1)],
    resembles: true,
    says: 'apart',
  },
  { name: 'near who stands beside them', nearest: [near('a', 0.2)], beside: ['a'], says: 'begin' },
  {
    name: 'of two who are alike, the other one stands beside them',
    nearest: [near('a', 0.4), near('b', 0.42)],
    beside: ['b'],
    says: "a's",
  },
  {
    name: 'much nearer to who stands beside them than to anybody else',
    nearest: [near('a', 0.2), near('b', 0.45)],
    beside: ['a'],
    says: 'apart',
  },
  {
    name: 'among 10,000 vectors the same distance is not near enough',
    nearest: [near('a', 0.45)],
    compared: 10_000,
    says: 'begin',
  },
  {
    name: 'among 10,000 vectors a smaller one is',
    nearest: [near('a', 0.4)],
    compared: 10_000,
    says: "a's",
  },
];

for (const { name, beside = [], quality = 0.8, compared = 50, says, ...more } of table) {
  test(`joining: ${name}`, () => {
    const seen = { ...more, quality, beside: new Set(beside), compared };
    const outcome = joining(seen, limits);
    assert.equal(outcome.kind === 'join' ? outcome.identityId : outcome.kind, says);
  });
}

test('joining: no one joins a stranger beside them, beyond the strict limit, or by a poor picture', () => {
  const anyNear = fc.record({
    id: fc.constantFrom('a', 'b', 'c'),
    distance: fc.double({ min: 0, max: 1, noNaN: true }),
  });
  fc.assert(
    fc.property(
      fc.uniqueArray(anyNear, { selector: ({ id }) => id }),
      fc.subarray(['a', 'b', 'c']),
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.nat(100_000),
      (all, beside, quality, compared) => {
        const nearest = all
          .map(({ id, distance }) => near(id, distance))
          .toSorted((a, b) => a.distance - b.distance);
        const outcome = joining({ quality, nearest, beside: new Set(beside), compared }, limits);
        if (outcome.kind !== 'join') return;
        const joined = nearest.find(({ identityId }) => identityId === outcome.identityId)!;
        assert.ok(!beside.includes(joined.strangerId));
        assert.ok(joined.distance < limits.strict && quality >= minJoinQuality);
      },
    ),
  );
});
