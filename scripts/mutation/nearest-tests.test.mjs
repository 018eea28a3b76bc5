import assert from 'node:assert/strict';
import { test } from 'node:test';
import { importersOf, nearestTests } from './nearest-tests.mjs';

const sources = {
  'server/src/a/retry.test.ts': "import { retry } from './retry.ts';",
  'server/src/a/retry.db.test.ts': "import { world } from '#testing/world.ts';",
  'server/src/b/queue.ts': "import { retry } from '#a/retry.ts';\nimport pg from 'pg';",
  'server/src/b/queue.test.ts': "import {\n  queue,\n} from './queue.ts';",
  'server/src/b/alone.ts': "export * from './queue.ts';",
  'web/src/c/page.tsx': "const more = await import('./more.tsx');",
  'web/src/c/page.test.tsx': "import { Page } from './page.tsx';",
  'web/src/api/call.ts': "import type { Route } from '@nazar/contract/route.ts';",
  'e2e/pages.spec.ts': "import { lines } from '../web/src/c/more.tsx';",
};
const tests = Object.keys(sources).filter((file) => /\.(?:test|spec)\./.test(file));
const nearest = (file) => nearestTests(file, importersOf(sources), tests);

test('tests of the same name come first, those beside it and that need least before; then those that import it', () => {
  const more = {
    ...sources,
    'server/src/whole/retry.db.test.ts': '',
    'web/src/retry.test.ts': '',
    'server/src/a/deep/d.db.test.ts': "import { y } from '../retry.ts';",
    'server/src/b/c.test.ts': "import { x } from '../a/retry.ts';",
  };
  assert.deepEqual(nearestTests('server/src/a/retry.ts', importersOf(more), Object.keys(more)), [
    'server/src/a/retry.test.ts',
    'server/src/a/retry.db.test.ts',
    'server/src/whole/retry.db.test.ts',
    'server/src/a/deep/d.db.test.ts',
    'server/src/b/c.test.ts',
  ]);
});

test('a source without tests of its own has those of its importers, the nearest ones alone; specs are none', () => {
  assert.deepEqual(nearest('web/src/c/more.tsx'), ['web/src/c/page.test.tsx']);
  assert.deepEqual(nearest('server/src/b/queue.ts'), ['server/src/b/queue.test.ts']);
  assert.deepEqual(nearest('server/src/b/alone.ts'), []);
});

test('names of the project are followed, also between workspaces', () => {
  const importers = importersOf(sources);
  assert.deepEqual(
    importers.get('server/src/a/retry.ts'),
    new Set(['server/src/a/retry.test.ts', 'server/src/b/queue.ts']),
  );
  assert.deepEqual(importers.get('contract/src/route.ts'), new Set(['web/src/api/call.ts']));
  assert.equal(importers.get('pg'), undefined);
});

test('six tests are enough', () => {
  const many = Object.fromEntries(
    Array.from({ length: 9 }, (_, n) => [`server/src/t${n}.test.ts`, "import './x.ts';"]),
  );
  assert.equal(nearestTests('server/src/x.ts', importersOf(many), Object.keys(many)).length, 6);
});
