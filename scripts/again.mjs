/**
 * Repeats what failed. Server, pages and browsers are tested side by side on as few as two cores, and a test
 * with a real camera or browser can fail for want of them. A level of which a few files failed runs these once more,
 * alone: what then passes is unsteady, is reported by name with what it said, and counts as passed.
 */
import { relative } from 'node:path';
import { failureText } from './failures.mjs';
import { root } from './steps.mjs';

/** @typedef {import('./levels.mjs').Outcome} Outcome */

/** More files than that do not fail by chance. */
const most = 5;
/** A level whose tests took no longer than that, in milliseconds, can be repeated as a whole. */
const shortMs = 15 * 60_000;

/**
 * @param {Outcome} outcome
 * @returns {string[]} files from the root of the project; none: nothing is run again
 */
export function filesToRunAgain({ failures, tookMs }) {
  const files = new Set(failures.map(({ file }) => file));
  if (files.size > most) return [];
  // What failed outside of every file can come from any: a runner that ended, or lost sight of its workers.
  if (files.has('')) {
    const took = Object.values(tookMs).reduce((sum, ms) => sum + ms, 0);
    return took <= shortMs ? Object.keys(tookMs).map(fromRoot) : [];
  }
  return [...files].map(fromRoot);
}

const fromRoot = (file) => relative(root, file);

/**
 * @param {Outcome} first
 * @param {Outcome} second of the files that failed
 * @returns {{ outcome: Outcome, unsteady: Outcome['failures'] }} `first` as it stands after the second look
 */
export function afterSecondLook(first, second) {
  if (second.failed > 0 || second.skipped > 0 || second.passed < first.failed) {
    return { outcome: first, unsteady: [] };
  }
  // Tests that stand behind one that failed are skipped, and ran now.
  const passed = first.passed + first.failed + first.skipped;
  const outcome = { ...first, passed, failed: 0, skipped: 0, failures: [] };
  return { outcome, unsteady: first.failures };
}

/** @param {Outcome['failures'][number]} failure */
export const unsteadyText = (failure) =>
  failureText(failure).replace(/^failed: /, 'unsteady, passed alone: ');
