import { cameraCostRoutes } from '@nazar/contract/camera-cost.ts';
import { cameraRoutes, type Camera } from '@nazar/contract/cameras.ts';
import { recordingRoutes } from '@nazar/contract/recordings.ts';
import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent, { type UserEvent } from '@testing-library/user-event';
import { HttpResponse } from 'msw';
import { beforeEach, expect, test, vi } from 'vitest';
import { aUser } from '#testing/builders.ts';
import { aCamera, noCost, someHealth } from '#testing/cameras.ts';
import { fakeMedia } from '#testing/fake-media.ts';
import { someStatistics } from '#testing/recordings.ts';
import { renderApp } from '#testing/render-app.tsx';
import { answer, fieldRefusal, refusal } from '#testing/server.ts';

const off = (): Camera => aCamera({ status: 'inactive', health: someHealth({ state: 'off' }) });

beforeEach(() => {
  // The form that adds a camera says how long its recordings fit.
  answer(recordingRoutes.statistics, someStatistics());
  fakeMedia();
  answer(cameraCostRoutes.read, noCost());
  answer(cameraRoutes.snapshot, new HttpResponse('jpeg'));
  answer(cameraRoutes.liveTicket, { ticket: 't', expires_at: '2026-01-02T03:04:05.000Z' });
});

async function openPage(
  camera: Camera,
  ...others: readonly Camera[]
): Promise<ReturnType<typeof userEvent.setup>> {
  answer(cameraRoutes.list, { count: 1 + others.length, results: [...others, camera] });
  answer(cameraRoutes.read, camera);
  await renderApp({ path: '/cameras', user: aUser() });
  await screen.findByRole('article', { name: camera.name });
  return userEvent.setup();
}

async function choose(person: ReturnType<typeof userEvent.setup>, entry: string): Promise<void> {
  await person.click(screen.getByRole('button', { name: 'Actions for Main entrance' }));
  await person.click(await screen.findByRole('menuitem', { name: entry }));
}

function gate(): { opened: Promise<void>; open: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { opened: promise, open: resolve };
}

test.each([
  ['Deactivate', aCamera()],
  ['Activate', off()],
  ['Activate', aCamera({ status: 'maintenance' })],
])('~CAM-019, CAM-020 the menu has %s and only what works', async (entry, camera) => {
  const person = await openPage(camera);
  await person.click(screen.getByRole('button', { name: 'Actions for Main entrance' }));
  const items = await screen.findAllByRole('menuitem');
  expect(items.map(({ textContent }) => textContent)).toEqual([
    'Edit',
    entry,
    'Start Recording',
    'Test Connection',
    'Masks and zones',
    'Who can see it',
    'History',
    'Duplicate',
    'Delete',
  ]);
});

test('CAM-041, CAM-042, CAM-048 a switch shows at once and is confirmed', async () => {
  const other = { ...off(), id: '22222222-2222-4222-8222-222222222299', name: 'Yard' };
  const person = await openPage(off(), other);
  const { opened, open } = gate();
  const sent = answer(cameraRoutes.updateStatus, async () => {
    await opened;
    return aCamera();
  });
  const id = aCamera().id;
  const card = (name: string) => within(screen.getByRole('article', { name }));
  await choose(person, 'Activate');
  expect(await card('Main entrance').findByText('Active')).toBeInTheDocument();
  expect(card('Yard').getByText('Inactive')).toBeInTheDocument();
  await waitFor(() =>
    expect(sent.map(({ params, body }) => [params, body])).toEqual([
      [{ id }, { status: 'active' }],
    ]),
  );
  expect(screen.queryByText(/has been activated/)).not.toBeInTheDocument();
  open();
  expect(await screen.findByText('Camera "Main entrance" has been activated.')).toBeInTheDocument();
  // And back, from the menu of the same camera.
  answer(cameraRoutes.list, { count: 2, results: [other, aCamera()] });
  await person.click(screen.getByRole('button', { name: 'Refresh' }));
  const back = answer(cameraRoutes.updateStatus, off());
  await waitFor(() => choose(person, 'Deactivate'));
  expect(
    await screen.findByText('Camera "Main entrance" has been deactivated.'),
  ).toBeInTheDocument();
  expect(back.map(({ params, body }) => [params, body])).toEqual([
    [{ id }, { status: 'inactive' }],
  ]);
});

