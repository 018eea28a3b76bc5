/**
 * The levels of test and the tools that check without running: one function each, used by `check` and
 * `test`. Which server tests need what is in their names: `*.db.test.ts` a database, `*.media.test.ts`
 * FFmpeg, `*.model.test.ts` models; all others are pure or laws.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, chmodSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import { delimiter, join, relative } from 'node:path';
import { playwrightTookMs, vitestTookMs } from './durations.mjs';
import { playwrightFailures, vitestFailures } from './failures.mjs';
import { bin, environment, filesBelow, node24, root, run } from './steps.mjs';

/**
 * @typedef {import('./failures.mjs').Failure} Failure
 * @typedef {Record<string, number>} TookMs milliseconds by file, of its tests one after another
 * @typedef {{ passed: number, failed: number, skipped: number, failures: Failure[], tookMs: TookMs, said: string }} Outcome
 */

const web = join(root, 'web');
const e2e = join(root, 'e2e');

export const hasWeb = ['vite.config.ts', 'vitest.config.ts'].some((name) =>
  existsSync(join(web, name)),
);
export const hasE2e = existsSync(join(e2e, 'playwright.config.ts'));

export const format = () => run(join(bin, 'prettier'), ['--check', '--log-level', 'warn', '.']);
export const lint = () => run(join(bin, 'oxlint'), ['--type-aware']);
export const types = () => run(join(bin, 'tsc'), ['-p', 'tsconfig.json']);
export const webTypes = () => run(join(bin, 'tsc'), ['-p', 'web/tsconfig.json']);
export const hasWebTypes = existsSync(join(web, 'tsconfig.json'));

/** The OpenAPI description, as the server prints it: nothing is fetched from the network or sent to it. */
export const apiDescription = () =>
  withReport('openapi.json', async (file) => {
    const printed = await run(node24(), ['server/src/commands/print-openapi.ts', file]);
    if (printed.code !== 0) return printed;
    const cli = join(root, 'node_modules/@redocly/cli/bin/cli.js');
    const words = [cli, 'lint', file, '--config=scripts/redocly.yaml'];
    const env = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
    const linted = await run(node24(), words, { env });
    const isClean = linted.code === 0 && !/You have \d+ warning/.test(linted.said);
    return isClean ? linted : { ...linted, code: 1 };
  });

const rooms = ['contract', 'i18n', 'server/src', 'e2e', 'bench', 'scripts'];
const slow = /\.(db|media|model)\.test\.ts$/;

/** Server tests that need nothing, or all of them. */
export function serverTests({ pure }) {
  return rooms
    .flatMap((room) => filesBelow(join(root, room)))
    .filter((file) => /\.test\.(ts|mjs)$/.test(file) && !(pure && slow.test(file)))
    .map((file) => relative(root, file));
}

/** Every test of the pages, and of the browsers. */
export const webTestFiles = () => testFilesBelow(join(web, 'src'), /\.test\.tsx?$/);
export const e2eTestFiles = () => testFilesBelow(e2e, /\.spec\.ts$/);

const testFilesBelow = (folder, named) =>
  filesBelow(folder)
    .filter((file) => named.test(file))
    .map((file) => relative(root, file));

/**
 * Pure tests share one process, because starting one costs more than most of their files take; what fails there is run
 * once more, a process for each file, so that none is named for what another did. All others have one each.
 * @param {string[]} files
 * @param {{ show?: boolean, env?: NodeJS.ProcessEnv, atOnce?: number }} [options] `atOnce`: files beside each other
 * @returns {Promise<Outcome>}
 */
export async function nodeTests(files, options = {}) {
  const pure = files.filter((file) => !slow.test(file));
  const others = files.filter((file) => slow.test(file));
  const together = pure.length > 1 ? await nodeRun(pure, options, ['--test-isolation=none']) : null;
  const isClean = together !== null && together.failed === 0 && together.passed > 0;
  const apart = isClean ? others : files;
  const second = apart.length > 0 ? await nodeRun(apart, options) : null;
  return [isClean ? together : null, second].filter((one) => one !== null).reduce(bothOf);
}

const bothOf = (one, other) => ({
  passed: one.passed + other.passed,
  failed: one.failed + other.failed,
  skipped: one.skipped + other.skipped,
  failures: [...one.failures, ...other.failures],
  tookMs: { ...one.tookMs, ...other.tookMs },
  said: one.said + other.said,
});

/** @returns {Promise<Outcome>} */
function nodeRun(files, { show = false, env = {}, atOnce = 2 }, further = []) {
  return withReport('node.json', async (file) => {
    // Against what hangs, in ms. The slowest test takes 50 s alone, and took 300 s on a machine with other work.
    const words = ['--test', `--test-concurrency=${atOnce}`, '--test-timeout=900000', ...further];
    words.push('--import=./scripts/end-of-tests.mjs');
    words.push('--test-reporter=spec', '--test-reporter-destination=stdout');
    words.push('--test-reporter=./scripts/report.mjs', `--test-reporter-destination=${file}`);
    const ended = await run(node24(), [...words, ...files], { show, env });
    const { counts = {}, failures = [], tookMs = {} } = readJson(file);
    const { passed = 0, failed = 0, cancelled = 0, skipped = 0, todo = 0 } = counts;
    return outcome(ended, {
      passed,
      failed: failed + cancelled,
      skipped: skipped + todo,
      failures,
      tookMs,
    });
  });
}

