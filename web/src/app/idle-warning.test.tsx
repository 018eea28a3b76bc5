import { accountRoutes } from '@nazar/contract/accounts.ts';
import { ownSecurityRoutes } from '@nazar/contract/own-security.ts';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { aUser } from '#testing/builders.ts';
import { renderApp } from '#testing/render-app.tsx';
import { answer, refusal } from '#testing/server.ts';
import { aSecurity } from '#testing/usual-replies.ts';

test('SEC-011 shortly before the end it asks whether the user is there; one who stays, stays', async () => {
  let leftS = 40;
  const asked = answer(ownSecurityRoutes.security, () => aSecurity({ session_ends_in_s: leftS }));
  await renderApp({ path: '/profile', user: aUser() });
  expect(await screen.findByRole('dialog', { name: 'Are you still there?' })).toBeInTheDocument();
  expect(screen.getByText(/signed out in \d+ seconds/)).toBeInTheDocument();
  leftS = 1800;
  await userEvent.click(screen.getByRole('button', { name: 'Stay signed in' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  // A click is a deed: the question that it asks is no poll.
  expect(asked.at(-1)?.headers.has('x-poll')).toBe(false);
});

test('SEC-011, =SES-017 a session that is over leads to the sign-in', async () => {
  let calls = 0;
  answer(ownSecurityRoutes.security, () => {
    calls += 1;
    return calls === 1
      ? aSecurity({ session_ends_in_s: 1 })
      : refusal(401, 'not_signed_in', 'Please sign in.');
  });
  answer(accountRoutes.refresh, () => refusal(401, 'invalid_refresh', 'Please sign in again.'));
  await renderApp({ path: '/profile', user: aUser() });
  await waitFor(() => expect(location.pathname).toBe('/login'), { timeout: 20_000 });
  expect(localStorage.getItem('auth-token')).toBeNull();
  expect(calls, 'it was asked again, and refused').toBeGreaterThan(1);
});
