import { signOnRoutes } from '@nazar/contract/sign-on.ts';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { leave } from '#lib/leave.ts';
import { aUser } from '#testing/builders.ts';
import { renderApp } from '#testing/render-app.tsx';
import { answer, refusal } from '#testing/server.ts';

afterEach(() => vi.restoreAllMocks());

test('the way elsewhere is offered where there is one, and leads to its address', async () => {
  const left = vi.spyOn(leave, 'to').mockImplementation(() => undefined);
  await renderApp({ path: '/login', signOn: 'Example ID' });
  const sent = answer(signOnRoutes.begin, { url: 'https://id.example.org/authorize?x=1' });
  const person = userEvent.setup();
  await person.click(await screen.findByLabelText('Remember me'));
  await person.click(await screen.findByRole('button', { name: 'Sign in with Example ID' }));
  await waitFor(() => expect(left).toHaveBeenCalledWith('https://id.example.org/authorize?x=1'));
  expect(sent[0]?.body).toEqual({ remember: true });
});

test('without a provider there is no button, and one that does not answer is reported', async () => {
  const view = await renderApp({ path: '/login' });
  await screen.findByRole('button', { name: 'Sign in' });
  expect(screen.queryByRole('button', { name: /Sign in with/ })).not.toBeInTheDocument();
  view.unmount();
  await renderApp({ path: '/login', signOn: 'Example ID' });
  answer(signOnRoutes.begin, refusal(503, 'sign_on_unavailable', 'The provider does not answer.'));
  await userEvent.click(await screen.findByRole('button', { name: 'Sign in with Example ID' }));
  expect(await screen.findByText(/The provider does not answer/)).toBeInTheDocument();
});

test('a user who comes back proven fetches their session once, and is on the dashboard', async () => {
  const sent = answer(signOnRoutes.complete, { access: 'good', refresh: 'spare', user: aUser() });
  await renderApp({ path: '/login?signOn=proven', signOn: 'Example ID' });
  expect(await screen.findByRole('heading', { name: 'Dashboard' })).toBeInTheDocument();
  expect(location.pathname + location.search).toBe('/');
  expect(sent).toHaveLength(1);
  expect(localStorage.getItem('auth-token')).toBe('good');
});

test('C-109 a user with a second factor here is asked for it', async () => {
  answer(signOnRoutes.complete, {
    two_factor_required: true as const,
    challenge: 'nzm_x',
    methods: ['totp'],
  });
  await renderApp({ path: '/login?signOn=proven', signOn: 'Example ID' });
  expect(await screen.findByLabelText(/code/i)).toBeInTheDocument();
  expect(localStorage.getItem('auth-token')).toBeNull();
});

test.each([
  ['/login?signOn=no_account', "You don't have an account here. Ask an administrator for one."],
  ['/login?signOn=address_taken', /An account with your email already exists/],
  ['/login?signOn=failed', /couldn't be verified/],
])('%s says why', async (path, sentence) => {
  await renderApp({ path, signOn: 'Example ID' });
  expect(await screen.findByText(sentence)).toBeInTheDocument();
});

test('a session that was fetched already is reported, and the form is there again', async () => {
  answer(
    signOnRoutes.complete,
    refusal(410, 'sign_on_expired', 'It is too old or was used already.'),
  );
  await renderApp({ path: '/login?signOn=proven', signOn: 'Example ID' });
  expect(await screen.findByText(/too old or was used already/)).toBeInTheDocument();
  expect(screen.getByRole('button', { name: 'Sign in' })).toBeInTheDocument();
});
