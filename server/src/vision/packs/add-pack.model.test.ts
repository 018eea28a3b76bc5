import assert from 'node:assert/strict';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { Refusal } from '#lib/refusal.ts';
import { needModels } from '#testing/vision.ts';
import { addPack } from './add-pack.ts';
import { sha256, sha256OfFile } from './checksum.ts';
import { damagedFiles, installedPacks, shipped } from './installed-packs.ts';
import { shippedPack } from './shipped-pack.ts';

before(needModels);

/** A folder with the shipped networks described as `own`, and an empty one of installed packs. */
function folders() {
  const dir = mkdtempSync(join(tmpdir(), 'nazar-add-'));
  const from = join(dir, 'from');
  const to = join(dir, 'to');
  cpSync(shipped.folder, from, { recursive: true });
  const describe = (change: object): void =>
    writeFileSync(
      join(from, 'pack.json'),
      JSON.stringify({ ...shippedPack, id: 'own', ...change }),
    );
  describe({});
  const left = (): string[] => (existsSync(to) ? readdirSync(to) : []);
  const refusal = async (): Promise<string> => {
    const outcome = await addPack(from, to, [shipped]).catch((error: unknown) => error);
    assert.ok(outcome instanceof Refusal, String(outcome));
    assert.deepEqual(left(), [], 'nothing stays');
    return outcome.message;
  };
  const dispose = (): void => rmSync(dir, { recursive: true, force: true });
  return { dir, from, to, describe, refusal, left, [Symbol.dispose]: dispose };
}

const limit = { timeout: 60_000 };

test(
  'a pack that is whole and runs is installed, and nothing else of its folder',
  limit,
  async () => {
    using place = folders();
    writeFileSync(join(place.from, 'notes.txt'), 'mine');
    const pack = await addPack(place.from, place.to, [shipped]);
    assert.equal(pack.folder, join(place.to, 'own'));
    assert.deepEqual(place.left(), ['own']);
    assert.ok(!existsSync(join(pack.folder, 'notes.txt')));
    assert.deepEqual(await damagedFiles(pack), []);
    assert.deepEqual(
      (await installedPacks(place.to)).map(({ id }) => id),
      ['own'],
    );
  },
);

test('a description that is none is refused by what is wrong with it', limit, async () => {
  using place = folders();
  place.describe({ id: '../outside', detector: { ...shippedPack.detector, family: 'retina' } });
  assert.match(await place.refusal(), /id: must be small letters.*\n?.*detector\.family/s);
  const embedder = { path: '../pack.json', sha256: sha256('') };
  place.describe({ files: { ...shippedPack.files, embedder } });
  assert.match(await place.refusal(), /files\.embedder\.path: must be the name of a file/);
  writeFileSync(join(place.from, 'pack.json'), '{');
  assert.equal(await place.refusal(), 'pack.json is not JSON.');
  writeFileSync(join(place.from, 'pack.json'), ' '.repeat(1024 * 1024 + 1));
  assert.equal(await place.refusal(), 'pack.json is larger than 1 MB.');
  rmSync(join(place.from, 'pack.json'));
  assert.match(await place.refusal(), /^There is no pack\.json in /);
});

test('an id that is installed is never replaced: vectors are stored under it', limit, async () => {
  using place = folders();
  place.describe({ id: shippedPack.id, version: '2' });
  assert.match(await place.refusal(), /blazeface-dlib 1 is installed already/);
});

test('files that are links, missing, too large or others are refused', limit, async () => {
  using place = folders();
  const file = join(place.from, 'embedder.onnx');
  const bytes = readFileSync(file);
  bytes[1000]! ^= 1;
  writeFileSync(file, bytes);
  assert.match(
    await place.refusal(),
    /embedder\.onnx is not the file that pack\.json was written for/,
  );
  truncateSync(file, 513 * 1024 * 1024);
  assert.equal(await place.refusal(), 'embedder.onnx is larger than 512 MB.');
  rmSync(file);
  assert.match(await place.refusal(), /^embedder\.onnx is not a file in /);
  symlinkSync(join(shipped.folder, 'embedder.onnx'), file);
  assert.match(await place.refusal(), /^embedder\.onnx is not a file in /);
});

test(
  'networks that do not answer as they are described are refused before they serve',
  limit,
  async () => {
    using place = folders();
    place.describe({ embedder: { ...shippedPack.embedder, dimensions: 256 } });
    assert.match(await place.refusal(), /256 numbers? for|numbers for .* of 256/);
    place.describe({ detector: { ...shippedPack.detector, family: 'tiny' } });
    assert.match(await place.refusal(), /do not answer as pack\.json says/);
    const rubbish = join(place.from, 'landmarks.onnx');
    writeFileSync(rubbish, 'rubbish');
    const landmarks = { path: 'landmarks.onnx', sha256: await sha256OfFile(rubbish) };
    place.describe({ files: { ...shippedPack.files, landmarks } });
    assert.match(await place.refusal(), /do not answer as pack\.json says/);
  },
);
