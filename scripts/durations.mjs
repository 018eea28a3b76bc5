/** Where the time of a run goes: how long each file's tests took, and the files that took longest. */
import { relative } from 'node:path';
import { root } from './steps.mjs';

const rows = 12;

/** @returns {import('./levels.mjs').TookMs} */
export function vitestTookMs({ testResults = [] }) {
  return Object.fromEntries(
    testResults.map(({ name, startTime, endTime }) => [name, endTime - startTime]),
  );
}

/**
 * From the end of the file before to its own end, as its installation starts before its first test does; what ends
 * that installation counts for the next one.
 * @returns {import('./levels.mjs').TookMs}
 */
export function playwrightTookMs({ config, suites = [], stats }) {
  const resultsOf = ({ specs = [], suites: within = [] }) => [
    ...specs.flatMap(({ tests }) => tests.flatMap(({ results }) => results)),
    ...within.flatMap(resultsOf),
  ];
  // The outermost suites are the files; one worker runs them one after another.
  const ends = suites
    .map((suite) => {
      const ended = resultsOf(suite).map(({ startTime, duration }) => at(startTime) + duration);
      return { file: `${config.rootDir}/${suite.file}`, endMs: Math.max(0, ...ended) };
    })
    .filter(({ endMs }) => endMs > 0)
    .toSorted((a, b) => a.endMs - b.endMs);
  let beforeMs = at(stats?.startTime ?? 0);
  return Object.fromEntries(
    ends.map(({ file, endMs }) => {
      const tookMs = endMs - beforeMs;
      beforeMs = endMs;
      return [file, tookMs];
    }),
  );
}

const at = (time) => new Date(time).getTime();

/**
 * The files that took longest, a line each, with their part of the level's time in per cent.
 * @param {string} title
 * @param {import('./levels.mjs').TookMs} tookMs
 */
export function slowestText(title, tookMs) {
  const files = Object.entries(tookMs).toSorted(([, a], [, b]) => b - a);
  const all = files.reduce((sum, [, ms]) => sum + ms, 0);
  const lines = files.slice(0, rows).map(([file, ms]) => {
    const seconds = (ms / 1000).toFixed(1).padStart(7);
    const part = `${Math.round((100 * ms) / (all || 1))} %`.padStart(5);
    return `${seconds} s ${part}  ${relative(root, file)}`;
  });
  return [`${title}: ${files.length} files, ${(all / 1000).toFixed(0)} s`, ...lines].join('\n');
}