test('APC-008, ~CFL-006 when the PATCH fails the whole camera is PUT, and that is a success', async () => {
  const person = await openPage(off());
  answer(cameraRoutes.updateStatus, refusal(500, 'internal', ''));
  const put = answer(cameraRoutes.replace, aCamera());
  await choose(person, 'Activate');
  expect(await screen.findByText('Camera "Main entrance" has been activated.')).toBeInTheDocument();
  expect(put[0]?.body).toMatchObject({
    name: 'Main entrance',
    status: 'active',
    password: '',
    url: 'rtsp://192.168.1.20:554/stream1',
  });
});

test('CAM-043, ~CFL-006, ~ERR-005 when both fail the shown status goes back, with the reason', async () => {
  const person = await openPage(off());
  const { opened, open } = gate();
  answer(cameraRoutes.updateStatus, refusal(500, 'internal', ''));
  answer(cameraRoutes.replace, async () => {
    await opened;
    return refusal(409, 'camera_url_missing', 'The camera has no address.');
  });
  await choose(person, 'Activate');
  expect(await within(screen.getByRole('article')).findByText('Active')).toBeInTheDocument();
  open();
  expect(
    await screen.findByText('Could not activate the camera. The camera has no address.'),
  ).toBeInTheDocument();
  expect(within(screen.getByRole('article')).getByText('Inactive')).toBeInTheDocument();
});

test('~CAM-031, ~CON-005 a success clears after 3.5 s, an error stays', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  try {
    const person = await openPage(aCamera());
    answer(cameraRoutes.updateStatus, off());
    await choose(person, 'Deactivate');
    const said = 'Camera "Main entrance" has been deactivated.';
    await screen.findByText(said);
    await act(() => vi.advanceTimersByTimeAsync(3500));
    await waitFor(() => expect(screen.queryByText(said)).not.toBeInTheDocument());
    answer(cameraRoutes.updateStatus, refusal(500, 'internal', ''));
    answer(cameraRoutes.replace, refusal(500, 'internal', 'Something went wrong.'));
    await choose(person, 'Deactivate');
    const failed = 'Could not deactivate the camera. Something went wrong.';
    await screen.findByText(failed);
    await act(() => vi.advanceTimersByTimeAsync(10_000));
    expect(screen.getByText(failed)).toBeInTheDocument();
    await person.click(screen.getByRole('button', { name: 'Dismiss' }));
    expect(screen.queryByText(failed)).not.toBeInTheDocument();
  } finally {
    vi.useRealTimers();
  }
});

test('CAM-023, CAM-047 deleting asks by name, then says that it is done', async () => {
  const person = await openPage(aCamera());
  const sent = answer(cameraRoutes.remove, undefined as never);
  await choose(person, 'Delete');
  const dialog = await screen.findByRole('alertdialog', { name: 'Delete Camera' });
  expect(dialog).toHaveTextContent(
    'Are you sure you want to delete the camera "Main entrance"? This action cannot be undone.',
  );
  expect(sent).toHaveLength(0);
  await person.click(within(dialog).getByRole('button', { name: 'Delete' }));
  expect(await screen.findByText('Camera deleted successfully!')).toBeInTheDocument();
  expect(sent[0]?.params['id']).toBe(aCamera().id);
  expect(screen.queryByRole('alertdialog')).not.toBeInTheDocument();
});

test('ERR-004 a failed delete stays open and says so; cancelling gives the focus back', async () => {
  const person = await openPage(aCamera());
  answer(cameraRoutes.remove, refusal(500, 'internal', ''));
  await choose(person, 'Delete');
  const dialog = await screen.findByRole('alertdialog');
  await person.click(within(dialog).getByRole('button', { name: 'Delete' }));
  expect(
    await within(dialog).findByText('Failed to delete camera. Please try again.'),
  ).toBeInTheDocument();
  await person.click(within(dialog).getByRole('button', { name: 'Cancel' }));
  await waitFor(() =>
    expect(screen.getByRole('button', { name: 'Actions for Main entrance' })).toHaveFocus(),
  );
});

