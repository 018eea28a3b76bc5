import { accountRoutes } from '@nazar/contract/accounts.ts';
import { cameraRoutes, type Camera } from '@nazar/contract/cameras.ts';
import type { News } from '@nazar/contract/live.ts';
import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse } from 'msw';
import { beforeEach, expect, test, vi } from 'vitest';
import { forgetMedia } from '#api/media.ts';
import { see } from '#api/see-as.ts';
import { aUser } from '#testing/builders.ts';
import { aCamera, someHealth, newsOf } from '#testing/cameras.ts';
import { fakeMedia } from '#testing/fake-media.ts';
import { FakeSocket } from '#testing/fake-socket.ts';
import { renderApp, type Scene } from '#testing/render-app.tsx';
import { answer, refusal, type Seen } from '#testing/server.ts';

const other = '33333333-3333-4333-8333-333333333333';
let asked: Seen[] = [];

/** A screen that is wide enough for the table. */
const wide = (media: string): MediaQueryList =>
  Object.assign(new EventTarget(), { matches: media.includes('64rem'), media }) as MediaQueryList;

const serve = (...results: Camera[]): Seen[] =>
  answer(cameraRoutes.list, { count: results.length, results });

beforeEach(() => {
  fakeMedia();
  forgetMedia();
  answer(cameraRoutes.snapshot, new HttpResponse('jpeg'));
  answer(cameraRoutes.liveTicket, { ticket: 't', expires_at: '2026-01-02T03:04:05.000Z' });
});

async function openPage(
  cameras: readonly Camera[],
  scene: Partial<Scene> = {},
): Promise<ReturnType<typeof userEvent.setup>> {
  asked = serve(...cameras);
  await renderApp({ path: '/cameras', user: aUser(), ...scene });
  await screen.findByRole('heading', { level: 1, name: 'Cameras' });
  return userEvent.setup();
}

const card = (name = 'Main entrance'): Promise<HTMLElement> =>
  screen.findByRole('article', { name });

/** The socket of the news, which the application opens before any live view. */
function receive(news: News): void {
  const socket = FakeSocket.opened.find(({ url }) => url.includes('/news/'));
  if (socket === undefined) throw new Error('nobody listens to the news');
  act(() => socket.receive(news));
}

/** One that is on and one that is not, with nothing alike. */
const unlike = (): [Camera, Camera] => [
  aCamera({ location: 'Lobby', is_recording: true, recording_state: 'recording' }),
  aCamera({
    id: other,
    name: 'Parking',
    location: 'Yard',
    type: 'http',
    status: 'inactive',
    resolution: '1920x1080',
    enable_face_recognition: false,
    health: someHealth({ state: 'off', width: null, height: null }),
  }),
];

/** Every one of the first words stands on the card, and none of the others. */
async function expectWords(name: string, words: string[], absent: string[]): Promise<void> {
  const one = within(await card(name));
  for (const word of words) expect(one.getByText(word), word).toBeInTheDocument();
  for (const word of absent) expect(one.queryByText(word), word).toBeNull();
}

test('CAM-001, CAM-011 the page has its title, and each card the live picture of its camera', async () => {
  await openPage(unlike());
  expect(screen.getByRole('heading', { level: 1, name: 'Cameras' })).toBeVisible();
  const one = within(await card());
  expect(one.getByText(/^(?:Live|Opening the picture) · Recording$/)).toBeInTheDocument();
  expect(one.getByLabelText('Live view of Main entrance')).toBeInTheDocument();
  expect(within(await card('Parking')).queryByLabelText('Live view of Main entrance')).toBeNull();
});

test('CAM-012, CAM-013, CAM-014 a card says name, place, type, resolution, recognition and status of its camera', async () => {
  await openPage(unlike());
  const first = ['Main entrance', 'Lobby', 'RTSP', '1280×720', 'Enabled', 'Active'];
  const second = ['Parking', 'Yard', 'HTTP', '1920×1080', 'Disabled', 'Inactive'];
  await expectWords('Main entrance', first, [...second, 'Demo']);
  await expectWords('Parking', second, first);
});

