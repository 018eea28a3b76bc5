import { accountRoutes } from '@nazar/contract/accounts.ts';
import { twoFactorRoutes } from '@nazar/contract/two-factor.ts';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse } from 'msw';
import { describe, expect, test } from 'vitest';
import { aUser } from '#testing/builders.ts';
import { renderApp } from '#testing/render-app.tsx';
import { answer, fieldRefusal, refusal } from '#testing/server.ts';

async function fillAndSend(): Promise<ReturnType<typeof userEvent.setup>> {
  const person = userEvent.setup();
  await person.type(await screen.findByLabelText(/^Email/), ' Aysel@Example.com ');
  await person.type(screen.getByLabelText(/^Password/), 'correct horse');
  await person.click(screen.getByRole('button', { name: 'Sign in' }));
  return person;
}

test('~NAV-006, ~CFL-026, SES-001, SES-002 signed out, any path shows the login form without the shell', async () => {
  await renderApp({ path: '/nowhere/at/all' });
  const person = userEvent.setup();
  expect(await screen.findByLabelText(/^Email/)).toHaveAttribute('type', 'email');
  expect(location.pathname).toBe('/login');
  expect(screen.queryByRole('navigation')).not.toBeInTheDocument();
  const password = screen.getByLabelText(/^Password/);
  expect(password).toHaveAttribute('type', 'password');
  await person.click(screen.getByRole('button', { name: 'Show password' }));
  expect(password).toHaveAttribute('type', 'text');
  await person.click(screen.getByRole('button', { name: 'Hide password' }));
  expect(password).toHaveAttribute('type', 'password');
  await waitFor(() => expect(document.title).toBe('Sign in · Nazar'));
});

test('SES-003, SES-004 both fields are required and the email must be one; nothing is sent', async () => {
  await renderApp({ path: '/login' });
  const person = userEvent.setup();
  const sent = answer(accountRoutes.login, refusal(401, 'invalid_credentials', ''));
  await person.click(await screen.findByRole('button', { name: 'Sign in' }));
  expect(await screen.findAllByText('This field is required.')).toHaveLength(2);
  await person.type(screen.getByLabelText(/^Email/), 'nobody');
  expect(await screen.findByText('Enter a valid email address.')).toBeInTheDocument();
  expect(screen.getByLabelText(/^Email/)).toBeInvalid();
  expect(sent).toHaveLength(0);
});

/** Signs in with an answer that comes when it is let, ticked to be remembered or not. */
async function signInSlowly(remember: boolean) {
  await renderApp({ path: '/login' });
  const { promise: gate, resolve: release } = Promise.withResolvers<void>();
  const sent = answer(accountRoutes.login, async () => {
    await gate;
    return { access: 'good', refresh: 'spare', user: aUser() };
  });
  const person = userEvent.setup();
  if (remember) await person.click(await screen.findByLabelText('Remember me'));
  await fillAndSend();
  return { sent, release };
}

test('SES-008, SES-009, SES-012 a login is sent, says that it runs, and opens the dashboard', async () => {
  const { sent, release } = await signInSlowly(false);
  expect(await screen.findByRole('button', { name: 'Signing in...' })).toBeInTheDocument();
  expect(screen.queryByRole('button', { name: 'Sign in' })).toBeNull();
  release();
  expect(await screen.findByRole('heading', { name: 'Dashboard' })).toBeInTheDocument();
  expect(location.pathname).toBe('/');
  expect(sent.map(({ url, body }) => [url.pathname, body])).toEqual([
    [
      '/secure-api/accounts/login/',
      { email: 'aysel@example.com', password: 'correct horse', remember: false },
    ],
  ]);
});

test('SES-010, SES-011, ENT-001 a login keeps the tokens and all of the user under their keys', async () => {
  const { release } = await signInSlowly(false);
  expect(localStorage.getItem('auth-token')).toBeNull();
  release();
  await screen.findByRole('heading', { name: 'Dashboard' });
  expect(localStorage.getItem('auth-token')).toBe('good');
  expect(localStorage.getItem('refresh-token')).toBe('spare');
  const kept: unknown = JSON.parse(localStorage.getItem('user-data') ?? '');
  expect(kept).toEqual(aUser());
  const fields = ['id', 'email', 'first_name', 'last_name', 'role', 'is_staff', 'is_superuser'];
  expect(Object.keys(kept as object)).toEqual(expect.arrayContaining(fields));
});

test.each([true, false])(
  '=SES-005, ~SES-032 whether to be remembered (%s) is sent and kept, and the tokens stay in local storage',
  async (remember) => {
    const { sent, release } = await signInSlowly(remember);
    release();
    await screen.findByRole('heading', { name: 'Dashboard' });
    expect(sent[0]?.body).toMatchObject({ remember });
    expect(localStorage.getItem('remember-me')).toBe(remember ? 'true' : null);
    expect(localStorage.getItem('auth-token')).toBe('good');
    expect(sessionStorage.getItem('login-tracked')).toBe('1');
  },
);