const field = (name: string): HTMLElement => screen.getByLabelText(new RegExp(`^${name}`));

/** The form as a whole, for a new camera. */
async function openAddForm(): Promise<{ person: UserEvent; dialog: HTMLElement }> {
  const person = await openPage(aCamera());
  await person.click(screen.getByRole('button', { name: 'Add Camera' }));
  await person.click(await screen.findByRole('button', { name: 'All settings' }));
  const dialog = await screen.findByRole('dialog', { name: 'Add New Camera' });
  return { person, dialog };
}

test('CAM-039, CAM-040, CON-010 the add form begins with its defaults', async () => {
  const { dialog } = await openAddForm();
  expect(field('Name')).toHaveFocus();
  expect(field('Type')).toHaveValue('ip');
  expect(field('Status')).toHaveValue('inactive');
  expect(field('Resolution')).toHaveValue('1280x720');
  expect(field('Frames per second')).toHaveValue(30);
  expect(field('Rotation')).toHaveValue('0');
  expect(within(dialog).getByRole('switch', { name: /^Face recognition/ })).toBeChecked();
});

test('CAM-036, ~CFL-005 the add form offers three statuses, and sends the one that is chosen', async () => {
  const { person, dialog } = await openAddForm();
  const sent = answer(cameraRoutes.add, aCamera());
  const statuses = within(field('Status')).getAllByRole('option');
  expect(statuses.map((option) => (option as HTMLOptionElement).value)).toEqual([
    'active',
    'inactive',
    'maintenance',
  ]);
  await person.type(field('Name'), 'Porch');
  await person.type(field('Location'), 'House');
  await person.selectOptions(field('Status'), 'maintenance');
  await person.click(within(dialog).getByRole('button', { name: 'Add Camera' }));
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]!.body).toMatchObject({ name: 'Porch', status: 'maintenance' });
});

test('CAM-033, CAM-034, CON-011 name, location, type and status are required, fps is a whole number from 1 to 60', async () => {
  const person = await openPage(aCamera());
  const sent = answer(cameraRoutes.add, aCamera());
  await person.click(screen.getByRole('button', { name: 'Add Camera' }));
  await person.click(await screen.findByRole('button', { name: 'All settings' }));
  const dialog = within(await screen.findByRole('dialog'));
  // A type and a status are always chosen: neither list has an empty entry.
  for (const name of ['Name', 'Location', 'Type', 'Status']) expect(field(name)).toBeRequired();
  for (const name of ['Type', 'Status']) {
    expect(within(field(name)).queryByRole('option', { name: '' })).not.toBeInTheDocument();
    expect(field(name)).not.toHaveValue('');
  }
  await person.clear(field('Frames per second'));
  await person.type(field('Frames per second'), '61');
  await person.click(dialog.getByRole('button', { name: 'Add Camera' }));
  expect(await dialog.findAllByText('This field is required.')).toHaveLength(2);
  expect(dialog.getByText('The highest value is 60.')).toBeInTheDocument();
  await person.clear(field('Frames per second'));
  await person.type(field('Frames per second'), '0');
  expect(await dialog.findByText('The lowest value is 1.')).toBeInTheDocument();
  await person.clear(field('Frames per second'));
  expect(await dialog.findByText('Enter a number.')).toBeInTheDocument();
  expect(sent).toHaveLength(0);
});

