import { cameraRoutes, type Camera } from '@nazar/contract/cameras.ts';
import { recordingRoutes } from '@nazar/contract/recordings.ts';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse } from 'msw';
import { beforeEach, expect, test, vi } from 'vitest';
import { aUser } from '#testing/builders.ts';
import { aCamera } from '#testing/cameras.ts';
import { fakeMedia } from '#testing/fake-media.ts';
import { someStatistics } from '#testing/recordings.ts';
import { renderApp, type Scene } from '#testing/render-app.tsx';
import { answer, refusal } from '#testing/server.ts';

const recorded = (over: Partial<Camera> = {}): Camera =>
  aCamera({
    is_recording: true,
    recording_reason: 'manual',
    recording_state: 'recording',
    may_play: true,
    ...over,
  });
const viewer = aUser({ role: 'user', is_staff: false, is_superuser: false });

beforeEach(() => {
  fakeMedia();
  answer(cameraRoutes.snapshot, new HttpResponse('jpeg'));
  answer(cameraRoutes.liveTicket, { ticket: 't', expires_at: '2026-01-02T03:04:05.000Z' });
  answer(recordingRoutes.list, { count: 0, results: [] });
  answer(recordingRoutes.newest, { newest: null });
  answer(recordingRoutes.days, { results: [] });
  answer(recordingRoutes.statistics, someStatistics());
});

async function openPage(
  camera: Camera,
  scene: Partial<Scene> = {},
): Promise<ReturnType<typeof userEvent.setup>> {
  answer(cameraRoutes.list, { count: 1, results: [camera] });
  answer(cameraRoutes.read, camera);
  await renderApp({ path: '/cameras', user: aUser(), ...scene });
  await screen.findByRole('article');
  return userEvent.setup();
}

const openMenu = (person: ReturnType<typeof userEvent.setup>): Promise<void> =>
  person.click(screen.getByRole('button', { name: 'Actions for Main entrance' }));

async function entries(person: ReturnType<typeof userEvent.setup>): Promise<(string | null)[]> {
  await openMenu(person);
  const items = await screen.findAllByRole('menuitem');
  return items.map(({ textContent }) => textContent);
}

async function choose(person: ReturnType<typeof userEvent.setup>, entry: string): Promise<void> {
  await openMenu(person);
  await person.click(await screen.findByRole('menuitem', { name: entry }));
}

test.each<[string, Partial<Camera>]>([
  ['Start Recording', {}],
  ['Start Recording', { recording_reason: 'motion', recording_state: 'waiting' }],
  ['Stop Recording', recorded()],
  ['Stop Recording', recorded({ recording_reason: 'continuous' })],
  ['Stop Recording', { recording_reason: 'manual', recording_state: 'interrupted' }],
])('~CAM-019, CAM-020 the menu has %s by what is recorded', async (entry, over) => {
  const person = await openPage(aCamera({ ...over, may_play: true }));
  expect(await entries(person)).toEqual([
    'Edit',
    'Deactivate',
    entry,
    'Test Connection',
    'View Recordings',
    'Recording Settings',
    'Masks and zones',
    'Who can see it',
    'History',
    'Duplicate',
    'Delete',
  ]);
});

test('CAM-049, ~CAM-050 starting is asked of the server, and shows once that confirms it', async () => {
  const person = await openPage(aCamera());
  const { promise: confirmed, resolve: confirm } = Promise.withResolvers<void>();
  const sent = answer(recordingRoutes.toggle, async () => {
    await confirmed;
    answer(cameraRoutes.list, { count: 1, results: [recorded()] });
    return recorded();
  });
  await choose(person, 'Start Recording');
  await waitFor(() => expect(sent.map(({ body }) => body)).toEqual([{ is_recording: true }]));
  expect(sent[0]?.url.pathname).toBe(`/secure-api/cameras/${aCamera().id}/toggle_recording/`);
  const card = within(screen.getByRole('article'));
  expect(card.getByText('Not Recording')).toBeInTheDocument();
  confirm();
  expect(await screen.findByText('Recording started for camera: Main entrance')).toBeVisible();
  expect(card.getByText('Recording')).toBeInTheDocument();
  expect(card.getByText(/ · Recording, started manually$/)).toBeInTheDocument();
});

test('~CAM-049, ~CAM-051, ~NSH-020 stopping says that it is saved once the server has saved it', async () => {
  const person = await openPage(recorded());
  const { promise: confirmed, resolve: confirm } = Promise.withResolvers<void>();
  const sent = answer(recordingRoutes.toggle, async () => {
    await confirmed;
    answer(cameraRoutes.list, { count: 1, results: [aCamera()] });
    return aCamera();
  });
  await choose(person, 'Stop Recording');
  await waitFor(() => expect(sent.map(({ body }) => body)).toEqual([{ is_recording: false }]));
  expect(screen.queryByText(/^Recording stopped/)).not.toBeInTheDocument();
  confirm();
  expect(
    await screen.findByText('Recording stopped and saved for camera: Main entrance'),
  ).toBeVisible();
  expect(within(screen.getByRole('article')).getByText('Not Recording')).toBeInTheDocument();
});

test('~CAM-051 the page names settings that go on recording, too', async () => {
  const person = await openPage(recorded());
  answer(recordingRoutes.toggle, recorded({ recording_reason: 'continuous' }));
  await choose(person, 'Stop Recording');
  expect(
    await screen.findByText(
      'Recording stopped and saved for camera: Main entrance The recording settings continue recording this camera.',
    ),
  ).toBeVisible();
});

