import { cameraGroupRoutes } from '@nazar/contract/access.ts';
import { cameraHistoryRoutes } from '@nazar/contract/camera-history.ts';
import { cameraRoutes } from '@nazar/contract/cameras.ts';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse } from 'msw';
import { beforeEach, expect, test, vi } from 'vitest';
import { aUser, anId } from '#testing/builders.ts';
import { aCamera } from '#testing/cameras.ts';
import { fakeMedia } from '#testing/fake-media.ts';
import { renderApp } from '#testing/render-app.tsx';
import { answer, type Seen } from '#testing/server.ts';

const north = { id: anId(), name: 'North', description: '', cameras: [aCamera().id] };
const owners = [
  { id: anId(), email: 'boss@example.com' },
  { id: anId(), email: 'installer@example.com' },
];
let asked: Seen[] = [];

beforeEach(() => {
  fakeMedia();
  answer(cameraRoutes.snapshot, new HttpResponse('jpeg'));
  answer(cameraRoutes.liveTicket, { ticket: 't', expires_at: '2026-01-02T03:04:05.000Z' });
  asked = answer(cameraRoutes.list, { count: 1, results: [aCamera()] });
});

const last = (name: string): string | null | undefined => asked.at(-1)?.url.searchParams.get(name);

test('~APC-011, =CAM-058 the filters by group and by who added stand in the address and are asked of the server', async () => {
  answer(cameraGroupRoutes.list, { results: [north] });
  answer(cameraRoutes.owners, { results: owners });
  await renderApp({ path: '/cameras?search=main&page=2', user: aUser() });
  const person = userEvent.setup();
  const group = await screen.findByRole('combobox', { name: 'Filter by group' });
  await person.selectOptions(group, 'North');
  await waitFor(() => expect(last('group')).toBe(north.id));
  expect(location.search).toBe(`?search=main&group=${north.id}`);
  const owner = screen.getByRole('combobox', { name: 'Filter by who added it' });
  await person.selectOptions(owner, 'installer@example.com');
  await waitFor(() => expect(last('created_by')).toBe(owners[1]?.id));
  expect(new URLSearchParams(location.search).get('owner')).toBe(owners[1]?.id);
  await person.selectOptions(group, 'All groups');
  await waitFor(() => expect(last('group')).toBeNull());
  expect([last('search'), last('created_by')]).toEqual(['main', owners[1]?.id]);
});

test('~CAM-008 none that match can be undone, whatever the address named', async () => {
  answer(cameraRoutes.list, { count: 0, results: [] });
  await renderApp({ path: `/cameras?group=${anId()}&owner=nobody`, user: aUser() });
  const group = await screen.findByRole('combobox', { name: 'Filter by group' });
  expect(within(group).getByRole('option', { name: 'No longer available' })).toBeInTheDocument();
  expect(await screen.findByText('No cameras found')).toBeInTheDocument();
  await userEvent.click(screen.getByRole('button', { name: /Clear/ }));
  await waitFor(() => expect(location.search).toBe(''));
  expect(await screen.findByText('No cameras yet')).toBeInTheDocument();
});

test('without groups, and of one owner, there is nothing to filter by', async () => {
  answer(cameraRoutes.owners, { results: owners.slice(0, 1) });
  await renderApp({ path: '/cameras', user: aUser() });
  await screen.findByRole('article');
  const filters = screen.getAllByRole('combobox').map((filter) => filter.ariaLabel);
  expect(filters).toEqual(['Filter by status']);
});

const online = 'Online 23 h 5 min of the last 24 hours';
const wide = (media: string): MediaQueryList =>
  Object.assign(new EventTarget(), { matches: media.includes('64rem'), media }) as MediaQueryList;

test('card, table and history say how long of the last 24 h a camera was online', async () => {
  const camera = aCamera({ online_24h_s: 23 * 3600 + 5 * 60 + 59 });
  answer(cameraRoutes.list, { count: 1, results: [camera] });
  answer(cameraHistoryRoutes.list, { count: 0, results: [] });
  const { unmount } = await renderApp({ path: '/cameras', user: aUser() });
  expect(await screen.findByText(online)).toBeInTheDocument();
  const person = userEvent.setup();
  await person.click(screen.getByRole('button', { name: 'Actions for Main entrance' }));
  await person.click(await screen.findByRole('menuitem', { name: 'History' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'History of Main entrance' }));
  expect(dialog.getByText(online)).toBeInTheDocument();
  unmount();
  vi.spyOn(window, 'matchMedia').mockImplementation(wide);
  await renderApp({ path: '/cameras', user: aUser(), preferences: { cameras_view: 'list' } });
  expect(within(await screen.findByRole('table')).getByText(online)).toBeInTheDocument();
});

test('a camera that was added within the last 24 h counts since then', async () => {
  const at = (minutes: number): string => new Date(Date.now() - minutes * 60_000).toISOString();
  const camera = aCamera({ online_24h_s: 9 * 60 + 30, created_at: at(70) });
  answer(cameraRoutes.list, { count: 1, results: [camera] });
  await renderApp({ path: '/cameras', user: aUser() });
  expect(await screen.findByText(/^Online 0 h 9 min of the 1 h (?:9|10) min since/)).toBeVisible();
  expect(screen.queryByText(/of the last 24 hours/)).not.toBeInTheDocument();
});

test('a camera that was just added has no share', async () => {
  const camera = aCamera({ online_24h_s: 0, created_at: new Date().toISOString() });
  answer(cameraRoutes.list, { count: 1, results: [camera] });
  await renderApp({ path: '/cameras', user: aUser() });
  expect(await screen.findByText('Added less than a minute ago')).toBeVisible();
  expect(screen.queryByText(/^Online /)).not.toBeInTheDocument();
});

test('a camera without a history has no text', async () => {
  await renderApp({ path: '/cameras', user: aUser() });
  await screen.findByRole('article');
  expect(screen.queryByText(/of the last 24 hours/)).not.toBeInTheDocument();
});
