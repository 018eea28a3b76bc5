import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createScope, noGrants, type Scope } from '#http/scope.ts';
import { Problem } from '#lib/problem.ts';
import { aClock } from '#testing/clock.ts';
import { LogKinds } from './log-kinds.ts';

const scopeOf = (userId: string): Scope =>
  createScope({ userId, email: '', sessionId: 's', standing: 'admin' }, noGrants);

test('LDO-013, APL-029 each log counts its own entries of a period, visits as the chosen user sees them', async () => {
  const clock = aClock();
  const asked: unknown[] = [];
  const kinds = new LogKinds({
    activityLog: {
      countByAction: async () => [
        { name: 'view', value: 3 },
        { name: 'login', value: 2 },
      ],
    },
    systemLog: {
      stats: async (_scope, query) => {
        asked.push(query);
        return [{ source: 'http', error: 1, warning: 2, info: 3, debug: 4 }];
      },
    },
    visits: {
      counting: {
        total: async (scope, from, until) => {
          asked.push([scope.userId, from.toISOString(), until.toISOString()]);
          return { visits: 7, recognized: 4 };
        },
      },
    },
    seenBy: async (scope, user) => {
      if (user === 'gone') throw new Problem('user_not_found');
      return user === undefined ? scope : scopeOf(user);
    },
    clock,
  });
  const days = { user: 'u', start_date: '2026-01-10', end_date: '2026-01-11' };
  const query = { include_mock: false, search: 'x' };
  assert.deepEqual(await kinds.count(scopeOf('admin'), { ...query, ...days }, 'en'), [
    { name: 'activity', value: 5 },
    { name: 'system', value: 10 },
    { name: 'face_recognition', value: 7 },
  ]);
  assert.deepEqual(asked.splice(0), [
    days,
    ['u', '2026-01-10T00:00:00.000Z', '2026-01-12T00:00:00.000Z'],
  ]);
  await kinds.count(scopeOf('admin'), query, 'en');
  assert.deepEqual(asked.at(-1), [
    'admin',
    '1970-01-01T00:00:00.000Z',
    new Date(clock.now() + 24 * 60 * 60_000).toISOString(),
  ]);
  const gone = kinds.count(scopeOf('admin'), { ...query, user: 'gone' }, 'en');
  await assert.rejects(gone, { code: 'user_not_found' });
});