test('CAM-038, CAM-045, ~ENT-003 everything that was entered is sent', async () => {
  const person = await openPage(aCamera());
  const sent = answer(cameraRoutes.add, aCamera());
  await person.click(screen.getByRole('button', { name: 'Add Camera' }));
  await person.click(await screen.findByRole('button', { name: 'All settings' }));
  const dialog = within(await screen.findByRole('dialog'));
  await person.type(field('Name'), ' Parking ');
  await person.type(field('Location'), 'Yard');
  await person.selectOptions(field('Type'), 'http');
  await person.selectOptions(field('Status'), 'active');
  await person.type(field('Description'), 'North side');
  await person.type(field('Stream address'), 'http://10.0.0.9/mjpeg');
  await person.type(field('Substream address'), 'http://10.0.0.9/small');
  await person.type(field('IP address'), '10.0.0.9');
  await person.type(field('User name'), 'viewer');
  await person.type(field('Password'), 'secret');
  await person.selectOptions(field('Resolution'), '1920x1080');
  await person.clear(field('Frames per second'));
  await person.type(field('Frames per second'), '15');
  await person.selectOptions(field('Rotation'), '180');
  await person.click(dialog.getByRole('switch', { name: /^Face recognition/ }));
  expect(dialog.getByRole('switch', { name: /^Sound/ })).not.toBeChecked();
  await person.click(dialog.getByRole('switch', { name: /^Sound/ }));
  await person.click(dialog.getByRole('button', { name: 'Add Camera' }));
  expect(await screen.findByText('Camera added successfully!')).toBeInTheDocument();
  expect(sent[0]?.body).toEqual({
    name: 'Parking',
    description: 'North side',
    location: 'Yard',
    type: 'http',
    status: 'active',
    ip_address: '10.0.0.9',
    url: 'http://10.0.0.9/mjpeg',
    device_url: '',
    sub_url: 'http://10.0.0.9/small',
    username: 'viewer',
    password: 'secret',
    certificate: '',
    resolution: '1920x1080',
    fps: 15,
    rotation: 180,
    enable_face_recognition: false,
    enable_audio: true,
  });
});

test('ERR-002 a refusal of the server stands on its field', async () => {
  const person = await openPage(aCamera());
  const words = 'This camera address is not allowed.';
  answer(cameraRoutes.add, fieldRefusal({ url: [words] }));
  await person.click(screen.getByRole('button', { name: 'Add Camera' }));
  await person.click(await screen.findByRole('button', { name: 'All settings' }));
  const dialog = within(await screen.findByRole('dialog'));
  await person.type(field('Name'), 'Parking');
  await person.type(field('Location'), 'Yard');
  await person.click(dialog.getByRole('button', { name: 'Add Camera' }));
  expect(
    await dialog.findByText('Failed to add camera. Please check your inputs and try again.'),
  ).toBeInTheDocument();
  expect(dialog.getByText(words)).toBeInTheDocument();
  expect(field('Stream address')).toBeInvalid();
});

test('CAM-022, CAM-037, CAM-046, ~CAM-035 editing begins with what is; a blank password keeps', async () => {
  const person = await openPage(aCamera({ rotation: 90 }));
  const sent = answer(cameraRoutes.replace, aCamera());
  await choose(person, 'Edit');
  const dialog = within(await screen.findByRole('dialog', { name: 'Edit Camera' }));
  expect(field('Name')).toHaveValue('Main entrance');
  const present = aCamera();
  for (const [label, value] of [
    ['Location', present.location],
    ['Type', present.type],
    ['Status', present.status],
    ['Description', present.description],
    ['Stream address', present.url],
    ['IP address', present.ip_address],
    ['User name', present.username],
    ['Resolution', present.resolution],
    ['Frames per second', present.fps],
    ['Rotation', '90'],
    ['Password', ''],
  ] as const)
    expect(field(label), label).toHaveValue(value);
  expect(dialog.getByRole('switch', { name: /^Face recognition/ })).toBeChecked();
  expect(dialog.getByRole('switch', { name: /^Sound/ })).not.toBeChecked();
  expect(dialog.getByText('Leave blank to keep the current password.')).toBeInTheDocument();
  const statuses = within(field('Status')).getAllByRole('option');
  expect(statuses.map((option) => (option as HTMLOptionElement).value)).toEqual([
    'active',
    'inactive',
    'maintenance',
    'error',
  ]);
  await person.type(field('Name'), ' 2');
  await person.click(dialog.getByRole('button', { name: 'Save Changes' }));
  expect(await screen.findByText('Camera updated successfully!')).toBeInTheDocument();
  expect(sent[0]?.body).toMatchObject({ name: 'Main entrance 2', password: '', rotation: 90 });
});

