import { cameraGroupRoutes } from '@nazar/contract/access.ts';
import { cameraRoutes, type Camera } from '@nazar/contract/cameras.ts';
import type { News } from '@nazar/contract/live.ts';
import { hiddenName } from '@nazar/contract/names.ts';
import { wallLayoutRoutes, type WallLayout } from '@nazar/contract/wall-layouts.ts';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse } from 'msw';
import { beforeEach, expect, test, vi } from 'vitest';
import { forgetMedia } from '#api/media.ts';
import { aUser } from '#testing/builders.ts';
import { aCamera, someHealth } from '#testing/cameras.ts';
import { fakeMedia, showPicture } from '#testing/fake-media.ts';
import { FakeSocket } from '#testing/fake-socket.ts';
import { renderApp } from '#testing/render-app.tsx';
import { answer, refusal, type Seen } from '#testing/server.ts';

const idOf = (digit: number): string => `${digit}`.repeat(8) + '-0000-4000-8000-000000000000';
const gate = aCamera({ id: idOf(1), name: 'Gate' });
const hall = aCamera({ id: idOf(2), name: 'Hall' });
const yard = aCamera({ id: idOf(3), name: 'Yard' });
const group = { id: idOf(8), name: 'Outside', description: '', cameras: [gate.id, yard.id] };

const aLayout = (over: Partial<WallLayout> = {}): WallLayout => ({
  id: idOf(9),
  name: 'Night',
  tiles_per_page: 9,
  tour_seconds: null,
  is_shared: false,
  may_change: true,
  tiles: [hall, gate].map(({ id }) => ({ camera_id: id, is_pinned: false })),
  revision: 3,
  updated_at: '2026-01-02T03:04:05.000Z',
  ...over,
});

beforeEach(() => {
  fakeMedia();
  forgetMedia();
  answer(cameraRoutes.snapshot, new HttpResponse('jpeg'));
  answer(cameraRoutes.liveTicket, { ticket: 't', expires_at: '2026-01-02T03:04:05.000Z' });
});

interface Scene {
  cameras?: readonly Camera[];
  layouts?: readonly WallLayout[];
  role?: 'user' | 'admin';
}

async function openWall(query = '', { cameras = [gate, hall, yard], ...scene }: Scene = {}) {
  answer(cameraRoutes.list, { count: cameras.length, results: [...cameras] });
  answer(wallLayoutRoutes.list, { results: [...(scene.layouts ?? [])] });
  answer(cameraGroupRoutes.list, { results: [group] });
  const path = `/cameras?view=wall${query}`;
  await renderApp({ path, user: aUser({ role: scene.role ?? 'user' }) });
  return userEvent.setup();
}

const wall = (): Promise<HTMLElement> => screen.findByRole('list', { name: 'Cameras on the wall' });

async function order(): Promise<string[]> {
  const known = new Map([gate, hall, yard].map(({ id, name }) => [id, name]));
  const all = [...(await wall()).querySelectorAll<HTMLElement>('[data-tile]')];
  return all.map((tile) => known.get(tile.dataset['tile'] ?? '') ?? '?');
}

function receive(news: News): void {
  const socket = FakeSocket.opened.find(({ url }) => url.includes('/news/'));
  act(() => socket?.receive(news));
}

const seenAt = (cameraId: string, name: string, recognized = true): News => ({
  kind: 'visits',
  seen: [
    {
      id: idOf(7),
      image: null,
      picture_hidden: false,
      face_name: name,
      camera_name: '',
      camera_id: cameraId,
      timestamp: new Date().toISOString(),
      confidence: 0.9,
      is_recognized: recognized,
    },
  ],
  gone: [],
});

test('all cameras that are not inactive stand on the wall, with name and state, from the smaller stream', async () => {
  const off = { ...hall, status: 'inactive' } as const;
  const down = { ...yard, health: someHealth({ state: 'offline', cause: 'unreachable' }) };
  await openWall('', { cameras: [gate, off, down] });
  expect(await order()).toEqual(['Gate', 'Yard']);
  const one = within(await wall()).getByRole('link', { name: 'Open Gate' });
  expect(one).toHaveAccessibleDescription(/^(?:Live|Opening the picture) · /);
  expect(screen.getByRole('link', { name: 'Open Yard' })).toHaveAccessibleDescription(
    /^Offline since .*: the camera can't be reached/,
  );
  const live = (): FakeSocket[] => FakeSocket.opened.filter(({ url }) => url.includes('/live/'));
  await waitFor(() => expect(live()).toHaveLength(1));
  expect(live()[0]?.url).toContain('stream=sub');
});

