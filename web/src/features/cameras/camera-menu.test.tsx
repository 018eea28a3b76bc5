import { cameraHistoryRoutes } from '@nazar/contract/camera-history.ts';
import { cameraRoutes, type Camera } from '@nazar/contract/cameras.ts';
import { liveViewRoutes } from '@nazar/contract/live-views.ts';
import { probingRoutes } from '@nazar/contract/probing.ts';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse } from 'msw';
import { beforeEach, expect, test, vi } from 'vitest';
import { see } from '#api/see-as.ts';
import { aUser, anId } from '#testing/builders.ts';
import { aCamera } from '#testing/cameras.ts';
import { fakeMedia } from '#testing/fake-media.ts';
import { FakePeerConnection, fakePeers, noPeers } from '#testing/fake-peer.ts';
import { renderApp, type Scene } from '#testing/render-app.tsx';
import { answer } from '#testing/server.ts';

const notStaff = { is_staff: false, is_superuser: false };
const people = {
  superadmin: aUser({ role: 'superadmin' }),
  admin: aUser({ role: 'admin' }),
  staff: aUser({ role: 'user', is_staff: true, is_superuser: false }),
  operator: aUser({ role: 'operator', ...notStaff }),
  user: aUser({ role: 'user', ...notStaff }),
};

beforeEach(() => {
  fakeMedia();
  fakePeers();
  answer(cameraRoutes.snapshot, new HttpResponse('jpeg'));
  answer(cameraRoutes.liveTicket, { ticket: 't', expires_at: '2026-01-02T03:04:05.000Z' });
});

async function open(
  camera: Camera,
  scene: Partial<Scene> = {},
): Promise<ReturnType<typeof userEvent.setup>> {
  answer(cameraRoutes.list, { count: 1, results: [camera] });
  answer(cameraRoutes.read, camera);
  await renderApp({ path: '/cameras', user: people.user, ...scene });
  const person = userEvent.setup();
  await person.click(await screen.findByRole('button', { name: 'Actions for Main entrance' }));
  return person;
}

async function entries(): Promise<(string | null)[]> {
  return (await screen.findAllByRole('menuitem')).map(({ textContent }) => textContent);
}

/** CAM-019 names eight; what else there is stands between the last use of a camera and its end. */
const whole = [
  'Edit',
  'Deactivate',
  'Start Recording',
  'Test Connection',
  'View Recordings',
  'Low Latency Mode',
  'Recording Settings',
  'Masks and zones',
  'Who can see it',
  'History',
  'Duplicate',
  'Delete',
];
const changes = new Set([
  'Edit',
  'Deactivate',
  'Start Recording',
  'Masks and zones',
  'Duplicate',
  'Delete',
]);
const unchanging = whole.filter((entry) => !changes.has(entry));
const own = unchanging.filter((entry) => entry !== 'Who can see it');

test.each<[keyof typeof people, readonly string[]]>([
  ['superadmin', whole],
  ['admin', whole],
  ['staff', unchanging],
  ['operator', own],
  ['user', own],
])('=CAM-019, ~ROL-008, ROL-010, NSH-017 the menu of %s, in the stated order', async (who, all) => {
  await open(aCamera({ may_play: true }), { user: people[who] });
  expect(await entries()).toEqual(all);
});

test('CFL-041 a user who may not play what a camera recorded is not offered it', async () => {
  await open(aCamera({ may_play: false }));
  expect(await entries()).toEqual(['Test Connection', 'Low Latency Mode', 'History']);
});

test('~NSH-017 the table has a menu for everyone, too', async () => {
  vi.spyOn(window, 'matchMedia').mockImplementation((media) =>
    Object.assign(new EventTarget(), { matches: media.includes('64rem'), media } as MediaQueryList),
  );
  await open(aCamera(), { preferences: { cameras_view: 'list' } });
  expect(await entries()).toEqual(['Test Connection', 'Low Latency Mode', 'History']);
});

test('ROL-010 a user tests a camera and reads its history', async () => {
  const reply = { latency_ms: 120, content_type: null, codec: 'h264', width: 1280, height: 720 };
  const tested = answer(probingRoutes.testConnection, {
    ...reply,
    success: true,
    outcome: 'connected',
    message: 'Connected to camera: Main entrance',
    fps: 25,
    still: null,
  });
  answer(cameraHistoryRoutes.list, { count: 0, results: [] });
  const person = await open(aCamera());
  await person.click(await screen.findByRole('menuitem', { name: 'Test Connection' }));
  expect(await screen.findByText(/^Connected to camera: Main entrance/)).toBeInTheDocument();
  expect(tested.map(({ params }) => params['id'])).toEqual([aCamera().id]);
  await person.click(screen.getByRole('button', { name: 'Actions for Main entrance' }));
  await person.click(await screen.findByRole('menuitem', { name: 'History' }));
  const history = await screen.findByRole('dialog', { name: 'History of Main entrance' });
  expect(await within(history).findByText('No events yet')).toBeInTheDocument();
});

test('NSH-017 with another’s eyes no camera is tested: the server would refuse it', async () => {
  see({ id: '33333333-3333-4333-8333-333333333333', name: 'Rena' });
  await open(aCamera());
  expect(await entries()).toEqual(['Low Latency Mode', 'History']);
  see(null);
});

test('ROL-010, ~LIVE-010 Low Latency Mode opens the live view with it; closing leads back to the same list', async () => {
  const asked = answer(liveViewRoutes.lowLatency, { sdp: 'answer', session_id: anId() });
  answer(liveViewRoutes.endLowLatency, undefined as never);
  const person = await open(aCamera(), { path: '/cameras?search=main' });
  await person.click(await screen.findByRole('menuitem', { name: 'Low Latency Mode' }));
  const live = within(await screen.findByRole('dialog', { name: 'Main entrance' }));
  expect(location.pathname).toBe(`/cameras/${aCamera().id}`);
  expect(new URLSearchParams(location.search).get('low_latency')).toBe('true');
  const toggle = live.getByRole('button', { name: 'Low Latency Mode' });
  expect(toggle).toHaveAttribute('aria-pressed', 'true');
  await waitFor(() => expect(asked.map(({ params }) => params['id'])).toEqual([aCamera().id]));
  await person.click(live.getByRole('button', { name: 'Close' }));
  await waitFor(() => expect(location.pathname).toBe('/cameras'));
  expect(location.search).toBe('?search=main');
  await person.click(screen.getByRole('link', { name: 'Main entrance' }));
  await screen.findByRole('dialog', { name: 'Main entrance' });
  expect(location.search).toBe('?search=main');
});

test('~LIVE-010 an address that asks for low latency opens as usual where the browser has no WebRTC', async () => {
  noPeers();
  await open(aCamera());
  expect(await entries()).toEqual(['Test Connection', 'History']);
  await renderApp({ path: `/cameras/${aCamera().id}?low_latency=true`, user: people.user });
  const live = within(await screen.findByRole('dialog', { name: 'Main entrance' }));
  expect(live.queryByRole('button', { name: 'Low Latency Mode' })).toBeNull();
  expect(FakePeerConnection.made).toHaveLength(0);
});