test('~CAM-052 nothing to stop is named by the name of the camera', async () => {
  const person = await openPage(recorded());
  const words = 'No active recording found for camera: Main entrance';
  answer(recordingRoutes.toggle, refusal(404, 'recording_not_active', words));
  await choose(person, 'Stop Recording');
  expect(await screen.findByRole('alert')).toHaveTextContent(words);
});

test.each([
  ['a failure', refusal(500, 'internal', 'Something went wrong.')],
  ['a limit', refusal(429, 'too_many_requests', 'Too many requests.')],
  ['a lost connection', HttpResponse.error()],
])('ERR-006 %s says that it did not work, and changes nothing', async (_, reply) => {
  const person = await openPage(aCamera());
  answer(recordingRoutes.toggle, reply);
  await choose(person, 'Start Recording');
  expect(await screen.findByRole('alert')).toHaveTextContent(
    /^Failed to toggle recording\. Please try again\./,
  );
  expect(within(screen.getByRole('article')).getByText('Not Recording')).toBeInTheDocument();
});

test('~ERR-006, ~NSH-020 a refusal that a new try would not change gives the reason of the server', async () => {
  const person = await openPage(aCamera({ status: 'inactive' }));
  const words = "The camera isn't active. Activate it first.";
  answer(recordingRoutes.toggle, refusal(409, 'camera_not_active', words));
  await choose(person, 'Start Recording');
  expect(await screen.findByRole('alert')).toHaveTextContent(words);
});

test('~CAM-051 a recording by settings is not stopped by hand: the sentence leads to the settings', async () => {
  const person = await openPage(recorded({ recording_reason: 'continuous' }));
  const words =
    'Main entrance follows its recording settings. Change them to start or stop recording.';
  answer(recordingRoutes.toggle, refusal(409, 'recording_by_settings', words));
  answer(recordingRoutes.settings, refusal(500, 'internal', 'Something went wrong.'));
  await choose(person, 'Stop Recording');
  const said = await screen.findByRole('alert');
  expect(said).toHaveTextContent(words);
  await person.click(within(said).getByRole('button', { name: 'Recording Settings' }));
  expect(
    await screen.findByRole('dialog', { name: 'Recording Settings: Main entrance' }),
  ).toBeVisible();
  expect(screen.queryByText(words)).not.toBeInTheDocument();
});

test('CAM-032 View Recordings goes to the recordings of that camera', async () => {
  const person = await openPage(recorded());
  await openMenu(person);
  const entry = await screen.findByRole('menuitem', { name: 'View Recordings' });
  expect(entry).toHaveAttribute('href', `/recordings/${aCamera().id}`);
  await person.click(entry);
  await waitFor(() => expect(location.pathname).toBe(`/recordings/${aCamera().id}`));
});

test('~CAM-032 the table says why a camera is recorded', async () => {
  vi.spyOn(window, 'matchMedia').mockImplementation((media) =>
    Object.assign(new EventTarget(), { matches: media.includes('64rem'), media } as MediaQueryList),
  );
  answer(cameraRoutes.list, { count: 1, results: [recorded()] });
  await renderApp({ path: '/cameras', user: viewer, preferences: { cameras_view: 'list' } });
  const table = within(await screen.findByRole('table'));
  expect(table.getByText('Live · Recording, started manually')).toBeInTheDocument();
});

const why: [string, Partial<Camera>][] = [
  ['Recording continuously', recorded({ recording_reason: 'continuous' })],
  ['Recording on schedule', recorded({ recording_reason: 'scheduled' })],
  ['Recording motion', recorded({ recording_reason: 'motion' })],
  ['Recording a test', recorded({ recording_reason: 'test' })],
  [
    'Recording starts when there is motion',
    { recording_reason: 'motion', recording_state: 'waiting' },
  ],
  [
    'Not recording: the camera sends no video that can be recorded',
    {
      recording_reason: 'continuous',
      recording_state: 'interrupted',
      recording_cause: 'camera',
    },
  ],
  ['Not recording: the disk is full', { recording_state: 'disk_full' }],
  ["Not recording: the disk isn't available", { recording_state: 'disk_away' }],
  [
    "The disk isn't responding. Recording continues when it does.",
    { recording_state: 'disk_hung' },
  ],
  ["Not recording: the disk can't keep up or reports errors", { recording_state: 'disk_failing' }],
  ['Not set to record now', {}],
];
test.each(why)('~CAM-015 the card says in words: %s', async (words, over) => {
  await openPage(aCamera(over));
  expect(
    within(screen.getByRole('article')).getByText((said) => said.endsWith(` · ${words}`)),
  ).toBeVisible();
});

test('~CAM-032 the live view says why it is recorded and leads to the recordings, where they may be played', async () => {
  answer(cameraRoutes.list, { count: 1, results: [recorded()] });
  answer(cameraRoutes.read, recorded());
  await renderApp({ path: `/cameras/${aCamera().id}`, user: viewer });
  const live = within(await screen.findByRole('dialog'));
  expect(await live.findByText(/ · Recording, started manually$/)).toBeInTheDocument();
  const link = live.getByRole('link', { name: 'View recordings' });
  expect(link).toHaveAttribute('href', `/recordings/${aCamera().id}`);
  await act(async () => link.click());
  await waitFor(() => expect(location.pathname).toBe(`/recordings/${aCamera().id}`));
});

test('~CAM-032 without the right to play there is no link', async () => {
  answer(cameraRoutes.list, { count: 1, results: [recorded({ may_play: false })] });
  answer(cameraRoutes.read, recorded({ may_play: false }));
  await renderApp({ path: `/cameras/${aCamera().id}`, user: viewer });
  const live = within(await screen.findByRole('dialog'));
  expect(await live.findByText(/ · Recording, started manually$/)).toBeInTheDocument();
  expect(live.queryByRole('link', { name: 'View recordings' })).not.toBeInTheDocument();
});