test('~CAM-022 the form of a camera shows what really arrives of each of its streams', async () => {
  const health = someHealth({ codec: 'hevc', width: 3840, height: 2160 });
  const sub = { ...someHealth(), codec: 'h264', width: 640, height: 360, fps: 10 };
  const person = await openPage(aCamera({ health: { ...health, sub } }));
  await choose(person, 'Edit');
  const arriving = within(await screen.findByRole('region', { name: 'Received stream' }));
  expect(arriving.getAllByRole('definition').map(({ textContent }) => textContent)).toEqual([
    'H.265 · 3840×2160 · 25 fps',
    'H.264 · 640×360 · 10 fps',
    "Can't be said: none of its video is being decoded, or the check has just begun.",
  ]);
});

test.each([
  [true, false, 'Frozen: the same picture again and again'],
  [false, true, 'Covered: nothing can be made out'],
  [false, false, 'Nothing wrong found'],
  [false, null, "Not frozen. Whether it's covered can't be said."],
])(
  'the form says what was found of the picture: frozen %s, covered %s',
  async (frozen, covered, words) => {
    const health = someHealth({ picture: { frozen, covered } });
    const person = await openPage(aCamera({ health }));
    await choose(person, 'Edit');
    const arriving = within(await screen.findByRole('region', { name: 'Received stream' }));
    expect(arriving.getByText(words)).toBeInTheDocument();
  },
);

test('of a camera that is down the form says nothing of its picture', async () => {
  const person = await openPage(
    aCamera({ health: someHealth({ state: 'offline', cause: 'unreachable' }) }),
  );
  await choose(person, 'Edit');
  const arriving = within(await screen.findByRole('region', { name: 'Received stream' }));
  expect(arriving.queryByText('Picture check')).toBeNull();
});

test('~CAM-038 the form compares the resolution with what the camera sends', async () => {
  const person = await openPage(aCamera({ health: someHealth({ width: 640, height: 360 }) }));
  await choose(person, 'Edit');
  const resolution = await screen.findByLabelText(/^Resolution/);
  const other = "The camera really sends 640×360. You change that in the camera's own settings.";
  expect(resolution).toHaveAccessibleDescription(other);
});

test('~CAM-038 the form says that the stream arrives as chosen, and follows the choice', async () => {
  const person = await openPage(aCamera({ health: someHealth({ width: 1280, height: 720 }) }));
  await choose(person, 'Edit');
  const resolution = await screen.findByLabelText(/^Resolution/);
  expect(resolution).toHaveAccessibleDescription('The camera sends this size.');
  await person.selectOptions(resolution, '1920x1080');
  expect(resolution).toHaveAccessibleDescription(/^The camera really sends 1280×720\./);
});

test.each([
  [null, 'During motion, 23.8 fps are analyzed.'],
  ['camera', "During motion, 23.8 fps are analyzed. The camera doesn't send more."],
  ['mode', 'During motion, 23.8 fps are analyzed. The processing mode allows no more.'],
  ['machine', "During motion, 23.8 fps are analyzed. The server can't do more right now."],
] as const)(
  '~CAM-034 the form says how many frames are analyzed, limited by %s',
  async (limit, said) => {
    answer(cameraCostRoutes.read, noCost({ analyzed_fps: 23.8, analysis_limit: limit }));
    const person = await openPage(aCamera());
    await choose(person, 'Edit');
    const fps = await screen.findByLabelText(/^Frames per second/);
    await waitFor(() => expect(fps).toHaveAccessibleDescription(said));
    await person.clear(fps);
    await person.type(fps, '10');
    const asks = 'Frames to analyze during motion, as far as the server can.';
    expect(fps, 'nothing is measured of what is not saved').toHaveAccessibleDescription(asks);
  },
);

