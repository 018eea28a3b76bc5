/** Whose parts are made when several accounts want some; masked-parts.media.test.ts checks what is in them. */
import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import { test } from 'node:test';
import type { Problem } from '#lib/problem.ts';
import { MaskedParts, type MaskedPartsOptions } from './masked-parts.ts';
import type { FilePart } from './parts.ts';
import type { PlayedSegment } from './playback-store.ts';

const part: FilePart = { from: 0, until: 1, atMs: 0, untilMs: 1 };
const segment = (id: string) => ({ id, path: 'a.mp4', head_bytes: 1 }) as PlayedSegment;
const signal = new AbortController().signal;

/** Workers that answer when the test says so, in the order in which they were asked. */
function partsOfSlowWorkers() {
  const asked: { readonly account: string; readonly answer: () => void }[] = [];
  const ask = (_: unknown, __: number, { account }: { account: string }) =>
    new Promise((resolve) => {
      const answer = { head: { fault: null, initBytes: 1 }, body: Buffer.from('xy') };
      asked.push({ account, answer: () => resolve(answer) });
    });
  const options = {
    roots: { pathOf: async () => '/recordings', hungOf: () => new AbortController().signal },
    zones: { masksOf: async () => ({ polygons: [], rotation: 0 }) },
    workers: { ask },
  };
  return { parts: new MaskedParts(options as unknown as MaskedPartsOptions), asked };
}

test('a part of one account is made after one of another, not after all of them', async () => {
  const { parts, asked } = partsOfSlowWorkers();
  const of = (account: string, id: string): Promise<unknown> =>
    parts
      .of('camera', segment(id), part, { account, signal })
      .catch((error: Problem) => error.code);
  const manyOfA = (from: number, until: number) =>
    Array.from({ length: until - from }, (_, nth) => of('a', `a${from + nth}`));
  const many = manyOfA(0, 18);
  await turn();
  // The same as the first one that waits, which makes way for newer ones of its account.
  const same = of('b', 'a2');
  await turn();
  many.push(...manyOfA(18, 30));
  const own = of('b', 'b0');
  await turn();
  for (let next = asked[0], nth = 0; next; next = asked[(nth += 1)]) {
    next.answer();
    await turn();
  }
  assert.deepEqual((await Promise.all([same, own])).map(String), ['y', 'y']);
  const order = asked.map(({ account }) => account).join('');
  assert.match(order, /^aa[ab]{0,2}b/);
  const replaced = (await Promise.all(many)).filter((made) => made === 'request_replaced');
  assert.ok(replaced.length >= 12 && replaced.length <= 14, `${replaced.length} made way`);
});
