import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aClock } from '#testing/clock.ts';
import { MaskingLimit } from './masking-limit.ts';

const full = { code: 'too_many_masked_views', params: { max: 4, retry_after_s: 10 } };
const replaced = { code: 'view_replaced' };

/** A limit, and the live views that were replaced, in their order. */
function aLimit() {
  const clock = aClock();
  const limit = new MaskingLimit(clock);
  const gone: string[] = [];
  const watch = (account: string, camera: string): Disposable =>
    limit.watch(camera, account, () => void gone.push(`${account} ${camera}`));
  return { clock, limit, gone, watch };
}

test('live cameras and players together are four; the newest of an account takes the place of its oldest', () => {
  const { limit, gone, watch } = aLimit();
  watch('a', 'gate');
  limit.play('a1', 'a');
  watch('a', 'yard');
  limit.play('a2', 'a');
  assert.deepEqual(gone, []);
  limit.play('a3', 'a');
  assert.deepEqual(gone, ['a gate']);
  watch('a', 'door');
  assert.throws(() => limit.play('a1', 'a'), replaced, 'it does not come back by itself');
  limit.play('a2', 'a');
  limit.mayBegin('a1', 'a');
  limit.play('a1', 'a');
  assert.deepEqual(gone, ['a gate', 'a yard']);
});

test('one account keeps no other from anything, and gives up no more than that one’s share', () => {
  const { limit, gone, watch } = aLimit();
  for (const camera of ['c1', 'c2', 'c3', 'c4']) watch('a', camera);
  watch('b', 'c5');
  limit.play('b1', 'b');
  assert.deepEqual(gone, ['a c1', 'a c2']);
  limit.play('b2', 'b');
  assert.deepEqual(gone, ['a c1', 'a c2', 'b c5'], 'then its own');
});

test('with four accounts a fifth is refused; they are not', () => {
  const { limit, watch, gone } = aLimit();
  for (const account of ['a', 'b', 'c', 'd']) watch(account, `of ${account}`);
  assert.throws(() => limit.mayBegin('e1', 'e'), full);
  assert.throws(() => limit.play('e1', 'e'), full);
  assert.throws(() => watch('e', 'another'), full);
  watch('e', 'of a');
  watch('b', 'another');
  assert.deepEqual(gone, ['b of b']);
});

test('a camera that several accounts watch takes one place, and makes way for none', () => {
  const { gone, watch } = aLimit();
  const [ofA, ofB] = [watch('a', 'gate'), watch('b', 'gate')];
  for (const camera of ['c1', 'c2', 'c3']) watch('a', camera);
  watch('a', 'c4');
  assert.deepEqual(gone, ['a c1'], 'the older one is not only theirs');
  ofB[Symbol.dispose]();
  for (const camera of ['c5', 'c6', 'c7']) watch('a', camera);
  // It is only theirs since the other one left: newer than those three.
  assert.deepEqual(gone, ['a c1', 'a c2', 'a c3', 'a c4']);
  watch('b', 'c8');
  assert.deepEqual(gone.at(-1), 'a gate');
  ofA[Symbol.dispose]();
});

test('a viewer that leaves gives its place back, once', () => {
  const { gone, watch } = aLimit();
  const places = ['c1', 'c2', 'c3', 'c4'].map((camera) => watch('a', camera));
  const again = watch('a', 'c1');
  places[0]![Symbol.dispose]();
  places[0]![Symbol.dispose]();
  watch('b', 'c1');
  again[Symbol.dispose]();
  watch('b', 'c5');
  assert.deepEqual(gone, ['a c2']);
});

test('a player that asked for nothing for a while is not admitted any more', () => {
  const { clock, limit, gone, watch } = aLimit();
  for (const player of ['a', 'b', 'c', 'd']) limit.play(player, player);
  clock.advance(19_000);
  limit.play('a', 'a');
  assert.throws(() => limit.play('e', 'e'), full);
  clock.advance(1_000);
  for (const account of ['e', 'f', 'g']) watch(account, account);
  assert.throws(() => watch('h', 'h'), full);
  assert.deepEqual(gone, []);
});
