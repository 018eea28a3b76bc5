/** A camera added in steps, copied, and saved by two at once. */
import { cameraCostRoutes } from '@nazar/contract/camera-cost.ts';
import { cameraRoutes, type Camera } from '@nazar/contract/cameras.ts';
import { probingRoutes, type ConnectionTest } from '@nazar/contract/probing.ts';
import { recordingRoutes } from '@nazar/contract/recordings.ts';
import { cleanup, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse } from 'msw';
import { beforeEach, expect, test } from 'vitest';
import { aUser } from '#testing/builders.ts';
import { aCamera, noCost } from '#testing/cameras.ts';
import { fakeMedia } from '#testing/fake-media.ts';
import { renderApp } from '#testing/render-app.tsx';
import { someSettings } from '#testing/recording-settings.ts';
import { someStatistics } from '#testing/recordings.ts';
import { answer, fieldRefusal, refusal } from '#testing/server.ts';

const tested: ConnectionTest = {
  success: true,
  outcome: 'connected',
  message: 'Connected',
  latency_ms: 120,
  content_type: null,
  codec: 'h264',
  width: 1280,
  height: 720,
  fps: 25,
  still: '/9j/4AAQ',
};

beforeEach(() => {
  sessionStorage.clear();
  fakeMedia();
  answer(cameraCostRoutes.read, noCost());
  answer(cameraRoutes.snapshot, new HttpResponse('jpeg'));
  answer(recordingRoutes.statistics, someStatistics());
  answer(cameraRoutes.liveTicket, { ticket: 't', expires_at: '2026-01-02T03:04:05.000Z' });
});

async function open(cameras: Camera[] = []) {
  answer(cameraRoutes.list, { count: cameras.length, results: cameras });
  await renderApp({ path: '/cameras', user: aUser({ role: 'admin' }) });
  return userEvent.setup();
}

async function openSteps() {
  const person = await open();
  await person.click((await screen.findAllByRole('button', { name: 'Add Camera' }))[0]!);
  const dialog = await screen.findByRole('dialog', { name: 'Add New Camera' });
  const press = (name: string) => person.click(within(dialog).getByRole('button', { name }));
  return { person, dialog, press };
}

async function fillSteps() {
  const { person, dialog, press } = await openSteps();
  await person.type(within(dialog).getByLabelText(/^Stream address/), 'rtsp://192.168.1.9/s');
  await press('Next');
  await within(dialog).findByRole('img', { name: 'First picture of the camera' });
  await press('Next');
  await person.type(within(dialog).getByLabelText(/^Name/), 'Porch');
  await person.type(within(dialog).getByLabelText(/^Location/), 'House');
  await press('Next');
  await person.click(within(dialog).getByRole('switch', { name: /Activate the camera now/ }));
  return { person, dialog, press };
}

test('=CAM-021 the steps ask for an address first, and test none without', async () => {
  const tests = answer(probingRoutes.testUnsaved, tested);
  const { dialog, press } = await openSteps();
  await press('Next');
  expect(await within(dialog).findByText('This field is required.')).toBeInTheDocument();
  expect(within(dialog).getByRole('heading', { name: /Step 1 of 4/ })).toBeInTheDocument();
  expect(tests).toEqual([]);
});

test('~CAM-021, ~CAM-039 a step tests by itself, and all that was typed is sent at the end', async () => {
  const tests = answer(probingRoutes.testUnsaved, tested);
  const added = answer(cameraRoutes.add, aCamera({ name: 'Porch' }));
  const { press } = await fillSteps();
  expect(added).toEqual([]);
  await press('Add Camera');
  expect(await screen.findByText('Camera added successfully!')).toBeInTheDocument();
  expect(tests.map(({ body }) => (body as { url: string }).url)).toEqual(['rtsp://192.168.1.9/s']);
  expect(added[0]?.body).toMatchObject({
    name: 'Porch',
    location: 'House',
    url: 'rtsp://192.168.1.9/s',
    status: 'active',
  });
});

test('REC-033 a new camera is recorded when something moves, and the page says so with the room there is', async () => {
  answer(probingRoutes.testUnsaved, tested);
  answer(cameraRoutes.add, aCamera({ name: 'Porch' }));
  const changed = answer(recordingRoutes.changeSettings, someSettings({}));
  const { dialog, press } = await fillSteps();
  const field = within(dialog).getByRole('combobox', { name: 'Recording' });
  expect(field).toHaveDisplayValue('When there is motion');
  await within(dialog).findByText(
    'Records from 5 seconds before motion until 10 seconds after it. Kept for 30 days, or until the disk needs the space. 85 GB are free on the recording disk.',
  );
  await press('Add Camera');
  expect(await screen.findByText('Camera added successfully!')).toBeInTheDocument();
  expect(changed).toEqual([]);
});

test('~REC-033 a user who wants a new camera recorded otherwise, or not, says so before it is added', async () => {
  answer(probingRoutes.testUnsaved, tested);
  answer(cameraRoutes.add, aCamera({ name: 'Porch' }));
  const changed = answer(recordingRoutes.changeSettings, someSettings({ motionDetection: false }));
  const { person, dialog, press } = await fillSteps();
  const field = within(dialog).getByRole('combobox', { name: 'Recording' });
  await person.selectOptions(field, 'Not recorded');
  expect(
    within(dialog).getByText(
      'With these settings nothing is recorded unless you start it manually.',
    ),
  ).toBeInTheDocument();
  await press('Add Camera');
  await screen.findByText('Camera added successfully!');
  expect(changed[0]?.body).toEqual({ motionDetection: false, continuousRecording: false });
});

