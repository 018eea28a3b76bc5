import { accountRoutes, type User } from '@nazar/contract/accounts.ts';
import { ownAccountRoutes } from '@nazar/contract/own-account.ts';
import type { ActivityEntry } from '@nazar/contract/activity.ts';
import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { aUser } from '#testing/builders.ts';
import { renderApp } from '#testing/render-app.tsx';
import { answer, fieldRefusal } from '#testing/server.ts';

afterEach(() => vi.useRealTimers());

async function open(user = aUser()): Promise<ReturnType<typeof userEvent.setup>> {
  await renderApp({ path: '/profile', user });
  await screen.findByRole('heading', { level: 1, name: 'Profile' });
  return userEvent.setup();
}

test('PRO-015 a spinner shows while there is no user data, and nothing of a profile', async () => {
  const answered = Promise.withResolvers<User>();
  const opened = renderApp({ path: '/profile', user: aUser() });
  answer(accountRoutes.me, () => answered.promise);
  expect(await screen.findByText('Loading...')).toBeInTheDocument();
  expect(screen.queryByRole('heading')).not.toBeInTheDocument();
  answered.resolve(aUser());
  await opened;
  expect(await screen.findByRole('heading', { level: 1, name: 'Profile' })).toBeInTheDocument();
});

/** Names of the fields and what stands beside them. */
const factsOfPage = (): (string | null | undefined)[][] =>
  [...document.querySelectorAll('dt')].map((name) => [
    name.textContent,
    name.nextElementSibling?.textContent,
  ]);

test('PRO-005 without a position the page says so', async () => {
  await open(aUser({ position: '' }));
  expect(screen.getByText('No position set')).toBeInTheDocument();
});

test('PRO-005, PRO-006, ~PRO-007, PRO-013, ~PRO-017 name, position, role and all fields are shown', async () => {
  await open(
    aUser({
      role: 'operator',
      position: 'Guard',
      phone: '555',
      department: 'Night shift',
      address: 'Hall 1',
      birthdate: '1990-02-28',
      joinDate: '2020-05-06T07:08:09.000Z',
      bio: 'Two words',
    }),
  );
  expect(screen.getByRole('heading', { level: 2, name: 'Aysel Quliyeva' })).toBeInTheDocument();
  expect(screen.getAllByText('Operator')).toHaveLength(2);
  expect(factsOfPage()).toEqual([
    ['First name', 'Aysel'],
    ['Last name', 'Quliyeva'],
    ['Email', 'aysel@example.com'],
    ['Role', 'Operator'],
    ['Phone', '555'],
    ['Department', 'Night shift'],
    ['Position', 'Guard'],
    ['Address', 'Hall 1'],
    ['Date of birth', '1990-02-28'],
    ['Joined', expect.stringContaining('May 6, 2020')],
    ['About you', 'Two words'],
  ]);
  expect(screen.getByRole('link', { name: 'Change Password' })).toHaveAttribute(
    'href',
    '/security',
  );
});

test('PRO-001, PRO-002, PRO-003, ~PRO-004 one of ten colours is picked for the avatar and kept for the account', async () => {
  const person = await open();
  const kept = answer(accountRoutes.updatePreferences, {} as never);
  const avatar = screen.getByRole('button', { name: 'Choose avatar color' });
  expect(avatar.querySelector('[data-initials]')).toHaveAttribute('data-initials', 'AQ');
  await person.click(avatar);
  expect(screen.getAllByRole('button', { name: /^Color \d+$/ })).toHaveLength(10);
  await person.click(screen.getByRole('button', { name: 'Color 10' }));
  expect(screen.queryByRole('button', { name: 'Color 1' })).not.toBeInTheDocument();
  await waitFor(() => expect(kept[0]?.body).toEqual({ avatar_color: '#0f766e' }));
  expect(localStorage.getItem('avatar-color')).toBe('#0f766e');
});

test('PRO-001 a user without a name has the letters AD', async () => {
  await open(aUser({ first_name: '', last_name: '' }));
  const button = screen.getByRole('button', { name: 'Choose avatar color' });
  expect(button.querySelector('[data-initials]')).toHaveAttribute('data-initials', 'AD');
});