test('while nothing moves no analysis is shown, nor of a camera that is off', async () => {
  const asks = 'Frames to analyze during motion, as far as the server can.';
  const asked = answer(cameraCostRoutes.read, noCost());
  let person = await openPage(aCamera());
  await choose(person, 'Edit');
  expect(await screen.findByLabelText(/^Frames per second/)).toHaveAccessibleDescription(asks);
  await waitFor(() => expect(asked).toHaveLength(1));
  cleanup();
  person = await openPage(off());
  await choose(person, 'Edit');
  expect(await screen.findByLabelText(/^Frames per second/)).toHaveAccessibleDescription(asks);
  expect(asked).toHaveLength(1);
});

test('the form of a camera says when its pictures are timed by arrival, and nothing where they are not', async () => {
  const sentence = /The times in this camera's stream don't match when its pictures arrive/;
  const sub = someHealth();
  for (const [main, other] of [
    [true, false],
    [false, true],
    [false, false],
  ] as const) {
    const health = {
      ...someHealth({ timed_by_arrival: main }),
      sub: { ...sub, timed_by_arrival: other },
    };
    const person = await openPage(aCamera({ health }));
    await choose(person, 'Edit');
    const arriving = within(await screen.findByRole('region', { name: 'Received stream' }));
    expect(arriving.queryAllByText(sentence)).toHaveLength(main || other ? 1 : 0);
    cleanup();
  }
});

test('C-514 an encrypted address may get a certificate, another has none', async () => {
  const person = await openPage(aCamera({ url: 'rtsps://192.168.1.20/stream1' }));
  const sent = answer(cameraRoutes.replace, aCamera());
  await choose(person, 'Edit');
  await person.type(field('Certificate fingerprint'), 'AB:'.repeat(32).slice(0, -1));
  await person.click(screen.getByRole('button', { name: 'Save Changes' }));
  await waitFor(() => expect(sent[0]?.body).toMatchObject({ certificate: 'ab'.repeat(32) }));
});

test('R-04 a second stream that does not come is reported, with what stands in for it', async () => {
  const sub = someHealth({ state: 'offline', cause: 'not_found' });
  const person = await openPage(aCamera({ health: { ...someHealth(), sub } }));
  const words = /The substream isn't available\. The main stream is used instead\./;
  expect(screen.getByText(words)).toBeInTheDocument();
  await choose(person, 'Edit');
  const arriving = within(await screen.findByRole('region', { name: 'Received stream' }));
  expect(
    arriving.getByText(/^Offline since .*: there's no stream at this address/),
  ).toBeInTheDocument();
  expect(arriving.getByText(words)).toBeInTheDocument();
});

test('NSH-016 another address asks for the password again', async () => {
  const person = await openPage(aCamera());
  const words = "The address has changed: enter the camera's password again.";
  answer(cameraRoutes.replace, refusal(400, 'camera_password_required', words));
  await choose(person, 'Edit');
  const dialog = within(await screen.findByRole('dialog'));
  await person.type(field('Stream address'), '0');
  expect(
    await dialog.findByText('The address has changed: enter the password again.'),
  ).toBeInTheDocument();
  await person.click(dialog.getByRole('button', { name: 'Save Changes' }));
  expect(await dialog.findByText(words)).toBeInTheDocument();
  expect(field('Password')).toBeInvalid();
  expect(field('Password')).toHaveFocus();
});

test('ERR-003 a failed update says so and keeps what was typed', async () => {
  const person = await openPage(aCamera());
  answer(cameraRoutes.replace, refusal(500, 'internal', 'Something went wrong.'));
  await choose(person, 'Edit');
  const dialog = within(await screen.findByRole('dialog'));
  await person.type(field('Name'), '!');
  await person.click(dialog.getByRole('button', { name: 'Save Changes' }));
  expect(
    await dialog.findByText(/^Failed to update camera\. Please check your inputs and try again\./),
  ).toBeInTheDocument();
  expect(field('Name')).toHaveValue('Main entrance!');
});
