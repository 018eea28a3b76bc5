/**
 * `npm test`: every level of test, one after another; at the end what failed, by name, and as the last
 * line the sum of them all. A level that ran no test has failed: nothing is green by being absent.
 */
import { failureText } from './failures.mjs';
import {
  apiDescription,
  e2eTests,
  findChromium,
  format,
  hasE2e,
  hasWeb,
  hasWebTypes,
  lint,
  nodeTests,
  serverTests,
  types,
  webTests,
  webTypes,
  withDatabase,
} from './levels.mjs';
import { timed } from './steps.mjs';

const sum = { passed: 0, failed: 0, skipped: 0 };
/** @type {import('./failures.mjs').Failure[]} */
const named = [];

async function tool(title, work) {
  const { code, said } = await timed(title, work);
  if (code === 0) return;
  console.error(said);
  fail(title, said);
}

async function level(title, work) {
  const { passed, failed, skipped, failures } = await timed(title, work);
  sum.passed += passed;
  sum.failed += failed;
  sum.skipped += skipped;
  named.push(...failures);
  if (passed + failed === 0) fail(title, 'no test ran');
}

function fail(name, error) {
  sum.failed += 1;
  named.push({ file: '', name, error });
}

async function browserLevel() {
  const chromium = await findChromium();
  if (chromium) return e2eTests({ chromium, show: true });
  const error =
    'No Chromium: install it (Debian: apt-get install chromium) or name one in CHROME_PATH.';
  const failures = [{ file: '', name: 'browser tests', error }];
  return { passed: 0, failed: 1, skipped: 0, failures };
}

await tool('format', format);
await tool('lint', lint);
await tool('types', types);
if (hasWebTypes) await tool('web types', webTypes);
await tool('description of the API', apiDescription);
await withDatabase((env) =>
  level('server tests', () => nodeTests(serverTests({ pure: false }), { show: true, env })),
);
if (hasWeb) await level('web tests', () => webTests({ show: true }));
if (hasE2e) await level('browser tests', browserLevel);

const { passed, failed, skipped } = sum;
process.exitCode = failed === 0 ? 0 : 1;
for (const failure of named) console.log(failureText(failure));
console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