/**
 * @param {{ show?: boolean, files?: string[] }} options files from the root of the project; none: all
 * @returns {Promise<Outcome>}
 */
export function webTests({ show = false, files = [] } = {}) {
  return withReport('vitest.json', async (report) => {
    const words = ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
    words.push(`--reporter=${join(root, 'scripts/unhandled.mjs')}`);
    words.push(...files.map((file) => join(root, file)));
    const env = { NAZAR_UNHANDLED: `${report}.unhandled` };
    const ended = await run(join(bin, 'vitest'), words, { cwd: web, show, env });
    const results = readJson(report);
    const {
      numPassedTests: passed = 0,
      numFailedTests = 0,
      numPendingTests: skipped = 0,
    } = results;
    const failures = vitestFailures(results, readJson(env.NAZAR_UNHANDLED, []));
    // A file that did not load counts no test.
    const failed = Math.max(numFailedTests, failures.length);
    const tookMs = vitestTookMs(results);
    return outcome(ended, { passed, failed, skipped, failures, tookMs });
  });
}

/**
 * @param {{ chromium: string, show?: boolean, files?: string[] }} options
 * @returns {Promise<Outcome>}
 */
export function e2eTests({ chromium, show = false, files = [] }) {
  return withReport('playwright.json', async (report) => {
    const words = ['test', '--reporter=list,json', ...files.map((file) => join(root, file))];
    const env = { CHROME_PATH: chromium, PLAYWRIGHT_JSON_OUTPUT_NAME: report, CI: '1' };
    const ended = await run(join(bin, 'playwright'), words, { cwd: e2e, show, env });
    const results = readJson(report);
    const { expected: passed = 0, unexpected = 0, flaky = 0, skipped = 0 } = results.stats ?? {};
    const failures = playwrightFailures(results);
    const tookMs = playwrightTookMs(results);
    return outcome(ended, { passed, failed: unexpected + flaky, skipped, failures, tookMs });
  });
}

/** A runner that failed without naming a test has failed all the same. */
function outcome({ code, said }, { passed, failed, skipped, failures, tookMs }) {
  if (code === 0 || failed > 0) return { passed, failed, skipped, failures, tookMs, said };
  const unnamed = { file: '', name: `the runner, with ${code}`, error: said };
  const named = failures.length > 0 ? failures : [unnamed];
  return { passed, failed: named.length, skipped, failures: named, tookMs, said };
}

function readJson(file, absent = {}) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return absent;
  }
}

/** Empty where there is no such file. */
function readText(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

async function withReport(name, work) {
  const folder = mkdtempSync(join(tmpdir(), 'nazar-report-'));
  try {
    return await work(join(folder, name));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** One PostgreSQL for everything that `work` runs; `work` gets the environment that names it. */
export async function withDatabase(work) {
  const folder = mkdtempSync(join(placeOfDatabase(), 'nazar-test-'));
  chmodSync(folder, 0o711); // as root, PostgreSQL is `nobody` and must get in
  const env = { NAZAR_TEST_POSTGRES: folder };
  const keeper = spawn(node24(), ['server/src/testing/keep-database.ts'], {
    cwd: root,
    env: environment(env),
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = new Promise((resolve) => keeper.once('close', resolve));
  try {
    await Promise.race([new Promise((resolve) => keeper.stdout.once('data', resolve)), ended]);
    return await work(env);
  } finally {
    keeper.stdin.end();
    await ended;
    rmSync(folder, { recursive: true, force: true });
  }
}

const inMemory = '/dev/shm';

/**
 * In memory, where programs may run from there and there is room: a new database is 800 files, which take 12 ms of a
 * core there and 228 on a disk. PostgreSQL keeps up to a gigabyte of its log; each database is
 * dropped by its test.
 */
function placeOfDatabase() {
  const mounts = readText('/proc/mounts').split('\n');
  const [, , type, options = ''] = mounts.map((line) => line.split(' ')).find(at(inMemory)) ?? [];
  if (type !== 'tmpfs' || options.split(',').includes('noexec')) return tmpdir();
  const { bavail, bsize } = statfsSync(inMemory);
  return bavail * bsize > 4 * gibibyte && freemem() > 8 * gibibyte ? inMemory : tmpdir();
}

const gibibyte = 2 ** 30;
const at = (folder) => (fields) => fields[1] === folder;

/** Chromium by CHROME_PATH or PATH; installed where that is possible; else null. */
export async function findChromium() {
  const found = chromiumHere();
  if (found || process.getuid?.() !== 0 || !onPath('apt-get')) return found;
  const env = { DEBIAN_FRONTEND: 'noninteractive' };
  await run('apt-get', ['update', '-qq'], { env });
  await run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium'], { env });
  return chromiumHere();
}

function chromiumHere() {
  const named = process.env.CHROME_PATH;
  if (named) return existsSync(named) ? named : null;
  return onPath('chromium') ?? onPath('chromium-browser') ?? onPath('google-chrome');
}

function onPath(name) {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return folders.map((folder) => join(folder, name)).find((file) => existsSync(file)) ?? null;
}
