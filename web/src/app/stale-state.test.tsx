/** Where the server can't be asked for a camera any more, each place says as of when its sentence is, and no colour is good. */
import { cameraGroupRoutes } from '@nazar/contract/access.ts';
import { cameraRoutes } from '@nazar/contract/cameras.ts';
import { playbackRoutes } from '@nazar/contract/playback.ts';
import { recordingRoutes } from '@nazar/contract/recordings.ts';
import { sightingRoutes } from '@nazar/contract/sightings.ts';
import { wallLayoutRoutes } from '@nazar/contract/wall-layouts.ts';
import { act, screen, waitFor } from '@testing-library/react';
import { HttpResponse } from 'msw';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { forgetMedia } from '#api/media.ts';
import { aUser } from '#testing/builders.ts';
import { cameraStates, nowMs } from '#testing/camera-states.ts';
import { fakeMedia } from '#testing/fake-media.ts';
import { FakeSocket } from '#testing/fake-socket.ts';
import { someStatistics } from '#testing/recordings.ts';
import { renderApp } from '#testing/render-app.tsx';
import { answer, refusal } from '#testing/server.ts';

const { camera, sentence } = cameraStates.find(({ of }) => of === 'unplugged')!;

const away = () => refusal(503, 'unavailable', 'It is away.');

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: nowMs });
  fakeMedia();
  forgetMedia();
  answer(cameraRoutes.list, { count: 1, results: [camera] });
  answer(cameraRoutes.read, camera);
  answer(cameraRoutes.snapshot, new HttpResponse('jpeg'));
  answer(cameraGroupRoutes.list, { results: [] });
  answer(wallLayoutRoutes.list, { results: [] });
  answer(sightingRoutes.detections, { results: [] });
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
  const line = (text: string): Element | null | undefined =>
    screen
      .queryAllByText(text)
      .map((found) => found.closest('[data-camera-state]'))
      .find((found) => found !== null);
  await waitFor(() => expect(line(sentence)).toHaveAttribute('data-camera-state', 'danger'));
  answer(cameraRoutes.list, away());
  answer(cameraRoutes.read, away());
  await waitFor(() => expect(FakeSocket.opened.some(isOfNews)).toBe(true));
  act(() => FakeSocket.opened.find(isOfNews)?.hear({ kind: 'changed', what: 'cameras' }));
  const stale = `Not known now. At 12:00: ${sentence}`;
  await waitFor(() => expect(line(stale)).toHaveAttribute('data-camera-state', 'neutral'));
  expect(line(sentence)).toBeUndefined();
});

const isOfNews = ({ url }: FakeSocket): boolean => url.includes('/news/');