test('~REC-033 the form with all settings says how a new camera is recorded', async () => {
  const { dialog, press } = await openSteps();
  await press('All settings');
  await within(dialog).findByText(
    /^This camera is recorded when there is motion\. Kept for 30 days/,
  );
});

test('a field that the server refuses leads back to its step', async () => {
  answer(probingRoutes.testUnsaved, tested);
  const sentence = 'This camera address is not allowed.';
  answer(cameraRoutes.add, fieldRefusal({ url: [sentence] }));
  const { dialog, press } = await fillSteps();
  await press('Add Camera');
  expect(await within(dialog).findByRole('heading', { name: /Step 1 of 4/ })).toHaveFocus();
  expect(within(dialog).getByText(sentence)).toBeInTheDocument();
  expect(within(dialog).getByLabelText(/^Stream address/)).toHaveValue('rtsp://192.168.1.9/s');
});

test('a reload keeps the step and what was typed, but no password; who closed it begins anew', async () => {
  answer(probingRoutes.testUnsaved, tested);
  const { person } = await fillSteps();
  const kept = sessionStorage.getItem('camera-draft')!;
  await person.keyboard('{Escape}');
  await person.click(await screen.findByRole('button', { name: 'Discard changes' }));
  expect(sessionStorage.getItem('camera-draft')).toBeNull();
  cleanup();
  // As the browser leaves it when it loads the page again.
  sessionStorage.setItem('camera-draft', kept);
  await open();
  const dialog = await screen.findByRole('dialog', { name: 'Add New Camera' });
  expect(within(dialog).getByRole('heading', { name: /Step 4 of 4/ })).toBeInTheDocument();
  await userEvent.click(within(dialog).getByRole('button', { name: 'Back' }));
  expect(within(dialog).getByLabelText(/^Name/)).toHaveValue('Porch');
});

test('the step that asks again says what a reload does not keep', async () => {
  const { person, dialog } = await openSteps();
  await person.type(within(dialog).getByLabelText(/^Stream address/), 'rtsp://192.168.1.9/s');
  await person.type(within(dialog).getByLabelText(/^Password/), 's3cret-word');
  const kept = sessionStorage.getItem('camera-draft')!;
  expect(kept).toContain('192.168.1.9');
  expect(kept).not.toContain('s3cret-word');
  cleanup();
  sessionStorage.setItem('camera-draft', kept);
  await open();
  const again = await screen.findByRole('dialog', { name: 'Add New Camera' });
  expect(within(again).getByText(/^Passwords aren't kept/)).toBeInTheDocument();
  expect(within(again).getByLabelText(/^Stream address/)).toHaveValue('rtsp://192.168.1.9/s');
});

test('a copy has all but the password, does not start, and says so', async () => {
  const person = await open([aCamera({ enable_audio: true })]);
  const added = answer(cameraRoutes.add, aCamera());
  await person.click(await screen.findByRole('button', { name: 'Actions for Main entrance' }));
  await person.click(await screen.findByRole('menuitem', { name: 'Duplicate' }));
  const dialog = await screen.findByRole('dialog');
  expect(
    within(dialog).getByText("The password isn't copied. Enter it again."),
  ).toBeInTheDocument();
  await person.click(within(dialog).getByRole('button', { name: 'Add Camera' }));
  expect(await screen.findByText('Camera added successfully!')).toBeInTheDocument();
  expect(added[0]?.body).toMatchObject({
    name: 'Main entrance (copy)',
    status: 'inactive',
    url: 'rtsp://192.168.1.20:554/stream1',
    enable_audio: true,
    password: '',
  });
});

test('~CAM-022 the second user who saves sees the conflict, and saves anyway or begins with what is stored', async () => {
  const mine = aCamera();
  const theirs = aCamera({ location: 'Roof', updated_at: '2026-01-02T04:00:00.000Z' });
  const person = await open([mine]);
  const late = answer(cameraRoutes.replace, refusal(409, 'camera_changed', 'It changed.'));
  answer(cameraRoutes.read, theirs);
  await person.click(await screen.findByRole('button', { name: 'Actions for Main entrance' }));
  await person.click(await screen.findByRole('menuitem', { name: 'Edit' }));
  const dialog = await screen.findByRole('dialog');
  const press = (name: string) => person.click(within(dialog).getByRole('button', { name }));
  await press('Save Changes');
  expect(await within(dialog).findByRole('alert')).toHaveTextContent(
    'Someone else changed this camera meanwhile.',
  );
  expect(late[0]?.body).toMatchObject({ updated_at: mine.updated_at });
  await press('Load the saved version');
  expect(await within(dialog).findByDisplayValue('Roof')).toBeInTheDocument();
  await press('Save Changes');
  await within(dialog).findByRole('alert');
  expect(late[1]?.body).toMatchObject({ updated_at: theirs.updated_at, location: 'Roof' });
  const saved = answer(cameraRoutes.replace, theirs);
  await press('Save anyway');
  expect(await screen.findByText('Camera updated successfully!')).toBeInTheDocument();
  expect(saved[0]?.body).not.toHaveProperty('updated_at');
});
