import { accessRoutes, cameraGroupRoutes, type Grant } from '@nazar/contract/access.ts';
import { accountRoutes, type User } from '@nazar/contract/accounts.ts';
import { cameraRoutes } from '@nazar/contract/cameras.ts';
import { faceRoutes } from '@nazar/contract/faces.ts';
import { seeAsRoutes } from '@nazar/contract/see-as.ts';
import { userGroupRoutes, type UserGroup } from '@nazar/contract/user-groups.ts';
import { userRoutes, type ListedUser } from '@nazar/contract/users.ts';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse } from 'msw';
import { beforeEach, expect, test } from 'vitest';
import { seeing } from '#api/see-as.ts';
import { startSession } from '#api/session.ts';
import { aUser, anId } from '#testing/builders.ts';
import { aCamera } from '#testing/cameras.ts';
import { fakeMedia } from '#testing/fake-media.ts';
import { renderApp } from '#testing/render-app.tsx';
import { answer, refusal } from '#testing/server.ts';

const listed = (over: Partial<User>): ListedUser => ({
  ...aUser({ role: 'user', is_staff: false, is_superuser: false, ...over }),
  is_active: true,
  has_password: true,
  two_factor: false,
  last_login_at: null,
});
const rena = listed({
  id: anId(),
  first_name: 'Rena',
  last_name: 'Example',
  email: 'r@example.com',
});
const boss = listed({ id: anId(), first_name: 'Boss', role: 'admin', is_staff: true });
const guards: UserGroup = {
  id: anId(),
  name: 'Guards',
  description: '',
  members: [{ id: rena.id, name: 'Rena Example', email: rena.email }],
  created_at: '2026-01-02T03:04:05.000Z',
};
const gate = aCamera({ id: anId(), name: 'Gate' });
const door = aCamera({ id: anId(), name: 'Door' });
const outside = { id: anId(), name: 'Outside', description: '', cameras: [door.id] };
const categories = [{ id: anId(), name: 'employee', color: '#2563eb' }];

const grant = (over: Partial<Grant>): Grant => ({
  id: anId(),
  to: { type: 'user', id: rena.id, name: 'Rena Example' },
  of: { type: 'camera', id: gate.id, name: 'Gate' },
  capabilities: ['live'],
  categories: [],
  granted_at: '2026-01-02T03:04:05.000Z',
  ...over,
});

let grants: Grant[];

beforeEach(() => {
  grants = [];
  seeing.set(null);
  fakeMedia();
  answer(cameraRoutes.snapshot, new HttpResponse('jpeg'));
  answer(userRoutes.list, { count: 2, results: [rena, boss] });
  answer(userGroupRoutes.list, { results: [guards] });
  answer(cameraRoutes.list, { count: 2, results: [gate, door] });
  answer(cameraGroupRoutes.list, { results: [outside] });
  answer(faceRoutes.categories, { results: categories });
  answer(accessRoutes.grants, () => ({ results: grants }));
});

async function open(path = '/settings/access', user = aUser()) {
  await renderApp({ path, user });
  await screen.findByRole('heading', { level: 1, name: 'Access' });
  return userEvent.setup();
}

const row = (name: RegExp) => screen.findByRole('group', { name });

test.each(['user', 'group'])('a %s of the address that is not there is reported', async (kind) => {
  const gone = "This user or group doesn't exist anymore. Choose another one.";
  await open(`/settings/access?${kind}=${anId()}`);
  expect(await screen.findByText(gone)).toBeVisible();
  const who = screen.getByLabelText('User or group');
  await userEvent.selectOptions(who, 'Rena Example · r@example.com');
  await row(/^Gate/);
  expect(screen.queryByText(gone)).toBeNull();
});

test('=CFL-004 a user is chosen, and a tick grants the camera with what it needs', async () => {
  const person = await open();
  await person.selectOptions(
    await screen.findByLabelText('User or group'),
    'Rena Example · r@example.com',
  );
  const sent = answer(accessRoutes.give, ({ body }) => {
    grants = [grant(body as Partial<Grant>)];
    return grants[0]!;
  });
  await person.click(within(await row(/^Gate/)).getByLabelText('Connection details'));
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]?.body).toEqual({
    to: { type: 'user', id: rena.id },
    of: { type: 'camera', id: gate.id },
    capabilities: ['live', 'manage'],
    categories: [],
  });
  await waitFor(() =>
    expect(
      within(screen.getByRole('group', { name: /^Gate/ })).getByLabelText('View'),
    ).toBeChecked(),
  );
  expect(location.search).toContain(rena.id);
});

test('C-1009 names are granted by category or altogether', async () => {
  grants = [grant({})];
  const person = await open(`/settings/access?user=${rena.id}`);
  const sent = answer(accessRoutes.give, grant({}));
  const gateRow = await row(/^Gate/);
  await person.click(within(gateRow).getByLabelText('Employee'));
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]?.body).toMatchObject({ capabilities: ['live'], categories: [categories[0]?.id] });
  await person.click(await within(await row(/^Gate/)).findByLabelText('Names of people'));
  await waitFor(() => expect(sent).toHaveLength(2));
  expect(sent[1]?.body).toMatchObject({ capabilities: ['live', 'people'], categories: [] });
});