test('SES-013 a 401 says Invalid email or password', async () => {
  await renderApp({ path: '/login' });
  answer(accountRoutes.login, refusal(401, 'invalid_credentials', 'x'));
  await fillAndSend();
  expect(await screen.findByText('Invalid email or password')).toBeInTheDocument();
});

describe('SES-014 any other failure', () => {
  test.each([
    ['a refusal', () => refusal(429, 'too_many_requests', 'x')],
    ['a dead line', () => HttpResponse.error()],
  ])('%s says that an error occurred', async (_title, reply) => {
    await renderApp({ path: '/login' });
    answer(accountRoutes.login, reply());
    await fillAndSend();
    expect(
      await screen.findByText('An error occurred during login. Please try again.'),
    ).toBeInTheDocument();
  });
});

const required = {
  two_factor_required: true as const,
  challenge: 'nzm_challenge',
  methods: ['totp' as const, 'recovery' as const],
};

test('~SES-005 both states of Remember me say how long one stays signed in', async () => {
  await renderApp({ path: '/login', inactiveMinutes: 45 });
  const remember = await screen.findByLabelText('Remember me');
  const off =
    "You're signed out when you close the browser, or after 45 minutes without activity at the latest.";
  expect(remember).toHaveAccessibleDescription(off);
  await userEvent.setup().click(remember);
  const on =
    'You stay signed in after closing the browser: for 45 minutes without activity at most, and 30 days in all.';
  expect(remember).toHaveAccessibleDescription(on);
  expect(screen.queryByText(off)).toBeNull();
});

test('~SEC-010, C-109 after the password a code is asked for; remember me is kept', async () => {
  await renderApp({ path: '/login' });
  answer(accountRoutes.login, required);
  const person = userEvent.setup();
  await person.click(await screen.findByLabelText('Remember me'));
  await fillAndSend();
  const code = await screen.findByLabelText(/^Code from the app/);
  expect(code).toHaveFocus();
  expect(code).toHaveAttribute('autocomplete', 'one-time-code');
  expect(localStorage.getItem('auth-token')).toBeNull();
  answer(twoFactorRoutes.login, fieldRefusal({ code: ['Not right.'] }));
  await person.type(code, '000000{Enter}');
  expect(await screen.findByText('Not right.')).toBeInTheDocument();
  const sent = answer(twoFactorRoutes.login, { access: 'good', refresh: 'spare', user: aUser() });
  await person.clear(code);
  await person.type(code, '123456{Enter}');
  expect(await screen.findByRole('heading', { name: 'Dashboard' })).toBeInTheDocument();
  expect(sent.map(({ body }) => body)).toEqual([{ challenge: 'nzm_challenge', code: '123456' }]);
  expect(localStorage.getItem('auth-token')).toBe('good');
  expect(localStorage.getItem('remember-me')).toBe('true');
});

test('C-109 a recovery code in place of the app, and the way back', async () => {
  await renderApp({ path: '/login' });
  answer(accountRoutes.login, required);
  const person = await fillAndSend();
  await person.click(await screen.findByRole('button', { name: 'Use a recovery code' }));
  const sent = answer(twoFactorRoutes.login, refusal(429, 'too_many_requests', 'Wait a moment.'));
  await person.type(screen.getByLabelText(/^Recovery code/), 'abcde-fghjk{Enter}');
  expect(await screen.findByText('Wait a moment.')).toBeInTheDocument();
  expect(sent[0]?.body).toEqual({ challenge: 'nzm_challenge', code: 'abcde-fghjk' });
  await person.click(screen.getByRole('button', { name: 'Back to sign in' }));
  expect(await screen.findByLabelText(/^Email/)).toHaveValue('Aysel@Example.com');
  expect(screen.getByLabelText(/^Password/)).toHaveValue('');
});

test('C-208 a challenge that is over leads back to the password and says why', async () => {
  await renderApp({ path: '/login' });
  answer(accountRoutes.login, required);
  const person = await fillAndSend();
  answer(twoFactorRoutes.login, refusal(401, 'challenge_invalid', 'x'));
  await person.type(await screen.findByLabelText(/^Code from the app/), '123456{Enter}');
  expect(await screen.findByText('This took too long. Sign in again.')).toBeInTheDocument();
  expect(screen.getByLabelText(/^Email/)).toBeInTheDocument();
});

test('C-109 where no factor works, the page says so', async () => {
  await renderApp({ path: '/login' });
  answer(accountRoutes.login, { ...required, methods: [] });
  await fillAndSend();
  expect(await screen.findByText(/Ask an administrator for help/)).toBeInTheDocument();
});

test('CFL-050 an administrator whose password is too short reads so, and the way to a longer one', async () => {
  answer(accountRoutes.login, refusal(403, 'password_too_short_for_role', 'Too short.'));
  await renderApp({ path: '/login' });
  const person = userEvent.setup();
  await person.type(await screen.findByLabelText(/^Email/), 'aysel@example.com');
  await person.type(screen.getByLabelText(/^Password/), 'short-one');
  await person.click(screen.getByRole('button', { name: 'Sign in' }));
  expect(await screen.findByText(/at least 12 characters/)).toBeInTheDocument();
  expect(screen.getByRole('link', { name: 'Forgot password?' })).toBeInTheDocument();
});
