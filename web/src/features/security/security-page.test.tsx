import { ownAccountRoutes, type OwnSession } from '@nazar/contract/own-account.ts';
import { securityEventRoutes, type SecurityEvent } from '@nazar/contract/security-events.ts';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, test } from 'vitest';
import { aUser, anId } from '#testing/builders.ts';
import { renderApp } from '#testing/render-app.tsx';
import { answer, fieldRefusal, refusal } from '#testing/server.ts';

const aSession = (over: Partial<OwnSession> = {}): OwnSession => ({
  id: anId(),
  is_current: false,
  is_browser: true,
  user_agent: 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36',
  ip: '192.0.2.7',
  created_at: '2026-03-04T05:06:07.000Z',
  expires_at: '2026-03-05T05:06:07.000Z',
  ...over,
});

async function open(sessions: OwnSession[] = [], events: SecurityEvent[] = []): Promise<void> {
  answer(securityEventRoutes.list, { results: events });
  answer(ownAccountRoutes.sessions, () => ({ results: sessions }));
  await renderApp({ path: '/security', user: aUser() });
  await screen.findByRole('heading', { level: 1, name: 'Security' });
}

async function fill(old: string, fresh: string, confirm: string) {
  const person = userEvent.setup();
  await person.type(screen.getByLabelText(/^Current password/), old);
  await person.type(screen.getByLabelText(/^New password/), fresh);
  await person.type(screen.getByLabelText(/^Confirm new password/), confirm);
  await person.click(screen.getByRole('button', { name: 'Change Password' }));
}

test('SEC-001, SEC-002, ~SEC-003 a card for the password, one for the account, one for its end', async () => {
  await open();
  for (const name of ['Password Management', 'Account Security', 'Danger Zone'])
    expect(screen.getByRole('heading', { name })).toBeInTheDocument();
});

test('SEC-004, SEC-005, SEC-006, ~SEC-007 three required fields, each to be shown, that must match', async () => {
  await open();
  const sent = answer(ownAccountRoutes.changePassword, undefined as never);
  for (const field of ['Current password', 'New password', 'Confirm new password']) {
    const input = screen.getByLabelText(new RegExp(`^${field}`));
    const toggles = within(input.parentElement!);
    expect(input).toHaveAttribute('type', 'password');
    await userEvent.click(toggles.getByRole('button', { name: 'Show password' }));
    expect(input).toHaveAttribute('type', 'text');
    await userEvent.click(toggles.getByRole('button', { name: 'Hide password' }));
    expect(input).toHaveAttribute('type', 'password');
  }
  expect(screen.getByText('Administrators need at least 12 characters')).toBeInTheDocument();
  await userEvent.click(screen.getByRole('button', { name: 'Change Password' }));
  expect(await screen.findAllByText('This field is required.')).toHaveLength(3);
  await fill('old one', 'seven-7', 'seven-7');
  expect(
    await screen.findByText('Password must be at least 8 characters long'),
  ).toBeInTheDocument();
  await fill('x', '-and-more', '-and-less');
  expect(await screen.findByText('New passwords do not match')).toBeInTheDocument();
  expect(sent).toHaveLength(0);
});

test('~SEC-008, ~CFL-009, APA-010 a change is sent and confirmed, and the fields are cleared', async () => {
  await open();
  const sent = answer(ownAccountRoutes.changePassword, undefined as never);
  await fill('old one', 'a new long one', 'a new long one');
  expect(await screen.findByRole('button', { name: 'Changing password...' })).toBeInTheDocument();
  expect(
    await screen.findByText(/^Your password was changed/, {}, { timeout: 8000 }),
  ).toBeInTheDocument();
  expect(sent.map(({ body }) => body)).toEqual([
    { old_password: 'old one', new_password: 'a new long one' },
  ]);
  expect(screen.getByLabelText(/^Current password/)).toHaveValue('');
});

test('~SEC-008 a wrong old password shows the words of the server and keeps the fields', async () => {
  await open();
  answer(ownAccountRoutes.changePassword, fieldRefusal({ old_password: ['Wrong one.'] }));
  await fill('old one', 'a new long one', 'a new long one');
  expect(await screen.findByText('Wrong one.', {}, { timeout: 8000 })).toBeInTheDocument();
  expect(screen.getByLabelText(/^New password/)).toHaveValue('a new long one');
});

