/**
 * `npm test`: every level of test; at the end where the time went, what failed, by name, and as
 * the last line the sum of them all. A level that ran no test has failed: nothing is green by being absent. A few
 * files that failed beside the other levels are run once more, alone (again.mjs).
 * `npm test -- PATH...` runs only the tests below these paths, and no tool.
 */
import { afterSecondLook, filesToRunAgain, unsteadyText } from './again.mjs';
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

/** @typedef {import('./levels.mjs').Outcome} Outcome */

/** @type {{ title: string, work: (files: string[]) => Promise<Outcome>, outcome: Outcome }[]} */
const levels = [];
const sum = { passed: 0, failed: 0, skipped: 0 };
/** @type {import('./failures.mjs').Failure[]} */
const named = [];
/** Where the time went, and what passed only alone. @type {string[]} */
const notes = [];
/** Photographs and a real RTSP server are here: then nothing has a reason to be skipped. */
const hasEverything = Boolean(process.env.NAZAR_TEST_FACES && process.env.NAZAR_TEST_TOOLS);

async function tool(title, work) {
  const { code, said } = await timed(title, work);
  if (code === 0) return;
  console.error(said);
  fail(title, said);
}

/**
 * @param {string} title
 * @param {(files: string[]) => Promise<Outcome>} work none: all files of the level
 * @param {string[]} files
 */
async function level(title, work, files = []) {
  levels.push({ title, work, outcome: await timed(title, () => work(files)) });
}

/** Repeats what failed beside other levels, which are over now. */
async function lookAgain() {
  for (const one of levels) {
    const files = filesToRunAgain(one.outcome);
    if (files.length === 0) continue;
    const second = await timed(`${one.title}, again and alone`, () => one.work(files));
    const { outcome, unsteady } = afterSecondLook(one.outcome, second);
    one.outcome = outcome;
    notes.push(...unsteady.map(unsteadyText));
  }
}

function addUp({ title, outcome }) {
  const { passed, failed, skipped, failures, tookMs = {} } = outcome;
  sum.passed += passed;
  sum.failed += failed;
  sum.skipped += skipped;
  named.push(...failures);
  notes.push(slowestText(title, tookMs));
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

/** `atOnce`: how many files run beside each other. */
const serverLevel = (title, files, atOnce = 2) =>
  level(
    title,
    (some) => withDatabase((env) => nodeTests(some, { show: true, env, atOnce })),
    files,
  );
const webLevel = (files) =>
  level('web tests', (some) => webTests({ show: true, files: some }), files);

/**
 * Browsers beside everything else: each waits much of its time (for a film, a page, a database), and together they
 * leave little of two cores idle. The browsers take as long as all others. Tests with cameras, which take a quarter of
 * a core because pictures come as fast as a camera sends them, run from the beginning, one file after another: at the
 * end they would be alone, and both cores idle.
 */
async function runAll() {
  const all = serverTests({ pure: false });
  await Promise.all([
    hasE2e ? level('browser tests', browserLevel) : null,
    serverLevel('media tests', all.filter(isMedia), 1),
    runOthers(all.filter((file) => !isMedia(file))),
  ]);
}

const isMedia = (file) => file.endsWith('.media.test.ts');

/** @param {string[]} files server tests */
async function runOthers(files) {
  await tool('format', format);
  await tool('lint', lint);
  await tool('types', types);
  if (hasWebTypes) await tool('web types', webTypes);
  await tool('description of the API', apiDescription);
  if (hasWeb) await webLevel();
  await serverLevel('server tests', files);
}

/** @param {string[]} paths files or folders, from the root of the project */
async function runBelow(paths) {
  const all = [serverTests({ pure: false }), webTestFiles(), e2eTestFiles()];
  for (const path of paths) {
    if (!all.flat().some((file) => isBelow(file, path))) fail(path, 'no test is there');
  }
  const below = (files) => files.filter((file) => paths.some((path) => isBelow(file, path)));
  const [server, web, browser] = all.map(below);
  if (server.length > 0) await serverLevel('server tests', server);
  if (web.length > 0) await webLevel(web);
  if (browser.length > 0) await level('browser tests', browserLevel, browser);
}

/** `./server/src/mail/` is the folder `server/src/mail`. */
function isBelow(file, path) {
  const plain = path.replace(/^\.\//, '').replace(/\/$/, '');
  return file === plain || file.startsWith(`${plain}/`);
}

const paths = process.argv.slice(2);
await (paths.length > 0 ? runBelow(paths) : runAll());
if (paths.length === 0) await lookAgain();
for (const one of levels) addUp(one);

const { passed, failed, skipped } = sum;
process.exitCode = failed === 0 ? 0 : 1;
for (const text of notes) console.log(`\n${text}`);
for (const failure of named) console.log(failureText(failure));
console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
