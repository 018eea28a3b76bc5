import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { attributeFiles, attributePath, attributesFolder } from '../attributes/attribute-files.ts';
import { convert, makeMobileFaceNet, makeModels } from './make-models.ts';
import { facePlugin } from './mobilefacenet-networks.ts';
import { ModelCache } from './model-cache.ts';
import { mobileFaceNetPack } from '../packs/mobilefacenet-pack.ts';
import { sha256 } from '../packs/checksum.ts';
import { damagedFiles, installedPacks, networkPath, readPack } from '../packs/installed-packs.ts';
import { Refusal } from '#lib/refusal.ts';
import { networks } from './shipped-networks.ts';
import { shippedPack } from '../packs/shipped-pack.ts';

function folder() {
  const dir = mkdtempSync(join(tmpdir(), 'nazar-models-'));
  return { dir, [Symbol.dispose]: () => rmSync(dir, { recursive: true, force: true }) };
}

test('files made out of the packages have the pinned hashes', async () => {
  using temporary = folder();
  const made = makeModels(temporary.dir);
  const detectors = shippedPack.detector.inputs.map(({ file }) => `${file}.onnx`);
  const others = ['landmarks.onnx', 'embedder.onnx', 'pack.json'];
  assert.deepEqual(made, [...detectors, ...others, 'age-gender.onnx', 'expression.onnx']);
  for (const { path, sha256: expected } of Object.values(attributeFiles)) {
    assert.equal(sha256(readFileSync(join(temporary.dir, attributesFolder, path))), expected);
  }
  for (const { path, sha256: expected } of Object.values(shippedPack.files)) {
    assert.equal(sha256(readFileSync(join(temporary.dir, shippedPack.id, path))), expected);
  }
  const packFolder = join(temporary.dir, shippedPack.id);
  assert.deepEqual(await readPack(packFolder), { ...shippedPack, folder: packFolder });
  assert.deepEqual(makeModels(temporary.dir), [], 'a second run makes nothing');
});

test('damaged and missing files are made again, whole ones are left alone, nothing half stays', async () => {
  using temporary = folder();
  makeModels(temporary.dir);
  const file = (name: string): string => join(temporary.dir, shippedPack.id, name);
  const damaged = 'detector-256x160.onnx';
  const untouched = statSync(file('embedder.onnx')).mtimeMs;
  const bytes = readFileSync(file(damaged));
  bytes[1000]! ^= 1;
  writeFileSync(file(damaged), bytes);
  rmSync(file('pack.json'));
  const pack = { ...shippedPack, folder: join(temporary.dir, shippedPack.id) };
  assert.deepEqual(await damagedFiles(pack), [damaged]);
  await assert.rejects(networkPath(pack, 'detector-256x160'), /damaged/);
  assert.deepEqual(makeModels(temporary.dir), [damaged, 'pack.json']);
  assert.equal(await networkPath(pack, 'detector-256x160'), file(damaged));
  assert.equal(statSync(file('embedder.onnx')).mtimeMs, untouched);
  assert.deepEqual(
    readdirSync(join(temporary.dir, shippedPack.id)).filter((name) => name.endsWith('.tmp')),
    [],
  );
});

test('~SET-016 a damaged network of attributes is refused, and made again at the next set-up', async () => {
  using temporary = folder();
  makeModels(temporary.dir);
  const file = join(temporary.dir, attributesFolder, 'expression.onnx');
  writeFileSync(file, readFileSync(file).fill(0, 1000, 1100));
  await assert.rejects(attributePath('expression', temporary.dir), /damaged/);
  assert.deepEqual(makeModels(temporary.dir), ['expression.onnx']);
  assert.equal(await attributePath('expression', temporary.dir), file);
  assert.deepEqual(
    (await installedPacks(temporary.dir)).map(({ id }) => id),
    [shippedPack.id],
  );
});

test('weights other than the pinned ones are refused before they are read', () => {
  const network = networks['landmarks']!;
  const [description, weights] = network.sources;
  const wrong = { ...weights!, sha256: '0'.repeat(64) };
  assert.throws(() => convert({ ...network, sources: [description!, wrong] }), /expected 0000/);
});

test('where the package cannot be had there is no half pack, and set-up gets a refusal to show', async () => {
  using temporary = folder();
  const cache = new ModelCache(join(temporary.dir, 'cache'));
  const withdrawn = () => Promise.reject(new Refusal('404 Not Found'));
  await assert.rejects(makeMobileFaceNet(temporary.dir, cache, withdrawn), /404 Not Found/);
  assert.deepEqual(await installedPacks(temporary.dir), []);
});

const own = ModelCache.own();
const absent = !facePlugin.files.every(({ sha256: hash }) => own.has(hash));
const skip = absent && 'the tarball of faceplugin-face-recognition-js is absent';

test(
  'the pack of MobileFaceNet has the pinned hashes; a fresh clone takes it from the cache',
  { skip },
  async () => {
    using first = folder();
    using second = folder();
    const cache = new ModelCache(join(first.dir, 'cache'));
    for (const { sha256: hash } of facePlugin.files) cache.put(own.get(hash)!);
    const unasked = () => assert.fail('no registry may be asked');
    const made = await makeMobileFaceNet(first.dir, cache, unasked);
    assert.equal(made.length, Object.keys(mobileFaceNetPack.files).length + 1);
    const pack = await readPack(join(first.dir, mobileFaceNetPack.id));
    assert.deepEqual(await damagedFiles(pack), []);
    assert.deepEqual(pack, { ...mobileFaceNetPack, folder: pack.folder });
    for (const { sha256: hash } of facePlugin.files) rmSync(join(first.dir, 'cache', hash));
    assert.deepEqual(await makeMobileFaceNet(second.dir, cache, unasked), made, 'converts nothing');
    const again = await readPack(join(second.dir, mobileFaceNetPack.id));
    assert.deepEqual(await damagedFiles(again), []);
  },
);
