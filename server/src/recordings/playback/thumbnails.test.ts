/** How many thumbnails are made at once; thumbnails.media.test.ts checks what is in them. */
import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import { test } from 'node:test';
import { createScope, noGrants } from '#http/scope.ts';
import type { Problem } from '#lib/problem.ts';
import type { MediaWorkers } from '#media/media.ts';
import { Thumbnails, type ThumbnailsOptions } from './thumbnails.ts';

const actor = { userId: 'u', email: '', sessionId: 's', standing: 'admin' } as const;
const admin = createScope(actor, noGrants);
const other = createScope({ ...actor, userId: 'o' }, noGrants);

/** Workers that answer when the test says so. */
function slowWorkers() {
  const asked: (() => void)[] = [];
  const seen = { working: 0, most: 0, done: 0 };
  const ask = async (): Promise<unknown> => {
    seen.working += 1;
    seen.most = Math.max(seen.most, seen.working);
    await new Promise<void>((resolve) => asked.push(resolve));
    seen.working -= 1;
    seen.done += 1;
    return { head: { isPicture: true }, body: Buffer.from('jpeg') };
  };
  return { workers: { ask } as unknown as MediaWorkers, asked, seen };
}

function thumbnailsWith(workers: MediaWorkers): Thumbnails {
  let segments = 0;
  const segmentAt = () =>
    Promise.resolve({
      id: `segment ${(segments += 1)}`,
      started_at: new Date(0),
      ended_at: new Date(10_000),
      key_offsets: [0],
      key_times: [0],
      path: 'a.mp4',
    });
  const options = {
    store: { segmentAt },
    playable: { mustPlay: () => Promise.resolve() },
    roots: { pathOf: async () => '/recordings', hungOf: () => new AbortController().signal },
    cameras: {
      zones: { masksOf: () => Promise.resolve({ polygons: [], rotation: 0 }) },
    },
    workers,
  };
  return new Thumbnails(options as unknown as ThumbnailsOptions);
}

test('two pictures at a time, even when a caller comes while a place changes hands', async () => {
  const { workers, asked, seen } = slowWorkers();
  const thumbnails = thumbnailsWith(workers);
  const made: Promise<Buffer>[] = [];
  const come = () => void made.push(thumbnails.at(admin, 'camera', null));
  for (let i = 0; i < 4; i += 1) come();
  await turn();
  assert.equal(seen.working, 2);
  for (let i = 0; i < 30; i += 1) {
    // Each round leaves the place a step later after a caller came, so that one of them comes exactly in between.
    const steps = i % 15;
    come();
    for (let step = 0; step < steps; step += 1) await Promise.resolve();
    asked.shift()?.();
    await turn();
  }
  while (seen.working > 0) {
    asked.shift()?.();
    await turn();
  }
  assert.equal((await Promise.all(made)).length, 34);
  assert.equal(seen.most, 2);
});

test('an account that asks for a hundred pictures blocks no one who asks for one', async () => {
  const { workers, asked, seen } = slowWorkers();
  const thumbnails = thumbnailsWith(workers);
  const made = Array.from({ length: 100 }, () =>
    thumbnails.at(admin, 'camera', null).catch((error: Problem) => error.code),
  );
  await turn();
  const one = thumbnails.at(other, 'camera', null);
  await turn();
  let answered = 0;
  void one.then(() => (answered = seen.done));
  while (seen.working > 0) {
    asked.shift()?.();
    await turn();
  }
  await one;
  assert.ok(answered <= 5, `answered as number ${answered}`);
  const codes = (await Promise.all(made)).filter((picture) => typeof picture === 'string');
  // Two are made and 64 wait, the other account's among them.
  assert.deepEqual([codes.length, new Set(codes)], [35, new Set(['request_replaced'])]);
});
