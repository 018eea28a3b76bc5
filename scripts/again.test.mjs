import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { afterSecondLook, filesToRunAgain, unsteadyText } from './again.mjs';
import { root } from './steps.mjs';

const failure = (file, name = 'a test') => ({ file: file && join(root, file), name, error: 'why' });
const outcome = (passed, failures, skipped = 0) => ({
  passed,
  failed: failures.length,
  skipped,
  failures,
  tookMs: {},
  said: '',
});

test('a few files are run again, once each; many are not', () => {
  const same = [failure('a.test.ts'), failure('a.test.ts', 'another'), failure('b.test.ts')];
  assert.deepEqual(filesToRunAgain(outcome(9, same)), ['a.test.ts', 'b.test.ts']);
  assert.deepEqual(filesToRunAgain(outcome(9, [])), []);
  const many = Array.from({ length: 6 }, (_, i) => failure(`${i}.test.ts`));
  assert.deepEqual(filesToRunAgain(outcome(9, many)), []);
});

test('a failure outside of every file is searched for in all, unless that takes too long', () => {
  const ended = outcome(9, [failure(''), failure('a.test.ts')]);
  assert.deepEqual(filesToRunAgain(ended), []);
  const [a, b] = ['a.test.ts', 'b.test.ts'].map((file) => join(root, file));
  const short = { ...ended, tookMs: { [a]: 400_000, [b]: 500_000 } };
  assert.deepEqual(filesToRunAgain(short), ['a.test.ts', 'b.test.ts']);
  assert.deepEqual(filesToRunAgain({ ...short, tookMs: { [a]: 400_000, [b]: 500_001 } }), []);
  const many = Array.from({ length: 5 }, (_, i) => failure(`${i}.test.ts`));
  assert.deepEqual(filesToRunAgain({ ...short, failures: [failure(''), ...many] }), []);
});

test('a test that passes alone is reported and counts as passed, with what had to wait for it', () => {
  const first = outcome(10, [failure('a.spec.ts')], 3);
  const { outcome: now, unsteady } = afterSecondLook(first, outcome(6, []));
  assert.deepEqual([now.passed, now.failed, now.skipped, now.failures], [14, 0, 0, []]);
  assert.deepEqual(unsteady, first.failures);
  assert.equal(unsteadyText(unsteady[0]), 'unsteady, passed alone: a.spec.ts > a test\n    why');
});

test('a test that fails again, is skipped or does not run has failed', () => {
  const first = outcome(10, [failure('a.spec.ts'), failure('a.spec.ts', 'another')]);
  for (const second of [
    outcome(6, [failure('a.spec.ts')]),
    outcome(6, [], 1),
    outcome(0, []),
    outcome(1, []),
  ]) {
    assert.deepEqual(afterSecondLook(first, second), { outcome: first, unsteady: [] });
  }
});
