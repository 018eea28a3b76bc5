/** What ends a session, and what only keeps it from being asked about (SES-017 to SES-021). */
import { accountRoutes } from '@nazar/contract/accounts.ts';
import { setupRoutes } from '@nazar/contract/setup.ts';
import { HttpResponse } from 'msw';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { aUser, somePreferences } from '#testing/builders.ts';
import { answer, refusal } from '#testing/server.ts';
import { call } from './call.ts';
import { Problem } from './problem.ts';
import { defaultPreferences, keepTimeZone, session, startSession } from './session.ts';

const page = (status: number): Response =>
  new HttpResponse('<html><h1>nginx</h1></html>', { status });

/** An answer that begins well and ends in the middle of its body. */
const cut = (error?: unknown): Response =>
  new HttpResponse(
    new ReadableStream({
      start(stream) {
        stream.enqueue(new TextEncoder().encode('{"id": "'));
        stream.error(error);
      },
    }),
    { headers: { 'content-type': 'application/json' } },
  );

const failures: readonly [string, () => Response][] = [
  ['no answer', () => HttpResponse.error()],
  ['502 of a proxy', () => page(502)],
  ['504 of a proxy', () => page(504)],
  ['503 of the server', () => refusal(503, 'unavailable', 'Later.')],
  ['500 of the server', () => refusal(500, 'internal', 'Something went wrong.')],
  ['429 of the server', () => refusal(429, 'too_many_requests', 'Too many requests.')],
  ['429 of a proxy', () => page(429)],
  ['403 of a firewall', () => page(403)],
  ['403 for this address', () => refusal(403, 'address_not_allowed', 'Not from here.')],
  ['404 of a proxy', () => page(404)],
  ['a page instead of an answer', () => page(200)],
  ['a body that is cut off', () => cut(new TypeError('network error'))],
  ['a reload while the body still comes', () => cut(new DOMException('Aborted', 'AbortError'))],
];

const kept = (): (string | null)[] =>
  ['auth-token', 'refresh-token', 'user-data'].map((key) => localStorage.getItem(key));

afterEach(() => {
  vi.useRealTimers();
});

beforeEach(() => {
  // Pauses before an exchange is asked for again (3.75 s in all) pass at once, in their order.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }).setTimerTickMode('nextTimerAsync');
  session.set({ kind: 'checking' });
  localStorage.setItem('auth-token', 'good');
  localStorage.setItem('refresh-token', 'spare');
  localStorage.setItem('user-data', '{}');
  answer(setupRoutes.state, {
    required: false,
    demo_available: true,
    registration: 'open',
    mail_available: false,
    sign_on: null,
    session_limits: { inactive_minutes: 30, days: 30 },
  });
  answer(accountRoutes.me, aUser());
  answer(accountRoutes.preferences, somePreferences());
});

describe.each([
  ['the set-up', setupRoutes.state],
  ['the user', accountRoutes.me],
] as const)('asked about %s', (_what, route) => {
  test.each(failures)(
    '~SES-021, ~C-209 %s ends no session, and is reported',
    async (_name, failure) => {
      answer(route, failure());
      await startSession();
      expect(session.get()).toMatchObject({ kind: 'unreachable', tries: 1 });
      expect(kept()).toEqual(['good', 'spare', '{}']);
      await startSession();
      expect(session.get()).toMatchObject({ kind: 'unreachable', tries: 2 });
      answer(setupRoutes.state, { required: false } as never);
      answer(accountRoutes.me, aUser());
      await startSession();
      expect(session.get()).toMatchObject({ kind: 'in' });
    },
  );
});

test.each(failures)('~SES-017 %s instead of new tokens ends no session', async (_name, failure) => {
  answer(accountRoutes.me, refusal(401, 'not_signed_in', 'Please sign in.'));
  answer(accountRoutes.refresh, failure());
  await startSession();
  expect(session.get()).toMatchObject({ kind: 'unreachable' });
  expect(kept()).toEqual(['good', 'spare', '{}']);
});