test('a layout, the words and a group narrow it; all stand in the address', async () => {
  const person = await openWall('', { layouts: [aLayout()] });
  await wall();
  await person.selectOptions(screen.getByLabelText('Layout'), 'Night');
  expect(await order()).toEqual(['Hall', 'Gate']);
  expect(location.search).toContain(`layout=${idOf(9)}`);
  await person.selectOptions(screen.getByLabelText('Filter by group'), 'Outside');
  expect(await order()).toEqual(['Gate']);
  expect(location.search).toContain(`group=${group.id}`);
});

test('a person seen is named on the tile for a while: as far as the reader may know', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  await openWall();
  const [first] = (await wall()).querySelectorAll<HTMLElement>('[data-tile]');
  receive(seenAt(gate.id, 'Leyla Hasanova'));
  expect(within(first!).getByText('Leyla Hasanova')).toBeInTheDocument();
  receive(seenAt(gate.id, hiddenName));
  expect(within(first!).getByText('Known person')).toBeInTheDocument();
  receive(seenAt(gate.id, 'Unknown', false));
  expect(within(first!).getByText('Unknown')).toBeInTheDocument();
  expect(within(first!).getByTestId('seen-edge')).toHaveClass('motion-safe:animate-pulse');
  act(() => void vi.advanceTimersByTime(9000));
  expect(screen.queryByTestId('seen-edge')).not.toBeInTheDocument();
  vi.useRealTimers();
});

test('pages turn by themselves, pinned tiles stay, and the tour can be paused', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const tiles = [gate, hall, yard].map(({ id }) => ({ camera_id: id, is_pinned: id === gate.id }));
  const layout = aLayout({ tiles, tiles_per_page: 2, tour_seconds: 10 });
  await openWall(`&layout=${layout.id}`, { layouts: [layout] });
  expect(await order()).toEqual(['Gate', 'Hall']);
  await act(() => vi.advanceTimersByTimeAsync(10_100));
  await waitFor(async () => expect(await order()).toEqual(['Gate', 'Yard']));
  expect(location.search).toContain('page=2');
  act(() => screen.getByRole('button', { name: 'Pause page change' }).click());
  await act(() => vi.advanceTimersByTimeAsync(25_000));
  expect(await order()).toEqual(['Gate', 'Yard']);
  vi.useRealTimers();
});

test('a new layout is named, ordered by keys and saved; what is said follows', async () => {
  const person = await openWall('', { role: 'admin' });
  await wall();
  const asked: Seen[] = answer(wallLayoutRoutes.add, aLayout());
  await person.click(screen.getByRole('button', { name: 'New layout' }));
  const save = screen.getByRole('button', { name: 'Save layout' });
  expect(save).toBeDisabled();
  await person.type(screen.getByRole('textbox', { name: 'Layout name' }), 'Night');
  screen.getByRole('button', { name: 'Move Gate, position 1 of 3' }).focus();
  await person.keyboard('{Enter}{ArrowRight}');
  expect(screen.getByText('Gate moved to position 2 of 3.')).toBeInTheDocument();
  expect(screen.getByRole('button', { name: 'Move Gate, position 2 of 3' })).toHaveFocus();
  await person.keyboard('{Enter}');
  await person.click(screen.getByRole('button', { name: 'Remove Yard from the layout' }));
  await person.click(screen.getByRole('button', { name: 'Keep Hall on every page' }));
  await person.click(screen.getByRole('checkbox', { name: 'Share with everyone' }));
  await person.click(save);
  await waitFor(() => expect(asked).toHaveLength(1));
  expect(asked[0]?.body).toEqual({
    name: 'Night',
    tiles_per_page: 9,
    tour_seconds: null,
    is_shared: true,
    tiles: [
      { camera_id: hall.id, is_pinned: true },
      { camera_id: gate.id, is_pinned: false },
    ],
  });
});

