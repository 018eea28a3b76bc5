/** What screens say follows the news at once, and that there are none is said at once. */
import { analyticsRoutes } from '@nazar/contract/analytics.ts';
import { cameraRoutes } from '@nazar/contract/cameras.ts';
import { systemRoutes } from '@nazar/contract/system.ts';
import { act, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse } from 'msw';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { aSummary, aUser } from '#testing/builders.ts';
import { aCamera, newsOf, someHealth } from '#testing/cameras.ts';
import { FakeSocket } from '#testing/fake-socket.ts';
import { renderApp } from '#testing/render-app.tsx';
import { answer } from '#testing/server.ts';

const recorded = aCamera({
  may_play: true,
  is_recording: true,
  recording_reason: 'continuous',
  recording_state: 'recording',
});
const gone = {
  ...recorded,
  health: someHealth({ state: 'offline', cause: 'unreachable' }),
  is_recording: false,
  recording_state: 'interrupted',
  recording_cause: 'camera',
} as const;

const newsSocket = (): Promise<FakeSocket> =>
  waitFor(() => {
    const found = FakeSocket.opened.findLast(({ url }) => url.includes('/news/'));
    expect(found).toBeDefined();
    return found!;
  });

beforeEach(() => {
  answer(cameraRoutes.list, { count: 1, results: [recorded] });
});
afterEach(() => vi.useRealTimers());

test('DASH-011, CAM-015 a camera that goes is gone at once, with its recording', async () => {
  await renderApp({ path: '/', user: aUser() });
  const socket = await newsSocket();
  await screen.findByText('Live · Recording continuously');
  act(() => socket.receive(newsOf(gone)));
  expect(
    await screen.findByText(/^Offline.*the camera can't be reached · Nothing is recorded$/),
  ).toBeVisible();
});

test('DASH-004 how many cameras send is counted anew when one goes, and once for many', async () => {
  await renderApp({ path: '/', user: aUser() });
  const socket = await newsSocket();
  const card = (await screen.findByText('Active cameras')).closest<HTMLElement>('.card')!;
  const counts = { total: 2, active: 2, inactive: 0, maintenance: 0, error: 0, live: 1 };
  const asked = answer(analyticsRoutes.summary, aSummary({ camera_stats: counts }));
  act(() => {
    socket.receive(newsOf(gone));
    socket.receive(newsOf(recorded));
  });
  expect(await within(card).findByText(/Sending video now: 1/)).toBeVisible();
  expect(asked).toHaveLength(1);
});

test('a lost server is reported at once, with the age of what is shown', async () => {
  await renderApp({ path: '/', user: aUser() });
  const socket = await newsSocket();
  act(() => socket.accept());
  await screen.findByText('Live · Recording continuously');
  const answeredMs = new Date(2026, 0, 15, 14, 3, 5).getTime();
  vi.useFakeTimers({ toFake: ['Date'], now: answeredMs });
  answer(systemRoutes.alive, HttpResponse.error());
  act(() => socket.drop());
  vi.setSystemTime(answeredMs + 9_000);
  expect(
    await screen.findByText('Connection lost. Showing data from 14:03:05.', undefined, {
      timeout: 5_000,
    }),
  ).toBeVisible();
  vi.useRealTimers();
  // What is shown is of then until it was asked for again.
  const { promise: late, resolve: come } = Promise.withResolvers<Response>();
  answer(systemRoutes.alive, undefined as never);
  const asked = answer(cameraRoutes.list, () => late);
  await waitFor(() => expect(asked).not.toHaveLength(0), { timeout: 5_000 });
  expect(screen.getByText(/^Connection lost/)).toBeVisible();
  come(HttpResponse.json({ count: 1, results: [gone] }));
  await screen.findByText(/^Offline/);
  await waitFor(() => expect(screen.queryByText(/^Connection lost/)).toBeNull());
});
