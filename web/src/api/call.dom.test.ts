import { cameraRoutes } from '@nazar/contract/cameras.ts';
import { accountRoutes } from '@nazar/contract/accounts.ts';
import { HttpResponse } from 'msw';
import { expect, onTestFinished, test } from 'vitest';
import { aUser } from '#testing/builders.ts';
import { answer, fieldRefusal, refusal, server } from '#testing/server.ts';
import { address, call, onSessionEnd } from './call.ts';
import { reachable } from './connection.ts';
import { Problem, problemSentence } from './problem.ts';

function signIn(): void {
  localStorage.setItem('auth-token', 'old');
  localStorage.setItem('refresh-token', 'spare');
}

const onlyFresh = (seen: { headers: Headers }) =>
  seen.headers.get('authorization') === 'Bearer fresh'
    ? aUser()
    : refusal(401, 'not_signed_in', 'Please sign in.');

test('a path takes its parameters and a query leaves out what is not set', () => {
  expect(
    address('/a/:id/b/', { params: { id: 'x y' }, query: { page: 2, search: '', q: undefined } }),
  ).toBe('/a/x%20y/b/?page=2');
});

test('a call carries the token and the language of the reader', async () => {
  signIn();
  const seen = answer(accountRoutes.me, aUser());
  expect(await call(accountRoutes.me, {})).toEqual(aUser());
  expect(seen[0]?.headers.get('authorization')).toBe('Bearer old');
  expect(seen[0]?.headers.get('accept-language')).toBe('en');
});

test('SES-015, SES-016 a 401 renews the tokens once and the call is retried', async () => {
  signIn();
  answer(accountRoutes.me, onlyFresh);
  const renewals = answer(accountRoutes.refresh, { access: 'fresh', refresh: 'next' });
  expect((await call(accountRoutes.me, {})).email).toBe(aUser().email);
  expect(renewals.map((one) => one.body)).toEqual([{ refresh: 'spare' }]);
  expect(localStorage.getItem('auth-token')).toBe('fresh');
  expect(localStorage.getItem('refresh-token')).toBe('next');
});

test('~NSH-003, C-202 many calls that meet a 401 at once spend one refresh token', async () => {
  signIn();
  answer(accountRoutes.me, onlyFresh);
  const renewals = answer(accountRoutes.refresh, { access: 'fresh', refresh: 'next' });
  await Promise.all(Array.from({ length: 5 }, () => call(accountRoutes.me, {})));
  expect(renewals).toHaveLength(1);
});

test('tokens that another tab renewed meanwhile are used without a refresh of our own', async () => {
  signIn();
  answer(accountRoutes.me, (seen) => {
    const reply = onlyFresh(seen);
    localStorage.setItem('auth-token', 'fresh');
    return reply;
  });
  const renewals = answer(accountRoutes.refresh, refusal(401, 'invalid_refresh', ''));
  expect((await call(accountRoutes.me, {})).email).toBe(aUser().email);
  expect(renewals).toHaveLength(0);
});

test('=SES-017 a refused refresh ends the session, and the refusal is thrown', async () => {
  signIn();
  let ended = 0;
  onTestFinished(onSessionEnd(() => (ended += 1)));
  answer(accountRoutes.me, refusal(401, 'not_signed_in', 'Please sign in.'));
  answer(accountRoutes.refresh, refusal(401, 'invalid_refresh', ''));
  await expect(call(accountRoutes.me, {})).rejects.toMatchObject({ status: 401 });
  expect(ended).toBe(1);
});

test('SES-018 a 401 without a refresh token ends the session without asking', async () => {
  localStorage.setItem('auth-token', 'old');
  let ended = 0;
  onTestFinished(onSessionEnd(() => (ended += 1)));
  answer(accountRoutes.me, refusal(401, 'not_signed_in', 'Please sign in.'));
  const renewals = answer(accountRoutes.refresh, { access: 'fresh', refresh: 'next' });
  await expect(call(accountRoutes.me, {})).rejects.toBeInstanceOf(Problem);
  expect([ended, renewals.length]).toEqual([1, 0]);
});

test('a server that is restarting has not ended the session', async () => {
  signIn();
  let ended = 0;
  onTestFinished(onSessionEnd(() => (ended += 1)));
  answer(accountRoutes.me, refusal(401, 'not_signed_in', 'Please sign in.'));
  answer(accountRoutes.refresh, refusal(503, 'unavailable', 'Later.'));
  await expect(call(accountRoutes.me, {})).rejects.toMatchObject({ status: 503 });
  expect([ended, localStorage.getItem('refresh-token')]).toEqual([0, 'spare']);
});

test("~CFL-027, SES-015 the login's own 401 is not met with a refresh", async () => {
  signIn();
  answer(accountRoutes.login, refusal(401, 'invalid_credentials', 'Invalid email or password'));
  const renewals = answer(accountRoutes.refresh, { access: 'fresh', refresh: 'next' });
  const attempt = call(accountRoutes.login, { body: { email: 'a@b.co', password: 'x' } });
  await expect(attempt).rejects.toMatchObject({ status: 401, code: 'invalid_credentials' });
  expect(renewals).toHaveLength(0);
});

test('a refusal has its sentence, and which fields it is about', async () => {
  answer(cameraRoutes.list, refusal(403, 'forbidden', 'Not yours.'));
  const refused = await call(cameraRoutes.list, {}).catch((error: unknown) => error);
  expect(problemSentence(refused)).toBe('Not yours.');
  answer(cameraRoutes.list, fieldRefusal({ search: ['Too long.'] }));
  const invalid = await call(cameraRoutes.list, {}).catch((error: unknown) => error);
  expect((invalid as Problem).fields).toEqual({ search: ['Too long.'] });
});

test('no answer at all is a problem of its own, and the page knows that the line is down', async () => {
  answer(cameraRoutes.list, HttpResponse.error());
  const error = await call(cameraRoutes.list, {}).catch((caught: unknown) => caught);
  expect(error).toMatchObject({ status: 0 });
  expect(reachable.get()).toBe(false);
  server.resetHandlers();
  answer(cameraRoutes.list, { count: 0, results: [] });
  await call(cameraRoutes.list, {});
  expect(reachable.get()).toBe(true);
});
