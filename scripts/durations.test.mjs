import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { playwrightTookMs, slowestText, vitestTookMs } from './durations.mjs';
import { root } from './steps.mjs';

test('each runner reports how long its files took', () => {
  const vitest = { testResults: [{ name: '/a', startTime: 1_000, endTime: 3_500 }] };
  assert.deepEqual(vitestTookMs(vitest), { '/a': 2_500 });
  const begun = Date.UTC(2026, 0, 1);
  const spec = (atMs, duration) => {
    const startTime = new Date(begun + atMs).toISOString();
    return { tests: [{ results: [{ startTime, duration }] }] };
  };
  const playwright = {
    config: { rootDir: '/e2e' },
    stats: { startTime: new Date(begun).toISOString() },
    suites: [
      { file: 'b.spec.ts', specs: [spec(40, 10)], suites: [{ specs: [spec(60, 20)] }] },
      { file: 'c.spec.ts', specs: [spec(100, 5)] },
      { file: 'skipped.spec.ts', specs: [{ tests: [{ results: [] }] }] },
    ],
  };
  assert.deepEqual(playwrightTookMs(playwright), { '/e2e/b.spec.ts': 80, '/e2e/c.spec.ts': 25 });
});

test('the slowest files come first, with their part of all', () => {
  const text = slowestText('tests', { [join(root, 'a.ts')]: 1_000, [join(root, 'b.ts')]: 3_000 });
  const [head, first, second] = text.split('\n');
  assert.equal(head, 'tests: 2 files, 4 s');
  assert.match(first, /3\.0 s +75 % +b\.ts$/);
  assert.match(second, /1\.0 s +25 % +a\.ts$/);
  assert.equal(slowestText('tests', {}), 'tests: 0 files, 0 s');
});