test('C-808, C-111 events of the account are listed with who did it and from where', async () => {
  await open(
    [],
    [
      {
        id: anId(),
        kind: 'signed_in_anew',
        at: '2026-03-04T05:06:07.000Z',
        by: 'oneself',
        ip: '203.0.113.9',
        user_agent: 'Mozilla/5.0 (Windows NT 10.0) Firefox/140.0',
      },
      {
        id: anId(),
        kind: 'role_changed',
        at: '2026-03-04T05:06:07.000Z',
        by: 'administrator',
        ip: '',
        user_agent: '',
      },
    ],
  );
  const list = await screen.findByRole('list', { name: 'Recent security events' });
  const [first, second] = within(list).getAllByRole('listitem');
  expect(first).toHaveTextContent('New sign-in from a new device or network');
  expect(first).toHaveTextContent('You · Firefox, Windows · 203.0.113.9');
  expect(second).toHaveTextContent('Your role was changedAn administrator · ');
});

test('C-206 own sessions are listed; another one is ended, this one is only named', async () => {
  const other = aSession();
  const sessions = [aSession({ is_current: true, user_agent: '' }), other];
  await open(sessions);
  const ended = answer(ownAccountRoutes.endSession, () => {
    sessions.pop();
    return undefined as never;
  });
  const list = await screen.findByRole('list', { name: 'Your sessions' });
  expect(within(list).getByText('This session')).toBeInTheDocument();
  expect(within(list).getAllByRole('button')).toHaveLength(1);
  await userEvent.click(within(list).getByRole('button', { name: 'End session on Chrome, Linux' }));
  expect(await screen.findByText('The session has ended.')).toBeInTheDocument();
  expect(ended[0]?.params).toEqual({ id: other.id });
  await waitFor(() => expect(within(list).queryAllByRole('button')).toHaveLength(0));
});

const places: [string, string, string][] = [
  ['SES-027, NAV-049 the avatar menu', '/security', 'menu'],
  ['SEC-003, SEC-014 the danger zone', '/security', 'page'],
  ['PRO-019 the profile', '/profile', 'page'],
];

/** The modal of one of the three places, with the reader's password typed. */
async function openDeletion(path: string, from: string, word: string) {
  await renderApp({ path, user: aUser() });
  const person = userEvent.setup();
  if (from === 'menu') {
    await person.click(await screen.findByRole('button', { name: 'Account menu' }));
    await person.click(await screen.findByRole('menuitem', { name: 'Delete Account' }));
  } else {
    await person.click(await screen.findByRole('button', { name: 'Delete Account' }));
  }
  const dialog = await screen.findByRole('dialog', { name: 'Delete Account' });
  await person.type(await within(dialog).findByLabelText(/^Type DELETE to confirm/), word);
  await person.type(within(dialog).getByLabelText(/^Your password/), 'my own');
  const confirm = (): Promise<void> =>
    person.click(within(dialog).getByRole('button', { name: 'Delete Account' }));
  return { dialog: within(dialog), confirm };
}

describe('SES-028, CFL-010 another word than DELETE', () => {
  test.each(places)('%s: is shown, and sends nothing', async (_t, path, from) => {
    const { dialog, confirm } = await openDeletion(path, from, 'delete');
    const sent = answer(ownAccountRoutes.deleteAccount, undefined as never);
    await confirm();
    expect(
      await dialog.findByText('Please type DELETE to confirm account deletion'),
    ).toBeInTheDocument();
    expect(sent).toEqual([]);
  });
});

describe('SES-030 a deletion that is refused', () => {
  test.each(places)('%s: is shown as the answer has it', async (_t, path, from) => {
    const { dialog, confirm } = await openDeletion(path, from, 'DELETE');
    localStorage.setItem('theme', 'dark');
    answer(ownAccountRoutes.deleteAccount, refusal(409, 'last_superadmin', 'You are the last.'));
    await confirm();
    expect(await dialog.findByText('You are the last.')).toBeInTheDocument();
    expect(localStorage.getItem('theme')).toBe('dark');
  });
});

describe('SES-029, SES-031 the account is deleted', () => {
  test.each(places)(
    '%s: by its call, and nothing is left in the browser',
    async (_t, path, from) => {
      const { confirm } = await openDeletion(path, from, 'DELETE');
      const sent = answer(ownAccountRoutes.deleteAccount, undefined as never);
      localStorage.setItem('theme', 'dark');
      await confirm();
      expect(await screen.findByRole('heading', { name: 'Sign in' })).toBeInTheDocument();
      expect(sent.map(({ url, body }) => [url.pathname, body])).toEqual([
        ['/secure-api/accounts/users/delete_account/', { password: 'my own' }],
      ]);
      expect([localStorage.length, sessionStorage.length]).toEqual([0, 0]);
    },
  );
});
