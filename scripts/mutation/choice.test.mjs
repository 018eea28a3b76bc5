import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changedLines, chosen, isSource } from './choice.mjs';

test('changed lines are read from a diff; what was only removed has none', () => {
  const diff = `diff --git a/server/src/a.ts b/server/src/a.ts
--- a/server/src/a.ts
+++ b/server/src/a.ts
@@ -1,2 +1 @@ import x
-one
-two
+three
@@ -9,0 +9,3 @@
+++ x;
+b
+c
@@ -20 +23 @@
-d
+e
diff --git a/web/src/b.tsx b/web/src/b.tsx
--- a/web/src/b.tsx
+++ b/web/src/b.tsx
@@ -5 +4,0 @@
-gone
diff --git a/web/src/c.ts b/web/src/c.ts
--- a/web/src/c.ts
+++ /dev/null
@@ -1 +0,0 @@
-gone
`;
  assert.deepEqual(changedLines(diff), new Map([['server/src/a.ts', new Set([1, 9, 10, 11, 23])]]));
});

test('faults are planted in sources of the product, not in tests or what they share', () => {
  const files = ['server/src/a.ts', 'web/src/b.tsx', 'contract/src/c.ts', 'bench/run.ts'];
  const others = [
    'server/src/a.db.test.ts',
    'server/src/testing/world.ts',
    'web/src/testing/panels.ts',
    'e2e/look.ts',
    'web/src/css.d.ts',
    'docs/a.md',
    'scripts/a.mjs',
  ];
  assert.deepEqual([...files, ...others].filter(isSource), files);
});

test('a lot is the same for a seed, another for another, has each line once first, and stands in order', () => {
  const mutants = [1, 1, 1, 2, 3, 4, 5, 6, 7, 8].map((line, start) => ({ file: 'a', line, start }));
  const lot = chosen(mutants, 8, 1);
  assert.deepEqual(
    lot.map(({ line }) => line),
    [1, 2, 3, 4, 5, 6, 7, 8],
  );
  assert.deepEqual(chosen(mutants, 8, 1), lot);
  assert.equal(chosen(mutants, 9, 1).filter(({ line }) => line === 1).length, 2);
  assert.deepEqual(chosen(mutants, 99, 1), mutants);
  assert.ok([2, 3, 4, 5].some((seed) => lot[0] !== chosen(mutants, 8, seed)[0]));
});