test('CAM-015, CAM-016 a card says whether its camera is recorded, and whether faces are searched for', async () => {
  await openPage(unlike());
  const on = ['Recording', 'Face Detection On'];
  const off = ['Not Recording', 'Face Detection Off'];
  await expectWords('Main entrance', on, off);
  await expectWords('Parking', off, on);
});

test('~CAM-012, CAM-013, ~CAM-016 differences are shown: resolution, recognition, states, demo', async () => {
  await openPage([
    aCamera({
      resolution: '1920x1080',
      enable_face_recognition: false,
      is_demo: true,
      health: someHealth({ width: 640, height: 480 }),
    }),
  ]);
  const one = within(await card());
  for (const words of [
    '640×480 (configured: 1920×1080)',
    'Disabled',
    'Not Recording',
    'Face Detection Off',
    'Demo',
  ]) {
    expect(one.getByText(words)).toBeInTheDocument();
  }
});

test('CAM-016 no faces are searched for while the camera is offline; the card says why', async () => {
  const health = someHealth({ state: 'offline', cause: 'unreachable', width: null, height: null });
  await openPage([aCamera({ health })]);
  const one = within(await card());
  expect(one.getByText('Face Detection Off')).toBeInTheDocument();
  expect(one.getByText(/^Offline since .*: the camera can't be reached/)).toBeInTheDocument();
});

test('CAM-002, ~NSH-006 the table instead of cards is remembered by the account', async () => {
  vi.spyOn(window, 'matchMedia').mockImplementation(wide);
  const person = await openPage([aCamera()]);
  const kept = answer(accountRoutes.updatePreferences, refusal(500, 'internal', ''));
  await card();
  await person.click(screen.getByRole('radio', { name: 'List' }));
  expect(await screen.findByRole('table', { name: 'Cameras' })).toBeInTheDocument();
  await waitFor(() => expect(kept.map(({ body }) => body)).toEqual([{ cameras_view: 'list' }]));
  await person.click(screen.getByRole('radio', { name: 'Grid' }));
  expect(await card()).toBeInTheDocument();
  expect(screen.queryByRole('table')).not.toBeInTheDocument();
});

test('=CAM-017, CAM-018 the table has its columns, the address of the camera or No IP', async () => {
  vi.spyOn(window, 'matchMedia').mockImplementation(wide);
  await openPage([aCamera(), aCamera({ id: other, name: 'Parking', ip_address: '' })], {
    preferences: { cameras_view: 'list' },
  });
  const table = await screen.findByRole('table');
  const headers = within(table).getAllByRole('columnheader');
  expect(headers.map(({ textContent }) => textContent)).toEqual([
    'Selected cameras',
    'Camera',
    'Location',
    'Type',
    'Resolution',
    'Status',
    'Recording',
    'Face Detection',
    'Actions',
  ]);
  expect(within(table).getByText('192.168.1.20')).toBeInTheDocument();
  expect(within(table).getByText('No IP')).toBeInTheDocument();
  expect(within(table).getByText('Parking')).toBeInTheDocument();
  // The name stands beside each, so that they need no words of their own.
  await waitFor(() => expect(table.querySelectorAll('tbody tr img[src]')).toHaveLength(2));
  expect(within(table).getByText('Main entrance')).toBeInTheDocument();
});

test('CAM-002 phones get cards in either view', async () => {
  await openPage([aCamera()], { preferences: { cameras_view: 'list' } });
  expect(await card()).toBeInTheDocument();
  expect(screen.queryByRole('table')).not.toBeInTheDocument();
});

test('CAM-004, CAM-008 the search waits for a pause, stands in the address and is undone by Back and by clearing', async () => {
  const person = await openPage([aCamera()]);
  await card();
  const before = asked.length;
  const box = screen.getByRole('searchbox', { name: 'Search by name or location' });
  await person.type(box, 'lob');
  await waitFor(() => expect(location.search).toBe('?search=lob'));
  await waitFor(() => expect(asked.length).toBe(before + 1));
  expect(asked.at(-1)?.url.searchParams.get('search')).toBe('lob');
  serve();
  await person.type(box, 'by{Enter}');
  expect(await screen.findByText('No cameras found')).toBeInTheDocument();
  expect(location.search).toBe('?search=lobby');
  await person.click(screen.getByRole('button', { name: 'Clear filters' }));
  await waitFor(() => expect(location.search).toBe(''));
  expect(box).toHaveValue('');
});

test('CAM-005 the status filter stands in the address and is asked of the server', async () => {
  const person = await openPage([aCamera()], { path: '/cameras?search=hall&page=2' });
  const filter = screen.getByRole('combobox', { name: 'Filter by status' });
  expect(
    within(filter)
      .getAllByRole('option')
      .map(({ textContent }) => textContent),
  ).toEqual(['All statuses', 'Active', 'Inactive', 'Maintenance', 'Error']);
  await person.selectOptions(filter, 'maintenance');
  await waitFor(() => expect(location.search).toBe('?search=hall&status=maintenance'));
  await waitFor(() => expect(asked.at(-1)?.url.searchParams.get('status')).toBe('maintenance'));
  expect(asked.at(-1)?.url.searchParams.get('page')).toBeNull();
});

test('CAM-006 Refresh asks again', async () => {
  const person = await openPage([aCamera()]);
  await card();
  const before = asked.length;
  await person.click(screen.getByRole('button', { name: 'Refresh' }));
  await waitFor(() => expect(asked.length).toBe(before + 1));
});

test('CAM-008 no cameras at all reads differently from none that match', async () => {
  await openPage([]);
  expect(await screen.findByText('No cameras yet')).toBeInTheDocument();
  expect(screen.queryByText('No cameras found')).not.toBeInTheDocument();
  cleanup();
  const guard = aUser({ role: 'operator', is_staff: false, is_superuser: false });
  await openPage([], { user: guard });
  expect(await screen.findByText('No cameras are shared with you yet')).toBeInTheDocument();
  expect(screen.queryByText('No cameras yet')).toBeNull();
});

test.each([
  ['a superadministrator', aUser({ role: 'superadmin' }), true],
  ['an administrator', aUser({ role: 'admin' }), true],
  ['an operator', aUser({ role: 'operator', is_staff: false, is_superuser: false }), false],
  ['a user', aUser({ role: 'user', is_staff: false, is_superuser: false }), false],
  ['CFL-003 a staff account', aUser({ role: 'user', is_staff: true, is_superuser: false }), false],
])(
  'CAM-003, NSH-017 %s has a menu, with a way to change the camera or without',
  async (_title, user, may) => {
    const person = await openPage([aCamera()], { user });
    await card();
    expect(screen.queryByRole('button', { name: 'Add Camera' }) !== null).toBe(may);
    await person.click(screen.getByRole('button', { name: 'Actions for Main entrance' }));
    expect(await screen.findByRole('menuitem', { name: 'History' })).toBeInTheDocument();
    for (const entry of ['Edit', 'Deactivate', 'Start Recording', 'Masks and zones', 'Delete'])
      expect(screen.queryByRole('menuitem', { name: entry }) !== null, entry).toBe(may);
  },
);

test('CAM-009, CAM-010, ~CON-001 the list refreshes each 30 s, and not while a dialog is open', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  try {
    const person = await openPage([aCamera()]);
    await card();
    const before = asked.length;
    await act(() => vi.advanceTimersByTimeAsync(30_000));
    await waitFor(() => expect(asked.length).toBe(before + 1));
    await person.click(screen.getByRole('checkbox', { name: 'Select Main entrance' }));
    const ofSeveral = await screen.findByRole('button', { name: 'Actions' });
    for (const [button, entry] of [
      [screen.getByRole('button', { name: 'Add Camera' }), null],
      [ofSeveral, 'Delete'],
    ] as const) {
      await person.click(button);
      if (entry !== null) await person.click(await screen.findByRole('menuitem', { name: entry }));
      await screen.findByRole('dialog');
      const meanwhile = asked.length;
      await act(() => vi.advanceTimersByTimeAsync(40_000));
      expect(asked.length).toBe(meanwhile);
      await person.keyboard('{Escape}');
      await act(() => vi.advanceTimersByTimeAsync(30_000));
      await waitFor(() => expect(asked.length).toBeGreaterThan(meanwhile));
    }
  } finally {
    vi.useRealTimers();
  }
});

test('news of a camera change its card at once, without asking', async () => {
  await openPage([aCamera()]);
  const one = within(await card());
  expect(one.getByText(/^(?:Live|Opening the picture) · /)).toBeInTheDocument();
  const before = asked.length;
  const health = someHealth({ state: 'refused', cause: 'password_refused' });
  receive(newsOf(aCamera({ health })));
  expect(
    await one.findByText(/^Refused since .*: the camera refused the password/),
  ).toBeInTheDocument();
  expect(asked.length).toBe(before);
});

test('more cameras than fit are paged by the server', async () => {
  asked = answer(cameraRoutes.list, { count: 30, results: [aCamera()] });
  await renderApp({ path: '/cameras', user: aUser() });
  await userEvent.click(await screen.findByRole('button', { name: 'Page 2' }));
  await waitFor(() => expect(location.search).toBe('?page=2'));
  await waitFor(() => expect(asked.at(-1)?.url.searchParams.get('page')).toBe('2'));
  expect(asked.at(-1)?.url.searchParams.get('page_size')).toBe('24');
});

test('a page beyond the last one leads to the last one', async () => {
  await openPage([aCamera()], { path: '/cameras?page=7' });
  await waitFor(() => expect(location.search).toBe(''));
  expect(await card()).toBeInTheDocument();
});

test('CAM-007 while the list loads the page says so', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  answer(cameraRoutes.list, async () => {
    await promise;
    return { count: 1, results: [aCamera()] };
  });
  await renderApp({ path: '/cameras', user: aUser() });
  await waitFor(() => expect(document.querySelector('main [aria-busy=true]')).not.toBeNull());
  resolve();
  expect(await card()).toBeInTheDocument();
  expect(document.querySelector('main [aria-busy=true]')).toBeNull();
});

