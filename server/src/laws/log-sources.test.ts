/** A law: each part of the server that writes the log has a name in the reader's language. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { sourceWords } from '@nazar/contract/activity-fields.ts';
import { browserSource, ownSource } from '#system/log/line.ts';

const src = join(import.meta.dirname, '..');

/** How a module says who it is, in `app/modules.ts` and where the log is made. */
const named =
  /(?:logOf\(options, |ofHosts\(options, |log: of\(|settings, of\(|child\(\{ module: )'(\w+)'/g;

test('every source of the system log has a name, and no other has one', () => {
  const files = globSync('**/*.ts', { cwd: src }).filter(
    (file) => !/\.test\.ts$|^testing/.test(file),
  );
  const found = files.flatMap((file) =>
    [...readFileSync(join(src, file), 'utf8').matchAll(named)].map(([, source]) => source!),
  );
  // What is printed without a module is the server's own; what the system log says of itself isn't kept.
  const sources = new Set([...found, browserSource, 'server']);
  sources.delete(ownSource);
  assert.deepEqual([...sources].toSorted(), Object.keys(sourceWords).toSorted());
});
