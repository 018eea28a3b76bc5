/** `npm run models` as an administrator types it. */
import assert from 'node:assert/strict';
import { cpSync, existsSync, mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { ModelStore } from '#system/model-store.ts';
import { testDatabase, type TestDatabase } from '#testing/database.ts';
import { command, emptyDataFolder, type Run } from '#testing/installation.ts';
import { labelledFaces, needModels, samplePhoto } from '#testing/vision.ts';
import { humanPack } from '#vision/setup/human-pack.ts';
import { installedPacks, shipped } from '#vision/packs/installed-packs.ts';
import { shippedPack } from '#vision/packs/shipped-pack.ts';

const folder = emptyDataFolder();
const added = join(folder.path, 'models');
let database: TestDatabase;

before(async () => {
  needModels();
  database = await testDatabase();
});
after(async () => {
  await database[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

const models = (...words: string[]): Promise<Run> =>
  command('models', words, folder.path, { DATABASE_URL: database.url });

const limit = { timeout: 120_000 };

test('an unknown command is answered with those there are', limit, async () => {
  for (const words of [[], ['lost'], ['add'], ['list', 'all'], ['calibrate', 'blazeface-dlib']]) {
    const { code, said } = await models(...words);
    assert.equal(code, 1);
    assert.match(said, /^Usage:\n {2}npm run models -- list/);
    assert.match(said, /-- use ID/);
  }
});

test(
  'installed packs are listed with their licence, which one is in use, and what is damaged',
  limit,
  async () => {
    const fresh = await models('list');
    assert.equal(fresh.code, 0);
    assert.match(fresh.said, /^blazeface-dlib 1\n.*128 numbers, files are whole\n.*licence: See/s);
    const made = await models('add', 'human');
    assert.equal(made.code, 0);
    assert.match(made.said, /^blazeface-faceres 1 is installed\. Licence: .*not stated/);
    assert.match(made.said, /npm run models -- use blazeface-faceres/);
    await new ModelStore(database.db).begin('blazeface-faceres@1');
    const both = await models('list');
    assert.equal(both.code, 0);
    assert.match(both.said, /blazeface-dlib 1\n.*blazeface-faceres 1, serves\n.*1024 numbers/s);
    truncateSync(join(added, humanPack.id, 'faceres.onnx'), 1000);
    const damaged = await models('list');
    assert.equal(damaged.code, 1);
    assert.match(damaged.said, /DAMAGED: faceres\.onnx/);
    assert.equal((await models('add', 'human')).code, 0, 'made anew');
    assert.equal((await models('list')).code, 0);
  },
);

test('a pack from a folder is installed, or refused in one sentence', limit, async () => {
  const own = join(folder.path, 'own');
  cpSync(shipped.folder, own, { recursive: true });
  const describe = (change: object): void =>
    writeFileSync(join(own, 'pack.json'), JSON.stringify({ ...shippedPack, ...change }));
  describe({ id: 'own', license: '' });
  const refused = await models('add', own);
  assert.equal(refused.code, 1);
  assert.match(refused.said, /^pack\.json does not describe a pack:\n {2}license: /);
  describe({ id: 'own' });
  assert.equal((await models('add', own)).code, 0);
  assert.match((await models('list')).said, /^own 1$/m);
});

test(
  'limits are not measured on too few photos, nor of a pack that is not there',
  limit,
  async () => {
    const photos = join(folder.path, 'photos');
    mkdirSync(join(photos, 'set/person'), { recursive: true });
    writeFileSync(join(photos, 'set/person/1.jpg'), samplePhoto(1));
    writeFileSync(join(photos, 'set/person/notes.txt'), 'no photo');
    const few = await models('calibrate', 'blazeface-dlib', photos);
    assert.equal(few.code, 1);
    assert.match(few.said, /^2 photos, .*Too few: 50 pairs of one person/s);
    assert.match((await models('calibrate', 'nobody', photos)).said, /nobody/);
    assert.match((await models('calibrate', 'own', `${photos}x`)).said, /^There is no folder/);
    assert.ok(!existsSync(join(added, 'blazeface-dlib.calibration.json')));
  },
);

const without = labelledFaces === undefined && 'NAZAR_TEST_FACES is not set';

test(
  'limits measured on labelled photos take the place of the pack’s, for that version of it',
  { timeout: 300_000, skip: without },
  async () => {
    const { code, said } = await models('calibrate', 'own', labelledFaces!);
    assert.equal(code, 0, said);
    assert.match(said, /\d+ pairs of one person, \d+ of two\./);
    assert.match(said, /far1e3 +0\.5\d\d +9\d\.\d\d % \(9\d\.\d\d % to 9\d\.\d\d %\)/);
    const own = async (): Promise<(typeof shippedPack)['embedder']['calibration']> =>
      (await installedPacks(added)).find(({ id }) => id === 'own')!.embedder.calibration;
    const { calibration: shippedOnes } = shippedPack.embedder;
    assert.notDeepEqual(await own(), shippedOnes);
    for (const limit of ['far1e2', 'far1e3', 'openSet', 'strict', 'margin', 'split'] as const) {
      assert.ok(
        Math.abs((await own())[limit] - shippedOnes[limit]) < 0.03,
        `${limit}: ${(await own())[limit]}`,
      );
    }
    const path = join(added, 'own.calibration.json');
    const measured = JSON.parse(readFileSync(path, 'utf8')) as { pack: string };
    writeFileSync(path, JSON.stringify({ ...measured, pack: 'own@2' }));
    assert.deepEqual(await own(), shippedOnes, 'of another version it says nothing');
    writeFileSync(path, '{');
    assert.deepEqual(await own(), shippedOnes, 'nor when it is damaged');
  },
);
