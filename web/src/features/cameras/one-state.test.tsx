/** Card, table and wall say the one sentence and the one colour that `camera-state/` makes of a camera. */
import { cameraGroupRoutes } from '@nazar/contract/access.ts';
import { cameraRoutes, type Camera } from '@nazar/contract/cameras.ts';
import type { LiveMessage } from '@nazar/contract/live.ts';
import { wallLayoutRoutes } from '@nazar/contract/wall-layouts.ts';
import { act, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse } from 'msw';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { forgetMedia } from '#api/media.ts';
import { translate } from '#lib/i18n.ts';
import { cameraState } from '#parts/camera-state/camera-state.ts';
import type { ViewFacts } from '#parts/camera-state/camera-facts.ts';
import { anId, aUser } from '#testing/builders.ts';
import { cameraStates, nowMs } from '#testing/camera-states.ts';
import { FakeMediaSource, fakeMedia } from '#testing/fake-media.ts';
import { FakeSocket } from '#testing/fake-socket.ts';
import { renderApp } from '#testing/render-app.tsx';
import { answer } from '#testing/server.ts';

/** Cameras that send nothing open no picture: what each place says is the same. */
const quiet = cameraStates.filter(
  ({ camera: { status, has_url: hasUrl, health }, view, knownAtMs }) =>
    knownAtMs === null &&
    view.kind === 'none' &&
    (status !== 'active' || !hasUrl || ['offline', 'refused', 'off'].includes(health.state)),
);
const states = quiet.map((state, index) => {
  const camera = { ...state.camera, id: anId(), name: `Camera ${index}` };
  return { ...state, camera };
});

const serve = (cameras: readonly Camera[]): void => {
  answer(cameraRoutes.list, { count: cameras.length, results: [...cameras] });
  answer(cameraRoutes.read, ({ params }) => cameras.find(({ id }) => id === params['id'])!);
};

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: nowMs });
  fakeMedia();
  forgetMedia();
  answer(cameraRoutes.snapshot, new HttpResponse('jpeg'));
  answer(cameraRoutes.liveTicket, { ticket: 't', expires_at: '2026-01-02T03:04:05.000Z' });
  answer(wallLayoutRoutes.list, { results: [] });
  answer(cameraGroupRoutes.list, { results: [] });
  serve(states.map(({ camera }) => camera));
});
afterEach(() => vi.useRealTimers());

const wide = (media: string): MediaQueryList =>
  Object.assign(new EventTarget(), { matches: media.includes('64rem'), media }) as MediaQueryList;

type Place = (name: string) => HTMLElement | Promise<HTMLElement>;

async function expectEach(place: Place, shown = states): Promise<void> {
  for (const { camera, sentence, tone } of shown) {
    const line = within(await place(camera.name)).getByText(sentence);
    expect(line.closest('[data-camera-state]'), camera.name).toHaveAttribute(
      'data-camera-state',
      tone,
    );
  }
}

test('each card says its state, and what is wanted of a camera has no colour', async () => {
  expect(states.length).toBeGreaterThanOrEqual(9);
  await renderApp({ path: '/cameras', user: aUser() });
  await expectEach((name) => screen.findByRole('article', { name }));
  for (const { camera } of states.filter((state) => state.camera.status === 'active')) {
    const card = within(screen.getByRole('article', { name: camera.name }));
    expect(card.getByText('Active')).toHaveClass('text-muted');
  }
});

test('each row of the table says its state', async () => {
  vi.spyOn(window, 'matchMedia').mockImplementation(wide);
  await renderApp({ path: '/cameras', user: aUser(), preferences: { cameras_view: 'list' } });
  const table = await screen.findByRole('table');
  await expectEach((name) => within(table).getByText(name).closest('tr')!);
});

test('each tile of the wall says its state', async () => {
  await renderApp({ path: '/cameras?view=wall&tiles=16', user: aUser() });
  const wall = await screen.findByRole('list', { name: 'Cameras on the wall' });
  const onWall = states.filter(({ camera }) => camera.status !== 'inactive');
  await expectEach((name) => within(wall).getByText(name).closest('li')!, onWall);
});

const stream: LiveMessage = {
  kind: 'stream',
  mime: 'video/mp4; codecs="avc1.4d401f"',
  width: 800,
  height: 400,
};

const watched = {
  ...states[0]!.camera,
  ...cameraStates.find(({ of }) => of === 'playing')!.camera,
};

test('a tile follows what its viewer gets, and says nothing else', async () => {
  serve([watched]);
  await renderApp({ path: '/cameras?view=wall', user: aUser() });
  const wall = await screen.findByRole('list', { name: 'Cameras on the wall' });
  const says = async (view: ViewFacts): Promise<void> => {
    const { sentence, tone } = cameraState(
      translate,
      { camera: watched, view, knownAtMs: null },
      Date.now(),
    );
    const line = await within(wall).findByText(sentence);
    expect(line.closest('[data-camera-state]')).toHaveAttribute('data-camera-state', tone);
    expect(wall.querySelectorAll('[data-camera-state]')).toHaveLength(1);
    const text = wall.textContent.replace(sentence, '').replace(watched.name, '');
    expect(text.replace(/\d+ sec old/, '')).toBe('');
  };
  await says({ kind: 'opening' });
  const sockets = (): FakeSocket[] => FakeSocket.opened.filter(({ url }) => url.includes('/live/'));
  await waitFor(() => expect(sockets()).toHaveLength(1));
  act(() => {
    sockets()[0]?.receive(stream);
    FakeMediaSource.made[0]?.open();
    wall.querySelector('video')?.dispatchEvent(new Event('playing'));
  });
  await says({ kind: 'playing' });
  act(() => sockets()[0]?.drop());
  const atMs = Date.now() + 5000;
  await says({ kind: 'reconnecting', why: 'lost', sentence: null, atMs });
});
