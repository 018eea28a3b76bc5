/** A token is exchanged before it ends: no request is refused for its age (SES-015, NSH-003). */
import { accessTokenMs, accountRoutes } from '@nazar/contract/accounts.ts';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { aUser } from '#testing/builders.ts';
import { answer, refusal } from '#testing/server.ts';
import { call } from './call.ts';
import { keepTokens, renewInTime } from './tokens.ts';

/** Only what is exchanged is still good. */
const onlyFresh = (seen: { headers: Headers }) =>
  seen.headers.get('authorization') === 'Bearer fresh'
    ? aUser()
    : refusal(401, 'not_signed_in', 'Please sign in.');

let nowMs = Date.UTC(2026, 0, 2);

beforeEach(() => {
  // Further on each time: a failure of one test is not remembered in the next.
  nowMs += 3_600_000;
  vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'], now: nowMs });
  keepTokens({ access: 'old', refresh: 'spare' });
});
afterEach(() => vi.useRealTimers());

test('38 requests after a sleep exchange the token once, and none is refused', async () => {
  const asked = answer(accountRoutes.me, onlyFresh);
  const renewals = answer(accountRoutes.refresh, { access: 'fresh', refresh: 'next' });
  vi.setSystemTime(nowMs + 8 * 3_600_000);
  await Promise.all(Array.from({ length: 38 }, () => call(accountRoutes.me, {})));
  expect(renewals.map(({ body }) => body)).toEqual([{ refresh: 'spare' }]);
  expect(asked).toHaveLength(38);
});

test('a page that asks nothing exchanges its token in time, and one that is stopped does not', async () => {
  const renewals = answer(accountRoutes.refresh, { access: 'fresh', refresh: 'next' });
  const stop = renewInTime();
  await vi.advanceTimersByTimeAsync(accessTokenMs - 75_000);
  expect(renewals).toHaveLength(0);
  await vi.advanceTimersByTimeAsync(60_000);
  await vi.waitFor(() => expect(localStorage.getItem('auth-token')).toBe('fresh'));
  expect(renewals).toHaveLength(1);
  stop();
  await vi.advanceTimersByTimeAsync(2 * accessTokenMs);
  expect(renewals).toHaveLength(1);
});

test('a young token, and one whose age is not known, are sent as they are', async () => {
  const asked = answer(accountRoutes.me, aUser());
  const renewals = answer(accountRoutes.refresh, { access: 'fresh', refresh: 'next' });
  vi.setSystemTime(nowMs + accessTokenMs / 2);
  await call(accountRoutes.me, {});
  localStorage.removeItem('token-since');
  vi.setSystemTime(nowMs + 2 * accessTokenMs);
  await call(accountRoutes.me, {});
  expect(renewals).toEqual([]);
  expect(asked.map(({ headers }) => headers.get('authorization'))).toEqual([
    'Bearer old',
    'Bearer old',
  ]);
});

test('an exchange that fails holds up no request, and is not tried before each', async () => {
  const asked = answer(accountRoutes.me, aUser());
  const renewals = answer(accountRoutes.refresh, refusal(429, 'too_many_requests', 'Later.'));
  vi.setSystemTime(nowMs + 2 * accessTokenMs);
  for (let count = 0; count < 5; count += 1) await call(accountRoutes.me, {});
  expect([asked.length, renewals.length]).toEqual([5, 1]);
});
