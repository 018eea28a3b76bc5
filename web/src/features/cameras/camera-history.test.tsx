import { cameraHistoryRoutes, type HistoryEntry } from '@nazar/contract/camera-history.ts';
import { cameraRoutes } from '@nazar/contract/cameras.ts';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse } from 'msw';
import { beforeEach, expect, test } from 'vitest';
import { aUser, anId } from '#testing/builders.ts';
import { aCamera } from '#testing/cameras.ts';
import { fakeMedia } from '#testing/fake-media.ts';
import { renderApp } from '#testing/render-app.tsx';
import { answer, refusal } from '#testing/server.ts';

const entry = (over: Partial<HistoryEntry>): HistoryEntry => ({
  id: anId(),
  part: 'main',
  state: 'live',
  cause: 'none',
  blame: null,
  started_at: '2026-01-02T03:04:05.000Z',
  ended_at: '2026-01-02T03:05:05.000Z',
  ...over,
});

beforeEach(() => {
  fakeMedia();
  answer(cameraRoutes.snapshot, new HttpResponse('jpeg'));
  answer(cameraRoutes.liveTicket, { ticket: 't', expires_at: '2026-01-02T03:04:05.000Z' });
  answer(cameraRoutes.list, { count: 1, results: [aCamera()] });
});

async function openHistory() {
  await renderApp({ path: '/cameras', user: aUser() });
  const person = userEvent.setup();
  await person.click(await screen.findByRole('button', { name: 'Actions for Main entrance' }));
  await person.click(await screen.findByRole('menuitem', { name: 'History' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'History of Main entrance' }));
  return { dialog, person };
}

test('each state is shown with its part, its cause and what to blame', async () => {
  const asked = answer(cameraHistoryRoutes.list, {
    count: 41,
    results: [
      entry({ state: 'refused', cause: 'password_refused', blame: 'password', ended_at: null }),
      entry({ part: 'sub' }),
      entry({ part: 'recording', state: 'offline', cause: 'disk', blame: 'disk' }),
      entry({ part: 'recording' }),
    ],
  });
  const { dialog, person } = await openHistory();
  const rows = await dialog.findAllByRole('listitem');
  const texts = rows.map(({ textContent }) => textContent);
  expect(texts[0]).toMatch(
    /^Refused: the camera refused the passwordMain stream · Since .+Password$/,
  );
  expect(texts[1]).toMatch(/^LiveSubstream · .+ – /);
  expect(texts[2]).toMatch(/^Can't write to the diskRecording · .+Disk$/);
  expect(texts[3]).toMatch(/^Writing againRecording · /);
  expect(asked[0]?.params).toEqual({ id: aCamera().id });
  await person.click(dialog.getByRole('button', { name: 'Next page' }));
  expect(asked.at(-1)?.url.searchParams.get('page')).toBe('2');
});

test('a camera of which nothing is known says so', async () => {
  answer(cameraHistoryRoutes.list, { count: 0, results: [] });
  const { dialog } = await openHistory();
  expect(await dialog.findByText('No events yet')).toBeInTheDocument();
});

test('a history that cannot be loaded says so and may be asked again', async () => {
  answer(cameraHistoryRoutes.list, refusal(500, 'internal', 'Something went wrong.'));
  const { dialog, person } = await openHistory();
  expect(await dialog.findByText("The history couldn't be loaded")).toBeInTheDocument();
  answer(cameraHistoryRoutes.list, { count: 1, results: [entry({})] });
  await person.click(dialog.getByRole('button', { name: 'Retry' }));
  expect(await dialog.findByRole('listitem')).toBeInTheDocument();
});

test('a viewer of a camera may read its history there', async () => {
  const camera = aCamera();
  answer(cameraRoutes.read, camera);
  answer(cameraHistoryRoutes.list, { count: 1, results: [entry({})] });
  await renderApp({
    path: `/cameras/${camera.id}`,
    user: aUser({ role: 'user', is_staff: false }),
  });
  const person = userEvent.setup();
  await person.click(await screen.findByRole('button', { name: 'History' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'History of Main entrance' }));
  expect(await dialog.findByRole('listitem')).toBeInTheDocument();
});
