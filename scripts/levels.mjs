/**
 * The levels of test and the tools that check without running: one function each, used by `check` and
 * `test`. Which server tests need what is in their names: `*.db.test.ts` a database, `*.media.test.ts`
 * FFmpeg, `*.model.test.ts` models; all others are pure or laws.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, chmodSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, relative } from 'node:path';
import { bin, environment, filesBelow, node24, root, run } from './steps.mjs';

/** @typedef {{ passed: number, failed: number, skipped: number, said: string }} Outcome */

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

const rooms = ['contract', 'i18n', 'server/src', 'e2e/farm', 'bench'];
const slow = /\.(db|media|model)\.test\.ts$/;

/** Server tests that need nothing, or all of them. */
export function serverTests({ pure }) {
  return rooms
    .flatMap((room) => filesBelow(join(root, room)))
    .filter((file) => file.endsWith('.test.ts') && !(pure && slow.test(file)))
    .map((file) => relative(root, file));
}

/** @returns {Promise<Outcome>} */
export function nodeTests(files, { show = false, env = {} } = {}) {
  return withReport('report.tap', async (report) => {
    const words = ['--test', '--test-concurrency=2', '--test-timeout=300000'];
    words.push('--test-reporter=spec', '--test-reporter-destination=stdout');
    words.push('--test-reporter=tap', `--test-reporter-destination=${report}`);
    const { code, said } = await run(node24(), [...words, ...files], { show, env });
    const text = existsSync(report) ? readFileSync(report, 'utf8') : '';
    const count = (word) => Number(text.match(new RegExp(`^# ${word} (\\d+)$`, 'm'))?.[1] ?? 0);
    const failed = count('fail') + count('cancelled');
    return outcome(code, said, count('pass'), failed, count('skipped') + count('todo'));
  });
}

/** @returns {Promise<Outcome>} */
export function webTests({ show = false } = {}) {
  return withReport('vitest.json', async (report) => {
    const words = ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
    const { code, said } = await run(join(bin, 'vitest'), words, { cwd: web, show });
    const { numPassedTests = 0, numFailedTests = 0, numPendingTests = 0 } = readJson(report);
    return outcome(code, said, numPassedTests, numFailedTests, numPendingTests);
  });
}

/** @returns {Promise<Outcome>} */
export function e2eTests({ chromium, show = false }) {
  return withReport('playwright.json', async (report) => {
    const words = ['test', '--reporter=list,json'];
    const env = { CHROME_PATH: chromium, PLAYWRIGHT_JSON_OUTPUT_NAME: report, CI: '1' };
    const { code, said } = await run(join(bin, 'playwright'), words, { cwd: e2e, show, env });
    const { expected = 0, unexpected = 0, flaky = 0, skipped = 0 } = readJson(report).stats ?? {};
    // One that passed only when repeated has failed once.
    return outcome(code, said, expected, unexpected + flaky, skipped);
  });
}

/** A runner that failed without naming a test has failed all the same. */
function outcome(code, said, passed, failed, skipped) {
  return { passed, failed: code !== 0 ? Math.max(failed, 1) : failed, skipped, said };
}

function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return {};
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
  const folder = mkdtempSync(join(tmpdir(), 'nazar-test-'));
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
