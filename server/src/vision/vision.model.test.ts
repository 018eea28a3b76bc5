import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { systemClock } from '#lib/clock.ts';
import { Problem } from '#lib/problem.ts';
import { PeerFailure } from '#lib/ipc.ts';
import { ownWork } from '#lib/limits/turns.ts';
import {
  aChip,
  chipBytes,
  needModels,
  openVision,
  pictureOf,
  samplePhoto,
  shippedKey,
} from '#testing/vision.ts';
import { VisionClient } from './client.ts';
import { imageSourceOf } from './image-source.ts';

before(needModels);

function folder() {
  const dir = mkdtempSync(join(tmpdir(), 'nazar-vision-'));
  return { dir, [Symbol.dispose]: () => rmSync(dir, { recursive: true, force: true }) };
}

/** Polls until the condition holds; the test's own time limit bounds it. */
async function until(isSo: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 10));
}

const limit = { timeout: 60_000 };

test(
  'a photo becomes a face, a chip and a vector; C-903 the sockets are private',
  limit,
  async () => {
    using temporary = folder();
    await using vision = await openVision(temporary.dir);
    const photo = await vision.readPhoto(samplePhoto(1), { purpose: 'enrol', account: ownWork });
    assert.ok(photo.faces.length >= 1);
    assert.equal(Math.max(photo.width, photo.height) <= 1600, true);
    const face = photo.faces[0]!;
    assert.equal(face.chip.length, chipBytes);
    const { pack, vectors, jpegs, cpuMs } = await vision.embed(
      Buffer.concat([face.chip, aChip(1)]),
      2,
      shippedKey,
    );
    assert.equal(pack.id, 'blazeface-dlib');
    assert.ok(cpuMs > 0, 'it says what it took');
    assert.deepEqual(
      vectors.map((it) => it.length),
      [128, 128],
    );
    for (const jpeg of jpegs) assert.deepEqual([...jpeg.subarray(0, 3)], [0xff, 0xd8, 0xff]);
    assert.equal((await pictureOf(jpegs[0]!)).width, 150);
    assert.equal(statSync(vision.sockets[0]!).mode & 0o777, 0o600);
    const [health] = await vision.health();
    assert.ok(health?.stats && health.stats.chips === 2 && health.stats.pictures === 1);
  },
);

test('~SET-016 a host says what the face on a stored chip looks like', limit, async () => {
  using temporary = folder();
  await using vision = await openVision(temporary.dir);
  const photo = await vision.readPhoto(samplePhoto(1), { purpose: 'enrol', account: ownWork });
  const { jpegs } = await vision.embed(photo.faces[0]!.chip, 1, shippedKey);
  const { age, man, emotion } = await vision.attributes(jpegs[0]!, ['age', 'emotion'], shippedKey);
  assert.ok(age !== null && age > 10 && age < 80 && emotion !== null);
  assert.equal(man, null, 'what is not wanted is not said');
  const broken = vision.attributes(Buffer.from('no JPEG'), ['age'], shippedKey);
  await assert.rejects(broken, Problem);
  const other = vision.attributes(jpegs[0]!, ['age'], 'another@1');
  await assert.rejects(other, Problem, 'chips of a pack that is not in use');
});

test(
  'R-06 a host that is killed in the middle of its work costs a second try, not the answer',
  limit,
  async () => {
    using temporary = folder();
    await using vision = await openVision(temporary.dir, { hosts: 2 });
    await until(async () => (await vision.health()).every(({ stats }) => stats !== null));
    const chips = Buffer.concat(Array.from({ length: 8 }, (_, i) => aChip(i)));
    const work = Array.from({ length: 6 }, () => vision.embed(chips, 8, shippedKey));
    const [first] = await vision.health().then((all) => all.map(({ pid }) => pid!));
    process.kill(first!, 'SIGKILL');
    for (const { vectors } of await Promise.all(work)) assert.equal(vectors.length, 8);
    await until(async () => (await vision.health()).every(({ stats }) => stats !== null));
  },
);

test('R-06 the only host killed: callers wait until it is back', limit, async () => {
  using temporary = folder();
  await using vision = await openVision(temporary.dir);
  await vision.embed(aChip(1), 1, shippedKey);
  const [{ pid } = { pid: null }] = await vision.health();
  process.kill(pid!, 'SIGKILL');
  const { vectors } = await vision.embed(aChip(1), 1, shippedKey);
  assert.equal(vectors.length, 1);
});

test('a restarted server adopts the hosts that the old one left', limit, async () => {
  using temporary = folder();
  const first = await openVision(temporary.dir);
  await first.embed(aChip(1), 1, shippedKey);
  const [before] = await first.health();
  await first.release();
  await using second = await openVision(temporary.dir);
  await second.embed(aChip(1), 1, shippedKey);
  const [after] = await second.health();
  assert.equal(after!.pid, before!.pid);
  assert.equal(after!.stats!.chips, 2);
});

test(
  'one who gives up is let go at once; chips that are none are the asker’s mistake',
  limit,
  async () => {
    using temporary = folder();
    await using vision = await openVision(temporary.dir);
    await assert.rejects(
      vision.embed(aChip(1), 1, shippedKey, AbortSignal.abort(new Error('enough'))),
      /enough/,
    );
    await assert.rejects(vision.embed(Buffer.alloc(5), 1, shippedKey), Problem);
  },
);

test(
  'a media host is served by any host that is there, and learns at once when none is',
  limit,
  async () => {
    using temporary = folder();
    const vision = await openVision(temporary.dir, { hosts: 2 });
    await using client = new VisionClient(vision.sockets, systemClock);
    const view = imageSourceOf(await pictureOf(samplePhoto(1), 640));
    const scene = {};
    await assert.rejects(client.detect(view, scene), PeerFailure);
    await until(() => client.reachable === 2);
    assert.equal(client.free, true);
    const detections = await Promise.all([1, 2, 3].map(() => client.detect(view, scene)));
    for (const { reply, chips, costMs } of detections) {
      assert.equal(chips.length, reply.faces.length * chipBytes);
      assert.ok(costMs > 0, 'a host says what it took');
    }
    const counts = (await vision.health()).map(({ stats }) => stats!.pictures);
    assert.ok(
      counts.every((count) => count >= 1),
      'both worked',
    );
    const [{ pid } = { pid: null }] = await vision.health();
    process.kill(pid!, 'SIGKILL');
    await until(() => client.reachable === 1);
    assert.ok((await client.detect(view, scene)).reply.faces.length >= 1);
    await until(() => client.reachable === 2);
    await vision[Symbol.asyncDispose]();
    await until(() => client.reachable === 0);
    await assert.rejects(client.detect(view, scene), PeerFailure);
    assert.equal(readFileSync(join(temporary.dir, 'vision-2.log'), 'utf8'), '');
  },
);