describe('PRO-008, PRO-010, CFL-007, ~PRO-016 saving the profile', () => {
  test.each(['Save Profile', 'Save Changes'])(
    '%s sends the profile and shows the answer',
    async (button) => {
      const person = await open();
      const after = aUser({ position: 'Guard', birthdate: '1990-02-28' });
      const sent = answer(ownAccountRoutes.updateMe, () => {
        answer(accountRoutes.me, after);
        return after;
      });
      await person.click(screen.getByRole('button', { name: 'Edit Profile' }));
      await person.type(screen.getByLabelText('Position'), 'Guard');
      await person.click(screen.getByRole('button', { name: button }));
      expect(await screen.findByText('Profile updated successfully!')).toBeInTheDocument();
      expect(screen.getByRole('button', { name: 'Edit Profile' })).toBeInTheDocument();
      expect(screen.getAllByText('Guard')).toHaveLength(2);
      expect(sent[0]?.body).toMatchObject({
        position: 'Guard',
        birthdate: null,
        first_name: 'Aysel',
      });
      expect(sent[0]?.body).not.toHaveProperty('password');
      expect(JSON.parse(localStorage.getItem('user-data') ?? '')).toEqual(after);
    },
  );
});

test('PRO-009, PRO-011 the page shows for three seconds that it was saved', async () => {
  await open();
  answer(ownAccountRoutes.updateMe, aUser());
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const person = userEvent.setup({ advanceTimers: (ms) => vi.advanceTimersByTime(ms) });
  await person.click(screen.getByRole('button', { name: 'Edit Profile' }));
  for (const name of ['Save Profile', 'Save Changes', 'Cancel'])
    expect(screen.getByRole('button', { name })).toBeEnabled();
  expect(screen.queryByRole('button', { name: 'Edit Profile' })).toBeNull();
  await person.click(screen.getByRole('button', { name: 'Save Changes' }));
  const said = await screen.findByText('Profile updated successfully!');
  await act(() => vi.advanceTimersByTimeAsync(2_500));
  expect(said).toBeInTheDocument();
  await act(() => vi.advanceTimersByTimeAsync(500));
  expect(said).not.toBeInTheDocument();
});

test('PRO-010, PRO-012, ~PRO-014, C-114 a refused field is shown at the field; Cancel forgets', async () => {
  const person = await open();
  const sent = answer(
    ownAccountRoutes.updateMe,
    fieldRefusal({ password: ['The current password is wrong.'] }),
  );
  await person.click(screen.getByRole('button', { name: 'Edit Profile' }));
  expect(screen.queryByLabelText(/^Current password/)).not.toBeInTheDocument();
  await person.type(screen.getByLabelText('Email'), '.org');
  await person.type(screen.getByLabelText(/^Current password/), 'wrong');
  await person.click(screen.getByRole('button', { name: 'Save Changes' }));
  expect(await screen.findByText('The current password is wrong.')).toBeInTheDocument();
  expect(sent[0]?.body).toMatchObject({ email: 'aysel@example.com.org', password: 'wrong' });
  expect(screen.getByLabelText(/^Current password/)).toBeInvalid();
  await person.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(screen.getByText('aysel@example.com')).toBeInTheDocument();
});

const anEntry = (description: string): ActivityEntry => ({
  id: crypto.randomUUID(),
  action: 'view',
  event: 'face.viewed',
  level: 'info',
  description,
  user: aUser().id,
  user_name: 'Aysel Quliyeva',
  user_email: 'aysel@example.com',
  ip_address: '127.0.0.1',
  timestamp: '2026-03-04T05:06:07.000Z',
  content_type_name: 'face',
  object_id: null,
  object_name: '',
  object_exists: false,
  additional_data: {},
  network: null,
  source: 'request',
  is_mock: false,
  sequence: 1,
});

test('PRO-020, PRO-021 the three latest entries of this user are asked for and shown', async () => {
  const results = [anEntry("Viewed a person's details"), anEntry('Signed in')];
  let asked = '';
  const user = aUser();
  await renderApp({
    path: '/profile',
    user,
    activity: ({ url }) => {
      asked = url.search;
      return { count: 2, more: false, results };
    },
  });
  const list = await screen.findByRole('list', { name: 'Activity Log' });
  expect(list).toHaveTextContent("Viewed a person's details");
  expect(list).toHaveTextContent('Signed in');
  expect(screen.getByRole('link', { name: 'View All Activity' })).toHaveAttribute(
    'href',
    `/activity-log?user=${user.id}`,
  );
  expect(Object.fromEntries(new URLSearchParams(asked))).toEqual({ user: user.id, limit: '3' });
});

test('PRO-020 a user without entries reads why the card is empty', async () => {
  await open();
  expect(await screen.findByText(/^No activity yet\./)).toBeInTheDocument();
});