test('cameras are chosen by name; only administrators of cameras share', async () => {
  const layout = aLayout();
  const person = await openWall(`&layout=${layout.id}`, { layouts: [layout] });
  await wall();
  await person.click(screen.getByRole('button', { name: 'Edit layout' }));
  expect(screen.queryByRole('checkbox', { name: 'Share with everyone' })).not.toBeInTheDocument();
  await person.click(screen.getByRole('button', { name: 'Choose cameras' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Choose cameras' }));
  await person.type(dialog.getByRole('searchbox'), 'yar');
  expect(dialog.getAllByRole('checkbox')).toHaveLength(1);
  await person.click(dialog.getByRole('checkbox', { name: /Yard/ }));
  await person.click(dialog.getByRole('button', { name: 'Done' }));
  expect(await order()).toEqual(['Hall', 'Gate', 'Yard']);
});

test('the second user who saves sees the conflict, keeps their work, and may save it as a layout of their own', async () => {
  const layout = aLayout();
  const person = await openWall(`&layout=${layout.id}`, { layouts: [layout] });
  await wall();
  const late = answer(wallLayoutRoutes.replace, refusal(409, 'layout_changed', 'It changed.'));
  const added = answer(wallLayoutRoutes.add, aLayout({ id: idOf(6) }));
  await person.click(screen.getByRole('button', { name: 'Edit layout' }));
  await person.click(screen.getByRole('button', { name: 'Remove Gate from the layout' }));
  await person.click(screen.getByRole('button', { name: 'Save layout' }));
  expect(await screen.findByText('It changed.')).toBeInTheDocument();
  expect(late[0]?.body).toMatchObject({ revision: 3 });
  expect(await order()).toEqual(['Hall']);
  await person.click(screen.getByRole('button', { name: 'Save mine as a new layout' }));
  await waitFor(() => expect(added).toHaveLength(1));
  expect(added[0]?.body).toMatchObject({ tiles: [{ camera_id: hall.id, is_pinned: false }] });
});

test('a layout that was changed is not left without a question', async () => {
  const layout = aLayout();
  const person = await openWall(`&layout=${layout.id}`, { layouts: [layout] });
  await wall();
  const leave = (): Promise<void> => person.click(screen.getByRole('link', { name: 'Cameras' }));
  await person.click(screen.getByRole('button', { name: 'Edit layout' }));
  await person.click(screen.getByRole('button', { name: 'Remove Gate from the layout' }));
  await leave();
  const question = within(await screen.findByRole('alertdialog', { name: 'Discard changes?' }));
  await person.click(question.getByRole('button', { name: 'Cancel' }));
  expect(await order()).toEqual(['Hall']);
  await leave();
  await person.click(await screen.findByRole('button', { name: 'Discard changes' }));
  expect(await screen.findByRole('heading', { level: 1, name: 'Cameras' })).toBeInTheDocument();
});

test('a shared layout of others offers no change; what is empty or gone says why', async () => {
  const shared = aLayout({ is_shared: true, may_change: false, tiles: [] });
  const person = await openWall(`&layout=${shared.id}`, { layouts: [shared] });
  expect(await screen.findByText('No cameras to show')).toBeVisible();
  expect(screen.getByRole('option', { name: 'Night (shared)' })).toBeInTheDocument();
  expect(screen.queryByRole('button', { name: 'Edit layout' })).not.toBeInTheDocument();
  await person.click(screen.getByRole('button', { name: 'Show all cameras' }));
  expect(await order()).toEqual(['Gate', 'Hall', 'Yard']);
});

test('a layout that is not there, filters that hide all, no camera at all: each with its words', async () => {
  const person = await openWall(`&layout=${idOf(5)}`);
  expect(await screen.findByText('Layout not found')).toBeVisible();
  await person.click(screen.getByRole('button', { name: 'Show all cameras' }));
  await person.selectOptions(await screen.findByLabelText('Filter by group'), 'Outside');
  expect(await order()).toEqual(['Gate', 'Yard']);
});

test('a list that cannot be loaded says so and may be asked again', async () => {
  answer(wallLayoutRoutes.list, { results: [] });
  answer(cameraGroupRoutes.list, { results: [] });
  answer(cameraRoutes.list, refusal(403, 'forbidden', 'No.'));
  await renderApp({ path: '/cameras?view=wall', user: aUser() });
  expect(await screen.findByText("You don't have access")).toBeVisible();
});

test('a kiosk has no chrome, says where the screen may go dark, and Escape leaves it', async () => {
  const person = await openWall('&kiosk=1');
  const kiosk = await screen.findByRole('dialog', { name: 'Wall' });
  expect(await order()).toEqual(['Gate', 'Hall', 'Yard']);
  expect(screen.queryByRole('navigation')).not.toBeInTheDocument();
  expect(await within(kiosk).findByText(/can't keep the screen on/)).toBeInTheDocument();
  await person.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  expect(location.search).toBe('?view=wall');
});

test('a kiosk keeps the screen on as long as it stands', async () => {
  const release = vi.fn(() => Promise.resolve());
  const request = vi.fn(() => Promise.resolve({ release }));
  vi.stubGlobal('navigator', Object.assign(navigator, { wakeLock: { request } }));
  const person = await openWall('&kiosk=1');
  await wall();
  await waitFor(() => expect(request).toHaveBeenCalledWith('screen'));
  expect(screen.queryByText(/can't keep the screen on/)).not.toBeInTheDocument();
  await person.keyboard('{Escape}');
  await waitFor(() => expect(release).toHaveBeenCalled());
  Reflect.deleteProperty(navigator, 'wakeLock');
});

test('the sound of one tile plays, and of no other', async () => {
  const withSound = (camera: Camera): Camera => ({
    ...camera,
    health: someHealth({ sound: 'aac' }),
  });
  const person = await openWall('', { cameras: [withSound(gate), withSound(hall)] });
  await wall();
  const sounds = (): FakeSocket[] =>
    FakeSocket.opened.filter(({ url, closed }) => url.includes('stream=sound') && !closed);
  await person.click(screen.getByRole('button', { name: 'Sound of Gate' }));
  await waitFor(() => expect(sounds()).toHaveLength(1));
  await person.click(screen.getByRole('button', { name: 'Sound of Hall' }));
  await waitFor(() => expect(sounds()).toHaveLength(1));
  expect(sounds()[0]?.url).toContain(hall.id);
});

const liveSockets = (): FakeSocket[] =>
  FakeSocket.opened.filter(({ url, closed }) => url.includes('/live/') && !closed);

/** So many seconds in which each camera sends ten pictures, of which the browser shows some. */
async function watchFor(seconds: number, shows: (picture: number) => boolean): Promise<void> {
  for (let second = 0; second < seconds; second += 1) {
    act(() => {
      for (let picture = 0; picture < 10; picture += 1) {
        for (const socket of liveSockets()) {
          socket.dispatchEvent(new MessageEvent('message', { data: new ArrayBuffer(8) }));
        }
        if (shows(picture)) showPicture(Date.now() + picture);
      }
      for (const video of document.querySelectorAll('video'))
        video.dispatchEvent(new Event('timeupdate'));
    });
    await act(() => vi.advanceTimersByTimeAsync(1000));
  }
}

test('a device that shows too few of the pictures that come shows less of every camera, and says so', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const stills = answer(cameraRoutes.snapshot, new HttpResponse('jpeg'));
  await openWall();
  await waitFor(() => expect(liveSockets()).toHaveLength(3));
  act(() => {
    for (const socket of liveSockets())
      socket.receive({
        kind: 'stream',
        mime: 'video/mp4; codecs="avc1.4d401f"',
        width: 8,
        height: 4,
      });
    for (const video of document.querySelectorAll('video'))
      video.dispatchEvent(new Event('playing'));
  });
  const said = (words: RegExp): HTMLElement | null => screen.queryByText(words);
  await watchFor(20, () => true);
  expect(said(/^This device can't show all cameras/)).toBeNull();
  await watchFor(16, (picture) => picture < 3);
  expect(said(/smoothly.*every camera shows key frames only/)).toBeInTheDocument();
  const states = async (): Promise<string[]> =>
    within(await wall())
      .getAllByRole('link', { name: /^Open / })
      .map(
        (link) =>
          document.getElementById(link.getAttribute('aria-describedby') ?? '')?.textContent ?? '',
      );
  for (const state of await states()) expect(state).toMatch(/^Key frames only: this device can't/);
  await watchFor(40, (picture) => picture < 3);
  expect(said(/still pictures, updated by turns/)).toBeInTheDocument();
  expect(liveSockets()).toHaveLength(0);
  stills.length = 0;
  await watchFor(9, () => false);
  const asked = stills.map(({ url }) => new URL(url).pathname);
  for (const { id } of [gate, hall, yard]) {
    expect(asked.filter((path) => path.includes(id)).length).toBeGreaterThanOrEqual(2);
  }
  for (const state of await states()) expect(state).toMatch(/^Still picture/);
  // Tried again, and this time the device keeps up.
  await watchFor(70, () => true);
  expect(said(/still pictures, updated by turns/)).toBeNull();
  vi.useRealTimers();
});
