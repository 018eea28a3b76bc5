import { cameraCostRoutes } from '@nazar/contract/camera-cost.ts';
import { cameraRoutes } from '@nazar/contract/cameras.ts';
import { probingRoutes, type ConnectionTest } from '@nazar/contract/probing.ts';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse } from 'msw';
import { beforeEach, expect, test } from 'vitest';
import { aUser } from '#testing/builders.ts';
import { aCamera, noCost } from '#testing/cameras.ts';
import { fakeMedia } from '#testing/fake-media.ts';
import { renderApp } from '#testing/render-app.tsx';
import { answer, refusal } from '#testing/server.ts';

const aTest = (over: Partial<ConnectionTest> = {}): ConnectionTest => ({
  success: true,
  outcome: 'connected',
  message: 'Connected to camera: Main entrance',
  latency_ms: 120,
  content_type: null,
  codec: 'h264',
  width: 1280,
  height: 720,
  fps: 25,
  still: null,
  ...over,
});
const nothing = { latency_ms: null, codec: null, width: null, height: null, fps: null };

beforeEach(() => {
  fakeMedia();
  answer(cameraCostRoutes.read, noCost());
  answer(cameraRoutes.snapshot, new HttpResponse('jpeg'));
  answer(cameraRoutes.liveTicket, { ticket: 't', expires_at: '2026-01-02T03:04:05.000Z' });
});

async function choose(entry: string): Promise<ReturnType<typeof userEvent.setup>> {
  answer(cameraRoutes.list, { count: 1, results: [aCamera()] });
  answer(cameraRoutes.read, aCamera());
  await renderApp({ path: '/cameras', user: aUser() });
  await screen.findByRole('article');
  const person = userEvent.setup();
  await person.click(screen.getByRole('button', { name: 'Actions for Main entrance' }));
  await person.click(await screen.findByRole('menuitem', { name: entry }));
  return person;
}

test('~CAM-019, CAM-057 the menu tests a camera and says what was found', async () => {
  const asked = answer(probingRoutes.testConnection, aTest());
  await choose('Test Connection');
  expect(
    await screen.findByText(
      'Connected to camera: Main entrance (H264 · 1280×720 · 25 fps · 120 ms)',
    ),
  ).toBeInTheDocument();
  expect(asked.map(({ params }) => params['id'])).toEqual([aCamera().id]);
});

test('CAM-057, ERR-007 a failed test names the camera and the reason', async () => {
  const message = 'The camera refused the user name or password.';
  answer(
    probingRoutes.testConnection,
    aTest({ ...nothing, success: false, outcome: 'password_refused', message }),
  );
  await choose('Test Connection');
  expect(await screen.findByRole('alert')).toHaveTextContent(
    `Failed to connect to camera: Main entrance. ${message}`,
  );
});

test('a test that our own process did not answer says so, and accuses no camera', async () => {
  const message =
    "Nazar couldn't test camera Main entrance: its own process for tests didn't answer.";
  const failed = { ...nothing, success: false, outcome: 'failed', message } as const;
  answer(probingRoutes.testConnection, aTest(failed));
  await choose('Test Connection');
  const alert = await screen.findByRole('alert');
  expect(alert).toHaveTextContent(message);
  expect(alert).not.toHaveTextContent('Failed to connect');
});

test('ERR-007 when the server does not answer, the address and the network are to be checked', async () => {
  answer(probingRoutes.testConnection, HttpResponse.error());
  await choose('Test Connection');
  expect(await screen.findByRole('alert')).toHaveTextContent(
    'Failed to connect to camera: Main entrance. Please check the URL and network.',
  );
});

test('~CAM-056 the form tests what stands in it, saved or not, and waits visibly', async () => {
  const { promise, resolve } = Promise.withResolvers<ConnectionTest>();
  const asked = answer(probingRoutes.testUnsaved, () => promise);
  const person = await choose('Edit');
  const dialog = within(await screen.findByRole('dialog'));
  await person.type(dialog.getByLabelText('Stream address'), '2');
  await person.click(dialog.getByRole('button', { name: 'Test Connection' }));
  expect(await dialog.findByText('Testing the connection...')).toBeInTheDocument();
  resolve(aTest({ message: 'Connected to camera: Main entrance' }));
  expect(await dialog.findByText(/^Connected to camera: Main entrance/)).toBeInTheDocument();
  expect(asked[0]?.body).toEqual({
    camera: aCamera().id,
    name: 'Main entrance',
    type: 'rtsp',
    url: 'rtsp://192.168.1.20:554/stream12',
    username: 'viewer',
    password: '',
    certificate: '',
  });
});

test('~CAM-053, C-513 a missing address and too many tests are reported in the form', async () => {
  const message = 'No URL provided for camera: Main entrance';
  answer(
    probingRoutes.testUnsaved,
    aTest({ ...nothing, success: false, outcome: 'no_url', message }),
  );
  const person = await choose('Edit');
  const dialog = within(await screen.findByRole('dialog'));
  await person.click(dialog.getByRole('button', { name: 'Test Connection' }));
  expect(await dialog.findByRole('alert')).toHaveTextContent(message);
  answer(probingRoutes.testUnsaved, refusal(429, 'too_many_requests', 'Too many requests.'));
  await person.click(dialog.getByRole('button', { name: 'Test Connection' }));
  expect(await dialog.findByText(/Main entrance\. Too many requests\./)).toBeInTheDocument();
});
