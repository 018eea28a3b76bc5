import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  array,
  assert as check,
  boolean,
  constantFrom,
  integer,
  property,
  record,
} from 'fast-check';
import { FairShare } from './fair-share.ts';

const admitted = { kind: 'admitted' };
const replaced = (left: string) => ({ kind: 'replaced', left });

test('one account may have every place; its newest takes that of its oldest', () => {
  const share = new FairShare<string>(3);
  for (const one of ['a1', 'a2', 'a3']) assert.deepEqual(share.admit('a', one), admitted);
  assert.deepEqual(share.admit('a', 'a4'), replaced('a1'));
  assert.deepEqual([...share], ['a2', 'a3', 'a4']);
});

test('another account gets places of the one that has most, until both have as many', () => {
  const share = new FairShare<string>(4);
  for (const one of ['a1', 'a2', 'a3', 'a4']) share.admit('a', one);
  assert.deepEqual(share.admit('b', 'b1'), replaced('a1'));
  assert.deepEqual(share.admit('b', 'b2'), replaced('a2'));
  assert.deepEqual(share.admit('b', 'b3'), replaced('b1'), 'its share is two: its own oldest goes');
  assert.deepEqual(share.admit('a', 'a5'), replaced('a3'));
  assert.deepEqual([...share].toSorted(), ['a4', 'a5', 'b2', 'b3']);
});

test('with as many accounts as places the next account is refused, and those that are there are not', () => {
  const share = new FairShare<string>(2);
  share.admit('a', 'a1');
  share.admit('b', 'b1');
  assert.ok(!share.admits('c'));
  assert.deepEqual(share.admit('c', 'c1'), { kind: 'full' });
  assert.deepEqual(share.admit('b', 'b2'), replaced('b1'));
  assert.ok(share.release('a', 'a1'));
  assert.ok(!share.release('a', 'a1'), 'not twice');
  assert.deepEqual(share.admit('c', 'c1'), admitted);
});

test('an account with a bound of its own gives up its oldest while there is room for others', () => {
  const share = new FairShare<string>(10, 2);
  for (const one of ['a1', 'a2']) share.admit('a', one);
  assert.deepEqual(share.admit('a', 'a3'), replaced('a1'));
  assert.deepEqual(share.admit('b', 'b1'), admitted);
  assert.equal(share.size, 3);
});

test('accounts take turns, each by its own order', () => {
  const share = new FairShare<string>(10);
  for (const one of ['a1', 'a2', 'a3', 'a4']) share.admit('a', one);
  share.admit('b', 'b1');
  share.admit('c', 'c1');
  share.admit('b', 'b2');
  const order: string[] = [];
  for (let next = share.next(); next !== undefined; next = share.next()) order.push(next);
  assert.deepEqual(order, ['a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4']);
  assert.equal(share.size, 0);
});

test('whatever the others did, an account gets its share: places divided by accounts', () => {
  const step = record({ account: constantFrom('a', 'b', 'c'), leaves: boolean() });
  check(
    property(integer({ min: 3, max: 9 }), array(step, { maxLength: 80 }), (max, steps) => {
      const share = new FairShare<{ readonly account: string }>(max);
      for (const { account, leaves } of steps) {
        const own = [...share].filter((one) => one.account === account);
        if (leaves && own[0]) assert.ok(share.release(account, own[0]));
        else assert.notEqual(share.admit(account, { account }).kind, 'full');
        assert.ok(share.size <= max);
      }
      const fair = Math.floor(max / 3);
      for (let nth = 0; nth < fair; nth += 1) share.admit('a', { account: 'a' });
      assert.ok([...share].filter(({ account }) => account === 'a').length >= fair);
    }),
  );
});
