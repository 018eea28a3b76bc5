import { seeAsRoutes } from '@nazar/contract/see-as.ts';
import { userRoutes, type ListedUser, type UserDetail } from '@nazar/contract/users.ts';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { aUser, anId } from '#testing/builders.ts';
import { renderApp } from '#testing/render-app.tsx';
import { answer, fieldRefusal, refusal, type Seen } from '#testing/server.ts';

const listed = (over: Partial<ListedUser> = {}): ListedUser => ({
  ...aUser({ role: 'operator', is_staff: false, is_superuser: false }),
  id: anId(),
  first_name: 'Rəşad',
  last_name: 'Əliyev',
  email: 'reshad@example.com',
  is_active: true,
  has_password: true,
  two_factor: false,
  last_login_at: null,
  ...over,
});

const link = {
  path: '/reset-password/u/nzl_t',
  url: null,
  expires_at: '2026-03-04T05:06:07.000Z',
  mailed: false,
};

async function open(path: string, users: ListedUser[], me = aUser()): Promise<Seen[]> {
  const asked = answer(userRoutes.list, { count: users.length, results: users });
  for (const user of users) {
    answer(userRoutes.read, ({ params }) => {
      const found = users.find(({ id }) => id === params['id']) ?? user;
      return { ...found, locked_until: null } satisfies UserDetail;
    });
  }
  await renderApp({ path, user: me });
  return asked;
}

test('~NSH-047 users are listed with role and status; filters stand in the address and reach the server', async () => {
  const users = [
    listed(),
    listed({ first_name: 'New', has_password: false }),
    listed({ first_name: 'Old', is_active: false }),
    listed({ first_name: 'Looking', is_staff: true }),
  ];
  const asked = await open('/settings/users?role=operator&order=-last_login', users);
  const list = await screen.findByRole('list', { name: 'Users' });
  for (const words of ['Active', 'Invited', 'Disabled', 'Operator, staff']) {
    expect(within(list).getAllByText(words).length).toBeGreaterThan(0);
  }
  expect(screen.getByText('4 users')).toBeInTheDocument();
  expect(asked[0]?.url.searchParams.get('role')).toBe('operator');
  expect(asked[0]?.url.searchParams.get('ordering')).toBe('-last_login');
  const person = userEvent.setup();
  await person.selectOptions(screen.getByLabelText('Status'), 'disabled');
  expect(location.search).toContain('status=disabled');
  await person.selectOptions(screen.getByLabelText('Two-factor authentication'), 'on');
  expect(location.search).toContain('twoFactor=on');
  await person.type(screen.getByLabelText('Search by name or email'), 'anar{Enter}');
  expect(location.search).toContain('search=anar');
  const last = asked.at(-1)?.url.searchParams;
  expect([last?.get('is_active'), last?.get('two_factor'), last?.get('search')]).toEqual([
    'false',
    'true',
    'anar',
  ]);
});

test('C-116 a new user gets a link, shown once and to be copied; an admin offers no privileged role', async () => {
  const admin = aUser({ role: 'admin', is_superuser: false });
  await open('/settings/users', [listed()], admin);
  const person = userEvent.setup();
  await person.click(await screen.findByRole('button', { name: 'Add user' }));
  const dialog = await screen.findByRole('dialog', { name: 'Add user' });
  const offered = within(dialog)
    .getAllByRole('option')
    .map((option) => option.textContent);
  expect(offered).toEqual(['User', 'Operator']);
  expect(within(dialog).queryByLabelText(/password/i)).not.toBeInTheDocument();
  answer(userRoutes.create, fieldRefusal({ email: ['Taken.'] }));
  await person.type(within(dialog).getByLabelText(/^First name/i), 'New');
  await person.type(within(dialog).getByLabelText(/^Last name/i), 'Person');
  await person.type(within(dialog).getByLabelText(/^Email/), 'new@example.com');
  await person.click(within(dialog).getByRole('button', { name: 'Add user' }));
  expect(await within(dialog).findByText('Taken.')).toBeInTheDocument();
  const sent = answer(userRoutes.create, {
    ...listed({ first_name: 'New', last_name: 'Person' }),
    link,
  });
  await person.click(within(dialog).getByRole('button', { name: 'Add user' }));
  const shown = await screen.findByRole('dialog', { name: 'New Person was added' });
  expect(within(shown).getByLabelText(/^Link/)).toHaveValue(location.origin + link.path);
  await person.click(within(shown).getByRole('button', { name: 'Copy' }));
  expect(await navigator.clipboard.readText()).toBe(location.origin + link.path);
  expect(sent[0]?.body).toMatchObject({ email: 'new@example.com', role: 'user' });
});

