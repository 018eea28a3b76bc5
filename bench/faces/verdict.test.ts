import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judge } from './verdict.ts';

const cast = [
  { from: 0, until: 4, identity: 'ada', enrolled: true },
  { from: 4, until: 8, identity: 'stranger', enrolled: false },
  { from: 8, until: 12, identity: 'bob', enrolled: true },
];

test('the first right name counts, from when the person came into view', () => {
  const names = [
    { at: 600, identity: 'ada' },
    { at: 1400, identity: 'ada' },
    { at: 9800, identity: 'bob' },
  ];
  assert.deepEqual(judge(cast, names), { visits: 2, named: 2, slowestMs: 1800, wrong: 0 });
});

test('a name for a stranger is wrong, and so is a right one after they left', () => {
  const names = [
    { at: 3999, identity: 'ada' },
    { at: 4000, identity: 'ada' },
    { at: 9000, identity: 'ada' },
  ];
  assert.deepEqual(judge(cast, names), { visits: 2, named: 1, slowestMs: 3999, wrong: 2 });
});

test('a person who is not named does not count as named fast', () => {
  assert.equal(judge(cast, []).slowestMs, null);
});
