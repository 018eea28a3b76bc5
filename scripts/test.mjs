/**
 * `npm test`: every level of test; at the end where the time went, what failed, by name, and as
 * the last line the sum of them all. A level that ran no test has failed: nothing is green by being absent.
 * `npm test -- PATH...` runs only the tests below these paths, and no tool.
 */
import { slowestText } from './durations.mjs';
import { failureText } from './failures.mjs';
import {
  apiDescription,
  e2eTestFiles,
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
  webTestFiles,
  webTests,
  webTypes,
  withDatabase,
} from './levels.mjs';
import { timed } from './steps.mjs';

const sum = { passed: 0, failed: 0, skipped: 0 };
/** @type {import('./failures.mjs').Failure[]} */
const named = [];
/** @type {string[]} */
const slowest = [];
/** Photographs and a real RTSP server are here: then nothing has a reason to be skipped. */
const hasEverything = Boolean(process.env.NAZAR_TEST_FACES && process.env.NAZAR_TEST_TOOLS);

async function tool(title, work) {
  const { code, said } = await timed(title, work);
  if (code === 0) return;
  console.error(said);
  fail(title, said);
}

async function level(title, work) {
  const { passed, failed, skipped, failures, tookMs = {} } = await timed(title, work);
  sum.passed += passed;
  sum.failed += failed;
  sum.skipped += skipped;
  named.push(...failures);
  slowest.push(slowestText(title, tookMs));
  if (passed + failed === 0) fail(title, 'no test ran');
  if (skipped > 0 && hasEverything) {
    fail(title, `${skipped} skipped, although NAZAR_TEST_FACES and NAZAR_TEST_TOOLS are set`);
  }
}

function fail(name, error) {
  sum.failed += 1;
  named.push({ file: '', name, error });
}

async function browserLevel(files = []) {
  const chromium = await findChromium();
  if (chromium) return e2eTests({ chromium, show: true, files });
  const error =
    'No Chromium: install it (Debian: apt-get install chromium) or name one in CHROME_PATH.';
  const failures = [{ file: '', name: 'browser tests', error }];
  return { passed: 0, failed: 1, skipped: 0, failures };
}

const serverLevel = (files) =>
  withDatabase((env) => level('server tests', () => nodeTests(files, { show: true, env })));

/**
 * Server and pages side by side: each waits much of its time (for a film, a page, a database), and together they
 * leave little of two cores idle.
 */
async function runAll() {
  await Promise.all([serverLevel(serverTests({ pure: false })), runPages()]);
}

async function runPages() {
  await tool('format', format);
  await tool('lint', lint);
  await tool('types', types);
  if (hasWebTypes) await tool('web types', webTypes);
  await tool('description of the API', apiDescription);
  if (hasWeb) await level('web tests', () => webTests({ show: true }));
  if (hasE2e) await level('browser tests', browserLevel);
}

/** @param {string[]} paths files or folders, from the root of the project */
async function runBelow(paths) {
  const levels = [serverTests({ pure: false }), webTestFiles(), e2eTestFiles()];
  for (const path of paths) {
    if (!levels.flat().some((file) => isBelow(file, path))) fail(path, 'no test is there');
  }
  const below = (files) => files.filter((file) => paths.some((path) => isBelow(file, path)));
  const [server, web, browser] = levels.map(below);
  if (server.length > 0) await serverLevel(server);
  if (web.length > 0) await level('web tests', () => webTests({ show: true, files: web }));
  if (browser.length > 0) await level('browser tests', () => browserLevel(browser));
}

/** `./server/src/mail/` is the folder `server/src/mail`. */
function isBelow(file, path) {
  const plain = path.replace(/^\.\//, '').replace(/\/$/, '');
  return file === plain || file.startsWith(`${plain}/`);
}

const paths = process.argv.slice(2);
await (paths.length > 0 ? runBelow(paths) : runAll());

const { passed, failed, skipped } = sum;
process.exitCode = failed === 0 ? 0 : 1;
for (const text of slowest) console.log(`\n${text}`);
for (const failure of named) console.log(failureText(failure));
console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
