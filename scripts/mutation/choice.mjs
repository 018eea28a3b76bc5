/** What was changed, and which of the faults that fit there are planted. */

/** @typedef {import('./mutants.mjs').Mutant} Mutant */

/**
 * @param {string} diff as `git diff --unified=0` prints it
 * @returns {Map<string, Set<number>>} lines as they are now, by file; what was only removed has none
 */
export function changedLines(diff) {
  const changed = new Map();
  let lines = new Set();
  let before = '';
  for (const line of diff.split('\n')) {
    const file = before.startsWith('--- ')
      ? /^\+\+\+ (?:b\/)?(.+?)\t?$/.exec(line)?.[1]
      : undefined;
    before = line;
    if (file !== undefined) changed.set(file, (lines = new Set()));
    const hunk = /^@@ -\S+ \+(\d+)(?:,(\d+))? @@/.exec(line);
    if (hunk === null) continue;
    const [, from, count = 1] = hunk.map(Number);
    for (let n = from; n < from + (Number.isNaN(count) ? 1 : count); n += 1) lines.add(n);
  }
  return new Map([...changed].filter(([, { size }]) => size > 0));
}

/** Sources of the product: no tests, and nothing that only tests use. */
export const isSource = (file) =>
  /^(?:contract|i18n|server|web|bench)\/.*\.tsx?$/.test(file) &&
  !/\.(?:test|spec|d)\.tsx?$|(?:^|\/)(?:testing|laws|integration)\//.test(file);

/** Numbers of 0 to 1, the same for the same seed (mulberry32). */
export function randomOf(seed) {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/**
 * A lot of at most `limit`, one of each line before any line has two, in the order of the sources.
 * @param {readonly Mutant[]} mutants
 */
export function chosen(mutants, limit, seed) {
  const random = randomOf(seed);
  const drawn = mutants.map((mutant, at) => ({ mutant, at, key: random() }));
  const rounds = new Map();
  for (const one of drawn.toSorted((a, b) => a.key - b.key)) {
    const place = `${one.mutant.file}:${one.mutant.line}`;
    one.round = rounds.get(place) ?? 0;
    rounds.set(place, one.round + 1);
  }
  return drawn
    .toSorted((a, b) => a.round - b.round || a.key - b.key)
    .slice(0, limit)
    .toSorted((a, b) => a.at - b.at)
    .map(({ mutant }) => mutant);
}
