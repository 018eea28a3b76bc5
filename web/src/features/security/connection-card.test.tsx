import { signOnRoutes } from '@nazar/contract/sign-on.ts';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { leave } from '#lib/leave.ts';
import { aUser } from '#testing/builders.ts';
import { renderApp } from '#testing/render-app.tsx';
import { answer, fieldRefusal } from '#testing/server.ts';

afterEach(() => vi.restoreAllMocks());

async function open(
  connected: string | null,
  path = '/security',
  signOn: string | null = 'Example ID',
) {
  answer(signOnRoutes.connection, { connected_at: connected });
  await renderApp({ path, user: aUser(), signOn });
  await screen.findByRole('heading', { level: 1, name: 'Security' });
}

async function prove(button: string): Promise<void> {
  const person = userEvent.setup();
  await person.click(await screen.findByRole('button', { name: button }));
  const dialog = await screen.findByRole('dialog');
  await person.type(within(dialog).getByLabelText(/^Your password/), 'correct horse');
  await person.click(within(dialog).getByRole('button', { name: button }));
}

test('SEC-001 without a provider the page says nothing of it', async () => {
  await open(null, '/security', null);
  await screen.findByRole('heading', { name: 'Danger Zone' });
  expect(screen.queryByText('Single sign-on')).not.toBeInTheDocument();
});

test('C-111 connecting takes the password, and leads to the provider', async () => {
  const left = vi.spyOn(leave, 'to').mockImplementation(() => undefined);
  await open(null);
  const sent = answer(signOnRoutes.connect, { url: 'https://id.example.org/authorize' });
  await prove('Connect Example ID');
  await waitFor(() => expect(left).toHaveBeenCalledWith('https://id.example.org/authorize'));
  expect(sent[0]?.body).toEqual({ password: 'correct horse' });
});

test('C-111 a wrong password is reported; a right one ends the connection', async () => {
  await open('2026-03-04T05:06:07.000Z');
  expect(await screen.findByText(/Connected to Example ID since/)).toBeInTheDocument();
  answer(signOnRoutes.disconnect, fieldRefusal({ password: ['The password is wrong.'] }));
  await prove('Disconnect');
  expect(await screen.findByText(/The password is wrong/)).toBeInTheDocument();
  answer(signOnRoutes.disconnect, undefined as never);
  answer(signOnRoutes.connection, { connected_at: null });
  const dialog = screen.getByRole('dialog');
  await userEvent.click(within(dialog).getByRole('button', { name: 'Disconnect' }));
  expect(await screen.findByText('Your account was disconnected.')).toBeInTheDocument();
  expect(await screen.findByRole('button', { name: 'Connect Example ID' })).toBeInTheDocument();
});

test.each([
  ['connected', 'Your account is connected to Example ID.'],
  ['connected_elsewhere', 'This identity is already connected to another account.'],
])('a user who comes back reads how it ended: %s', async (signOn, sentence) => {
  await open(null, `/security?signOn=${signOn}`);
  expect(await screen.findByText(sentence)).toBeInTheDocument();
});
