/** Where the server can't be asked for a camera any more, each place says as of when its sentence is, and no colour is good. */
import { cameraGroupRoutes } from '@nazar/contract/access.ts';
import { cameraRoutes, type Camera } from '@nazar/contract/cameras.ts';
import { playbackRoutes } from '@nazar/contract/playback.ts';
import { recordingRoutes } from '@nazar/contract/recordings.ts';
import { visitRoutes } from '@nazar/contract/visits.ts';
import { wallLayoutRoutes } from '@nazar/contract/wall-layouts.ts';
import { act, screen, waitFor } from '@testing-library/react';
import { HttpResponse } from 'msw';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { forgetMedia } from '#api/media.ts';
import { aUser } from '#testing/builders.ts';
import { cameraStates, nowMs } from '#testing/camera-states.ts';
import { fakeMedia } from '#testing/fake-media.ts';
import { someHealth } from '#testing/cameras.ts';
import { FakeSocket } from '#testing/fake-socket.ts';
import { someStatistics } from '#testing/recordings.ts';
import { renderApp } from '#testing/render-app.tsx';
import { answer, refusal } from '#testing/server.ts';

const { camera, sentence } = cameraStates.find(({ of }) => of === 'unplugged')!;

const away = () => refusal(503, 'unavailable', 'It is away.');

/** The address of a camera matches that of groups and layouts: theirs come last. */
function serve(of: Camera): void {
  answer(cameraRoutes.read, of);
  answer(cameraRoutes.list, { count: 1, results: [of] });
  answer(cameraGroupRoutes.list, { results: [] });
  answer(wallLayoutRoutes.list, { results: [] });
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: nowMs });
  fakeMedia();
  forgetMedia();
  serve(camera);
  answer(cameraRoutes.snapshot, new HttpResponse('jpeg'));
  answer(visitRoutes.detections, { results: [] });
  answer(recordingRoutes.list, { count: 0, results: [] });
  answer(recordingRoutes.newest, { newest: null });
  answer(recordingRoutes.statistics, someStatistics());
  answer(recordingRoutes.days, { results: [] });
  answer(playbackRoutes.stills, { results: [] });
});
afterEach(() => vi.useRealTimers());

const wide = (media: string): MediaQueryList =>
  Object.assign(new EventTarget(), { matches: media.includes('64rem'), media }) as MediaQueryList;

const places: readonly [place: string, path: string, preferences?: { cameras_view: 'list' }][] = [
  ['card', '/cameras'],
  ['table', '/cameras', { cameras_view: 'list' }],
  ['tile of the wall', '/cameras?view=wall'],
  ['live view', `/cameras/${camera.id}`],
  ['recordings', `/recordings/${camera.id}`],
  ['Dashboard', '/'],
];

test.each(places)('the %s says as of when it is', async (_, path, preferences) => {
  vi.spyOn(window, 'matchMedia').mockImplementation(wide);
  await renderApp({ path, user: aUser(), ...(preferences && { preferences }) });
  await waitFor(() => expect(line(sentence)).toHaveAttribute('data-camera-state', 'danger'));
  await goAway();
  const stale = `Not known now. At 12:00: ${sentence}`;
  await waitFor(() => expect(line(stale)).toHaveAttribute('data-camera-state', 'neutral'));
  expect(line(sentence)).toBeUndefined();
});

const watching = places.filter(([place]) => ['tile of the wall', 'live view'].includes(place));

test.each(watching)(
  'the %s gives no news of its stream the time of what was asked',
  async (_, path) => {
    const { camera: live, sentence: recorded } = cameraStates.find(({ of }) => of === 'playing')!;
    serve(live);
    answer(cameraRoutes.liveTicket, { ticket: 't', expires_at: '2026-01-02T03:04:05.000Z' });
    vi.spyOn(window, 'matchMedia').mockImplementation(wide);
    await renderApp({ path, user: aUser() });
    const streams = (): FakeSocket[] =>
      FakeSocket.opened.filter(({ url }) => url.includes('/live/'));
    await waitFor(() => expect(streams()).toHaveLength(1));
    await goAway();
    const stale = `Not known now. At 12:00: ${recorded}`;
    await waitFor(() => expect(line(stale)).toBeDefined());
    const health = someHealth({ state: 'connecting', cause: 'starting' });
    act(() => streams()[0]?.receive({ kind: 'health', health }));
    expect(line(stale)).toBeDefined();
    serve(live);
    hearOfCameras();
    await waitFor(() => expect(line(/^Connecting/)).toBeDefined());
  },
);

function line(text: string | RegExp): Element | undefined {
  const lines = screen.queryAllByText(text).map((found) => found.closest('[data-camera-state]'));
  return lines.find((found) => found !== null) ?? undefined;
}

const isOfNews = ({ url }: FakeSocket): boolean => url.includes('/news/');

const hearOfCameras = (): void =>
  act(() => FakeSocket.opened.find(isOfNews)?.receive({ kind: 'changed', what: 'cameras' }));

async function goAway(): Promise<void> {
  answer(cameraRoutes.list, away());
  answer(cameraRoutes.read, away());
  await waitFor(() => expect(FakeSocket.opened.some(isOfNews)).toBe(true));
  hearOfCameras();
}
