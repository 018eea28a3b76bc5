import { accountRoutes } from '@nazar/contract/accounts.ts';
import { recoveryRoutes } from '@nazar/contract/recovery.ts';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { aUser } from '#testing/builders.ts';
import { renderApp } from '#testing/render-app.tsx';
import { answer, fieldRefusal, refusal } from '#testing/server.ts';
import { forgetLink } from './link.ts';

const uid = '11111111-1111-4111-8111-111111111111';
const token = `nzl_${'a'.repeat(43)}`;

async function choose(password: string, confirm = password): Promise<void> {
  const person = userEvent.setup();
  await person.type(await screen.findByLabelText(/^New password/), password);
  await person.type(screen.getByLabelText(/^Confirm new password/), confirm);
  await person.click(screen.getByRole('button', { name: 'Set password' }));
}

test('SES-006, CFL-026, NSH-002 the login leads to the page that asks for an address and says the same to everyone', async () => {
  const sent = answer(recoveryRoutes.ask, { status: 'ok' });
  await renderApp({ path: '/login', mailAvailable: true });
  const person = userEvent.setup();
  await person.click(await screen.findByRole('link', { name: 'Forgot password?' }));
  expect(await screen.findByRole('heading', { name: 'Forgot your password?' })).toBeInTheDocument();
  await person.click(await screen.findByRole('button', { name: 'Send link' }));
  expect(sent).toHaveLength(0);
  await person.type(screen.getByLabelText(/^Email/), ' Aysel@Example.com ');
  await person.click(screen.getByRole('button', { name: 'Send link' }));
  expect(await screen.findByText(/^If this address has an account/)).toBeInTheDocument();
  expect(sent.map(({ body }) => body)).toEqual([{ email: 'aysel@example.com' }]);
});

test('too many requests are reported, and without mail no one is asked for an address', async () => {
  answer(recoveryRoutes.ask, refusal(429, 'too_many_requests', 'Too many attempts.'));
  await renderApp({ path: '/forgot-password', mailAvailable: true });
  const person = userEvent.setup();
  await person.type(await screen.findByLabelText(/^Email/), 'aysel@example.com');
  await person.click(screen.getByRole('button', { name: 'Send link' }));
  expect(await screen.findByText('Too many attempts.')).toBeInTheDocument();
});

test('without mail the page says to ask an administrator', async () => {
  await renderApp({ path: '/forgot-password' });
  expect(await screen.findByText(/Ask an administrator/)).toBeInTheDocument();
  expect(screen.queryByLabelText(/^Email/)).not.toBeInTheDocument();
});

test('NSH-002 the token leaves the address at once; whose link it was is signed in with the new password', async () => {
  const sent = answer(recoveryRoutes.confirm, { email: 'me@example.org' });
  const signedIn = answer(accountRoutes.login, {
    access: 'new',
    refresh: 'newer',
    user: aUser(),
  });
  const length = history.length;
  await renderApp({ path: `/reset-password/${uid}/${token}` });
  expect(await screen.findByRole('heading', { name: 'Choose a new password' })).toBeInTheDocument();
  expect(location.href).not.toContain(token);
  for (const kept of [localStorage, sessionStorage])
    expect(JSON.stringify(kept)).not.toContain(token);
  expect(history.length).toBe(length);
  await choose('a new long one', 'another');
  expect(await screen.findByText('New passwords do not match')).toBeInTheDocument();
  expect(sent).toHaveLength(0);
  await userEvent.clear(screen.getByLabelText(/^New password/));
  await userEvent.clear(screen.getByLabelText(/^Confirm new password/));
  await choose('a new long one');
  expect(await screen.findByRole('heading', { name: 'Dashboard' })).toBeInTheDocument();
  expect(signedIn.map(({ body }) => body)).toEqual([
    { email: 'me@example.org', password: 'a new long one', remember: false },
  ]);
  expect(sent.map(({ body }) => body)).toEqual([{ uid, token, new_password: 'a new long one' }]);
});

test('C-109 a second factor is asked for after a new password, too', async () => {
  answer(recoveryRoutes.confirm, { email: 'me@example.org' });
  answer(accountRoutes.login, {
    two_factor_required: true,
    challenge: 'nzc_once',
    methods: ['totp'],
  });
  await renderApp({ path: `/reset-password/${uid}/${token}` });
  await choose('a new long one');
  expect(await screen.findByLabelText(/code/i)).toBeInTheDocument();
  for (const kept of [localStorage, sessionStorage])
    expect(JSON.stringify(kept)).not.toContain('nzc_once');
});

test('a user who cannot be let in at once is asked to sign in with the new password', async () => {
  answer(recoveryRoutes.confirm, { email: 'me@example.org' });
  answer(accountRoutes.login, refusal(429, 'too_many_requests', 'Too many attempts.'));
  await renderApp({ path: `/reset-password/${uid}/${token}` });
  await choose('a new long one');
  expect(await screen.findByText('Your password is set. Please sign in.')).toBeInTheDocument();
});

test('a refusal of the server stands at its field, and a dead link leads to a new one', async () => {
  answer(recoveryRoutes.confirm, fieldRefusal({ new_password: ['Too common.'] }));
  await renderApp({ path: `/reset-password/${uid}/${token}` });
  await choose('password1');
  expect(await screen.findByText('Too common.')).toBeInTheDocument();
  answer(recoveryRoutes.confirm, refusal(403, 'link_invalid', 'No more.'));
  await userEvent.click(screen.getByRole('button', { name: 'Set password' }));
  expect(await screen.findByText(/^This link no longer works/)).toBeInTheDocument();
  expect(screen.getByRole('link', { name: 'Request a new link' })).toBeInTheDocument();
});

test('an invitation is welcomed, even where another user is signed in', async () => {
  await renderApp({ path: `/reset-password/${uid}/${token}?for=invitation`, user: aUser() });
  expect(
    await screen.findByRole('heading', { name: 'Welcome! Choose a password' }),
  ).toBeInTheDocument();
});

test('without a link, as after a reload, the page asks for the letter', async () => {
  forgetLink();
  await renderApp({ path: '/reset-password' });
  expect(await screen.findByText(/^Open the link from the email again/)).toBeInTheDocument();
});
