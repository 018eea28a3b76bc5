import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import type { Standing } from '@nazar/contract/route.ts';
import { aClock } from '#testing/clock.ts';
import { granting } from '#testing/grants.ts';
import { createScope, noGrants, rightsOf, type Capability, type Scope } from './scope.ts';
import { SharedAnswers } from './shared-answers.ts';

const question = { path: '/secure-api/analytics/summary/', asked: { zone: 'Asia/Baku' } };

const aScope = (userId: string, standing: Standing = 'user', grants = noGrants): Scope =>
  createScope(
    { userId, email: `${userId}@example.org`, sessionId: `${userId}-1`, standing },
    grants,
  );

/** Answers that come when they are let; each says how many were worked on before it. */
function scene() {
  const clock = aClock();
  const shared = new SharedAnswers(clock);
  const waiting: PromiseWithResolvers<number>[] = [];
  return {
    clock,
    shared,
    worked: () => waiting.length,
    ask: (scope: Scope, asked = question) =>
      shared.once(scope, asked, () => {
        const one = Promise.withResolvers<number>();
        waiting.push(one);
        return one.promise;
      }),
    answerAll: async () => {
      for (const [nth, { resolve }] of waiting.entries()) resolve(nth);
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

test('equal questions at one time are worked on once; one that comes after is worked on again', async () => {
  const { ask, answerAll, worked } = scene();
  const [one, two] = [aScope('a', 'admin'), aScope('b', 'admin')];
  const both = Promise.all([ask(one), ask(two)]);
  await answerAll();
  assert.deepEqual([await both, worked()], [[0, 0], 1]);
  void ask(one);
  assert.equal(worked(), 2);
});

test('other questions, and those of other routes, are worked on each for itself', () => {
  const { ask, worked } = scene();
  const admin = aScope('a', 'admin');
  void ask(admin);
  void ask(admin, { ...question, asked: { zone: 'Europe/Istanbul' } });
  void ask(admin, { ...question, path: '/secure-api/faces/statistics/' });
  assert.equal(worked(), 3);
});

test('C-304, C-1009 two users never share, nor two of other rights, whatever is granted to them', () => {
  const grants = fc
    .record({
      camera: fc.constantFrom('gate', 'yard'),
      capabilities: fc.subarray<Capability>(['live', 'people', 'unmasked', 'recordings']),
      categories: fc.subarray(['staff', 'guest']),
    })
    .map(({ camera, capabilities, categories }) => granting(camera, capabilities, categories));
  const keys = fc.option(fc.subarray(['logs:read', 'cameras:read'] as const), { nil: undefined });
  const reader = fc
    .record({
      userId: fc.constantFrom('a', 'b'),
      standing: fc.constantFrom<Standing[]>('user', 'operator', 'staff', 'admin', 'superadmin'),
      grants,
      keys,
    })
    .map(({ userId, standing, grants: held, keys: opened }) => ({
      ...aScope(userId, standing, held),
      ...(opened && { keyScopes: new Set(opened) }),
    }));
  const pairs = { apart: 0, together: 0 };
  fc.assert(
    fc.property(reader, reader, fc.boolean(), (one, another, isLike) => {
      const other = isLike ? { ...one, userId: another.userId } : another;
      const { ask, worked } = scene();
      void ask(one);
      void ask(other);
      const isSame = worked() === 1;
      const sorted = (scope: Scope) => ({
        standing: scope.standing,
        keys: scope.keyScopes ? [...scope.keyScopes].toSorted() : null,
        grants: [...scope.grants].map(([id, { capabilities, categories }]) => [
          id,
          [...capabilities].toSorted(),
          [...categories].toSorted(),
        ]),
      });
      const isAlike = one.seesAll || one.userId === other.userId;
      const expected = isAlike && JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));
      assert.equal(isSame, expected);
      assert.equal(rightsOf(one) === rightsOf(other), expected);
      pairs[isSame ? 'together' : 'apart'] += 1;
    }),
    { numRuns: 2_000 },
  );
  assert.ok(pairs.apart > 0 && pairs.together > 0);
});

test('a change is in every later answer, even while the previous one is still computed', async () => {
  const { ask, shared, answerAll, worked } = scene();
  const admin = aScope('a', 'admin');
  const before = ask(admin);
  for (const change of [() => shared.forget(), () => shared.visitsCame()]) {
    const counted = worked();
    change();
    void ask(admin);
    assert.equal(worked(), counted + 1);
  }
  await answerAll();
  assert.equal(await before, 0, 'who asked before gets what was read');
});

test('when all readers ask after a notice, the answer holds for a second, but not across a change of another kind', async () => {
  const { ask, shared, clock, answerAll, worked } = scene();
  const admin = aScope('a', 'admin');
  void ask(admin);
  shared.share();
  void ask(admin);
  assert.equal(worked(), 2, 'nothing of before is given');
  await answerAll();
  shared.visitsCame();
  void ask(admin);
  assert.equal(worked(), 2);
  clock.advance(1_000);
  void ask(admin);
  assert.equal(worked(), 3, 'after a second it is read again');
  shared.share();
  void ask(admin);
  await answerAll();
  shared.forget();
  void ask(admin);
  assert.equal(worked(), 5, 'a change');
});

test('a failure reaches those who waited, and is not kept', async () => {
  const shared = new SharedAnswers(aClock());
  const admin = aScope('a', 'admin');
  shared.share();
  let times = 0;
  const ask = () =>
    shared.once(admin, question, async () => {
      times += 1;
      if (times === 1) throw new Error('away');
      return times;
    });
  await Promise.all([ask(), ask()].map((asked) => assert.rejects(asked, /away/)));
  assert.equal(await ask(), 2);
});
