/** The search over all cameras as its reader meets it: real rules and calls, a fake server. */
import { cameraRoutes } from '@nazar/contract/cameras.ts';
import { exportRoutes } from '@nazar/contract/exports.ts';
import { faceRoutes } from '@nazar/contract/faces.ts';
import { playbackRoutes } from '@nazar/contract/playback.ts';
import { recordingRoutes, type DeletedCamera, type Recording } from '@nazar/contract/recordings.ts';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse } from 'msw';
import { beforeEach, expect, test } from 'vitest';
import { forgetAnswers } from '#api/kept-answers.ts';
import { forgetMedia } from '#api/media.ts';
import { address } from '#lib/address.ts';
import { readerTimezone } from '#lib/local-day.ts';
import { aFace, aUser } from '#testing/builders.ts';
import { aCamera } from '#testing/cameras.ts';
import { fakeMedia } from '#testing/fake-media.ts';
import { anExport } from '#testing/handover.tsx';
import { aRecording } from '#testing/recordings.ts';
import { renderApp, type Scene } from '#testing/render-app.tsx';
import { answer, refusal, type Seen } from '#testing/server.ts';

const plainUser = aUser({ role: 'user', is_staff: false, is_superuser: false });
const person = aFace({ first_name: 'Leyla', last_name: 'Aliyeva', image: null });
const gone: DeletedCamera = {
  id: '33333333-3333-4333-8333-333333333333',
  name: 'Old yard',
  location: '',
  deleted_at: '2026-01-16T12:00:00.000Z',
  recordings: 3,
  from: '2026-01-14T12:00:00.000Z',
  until: '2026-01-15T12:00:00.000Z',
};

let listed: Seen[];
let deleted: Seen[];

const serve = (count: number, ...results: Recording[]): Seen[] =>
  answer(recordingRoutes.list, { count, results });

beforeEach(() => {
  fakeMedia();
  forgetMedia();
  forgetAnswers();
  listed = serve(1, aRecording({ cameraName: 'Gate', held: true }));
  deleted = answer(recordingRoutes.deletedCameras, { results: [gone] });
  answer(playbackRoutes.recordingThumbnail, new HttpResponse('jpeg'));
  answer(faceRoutes.list, { count: 1, results: [person] });
  answer(faceRoutes.read, person);
});

async function openPage(search = '', scene: Partial<Scene> = {}) {
  await renderApp({ path: `/recordings${search}`, user: aUser(), ...scene });
  return userEvent.setup();
}

const asked = (): Record<string, string> =>
  Object.fromEntries(listed.at(-1)?.url.searchParams ?? []);
const inAddress = (name: string): string | null =>
  new URLSearchParams(address.get().split('?')[1]).get(name);
const theList = (): Promise<HTMLElement> => screen.findByRole('list', { name: 'Recordings' });

test('~NSH-018 recordings of all cameras, each leading to its moment', async () => {
  await openPage('', { user: plainUser });
  const link = within(await theList()).getByRole('link', { name: /Gate.*10:00.*Continuous.*Held/ });
  const to = new URL(link.getAttribute('href')!, 'http://localhost');
  expect(to.pathname).toBe(`/recordings/${aRecording().cameraId}`);
  expect(to.searchParams.get('at')).toBe(aRecording().startTime);
  expect(to.searchParams.has('recording')).toBe(true);
  expect(asked()).toEqual({ timezone: readerTimezone(), page: '1', page_size: '20' });
  expect(deleted).toHaveLength(0);
  expect(screen.queryByRole('region', { name: 'Deleted cameras' })).toBeNull();
});

test('~REC-013 words narrow the list at the server, and stand in the address', async () => {
  const user = await openPage('?page=2');
  await user.type(
    await screen.findByRole('searchbox', { name: 'Search by camera or person' }),
    'ya{Enter}',
  );
  await waitFor(() => expect(asked()).toMatchObject({ search: 'ya', page: '1' }));
  expect(inAddress('search')).toBe('ya');
});

test.each([
  ['Motion Detected', { has_motion: 'true' }],
  ['Scheduled', { type: 'scheduled' }],
  ['With Faces', { has_faces: 'true' }],
])('~REC-014 the filter %s narrows the list', async (name, query) => {
  const user = await openPage();
  await user.selectOptions(
    await screen.findByRole('combobox', { name: 'Filter recordings' }),
    name,
  );
  await waitFor(() => expect(asked()).toMatchObject(query));
});

