import { cameraRoutes, type Camera } from '@nazar/contract/cameras.ts';
import { faceDetectorRoutes } from '@nazar/contract/face-detector.ts';
import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse } from 'msw';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { see } from '#api/see-as.ts';
import { aUser } from '#testing/builders.ts';
import { aCamera, someHealth } from '#testing/cameras.ts';
import { aJpegPart, streamAnswer, type FakeStream } from '#testing/fake-detection.ts';
import { fakeMedia } from '#testing/fake-media.ts';
import { renderApp, type Scene } from '#testing/render-app.tsx';
import { answer } from '#testing/server.ts';

const byHand = (over: Partial<Camera> = {}): Camera =>
  aCamera({ enable_face_recognition: false, may_detect: true, ...over });

beforeEach(() => {
  fakeMedia();
  answer(cameraRoutes.snapshot, new HttpResponse('jpeg'));
  answer(cameraRoutes.liveTicket, { ticket: 't', expires_at: '2026-01-02T03:04:05.000Z' });
  answer(faceDetectorRoutes.recognition, { success: true, faces: [] });
});

afterEach(() => vi.restoreAllMocks());

async function openMenu(camera: Camera, scene: Partial<Scene> = {}) {
  answer(cameraRoutes.list, { count: 1, results: [camera] });
  answer(cameraRoutes.read, camera);
  await renderApp({ path: '/cameras', user: aUser(), ...scene });
  const person = userEvent.setup();
  await reopen(person);
  return person;
}

const reopen = async (person: ReturnType<typeof userEvent.setup>): Promise<void> =>
  person.click(await screen.findByRole('button', { name: 'Actions for Main entrance' }));
const entries = async (): Promise<(string | null)[]> =>
  (await screen.findAllByRole('menuitem')).map(({ textContent }) => textContent);
const detection = async (): Promise<(string | null)[]> =>
  (await entries()).filter((entry) => entry?.includes('Face Detection'));

function serveStreams(): FakeStream[] {
  const streams: FakeStream[] = [];
  answer(faceDetectorRoutes.stream, () => {
    const stream = streamAnswer();
    streams.push(stream);
    return stream.response;
  });
  return streams;
}

test('=CAM-019, CAM-020, LIVE-016 the menu starts and stops it, after recording and before the test', async () => {
  const streams = serveStreams();
  answer(faceDetectorRoutes.stop, { success: true, stopped: 1 });
  const person = await openMenu(byHand());
  const all = await entries();
  const from = all.indexOf('Start Recording');
  expect(all.slice(from, from + 3)).toEqual([
    'Start Recording',
    'Start Face Detection',
    'Test Connection',
  ]);
  await person.click(screen.getByRole('menuitem', { name: 'Start Face Detection' }));
  await waitFor(() => expect(streams).toHaveLength(1));
  act(() => streams[0]?.send(aJpegPart('picture')));
  expect(await screen.findByRole('img', { name: /^Face detection on/ })).toBeInTheDocument();
  await reopen(person);
  await person.click(await screen.findByRole('menuitem', { name: 'Stop Face Detection' }));
  await waitFor(() => expect(screen.queryByRole('img', { name: /^Face detection/ })).toBeNull());
  expect(screen.getByLabelText('Live view of Main entrance')).toBeInTheDocument();
});

test('ROL-009 a user who may not detect, or sees as another, has no entry for it', async () => {
  await openMenu(byHand({ may_detect: false }));
  expect(await detection()).toEqual([]);
  document.body.innerHTML = '';
  see({ id: aUser().id, name: 'Ayla' });
  await openMenu(byHand());
  expect(await detection()).toEqual([]);
  see(null);
});

test('CAM-020 detection that others have started can be stopped from the menu', async () => {
  answer(faceDetectorRoutes.status, {
    results: [{ camera_id: byHand().id, viewers: 1, started_at: '2026-01-02T03:04:05.000Z' }],
  });
  answer(faceDetectorRoutes.stop, { success: true, stopped: 1 });
  const person = await openMenu(byHand());
  await person.click(await screen.findByRole('menuitem', { name: 'Stop Face Detection' }));
  expect(
    await screen.findByText(
      'Main entrance: Face detection stopped. 1 other viewer was watching it.',
    ),
  ).toBeInTheDocument();
});

test('CAM-016, CAM-020 the badge and the entry agree on a camera that detects by itself', async () => {
  const byItself = { enable_face_recognition: true };
  await openMenu(byHand({ ...byItself, health: someHealth({ state: 'offline' }) }));
  expect(screen.getByText('Face Detection Off')).toBeInTheDocument();
  expect(await detection()).toEqual(['Start Face Detection']);
  document.body.innerHTML = '';
  await openMenu(byHand(byItself));
  expect(screen.getByText('Face Detection On')).toBeInTheDocument();
  expect(await detection()).toEqual(['Stop Face Detection']);
});

test('~LIVE-015, ERR-009 a camera that is not active says so in a notice with its name', async () => {
  const person = await openMenu(byHand({ status: 'inactive' }));
  await person.click(await screen.findByRole('menuitem', { name: 'Start Face Detection' }));
  expect(await screen.findByRole('alert')).toHaveTextContent(
    "Main entrance: The camera isn't active. Please activate it.",
  );
});

test('a table has no picture that is large enough: it starts in the Live View', async () => {
  const streams = serveStreams();
  vi.spyOn(window, 'matchMedia').mockImplementation((media) =>
    Object.assign(new EventTarget(), { matches: media.includes('64rem'), media } as MediaQueryList),
  );
  const person = await openMenu(byHand(), { preferences: { cameras_view: 'list' } });
  expect(screen.getByRole('table')).toBeInTheDocument();
  await person.click(await screen.findByRole('menuitem', { name: 'Start Face Detection' }));
  await screen.findByRole('dialog', { name: 'Main entrance' });
  await waitFor(() => expect(streams).toHaveLength(1));
  expect(await screen.findByRole('img', { name: /^Face detection on/ })).toBeInTheDocument();
});