test('the role of a user is changed, and its meaning is shown before', async () => {
  const user = listed();
  await open(`/settings/users?user=${user.id}`, [user]);
  const sent = answer(userRoutes.change, { ...user, role: 'admin' });
  const dialog = await screen.findByRole('dialog', { name: 'Rəşad Əliyev' });
  const person = userEvent.setup();
  const change = await within(dialog).findByRole('button', { name: 'Change role' });
  expect(change).toBeDisabled();
  await person.selectOptions(within(dialog).getByLabelText('Role'), 'admin');
  expect(within(dialog).getByText(/password of at least 12 characters/)).toBeInTheDocument();
  await person.click(change);
  expect(await screen.findByText('The role of Rəşad Əliyev was changed.')).toBeInTheDocument();
  expect(sent.map(({ body }) => body)).toEqual([{ role: 'admin' }]);
});

test('C-117 disabling and deleting ask first and say what they do; a refusal is shown', async () => {
  const user = listed();
  await open(`/settings/users?user=${user.id}`, [user]);
  const person = userEvent.setup();
  await person.click(await screen.findByRole('button', { name: 'Disable' }));
  const asks = await screen.findByRole('alertdialog', { name: 'Disable Rəşad Əliyev?' });
  answer(userRoutes.change, refusal(409, 'last_superadmin', 'The last one.'));
  await person.click(within(asks).getByRole('button', { name: 'Disable' }));
  expect(await within(asks).findByText('The last one.')).toBeInTheDocument();
  await person.click(within(asks).getByRole('button', { name: 'Cancel' }));
  await person.click(await screen.findByRole('button', { name: 'Delete' }));
  const deletes = await screen.findByRole('alertdialog', { name: 'Delete Rəşad Əliyev?' });
  expect(within(deletes).getByText(/erased within a day/)).toBeInTheDocument();
  const removed = answer(userRoutes.remove, undefined as never);
  await person.click(within(deletes).getByRole('button', { name: 'Delete' }));
  expect(await screen.findByText('Rəşad Əliyev was deleted.')).toBeInTheDocument();
  expect(removed.map(({ params }) => params['id'])).toEqual([user.id]);
});

test('C-104, C-116 a locked account is unlocked, and a link made for whom it keeps out', async () => {
  const user = listed();
  await open('/settings/users', [user]);
  answer(userRoutes.read, { ...user, locked_until: '2026-03-04T05:06:07.000Z' });
  const unlocked = answer(userRoutes.unlock, undefined as never);
  answer(userRoutes.resetLink, { ...link, url: 'https://nazar.example.org/x', mailed: true });
  const person = userEvent.setup();
  await person.click(await screen.findByRole('button', { name: 'Open Rəşad Əliyev' }));
  await person.click(await screen.findByRole('button', { name: 'Unlock' }));
  expect(await screen.findByText('Rəşad Əliyev can try again.')).toBeInTheDocument();
  expect(unlocked).toHaveLength(1);
  await person.click(screen.getByRole('button', { name: 'Create password link' }));
  expect(await screen.findByLabelText(/^Link/)).toHaveValue('https://nazar.example.org/x');
  expect(screen.getByText('We also sent the link to reshad@example.com.')).toBeInTheDocument();
});

test('C-109 a lost second factor is removed once the user has read what goes with it; without one there is no button', async () => {
  const [user, other] = [listed({ two_factor: true }), listed({ first_name: 'Plain' })];
  await open(`/settings/users?user=${user.id}`, [user, other]);
  const person = userEvent.setup();
  await person.click(
    await screen.findByRole('button', { name: 'Reset two-factor authentication' }),
  );
  const asks = await screen.findByRole('alertdialog', {
    name: 'Reset two-factor authentication for Rəşad Əliyev?',
  });
  for (const lost of [/authenticator app/, /passkeys/, /recovery codes/, /all sessions end/]) {
    expect(within(asks).getByText(lost)).toBeInTheDocument();
  }
  const confirm = within(asks).getByRole('button', { name: 'Reset two-factor authentication' });
  answer(userRoutes.removeSecondFactor, refusal(409, 'two_factor_off', 'It is off.'));
  await person.click(confirm);
  expect(await within(asks).findByText('It is off.')).toBeInTheDocument();
  const removed = answer(userRoutes.removeSecondFactor, undefined as never);
  await person.click(confirm);
  expect(
    await screen.findByText('Two-factor authentication of Rəşad Əliyev was reset.'),
  ).toBeInTheDocument();
  expect(removed.map(({ params }) => params['id'])).toEqual([user.id]);
  await person.keyboard('{Escape}');
  await person.click(await screen.findByRole('button', { name: 'Open Plain Əliyev' }));
  expect(await screen.findByRole('button', { name: 'Disable' })).toBeInTheDocument();
  expect(screen.queryByRole('button', { name: 'Reset two-factor authentication' })).toBeNull();
});

