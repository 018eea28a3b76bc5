import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { sha256 } from './checksum.ts';
import { damagedFiles, installedPacks, packFingerprint, readPack } from './installed-packs.ts';
import type { Pack } from './pack.ts';
import { shippedPack } from './shipped-pack.ts';

function folder() {
  const dir = mkdtempSync(join(tmpdir(), 'nazar-packs-'));
  return { dir, [Symbol.dispose]: () => rmSync(dir, { recursive: true, force: true }) };
}

function lay(dir: string, id: string, description: Partial<Pack> | string): string {
  const place = join(dir, id);
  mkdirSync(place, { recursive: true });
  const pack = typeof description === 'string' ? description : { ...shippedPack, ...description };
  writeFileSync(
    join(place, 'pack.json'),
    typeof pack === 'string' ? pack : JSON.stringify(pack, null, 2),
  );
  return place;
}

test('packs are those whose folder and description agree; of two with one id the first folder has it', () => {
  using ours = folder();
  using added = folder();
  lay(ours.dir, 'b', { id: 'b', version: '1' });
  lay(added.dir, 'b', { id: 'b', version: '2' });
  lay(added.dir, 'a', { id: 'a' });
  lay(added.dir, 'somebody-elses', { id: 'c' });
  lay(added.dir, 'broken', '{"id": "broken"');
  lay(added.dir, 'incomplete', '{"id": "incomplete", "version": "1"}');
  writeFileSync(join(added.dir, 'a-file'), '');
  const found = installedPacks(ours.dir, added.dir, join(added.dir, 'nowhere'));
  assert.deepEqual(
    found.map(({ id, version, folder: place }) => [id, version, place]),
    [
      ['b', '1', join(ours.dir, 'b')],
      ['a', '1', join(added.dir, 'a')],
    ],
  );
});

test('a file that is missing or another one is told by its name', () => {
  using temporary = folder();
  const place = lay(temporary.dir, 'a', {
    id: 'a',
    files: {
      whole: { path: 'whole.onnx', sha256: sha256('whole') },
      changed: { path: 'changed.onnx', sha256: sha256('as it was') },
      missing: { path: 'missing.onnx', sha256: sha256('') },
    },
  });
  writeFileSync(join(place, 'whole.onnx'), 'whole');
  writeFileSync(join(place, 'changed.onnx'), 'as it is');
  assert.deepEqual(damagedFiles(readPack(place)), ['changed.onnx', 'missing.onnx']);
});

test('hosts of two packs are told apart by any word of their descriptions, not by where they lie', () => {
  using one = folder();
  using other = folder();
  const first = readPack(lay(one.dir, 'a', { id: 'a' }));
  const moved = readPack(lay(other.dir, 'a', { id: 'a' }));
  const gated = readPack(lay(other.dir, 'a', { id: 'a', license: 'Another' }));
  assert.equal(packFingerprint(first), packFingerprint(moved));
  assert.notEqual(packFingerprint(first), packFingerprint(gated));
  assert.match(packFingerprint(first), /^a@1\+[0-9a-f]{12}$/);
});
