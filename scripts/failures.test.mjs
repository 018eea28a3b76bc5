import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { failureText, playwrightFailures, vitestFailures } from './failures.mjs';
import { nodeTests } from './levels.mjs';
import Unhandled from './unhandled.mjs';

const failing = `
import { deepEqual } from 'node:assert/strict';
import { test } from 'node:test';
test('good', () => undefined);
test('whole', (t) => t.test('part # 1', () => deepEqual([1], [2])));
test('hung', { timeout: 20 }, () => new Promise((resolve) => setTimeout(resolve, 500)));
test('absent', { skip: 'no camera' }, () => undefined);
`;

test('a failure in node’s runner is named with its error, once, a file that does not load too', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'nazar-failing-'));
  const [a, b] = [join(folder, 'a.test.mjs'), join(folder, 'b.test.mjs')];
  writeFileSync(a, failing);
  writeFileSync(b, "throw new Error('broken at load');");
  try {
    // A runner within a runner would tell the outer one.
    const outcome = await nodeTests([a, b], { env: { NODE_TEST_CONTEXT: undefined } });
    assert.deepEqual(
      outcome.failures.map(({ file, name }) => [file, name]),
      [
        [a, 'whole > part # 1'],
        [a, 'hung'],
        [b, b],
      ],
    );
    const [part, hung, load] = outcome.failures.map(({ error }) => error);
    assert.match(part, /AssertionError: Expected values to be strictly deep-equal/);
    assert.match(hung, /timed out/);
    assert.match(load, /broken at load/);
    // `whole` counts, as it does in the runner's own sum.
    assert.deepEqual([outcome.passed, outcome.failed, outcome.skipped], [1, 4, 1]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

const assertion = (status, title) => ({
  status,
  title,
  ancestorTitles: ['people'],
  failureMessages: ['Error: unlike'],
});

test('failures in vitest', () => {
  const failures = vitestFailures({
    testResults: [
      { name: '/a', status: 'failed', assertionResults: [assertion('failed', 'one')] },
      { name: '/b', status: 'passed', assertionResults: [assertion('passed', 'two')] },
      { name: '/c', status: 'failed', message: 'no such module', assertionResults: [] },
    ],
  });
  assert.deepEqual(failures, [
    { file: '/a', name: 'people > one', error: 'Error: unlike' },
    { file: '/c', name: 'the file', error: 'no such module' },
  ]);
});

test('an error that Vitest caught outside of its tests is named by the file in which it was', () => {
  const folder = mkdtempSync(join(tmpdir(), 'nazar-failing-'));
  const file = join(folder, 'unhandled.json');
  process.env.NAZAR_UNHANDLED = file;
  try {
    new Unhandled().onTestRunEnd(
      [],
      [
        { message: 'late', stack: 'Error: late', VITEST_TEST_PATH: '/a', VITEST_TEST_NAME: 'one' },
        { message: 'torn down' },
      ],
    );
    assert.deepEqual(vitestFailures({}, JSON.parse(readFileSync(file, 'utf8'))), [
      { file: '/a', name: 'outside of a test, during "one"', error: 'Error: late' },
      { file: '', name: 'outside of a test', error: 'torn down' },
    ]);
  } finally {
    delete process.env.NAZAR_UNHANDLED;
    rmSync(folder, { recursive: true });
  }
});

const spec = (status, title) => ({
  title,
  file: 'a.spec.ts',
  tests: [{ status, results: [{ errors: [{ message: 'Error: no button' }] }, { errors: [] }] }],
});

test('failures in Playwright, and tests that passed only when repeated', () => {
  const failures = playwrightFailures({
    config: { rootDir: '/e2e' },
    errors: [{ message: 'no browser' }],
    suites: [
      {
        title: 'a.spec.ts',
        specs: [spec('expected', 'one'), spec('flaky', 'two')],
        suites: [{ title: 'people', specs: [spec('unexpected', 'three')] }],
      },
    ],
  });
  assert.deepEqual(failures, [
    { file: '/e2e/a.spec.ts', name: 'two', error: 'Error: no button' },
    { file: '/e2e/a.spec.ts', name: 'people > three', error: 'Error: no button' },
    { file: '', name: 'outside of a test', error: 'no browser' },
  ]);
});

test('a failure is reported with the beginning of its error, without colours', () => {
  const error = ['\u001b[31mred\u001b[39m', '', ...Array.from({ length: 50 }, () => 'at')].join(
    '\n',
  );
  const lines = failureText({ file: '', name: 'lint', error }).split('\n');
  assert.deepEqual(lines.slice(0, 3), ['failed: lint', '    red', '    at']);
  assert.equal(lines.length, 13);
});