test('a user’s visible cameras are one step from their dialog; seeing as them where it is allowed', async () => {
  const [user, off] = [listed(), listed({ first_name: 'Off', is_active: false })];
  await open(`/settings/users?user=${user.id}`, [user, off]);
  const person = userEvent.setup();
  const link = await screen.findByRole('link', { name: 'Show access' });
  expect(link).toHaveAttribute('href', `/settings/access?user=${user.id}`);
  const begun = answer(seeAsRoutes.begin, refusal(403, 'see_as_forbidden', 'Not as them.'));
  await person.click(screen.getByRole('button', { name: 'View as this user' }));
  expect(await screen.findByText('Not as them.')).toBeInTheDocument();
  expect(begun.map(({ params }) => params['id'])).toEqual([user.id]);
  await person.keyboard('{Escape}');
  await person.click(await screen.findByRole('button', { name: 'Open Off Əliyev' }));
  expect(await screen.findByRole('link', { name: 'Show access' })).toBeInTheDocument();
  expect(screen.queryByRole('button', { name: 'View as this user' })).toBeNull();
});

test('C-206 sessions of a user are ended, one or all', async () => {
  const user = listed();
  const session = {
    id: anId(),
    is_browser: true,
    user_agent: 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0',
    ip: '192.0.2.7',
    created_at: '2026-03-04T05:06:07.000Z',
    expires_at: '2026-03-05T05:06:07.000Z',
  };
  answer(userRoutes.sessions, { results: [session] });
  await open(`/settings/users?user=${user.id}&tab=sessions`, [user]);
  const one = answer(userRoutes.endSession, undefined as never);
  const all = answer(userRoutes.endSessions, undefined as never);
  const person = userEvent.setup();
  await person.click(await screen.findByRole('button', { name: 'End session on Firefox, Linux' }));
  expect(await screen.findByText('The session has ended.')).toBeInTheDocument();
  expect(one[0]?.params).toEqual({ id: user.id, session: session.id });
  await person.click(screen.getByRole('button', { name: 'End all sessions' }));
  expect(await screen.findByText('All sessions of Rəşad Əliyev have ended.')).toBeInTheDocument();
  expect(all).toHaveLength(1);
});

test('no one is offered what the server refuses: oneself, a higher account, no administrator', async () => {
  const admin = aUser({ role: 'admin', is_superuser: false });
  const boss = listed({ role: 'superadmin', is_staff: true, is_superuser: true });
  await open(`/settings/users?user=${boss.id}`, [boss], admin);
  expect(
    await screen.findByText('Only a superadministrator can change this account.'),
  ).toBeInTheDocument();
  expect(screen.queryByRole('button', { name: 'View as this user' })).not.toBeInTheDocument();
  expect(screen.queryByRole('button', { name: 'Delete' })).not.toBeInTheDocument();
  expect(screen.queryByRole('tab', { name: 'Sessions' })).not.toBeInTheDocument();
});

test('~ROL-002 a user who administers no one sees no users', async () => {
  await open('/settings/users', [], aUser({ role: 'user', is_staff: false, is_superuser: false }));
  expect(await screen.findByRole('heading', { level: 1, name: 'Users' })).toBeInTheDocument();
  expect(screen.queryByRole('button', { name: 'Add user' })).not.toBeInTheDocument();
});

test('a page of users behind the last gives way to the last', async () => {
  answer(userRoutes.list, { count: 1, results: [] });
  await renderApp({ path: '/settings/users?page=999&role=admin', user: aUser() });
  await waitFor(() => expect(location.search).toBe('?role=admin'));
});
