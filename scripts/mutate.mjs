/**
 * `npm run mutate -- [BASE [PATH...]] [--limit N] [--seed N]`: mutation testing of a change. Plants one small fault after
 * another in what was changed since BASE (HEAD~1 unless given; what is not committed counts), runs the tests nearest to
 * it, and names the faults that no test noticed. By hand: it takes as long as these tests, times the faults. The sources
 * are as before when it ends; if it was killed, when it begins the next time.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { withDatabase } from './levels.mjs';
import { changedLines, chosen, isSource } from './mutation/choice.mjs';
import { mutantsOf, planted } from './mutation/mutants.mjs';
import { importersOf, nearestTests } from './mutation/nearest-tests.mjs';
import { runTests } from './mutation/run-tests.mjs';
import { refuse, root } from './steps.mjs';

/** Who is at it, and what a file says before a fault is planted in it and with it. */
const kept = join(root, 'node_modules', '.cache', 'mutated.json');

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    limit: { type: 'string', default: '30' },
    seed: { type: 'string', default: '1' },
  },
});
const [base = 'HEAD~1', ...paths] = positionals;
const [limit, seed] = [Number(values.limit), Number(values.seed)];
if (!Number.isInteger(limit) || limit < 1 || !Number.isInteger(seed))
  refuse('npm run mutate -- [BASE [PATH...]] [--limit N] [--seed N]');

const git = (...words) =>
  execFileSync('git', words, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 28 });
const lines = (text) => text.split('\n').filter((line) => line !== '');
const read = (file) => readFileSync(join(root, file), 'utf8');

const note = (planting = {}) => {
  mkdirSync(dirname(kept), { recursive: true });
  writeFileSync(kept, JSON.stringify({ pid: process.pid, ...planting }));
};

/** What was edited while a fault stood in it is left as it is. */
function restore() {
  const { file, text, faulty } = JSON.parse(readFileSync(kept, 'utf8'));
  if (file === undefined) return;
  const now = read(file);
  if (now === faulty) writeFileSync(join(root, file), text);
  else if (now !== text) console.error(`${file} was edited with a fault in it: look for it there`);
  note();
}

function isRunning(pid) {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

if (existsSync(kept)) {
  // Two would take each other's faults for the source.
  if (isRunning(JSON.parse(readFileSync(kept, 'utf8')).pid)) refuse('npm run mutate runs already');
  restore();
}
note();
process.on('exit', () => {
  restore();
  rmSync(kept);
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(1));

const allLines = (text) => new Set(text.split('\n').map((_, at) => at + 1));

/** Lines that were changed since BASE, by source; all lines of those that git does not know. */
function changed() {
  const diff = ['diff', '--unified=0', '--no-color', '--no-ext-diff', base, '--', ...paths];
  const found = changedLines(git(...diff));
  const unknown = git('ls-files', '--others', '--exclude-standard', '--', ...paths);
  for (const file of lines(unknown).filter(isSource)) found.set(file, allLines(read(file)));
  return new Map([...found].filter(([file]) => isSource(file) && existsSync(join(root, file))));
}

const touched = changed();
const sources = Object.fromEntries([...touched.keys()].map((file) => [file, read(file)]));
const all = touched.size === 0 ? [] : mutantsOf(sources, touched);
const mutants = chosen(all, limit, seed);
console.log(
  `${all.length} faults fit ${touched.size} changed sources; ${mutants.length} are planted`,
);

const known = lines(git('ls-files', '--cached', '--others', '--exclude-standard'));
const code = known.filter((file) => /\.tsx?$/.test(file) && existsSync(join(root, file)));
const tests = code.filter((file) => /\.test\.tsx?$/.test(file));
const importers = importersOf(Object.fromEntries(code.map((file) => [file, read(file)])));
const testsOf = new Map(
  [...touched.keys()].map((file) => [file, nearestTests(file, importers, tests)]),
);

/** By their files: how long these tests take without a fault, in ms; null: they fail without one. */
const usual = new Map();
async function usualMs(files, env) {
  const key = files.join(' ');
  if (!usual.has(key)) {
    const { end, tookMs, said } = await runTests(files, { env, timeoutMs: 600_000 });
    if (end !== 'passed') console.error(`${said}\nfails without a fault: ${key}`);
    usual.set(key, end === 'passed' ? tookMs : null);
  }
  return usual.get(key);
}

/** `failing`: its tests fail without a fault, too. */
async function lookFor(mutant, env) {
  const files = testsOf.get(mutant.file);
  if (files.length === 0) return 'no test';
  const took = await usualMs(files, env);
  if (took === null) return 'failing';
  const text = sources[mutant.file];
  const faulty = planted(text, mutant);
  note({ file: mutant.file, text, faulty });
  writeFileSync(join(root, mutant.file), faulty);
  try {
    const { end } = await runTests(files, { env, timeoutMs: 3 * took + 10_000 });
    return end === 'passed' ? 'survived' : 'noticed';
  } finally {
    restore();
  }
}

const short = (text) => {
  const [line, ...more] = text.split('\n');
  return line.length > 60 || more.length > 0 ? `${line.slice(0, 60)} …` : line;
};

async function plantAll(env) {
  const ends = { noticed: 0, survived: 0, 'no test': 0, failing: 0 };
  for (const mutant of mutants) {
    const end = await lookFor(mutant, env);
    ends[end] += 1;
    const { file, line, from, to } = mutant;
    console.log(`${end.padEnd(9)} ${file}:${line}  ${short(from)}  ->  ${short(to)}`);
  }
  const counts = Object.entries(ends).map(([end, count]) => `${count} ${end}`);
  console.log(counts.join(', '));
}

const needsDatabase = [...testsOf.values()].flat().some((file) => !file.startsWith('web/'));
await (needsDatabase && mutants.length > 0 ? withDatabase(plantAll) : plantAll({}));