test.each(failures)(
  '~SES-017 %s ends no session in a tab that is at work',
  async (_name, failure) => {
    const working = { kind: 'in', user: aUser(), preferences: defaultPreferences } as const;
    session.set(working);
    answer(accountRoutes.me, refusal(401, 'not_signed_in', 'Please sign in.'));
    answer(accountRoutes.refresh, failure());
    await expect(call(accountRoutes.me, {})).rejects.toBeInstanceOf(Problem);
    expect(session.get()).toBe(working);
    expect(kept()).toEqual(['good', 'spare', '{}']);
  },
);

test('the zone of the browser is kept where none is known, and never in place of one', async () => {
  const sent = answer(accountRoutes.updatePreferences, somePreferences());
  const keep = async (
    preferences: Response | ReturnType<typeof somePreferences>,
  ): Promise<void> => {
    answer(accountRoutes.preferences, preferences);
    await startSession();
    keepTimeZone();
  };
  await keep(refusal(500, 'internal', 'Broken.'));
  await keep(somePreferences({ timezone: 'Asia/Baku' }));
  await keep(somePreferences({ timezone: null }));
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  await vi.waitFor(() => expect(sent.map(({ body }) => body)).toEqual([{ timezone: timeZone }]));
  keepTimeZone();
  expect(sent).toHaveLength(1);
});

test('~SES-017 an answer without tokens replaces none', async () => {
  answer(accountRoutes.me, refusal(401, 'not_signed_in', 'Please sign in.'));
  answer(accountRoutes.refresh, { status: 'ok' } as never);
  await startSession();
  expect(kept()).toEqual(['good', 'spare', '{}']);
});

test('~NSH-003 new tokens that were lost on their way are asked for again with the same token', async () => {
  answer(accountRoutes.me, ({ headers }) =>
    headers.get('authorization') === 'Bearer fresh' ? aUser() : refusal(401, 'not_signed_in', ''),
  );
  const asked: unknown[] = [];
  answer(accountRoutes.refresh, ({ body }) => {
    asked.push(body);
    return asked.length === 1 ? cut() : { access: 'fresh', refresh: 'next' };
  });
  await startSession();
  expect(session.get()).toMatchObject({ kind: 'in' });
  expect(asked).toEqual([{ refresh: 'spare' }, { refresh: 'spare' }]);
});

test.each([
  ['a refused exchange', refusal(401, 'invalid_refresh', '')],
  ['a disabled account', refusal(403, 'account_disabled', 'Disabled.')],
])('~SES-017, ~SES-021 %s ends it', async (_name, refused) => {
  answer(accountRoutes.me, refusal(401, 'not_signed_in', 'Please sign in.'));
  answer(accountRoutes.refresh, refused);
  await startSession();
  expect(session.get()).toEqual({ kind: 'out' });
  expect(kept()).toEqual([null, null, null]);
});

test('CFL-051 a start throws old copies away, for any user who signs in', async () => {
  const at = Date.now() - 24 * 60 * 60_000;
  localStorage.setItem('cameras', JSON.stringify({ user_id: 'x', at, value: {} }));
  await startSession();
  expect(localStorage.getItem('cameras')).toBeNull();
});

test('CFL-051 a start leaves young copies', async () => {
  const young = JSON.stringify({ user_id: 'x', at: Date.now() - 60_000, value: {} });
  localStorage.setItem('cameras', young);
  await startSession();
  expect(localStorage.getItem('cameras')).toBe(young);
});

test('a disabled account ends it without an exchange, too', async () => {
  answer(accountRoutes.me, refusal(403, 'account_disabled', 'Disabled.'));
  await startSession();
  expect(session.get()).toEqual({ kind: 'out' });
  expect(kept()).toEqual([null, null, null]);
});
