/** Another pack than the shipped one: how it comes into use, and its vectors before that. */
import assert from 'node:assert/strict';
import { cpSync, mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { before, test } from 'node:test';
import sharp from 'sharp';
import { ownWork } from '#lib/limits/turns.ts';
import { createLog } from '#lib/log.ts';
import { Problem } from '#lib/problem.ts';
import { aClock } from '#testing/clock.ts';
import { until } from '#testing/until.ts';
import { aChip, needModels, openVision, samplePhoto, shippedKey } from '#testing/vision.ts';
import { distance } from '../embed.ts';
import { measuredPath, modelsDir, shipped } from './installed-packs.ts';
import { KeptChips } from '../kept-chips.ts';
import { packKey } from './pack.ts';
import { shippedPack } from './shipped-pack.ts';
import type { Vision } from '../vision.ts';

before(needModels);

const limit = { timeout: 60_000 };
const log = createLog('silent');

/** A folder for sockets, with a folder in it of packs that has the shipped networks under another name. */
function folder() {
  const dir = mkdtempSync(join(tmpdir(), 'nazar-packs-'));
  const added = join(dir, 'models');
  mkdirSync(added);
  const place = join(added, 'other');
  cpSync(join(modelsDir, shippedPack.id), place, { recursive: true });
  const description = { ...shippedPack, id: 'other', version: '7' };
  writeFileSync(join(place, 'pack.json'), JSON.stringify(description));
  const start = (packId?: string, hosts = 2): Promise<Vision> =>
    openVision(dir, {
      hosts,
      packDirs: [modelsDir, added],
      ...(packId === undefined ? {} : { packId }),
    });
  return { place, start, [Symbol.dispose]: () => rmSync(dir, { recursive: true, force: true }) };
}

async function codeOf(work: Promise<unknown>): Promise<string> {
  const outcome = await work.catch((error: unknown) => error);
  return outcome instanceof Problem ? outcome.code : `no problem: ${String(outcome)}`;
}

test('another pack serves once every host has started again with it', limit, async () => {
  using temporary = folder();
  const vision = await temporary.start();
  const packKeys: string[] = [];
  using _ = vision.served.on(({ pack }) => packKeys.push(packKey(pack)));
  const ids = vision.packs.map(({ id }) => id);
  assert.deepEqual([ids[0], ids.at(-1)], [shippedPack.id, 'other'], 'those of set-up first');
  assert.equal((await vision.embed(aChip(1), 1, shippedKey)).pack.id, shippedPack.id);
  const pids = (await vision.health()).map(({ pid }) => pid);
  await vision.use('other');
  for (let i = 0; i < 2; i++) {
    const { pack } = await vision.embed(aChip(i), 1, 'other@7');
    assert.deepEqual(pack, { id: 'other', version: '7' });
  }
  assert.equal(vision.pack.id, 'other');
  assert.deepEqual(packKeys, ['other@7']);
  assert.equal(
    await codeOf(vision.embed(aChip(1), 1, shippedKey)),
    'unavailable',
    'chips of the pack before are nobody’s now',
  );
  assert.ok(vision.calibrationOf(shippedKey) && vision.calibrationOf('other@7'));
  assert.equal(vision.calibrationOf('other@8'), null);
  const now = (await vision.health()).map(({ pid }) => pid);
  assert.ok(now.every((pid) => pid !== null && !pids.includes(pid)));
  await vision.use('other');
  assert.deepEqual(
    (await vision.health()).map(({ pid }) => pid),
    now,
    'what serves already is not started again',
  );
  await vision.release();
  await using next = await temporary.start('other');
  assert.equal((await next.embed(aChip(1), 1, 'other@7')).pack.id, 'other');
  // The second host may be adopted a moment after the first has answered.
  await until(async () => (await next.health()).every(({ pid }) => pid !== null));
  assert.deepEqual(
    (await next.health()).map(({ pid }) => pid),
    now,
    'hosts of the pack that is asked for are adopted',
  );
});

test('limits that were measured here count for the shipped pack too, chosen or not', async () => {
  using temporary = folder();
  const calibration = { ...shippedPack.embedder.calibration, openSet: 0.51 };
  const path = measuredPath(join(temporary.place, '..'), shippedPack.id);
  writeFileSync(path, JSON.stringify({ pack: shippedKey, calibration }));
  for (const packId of [undefined, shippedPack.id]) {
    await using vision = await temporary.start(packId, 0);
    assert.deepEqual(vision.calibrationOf(shippedKey), calibration);
    assert.deepEqual(vision.pack.embedder.calibration, calibration);
  }
});

test(
  'a pack that is not there or not whole does not serve; the one before does',
  limit,
  async () => {
    using temporary = folder();
    await using vision = await temporary.start();
    assert.equal(await codeOf(vision.use('nobody')), 'model_pack_not_found');
    truncateSync(join(temporary.place, 'embedder.onnx'), 1000);
    assert.equal(await codeOf(vision.use('other')), 'model_pack_damaged');
    assert.equal((await vision.embed(aChip(1), 1, shippedKey)).pack.id, shippedPack.id);
    await assert.rejects(temporary.start('nobody'), /"nobody".* not on this machine/);
  },
);

test(
  'chips get vectors of a pack that does not serve, in a process of its own',
  limit,
  async () => {
    using temporary = folder();
    await using vision = await temporary.start();
    const photo = await vision.readPhoto(samplePhoto(1), { purpose: 'enrol', account: ownWork });
    const faces = photo.faces.filter(({ fault }) => fault === null);
    assert.ok(faces.length >= 2);
    const chips = Buffer.concat(faces.map(({ chip }) => chip));
    const { vectors, jpegs } = await vision.embed(chips, faces.length, shippedKey);
    const blank = await sharp({
      create: { width: 150, height: 150, channels: 3, background: '#808080' },
    })
      .jpeg()
      .toBuffer();
    const pack = packKey(shippedPack);
    const kept = [blank, ...jpegs].map((jpeg) => ({ jpeg, pack }));
    const [none, ...reembedded] = await vision.reembed('other', kept);
    assert.equal(none, null);
    for (const [i, vector] of reembedded.entries()) {
      const away = distance(vector!, vectors[i]!);
      assert.ok(
        away < shippedPack.embedder.calibration.strict / 2,
        `${away} from its first vector`,
      );
    }
    assert.equal(
      await codeOf(Promise.resolve().then(() => vision.reembed('nobody', kept))),
      'model_pack_not_found',
    );
  },
);

test('that process ends when it was not asked for a while', limit, async () => {
  const clock = aClock();
  await using kept = new KeptChips({ clock, log });
  const jpeg = await sharp(aChip(1), { raw: { width: 150, height: 150, channels: 3 } })
    .jpeg()
    .toBuffer();
  const points = [
    [0.35, 0.35],
    [0.65, 0.35],
    [0.5, 0.5],
    [0.4, 0.65],
    [0.6, 0.65],
  ] as const;
  await kept.embed(shipped, [{ jpeg, points, photo: null }]);
  assert.ok(kept.isRunning);
  clock.advance(29_000);
  await kept.embed(shipped, [{ jpeg, points, photo: null }]);
  clock.advance(29_000);
  assert.ok(kept.isRunning, 'it was asked in between');
  clock.advance(1_000);
  await new Promise((resolve) => setImmediate(resolve));
  assert.ok(!kept.isRunning);
});

test(
  'a chip that is none ends the process, not the server; the next gets a new process',
  limit,
  async () => {
    using temporary = folder();
    await using vision = await temporary.start();
    const pack = packKey(shippedPack);
    const broken = vision.reembed('other', [{ jpeg: Buffer.from('no picture'), pack }]);
    assert.notEqual(await codeOf(broken), 'no problem: undefined');
    const { jpegs } = await vision.embed(aChip(1), 1, shippedKey);
    assert.equal((await vision.reembed('other', [{ jpeg: jpegs[0]!, pack }])).length, 1);
  },
);
