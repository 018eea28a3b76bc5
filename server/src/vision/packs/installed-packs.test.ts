import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { quietLog } from '#testing/world.ts';
import { aClock } from '#testing/clock.ts';
import { sha256 } from './checksum.ts';
import { damagedFiles, installedPacks, packFingerprint, readPack } from './installed-packs.ts';
import type { Pack } from './pack.ts';
import { shippedPack } from './shipped-pack.ts';
import { Vision } from '../vision.ts';

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

test('packs are those whose folder and description agree; of two with one id the first folder has it', async () => {
  using ours = folder();
  using added = folder();
  lay(ours.dir, 'b', { id: 'b', version: '1' });
  lay(added.dir, 'b', { id: 'b', version: '2' });
  lay(added.dir, 'a', { id: 'a' });
  lay(added.dir, 'somebody-elses', { id: 'c' });
  lay(added.dir, 'broken', '{"id": "broken"');
  lay(added.dir, 'incomplete', '{"id": "incomplete", "version": "1"}');
  writeFileSync(join(added.dir, 'a-file'), '');
  const found = await installedPacks(ours.dir, added.dir, join(added.dir, 'nowhere'));
  assert.deepEqual(
    found.map(({ id, version, folder: place }) => [id, version, place]),
    [
      ['b', '1', join(ours.dir, 'b')],
      ['a', '1', join(added.dir, 'a')],
    ],
  );
});

test('a file that is missing or another one is named', async () => {
  using temporary = folder();
  const files = {
    whole: { path: 'whole.onnx', sha256: sha256('whole') },
    changed: { path: 'changed.onnx', sha256: sha256('as it was') },
    missing: { path: 'missing.onnx', sha256: sha256('') },
  };
  writeFileSync(join(temporary.dir, 'whole.onnx'), 'whole');
  writeFileSync(join(temporary.dir, 'changed.onnx'), 'as it is');
  const pack = { ...shippedPack, folder: temporary.dir, files };
  assert.deepEqual(await damagedFiles(pack), ['changed.onnx', 'missing.onnx']);
});

test('a description whose paths leave the folder, or that contradicts itself, is none', async () => {
  using temporary = folder();
  const { detector, embedder, files, landmarks: _, ...rest } = shippedPack;
  const bad: Record<string, object> = {
    path: { files: { ...files, embedder: { path: '../embedder.onnx', sha256: sha256('') } } },
    hidden: { files: { ...files, embedder: { path: '.embedder', sha256: sha256('') } } },
    nameless: { files: {} },
    sides: { embedder: { ...embedder, template: 'arcface-112' } },
    huge: { embedder: { ...embedder, dimensions: 5000 } },
    endless: {
      embedder: { ...embedder, calibration: { ...embedder.calibration, far1e3: Infinity } },
    },
    crooked: { detector: { ...detector, inputs: [{ file: 'landmarks', width: 100, height: 64 }] } },
    unknown: { detector: { ...detector, family: 'retina' } },
  };
  for (const [id, change] of Object.entries(bad)) {
    lay(temporary.dir, id, { id, ...change });
    await assert.rejects(readPack(join(temporary.dir, id)), id);
  }
  const pointless = { ...rest, id: 'pointless', detector, embedder, files };
  lay(temporary.dir, 'pointless', JSON.stringify(pointless));
  await assert.rejects(readPack(join(temporary.dir, 'pointless')), /five points/);
  const pointed = { ...pointless, detector: { ...detector, family: 'scrfd' } };
  lay(temporary.dir, 'pointed', JSON.stringify({ ...pointed, id: 'pointed' }));
  assert.deepEqual(
    (await installedPacks(temporary.dir)).map(({ id }) => id),
    ['pointed'],
  );
});

test('hosts of two packs are distinguished by any word of their descriptions, not by where they lie', async () => {
  using one = folder();
  using other = folder();
  const first = await readPack(lay(one.dir, 'a', { id: 'a' }));
  const moved = await readPack(lay(other.dir, 'a', { id: 'a' }));
  const gated = await readPack(lay(other.dir, 'a', { id: 'a', license: 'Another' }));
  assert.equal(packFingerprint(first), packFingerprint(moved));
  assert.notEqual(packFingerprint(first), packFingerprint(gated));
  assert.match(packFingerprint(first), /^a@1\+[0-9a-f]{12}$/);
});

test('a server knows a pack that was added, or went, once it reads them anew; the one in use stays', async () => {
  using temporary = folder();
  const { dir } = temporary;
  lay(dir, 'a', { id: 'a' });
  const folders = { runDir: dir, logsDir: dir, packDirs: [dir], packId: 'a' };
  const clock = aClock();
  const options = { ...folders, hosts: 0, version: 'test', clock, log: quietLog };
  await using vision = await Vision.open(options);
  lay(dir, 'b', { id: 'b' });
  const ids = (): string[] => vision.packs.map(({ id }) => id);
  assert.deepEqual(ids(), ['a']);
  await vision.readPacks();
  assert.deepEqual(ids(), ['a', 'b']);
  rmSync(join(dir, 'a'), { recursive: true });
  await assert.rejects(vision.mustBeWhole('a'), { code: 'model_pack_not_found' });
  assert.deepEqual([ids(), vision.pack.id], [['b'], 'a']);
});