test('ERR-001 a failed load says so and offers another try', async () => {
  answer(cameraRoutes.list, refusal(500, 'internal', 'Something went wrong.'));
  await renderApp({ path: '/cameras', user: aUser() });
  expect(await screen.findByText('Failed to load cameras. Please try again.')).toBeInTheDocument();
  serve(aCamera());
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
  expect(await card()).toBeInTheDocument();
});

test('another user’s answers are not kept as one’s own', async () => {
  see({ id: other, name: 'Rena' });
  await openPage([aCamera()], { user: aUser({ id: other }) });
  await card();
  expect(localStorage.getItem('cameras')).toBeNull();
  see(null);
});

test('CAM-059, SES-025 the last list is shown with its time, without credentials, to its user only', async () => {
  const { unmount } = await (async () => {
    asked = serve(aCamera());
    return renderApp({ path: '/cameras', user: aUser() });
  })();
  await card();
  await waitFor(() => expect(localStorage.getItem('cameras')).not.toBeNull());
  const kept = localStorage.getItem('cameras') ?? '';
  expect(kept).not.toMatch(/rtsp:|viewer|192\.168/);
  expect(screen.getByRole('button', { name: /^Actions for/ })).toBeInTheDocument();
  unmount();

  answer(cameraRoutes.list, refusal(500, 'internal', 'Something went wrong.'));
  const second = await renderApp({ path: '/cameras', user: aUser() });
  expect(await card()).toBeInTheDocument();
  const alert = screen.getByRole('alert');
  expect(alert).toHaveTextContent('Failed to load cameras. Please try again.');
  expect(alert).toHaveTextContent(/As of \w+ \d+/);
  expect(within(alert).getByRole('button', { name: 'Retry' })).toBeInTheDocument();
  // A copy does not hold what a form would send back.
  expect(screen.queryByRole('button', { name: /^Actions for/ })).not.toBeInTheDocument();
  second.unmount();

  await renderApp({ path: '/cameras', user: aUser({ id: other }) });
  await screen.findByRole('button', { name: 'Retry' });
  expect(screen.queryByRole('article')).not.toBeInTheDocument();
  answer(accountRoutes.logout, undefined as never);
  await userEvent.click(screen.getByRole('button', { name: 'Logout' }));
  await waitFor(() => expect(localStorage.getItem('cameras')).toBeNull());
});