test('C-207 without the sight of the camera nothing is left: the grant is taken back', async () => {
  const held = grant({ capabilities: ['live', 'manage'] });
  grants = [held];
  const person = await open(`/settings/access?user=${rena.id}`);
  const taken = answer(accessRoutes.take, () => {
    grants = [];
    return undefined as never;
  });
  await person.click(within(await row(/^Gate/)).getByLabelText('View'));
  await waitFor(() => expect(taken[0]?.params).toEqual({ id: held.id }));
  await waitFor(async () =>
    expect(within(await row(/^Gate/)).getByLabelText('Connection details')).not.toBeChecked(),
  );
});

test('grants by a group stand beside the user’s own', async () => {
  grants = [
    grant({
      to: { type: 'user_group', id: guards.id, name: 'Guards' },
      of: { type: 'camera_group', id: outside.id, name: 'Outside' },
    }),
  ];
  await open(`/settings/access?user=${rena.id}`);
  expect(
    within(await row(/^Door/)).getByText('Also granted through: Guards, Outside'),
  ).toBeInTheDocument();
  expect(within(await row(/^Gate/)).queryByText(/^Also through/)).not.toBeInTheDocument();
});

test('ROL-005, CFL-003 an administrator needs no grant; a staff account reads and changes none', async () => {
  await open(`/settings/access?user=${boss.id}`);
  expect(await screen.findByText(/is an administrator and sees everything/)).toBeInTheDocument();
  expect(screen.queryByRole('group', { name: /^Gate/ })).not.toBeInTheDocument();
});

test('CFL-003 a staff account sees who holds what and can tick nothing', async () => {
  const staff = aUser({ role: 'user', is_staff: true, is_superuser: false });
  await open(`/settings/access?user=${rena.id}`, staff);
  expect(await row(/^Gate/)).toBeDisabled();
  expect(screen.queryByRole('button', { name: 'View as this user' })).not.toBeInTheDocument();
});

test('ROL-004 a user who is no administrator reads that this is not theirs', async () => {
  await open('/settings/access', aUser({ role: 'operator', is_staff: false, is_superuser: false }));
  expect(screen.queryByLabelText('User or group')).not.toBeInTheDocument();
});

test('a group is made with its members, and a taken name is reported at its field', async () => {
  const person = await open('/settings/access?tab=groups');
  await person.click(await screen.findByRole('button', { name: 'New group' }));
  const dialog = await screen.findByRole('dialog', { name: 'New group' });
  await person.type(within(dialog).getByLabelText(/^Name/), 'Night');
  await person.click(within(dialog).getByLabelText(/^Rena Example/));
  answer(userGroupRoutes.add, HttpResponse.json({ name: ['Taken.'] }, { status: 409 }));
  await person.click(within(dialog).getByRole('button', { name: 'Save' }));
  expect(await within(dialog).findByText('Taken.')).toBeInTheDocument();
  const sent = answer(userGroupRoutes.add, guards);
  await person.click(within(dialog).getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('The group “Night” was saved.')).toBeInTheDocument();
  expect(sent[0]?.body).toEqual({ name: 'Night', description: '', members: [rena.id] });
});

test('~APC-011 a group of cameras is deleted after a question', async () => {
  const person = await open('/settings/access?tab=cameras');
  const removed = answer(cameraGroupRoutes.remove, undefined as never);
  await person.click(await screen.findByRole('button', { name: 'Delete Outside' }));
  const dialog = await screen.findByRole('alertdialog', { name: 'Delete group' });
  await person.click(within(dialog).getByRole('button', { name: 'Delete group' }));
  expect(await screen.findByText('The group “Outside” was deleted.')).toBeInTheDocument();
  expect(removed[0]?.params).toEqual({ id: outside.id });
});

test('seeing as a user: every call names them, the banner says so, and one can leave', async () => {
  const person = await open(`/settings/access?user=${rena.id}`);
  const me = answer(accountRoutes.me, ({ headers }) =>
    headers.get('x-see-as') === rena.id ? rena : aUser(),
  );
  const name = { id: rena.id, full_name: 'Rena Example', username: '', email: '' };
  answer(seeAsRoutes.begin, name);
  await person.click(await screen.findByRole('button', { name: 'View as this user' }));
  const banner = "You're viewing as Rena Example. You can't change anything.";
  expect(await screen.findByText(banner)).toBeInTheDocument();
  expect(me.at(-1)?.headers.get('x-see-as')).toBe(rena.id);
  expect(screen.queryByLabelText('User or group')).not.toBeInTheDocument();
  expect(localStorage.getItem('user-data')).not.toContain('Rena');
  const left = answer(seeAsRoutes.end, undefined as never);
  await person.click(screen.getByRole('button', { name: 'Exit' }));
  expect(await screen.findByLabelText('User or group')).toBeInTheDocument();
  expect(left[0]?.headers.get('x-see-as')).toBeNull();
  expect(me.at(-1)?.headers.get('x-see-as')).toBeNull();
  expect([screen.queryByText(banner), sessionStorage.getItem('see-as')]).toEqual([null, null]);
});

test('seeing as a user that has ended leads back to one’s own eyes, not out', async () => {
  await open();
  answer(accountRoutes.me, ({ headers }) =>
    headers.has('x-see-as') ? refusal(403, 'see_as_ended', 'Ended.') : aUser(),
  );
  seeing.set({ id: rena.id, name: 'Rena Example' });
  await startSession();
  await waitFor(() => expect(seeing.get()).toBeNull());
  expect(await screen.findByLabelText('User or group')).toBeInTheDocument();
});
