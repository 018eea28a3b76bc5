import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { hostVersion } from './host-version.ts';

let folder: string;

before(() => {
  folder = mkdtempSync(join(tmpdir(), 'nazar-host-version-'));
  for (const path of ['lib', 'media', 'vision/convert', 'faces']) {
    mkdirSync(join(folder, path), { recursive: true });
  }
});
after(() => rmSync(folder, { recursive: true }));

function write(file: string, text: string): string {
  writeFileSync(join(folder, file), text);
  return hostVersion('1.2.3', folder);
}

test('hosts of other code are another version, wherever in their sources it differs', () => {
  const seen = new Set([hostVersion('1.2.3', folder)]);
  const files = ['media-host.ts', 'lib/a.ts', 'media/a.ts', 'vision/convert/a.ts'];
  for (const file of files) seen.add(write(file, 'export const a = 1;'));
  for (const file of files) seen.add(write(file, 'export const a = 2;'));
  assert.equal(seen.size, 1 + 2 * files.length);
  seen.add(hostVersion('1.2.4', folder));
  assert.equal(seen.size, 2 + 2 * files.length);
});

test('files that hosts do not run leave them alone: tests and the rest of the server', () => {
  const before = hostVersion('1.2.3', folder);
  assert.match(before, /^1\.2\.3\+[0-9a-f]{12}$/);
  assert.equal(write('lib/a.test.ts', 'test'), before);
  assert.equal(write('faces/faces.ts', 'export const faces = 1;'), before);
  assert.equal(write('main.ts', 'run();'), before);
});
