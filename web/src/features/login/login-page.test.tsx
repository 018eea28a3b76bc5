import { accountRoutes } from '@nazar/contract/accounts.ts';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse } from 'msw';
import { expect, test } from 'vitest';
import { aUser } from '#testing/builders.ts';
import { renderApp } from '#testing/render-app.tsx';
import { answer, refusal } from '#testing/server.ts';

async function fillAndSend(): Promise<ReturnType<typeof userEvent.setup>> {
  const person = userEvent.setup();
  await person.type(await screen.findByLabelText(/^Email/), ' Aysel@Example.com ');
  await person.type(screen.getByLabelText(/^Password/), 'correct horse');
  await person.click(screen.getByRole('button', { name: 'Sign in' }));
  return person;
}

test('NAV-006, NAV-022, SES-001, SES-002 signed out, any path shows the login form without the shell', async () => {
  await renderApp({ path: '/cameras' });
  const person = userEvent.setup();
  expect(await screen.findByLabelText(/^Email/)).toHaveAttribute('type', 'email');
  expect(location.pathname).toBe('/login');
  expect(screen.queryByRole('navigation')).not.toBeInTheDocument();
  const password = screen.getByLabelText(/^Password/);
  expect(password).toHaveAttribute('type', 'password');
  await person.click(screen.getByRole('button', { name: 'Show password' }));
  expect(password).toHaveAttribute('type', 'text');
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

test('SES-005, SES-008 to SES-012, SES-032 a login keeps the tokens and the user and opens the dashboard', async () => {
  await renderApp({ path: '/login' });
  const { promise: gate, resolve: release } = Promise.withResolvers<void>();
  const sent = answer(accountRoutes.login, async () => {
    await gate;
    return { access: 'good', refresh: 'spare', user: aUser() };
  });
  const person = userEvent.setup();
  await person.click(await screen.findByLabelText('Remember me'));
  await fillAndSend();
  expect(await screen.findByRole('button', { name: 'Signing in...' })).toBeInTheDocument();
  release();
  expect(await screen.findByRole('heading', { name: 'Dashboard' })).toBeInTheDocument();
  expect(location.pathname).toBe('/');
  expect(sent[0]?.body).toEqual({
    email: 'aysel@example.com',
    password: 'correct horse',
    remember: true,
  });
  expect(localStorage.getItem('auth-token')).toBe('good');
  expect(localStorage.getItem('refresh-token')).toBe('spare');
  expect(JSON.parse(localStorage.getItem('user-data') ?? '')).toEqual(aUser());
  expect(localStorage.getItem('remember-me')).toBe('true');
  expect(sessionStorage.getItem('login-tracked')).toBe('1');
});

test('SES-013 a 401 says Invalid email or password', async () => {
  await renderApp({ path: '/login' });
  answer(accountRoutes.login, refusal(401, 'invalid_credentials', 'x'));
  await fillAndSend();
  expect(await screen.findByText('Invalid email or password')).toBeInTheDocument();
});

test.each([
  ['a refusal', () => refusal(429, 'too_many_requests', 'x')],
  ['a dead line', () => HttpResponse.error()],
])('SES-014 %s says that an error occurred', async (_title, reply) => {
  await renderApp({ path: '/login' });
  answer(accountRoutes.login, reply());
  await fillAndSend();
  expect(
    await screen.findByText('An error occurred during login. Please try again.'),
  ).toBeInTheDocument();
});
