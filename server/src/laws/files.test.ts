/**
 * After its start the server makes no synchronous file call: one that waits for a disk would hold up everybody. Read
 * from the source of all that `main.ts` loads; a list here is the whole list, and each new line says why.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { importsIn, src, target } from '#testing/imports.ts';

/** Before any request. */
const atStart = [
  'main.ts',
  'app/demo-files.ts',
  'config/data-folder.ts',
  'config/host-version.ts',
  'config/provider-config.ts',
  'db/migrations.ts',
  'db/root-key.ts',
  'db/swap.ts',
  'http/assets.ts',
  'lib/folder-lock.ts',
  'lib/secrets.ts',
  'lib/sync-folder.ts', // for db/root-key.ts and db/swap.ts
];
/** Where PostgreSQL is started: at the start, and when it died, when nothing can be answered anyway. */
const whileDatabaseIsAway = [
  'db/binaries.ts',
  'db/folders.ts',
  'db/initdb.ts',
  'db/postgres.ts',
  'db/postmaster.ts',
  'db/processes.ts',
  'db/server-log.ts',
];
const allowed = [...atStart, ...whileDatabaseIsAway];

/** Names that `node:fs` gives, as far as they wait. */
function waitingCalls(text: string): string[] {
  const imports = [...text.matchAll(/import \{([^}]*)\} from 'node:fs';/g)];
  const names = imports.flatMap(([, list = '']) => list.split(',').map((name) => name.trim()));
  const named = names.filter((name) => name.endsWith('Sync'));
  return /from 'node:fs'/.test(text.replaceAll(/import (?:type )?\{[^}]*\} from 'node:fs';/g, ''))
    ? [...named, 'all of node:fs']
    : named;
}

test('no synchronous file call in the server after its start', () => {
  const loaded = new Set(['main.ts']);
  for (const file of loaded) {
    for (const { specifier, isType } of importsIn(file)) {
      const to = isType ? null : target(file, specifier);
      if (to !== null) loaded.add(to);
    }
  }
  assert.ok(loaded.size > 300, `${loaded.size} files`);
  const waiting = [...loaded].filter(
    (file) => waitingCalls(readFileSync(join(src, file), 'utf8')).length > 0,
  );
  assert.deepEqual(waiting.toSorted(), allowed.toSorted());
});

test('the law itself finds what it forbids', () => {
  assert.deepEqual(waitingCalls("import { readFileSync, watch } from 'node:fs';"), [
    'readFileSync',
  ]);
  assert.deepEqual(waitingCalls("import {\n  openSync,\n  statSync,\n} from 'node:fs';"), [
    'openSync',
    'statSync',
  ]);
  assert.deepEqual(waitingCalls("import * as fs from 'node:fs';"), ['all of node:fs']);
  assert.deepEqual(waitingCalls("import { readFile } from 'node:fs/promises';"), []);
});