test('a person one may name is chosen, listed by, and taken back', async () => {
  const user = await openPage();
  await user.click(await screen.findByRole('button', { name: 'Choose person' }));
  await user.click(await screen.findByRole('button', { name: 'Leyla Aliyeva' }));
  await waitFor(() => expect(asked()).toMatchObject({ person: person.id }));
  expect(inAddress('person')).toBe(person.id);
  expect(await screen.findByRole('button', { name: 'Leyla Aliyeva' })).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Show everyone' }));
  await waitFor(() => expect(inAddress('person')).toBeNull());
  expect(await screen.findByRole('button', { name: 'Choose person' })).toBeVisible();
});

test('a day by the clock of the reader', async () => {
  await openPage('?day=2026-01-15');
  await theList();
  expect(asked()).toMatchObject({ date: '2026-01-15', timezone: readerTimezone() });
});

test('an invalid day is reported and narrows nothing', async () => {
  await openPage('?day=2026-13-40');
  expect(await screen.findByText("2026-13-40 isn't a date. Showing all days.")).toBeVisible();
  await theList();
  expect(asked()).not.toHaveProperty('date');
});

test('nothing found on a day that is none is no matter of filters', async () => {
  listed = serve(0);
  await openPage('?day=2026-13-40');
  expect(await screen.findByText('No recordings yet')).toBeVisible();
  expect(screen.queryByText('No results match your filters.')).toBeNull();
});

test('pages are the server’s; one beyond the last leads to the last', async () => {
  listed = serve(21, aRecording());
  await openPage('?page=7');
  await waitFor(() => expect(inAddress('page')).toBe('2'));
  await waitFor(() => expect(asked()).toMatchObject({ page: '2' }));
});

test('an empty list has its reason: no recordings, or none that match', async () => {
  listed = serve(0);
  const user = await openPage('?search=x');
  expect(await screen.findByText('No matching recordings')).toBeVisible();
  await user.click(screen.getByRole('button', { name: /clear/i }));
  expect(await screen.findByText('No recordings yet')).toBeVisible();
});

test('a failure is shown and can be tried again', async () => {
  answer(recordingRoutes.list, refusal(500, 'internal', 'broken'));
  const user = await openPage('', { user: plainUser });
  const again = await screen.findByRole('button', { name: /again|retry/i });
  serve(1, aRecording({ cameraName: 'Gate' }));
  await user.click(again);
  expect(await screen.findByText('Gate')).toBeVisible();
});

test('administrators find deleted cameras, each with its recordings and how long they stay', async () => {
  await openPage();
  const section = await screen.findByRole('region', { name: 'Deleted cameras' });
  const link = await within(section).findByRole('link', { name: /Old yard.*3 recordings/ });
  expect(link).toHaveAttribute('href', expect.stringContaining(`/recordings/${gone.id}?day=`));
  expect(within(section).getByText(/until the hold is removed/)).toBeVisible();
});

test('an address opens one export, which can be saved and deleted; then the list is left', async () => {
  const made = anExport();
  const asked = answer(exportRoutes.read, made);
  const user = await openPage(`?export=${made.id}`);
  const dialog = await screen.findByRole('dialog', { name: 'Export' });
  expect(await within(dialog).findByRole('button', { name: /^Download/ })).toBeVisible();
  expect(asked[0]?.params['id']).toBe(made.id);
  const removed = answer(exportRoutes.remove, undefined as never);
  await user.click(within(dialog).getByRole('button', { name: /^Delete export/ }));
  await user.click(await screen.findByRole('button', { name: 'Delete export' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(removed[0]?.params['id']).toBe(made.id);
  expect(inAddress('export')).toBeNull();
  expect(await theList()).toBeVisible();
});

test('an export that is gone says so', async () => {
  answer(exportRoutes.read, refusal(404, 'export_not_found', 'It is gone.'));
  await openPage(`?export=${anExport().id}`);
  expect(await screen.findByText('This export is no longer available')).toBeVisible();
});

test.each([
  ['a reader who may play one', plainUser, true, true],
  ['a reader who may play none', plainUser, false, false],
  ['an administrator, for deleted cameras', aUser(), false, true],
])('the Cameras page leads here for %s', async (_who, user, mayPlay, leads) => {
  answer(cameraRoutes.list, {
    count: 1,
    results: [aCamera({ name: 'Gate', may_play: mayPlay, status: 'inactive' })],
  });
  answer(cameraRoutes.snapshot, new HttpResponse('jpeg'));
  answer(cameraRoutes.liveTicket, { ticket: 't', expires_at: '2026-01-02T03:04:05.000Z' });
  await renderApp({ path: '/cameras', user });
  await screen.findAllByText('Gate');
  // The sidebar leads there for everyone; what the page shows is the server's answer.
  const page = within(screen.getByRole('main'));
  const link = page.queryByRole('link', { name: 'Recordings' });
  expect(link?.getAttribute('href') ?? null).toBe(leads ? '/recordings' : null);
});
