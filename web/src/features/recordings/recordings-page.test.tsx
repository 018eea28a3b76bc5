/** The page of a camera's recordings as its reader meets it: real rules and calls, a fake server, no media. */
import { accountRoutes } from '@nazar/contract/accounts.ts';
import { cameraRoutes } from '@nazar/contract/cameras.ts';
import { exportRoutes, type RecordingExport } from '@nazar/contract/exports.ts';
import { playbackRoutes, type PlaybackTicket } from '@nazar/contract/playback.ts';
import type { RecordingType } from '@nazar/contract/recording-states.ts';
import { recordingRoutes, type Recording, type RecordedDay } from '@nazar/contract/recordings.ts';
import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { beforeEach, expect, test, vi } from 'vitest';
import { forgetAnswers } from '#api/kept-answers.ts';
import { forgetMedia } from '#api/media.ts';
import { signOut } from '#api/session.ts';
import { address } from '#lib/address.ts';
import { dayAfter, dayOf, timesOf } from '#lib/local-day.ts';
import { aUser } from '#testing/builders.ts';
import { cameraStates, nowMs } from '#testing/camera-states.ts';
import { aCamera, newsOf, someHealth } from '#testing/cameras.ts';
import { countHls, forgetHls } from '#testing/fake-hls.ts';
import { fakeMedia } from '#testing/fake-media.ts';
import { FakeSocket } from '#testing/fake-socket.ts';
import { aForecast, someSettings } from '#testing/recording-settings.ts';
import { aRecording, someStatistics } from '#testing/recordings.ts';
import { renderApp, type Scene } from '#testing/render-app.tsx';
import { answer, fieldRefusal, refusal, server, type Seen } from '#testing/server.ts';

vi.mock('hls.js/light', async () => (await import('#testing/fake-hls.ts')).fakeHls());

const camera = aCamera({ name: 'Gate', may_play: true });
const today = dayOf(Date.now());
const plainUser = aUser({ role: 'user', is_staff: false, is_superuser: false });

let listed: Seen[];
let begun: Seen[];

const ticket: PlaybackTicket = {
  ticket: 'one',
  expires_at: '2026-01-02T03:04:05.000Z',
  playlist: '/secure-api/playback/index.m3u8?ticket=one',
  starts_at: '2026-01-02T03:04:05.000Z',
  mimes: ['video/mp4; codecs="avc1.4d401f"'],
  masked: false,
  encoded: false,
};

const pageOf = (...results: Recording[]) => ({ count: results.length, results });
const serve = (...results: Recording[]): Seen[] => answer(recordingRoutes.list, pageOf(...results));

const aDay = (date: string, over: Partial<RecordedDay> = {}): RecordedDay => ({
  date,
  recordings: 1,
  motion: 0,
  faces: 0,
  ...over,
});

/** What is answered for one recording; the addresses of the newest and of the figures would fit the same pattern. */
function serveOne(reply: Recording | Response | ((seen: Seen) => Recording)): void {
  answer(recordingRoutes.read, reply);
  answer(recordingRoutes.newest, { newest: aRecording() });
  answer(recordingRoutes.statistics, someStatistics());
}

beforeEach(() => {
  fakeMedia();
  forgetMedia();
  forgetHls();
  forgetAnswers();
  vi.spyOn(HTMLMediaElement.prototype, 'pause').mockReturnValue();
  answer(cameraRoutes.read, camera);
  listed = serve(aRecording());
  answer(recordingRoutes.days, { results: [aDay(today)] });
  serveOne(({ params }) => aRecording({ id: String(params['id']) }));
  answer(recordingRoutes.timeline, {
    camera_id: camera.id,
    spans: [],
    gaps: [],
    motion: [],
    faces: [],
  });
  answer(playbackRoutes.stills, { results: [] });
  begun = answer(playbackRoutes.begin, ticket);
  answer(playbackRoutes.recordingThumbnail, new HttpResponse('jpeg'));
  answer(playbackRoutes.thumbnail, new HttpResponse('jpeg'));
});

async function openPage(search = '', scene: Partial<Scene> = {}) {
  await renderApp({ path: `/recordings/${camera.id}${search}`, user: aUser(), ...scene });
  return userEvent.setup();
}

const items = (): Promise<HTMLElement[]> =>
  screen
    .findByRole('list', { name: 'Recordings of this day' })
    .then((list) => within(list).getAllByRole('button'));
const theItem = async (): Promise<HTMLElement> => {
  const [first] = await items();
  if (first === undefined) throw new Error('nothing is listed');
  return first;
};
const queryOf = (seen: readonly Seen[]): Record<string, string> =>
  Object.fromEntries(seen.at(-1)?.url.searchParams ?? []);
const inAddress = (name: string): string | null =>
  new URLSearchParams(address.get().split('?')[1]).get(name);

test('the page says how its camera is, and calls no recording in progress that is not written', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: nowMs });
  serve(aRecording({ isActive: true, endTime: null }));
  const of = (name: string) => cameraStates.find((state) => state.of === name)!;
  for (const [name, badge, never] of [
    ['recorded continuously', 'In progress', 'Interrupted'],
    ['the disk hangs', 'Interrupted', 'In progress'],
    ['unplugged', 'Interrupted', 'In progress'],
  ] as const) {
    const { sentence, tone, camera: known } = of(name);
    answer(cameraRoutes.read, { ...known, id: camera.id, may_play: true });
    await openPage();
    const line = await screen.findByText(sentence);
    expect(line.closest('[data-camera-state]')).toHaveAttribute('data-camera-state', tone);
    expect(within(await theItem()).getByText(badge), name).toBeVisible();
    expect(screen.queryByText(never), name).toBeNull();
    cleanup();
    forgetAnswers();
  }
  vi.useRealTimers();
});

test('NAV-009, REC-001, REC-002 the page of a camera: its name, and the way back', async () => {
  const user = await openPage();
  expect(await screen.findByRole('heading', { level: 1, name: 'Gate' })).toBeVisible();
  expect(document.title).toBe('Gate · Nazar');
  await user.click(screen.getByRole('link', { name: 'Back to Cameras' }));
  expect(await screen.findByRole('heading', { level: 1, name: 'Cameras' })).toBeVisible();
});

test('REC-003 Recording Settings opens in the head, and says when it is saved', async () => {
  const settings = someSettings();
  answer(recordingRoutes.settings, settings);
  answer(recordingRoutes.forecast, aForecast());
  const changed = answer(recordingRoutes.changeSettings, { ...settings, retentionDays: 7 });
  const user = await openPage();
  await user.click(await screen.findByRole('button', { name: 'Recording Settings' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Recording Settings: Gate' }));
  const days = await dialog.findByRole('spinbutton', { name: /^Retention/ });
  await user.clear(days);
  await user.type(days, '7');
  await user.click(dialog.getByRole('button', { name: 'Save Changes' }));
  expect(await screen.findByText('Recording settings saved.')).toBeVisible();
  expect(changed.at(-1)?.body).toEqual({ retentionDays: 7 });
  expect(screen.queryByRole('dialog')).toBeNull();
});

/** The list with two recordings that have nothing alike. */
async function openUnlike(): Promise<[HTMLElement, HTMLElement]> {
  serve(
    aRecording({ type: 'motion', duration: 3723, bytes: 24_960_000, faceCount: 2, held: true }),
    aRecording({ type: 'scheduled', duration: 61, bytes: 3_040_000, faceCount: 0 }),
  );
  await openPage();
  const [first, second] = await items();
  return [first!, second!];
}

test('REC-015, REC-016, REC-019 the list says how many there are, an item its picture, duration and size', async () => {
  const [first, second] = await openUnlike();
  expect(screen.getByText('2 recordings found')).toBeInTheDocument();
  expect(within(first).getByText(/1:02:03 · 25 MB/)).toBeInTheDocument();
  expect(within(second).getByText(/^1:01 · 3 MB/)).toBeInTheDocument();
  for (const item of [first, second])
    await waitFor(() => expect(item.querySelector('img')).toHaveAttribute('src'));
});

test('REC-017, REC-018, ~ENT-010 an item says by badges of which type it is, how many were seen, and whether it is held', async () => {
  const [first, second] = await openUnlike();
  for (const words of ['Motion', '2 visits', 'Held'])
    expect(within(first).getByText(words)).toBeInTheDocument();
  expect(within(second).getByText('Scheduled')).toBeInTheDocument();
  for (const words of ['Motion', /visit/, 'Held'])
    expect(within(second).queryByText(words)).toBeNull();
});

test('~REC-017, ENT-011 a recording says by a badge of which type it is', async () => {
  const badges: Record<RecordingType, string> = {
    motion: 'Motion',
    scheduled: 'Scheduled',
    test: 'Test',
    continuous: 'Continuous',
    manual: 'Manual',
  };
  const types = Object.keys(badges) as RecordingType[];
  serve(...types.map((type) => aRecording({ type })));
  await openPage();
  const listed = await items();
  expect(listed).toHaveLength(types.length);
  for (const [index, type] of types.entries()) {
    expect(within(listed[index]!).getByText(badges[type])).toBeInTheDocument();
  }
});

test('REC-020, ~CON-013 the list is at most 400 px high', async () => {
  await openPage();
  const list = await screen.findByRole('list', { name: 'Recordings of this day' });
  expect(list).toHaveClass('max-h-[400px]', 'overflow-y-auto');
});

test('REC-021 nothing is selected until an item is clicked; then it plays from its beginning', async () => {
  const user = await openPage();
  const item = await theItem();
  expect(item).not.toHaveAttribute('aria-current');
  expect(screen.getByText('Select a recording to play it.')).toBeVisible();
  expect(screen.queryByRole('region', { name: 'Selected recording' })).toBeNull();
  expect([begun.length, countHls()]).toEqual([0, 0]);
  await user.click(item);
  await waitFor(() => expect(countHls()).toBe(1));
  expect(item).toHaveAttribute('aria-current', 'true');
  expect(await screen.findByRole('region', { name: 'Selected recording' })).toBeVisible();
  expect(screen.getByRole('button', { name: 'Pause' })).toBeVisible();
  const [{ body } = { body: null }] = begun;
  const { from, until } = body as { from: string; until: string };
  expect(from < aRecording().startTime && aRecording().startTime < until).toBe(true);
  expect(inAddress('recording')).not.toBeNull();
});

test('a link to the moment that is shown: in the address, copied, and what plays goes on', async () => {
  const user = await openPage();
  await user.click(await theItem());
  await waitFor(() => expect(begun).toHaveLength(1));
  expect(inAddress('at')).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Copy link to this moment' }));
  expect(await screen.findByText('Link copied.')).toBeVisible();
  const link = await navigator.clipboard.readText();
  expect(new URL(link).searchParams.get('at')).toBe(aRecording().startTime);
  expect(new URL(link).searchParams.get('recording')).toBe(inAddress('recording'));
  expect(begun).toHaveLength(1);
  vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new Error('not allowed'));
  await user.click(screen.getByRole('button', { name: 'Copy link to this moment' }));
  expect(await screen.findByText('The address bar now links to this moment.')).toBeVisible();
});

test('Play before anything is chosen plays the first of the list', async () => {
  const user = await openPage();
  const item = await theItem();
  await user.click(screen.getByRole('button', { name: 'Play' }));
  await waitFor(() => expect(item).toHaveAttribute('aria-current', 'true'));
});

test('~REC-037, ~NSH-044, ~NSH-018 the list is the server’s: of this camera and the reader’s day', async () => {
  await openPage();
  await theItem();
  expect(queryOf(listed)).toEqual({
    camera: camera.id,
    date: today,
    timezone: new Intl.DateTimeFormat().resolvedOptions().timeZone,
    page: '1',
    page_size: '20',
  });
});

test('REC-012 the day before, the day after, and any by the calendar with its dots', async () => {
  const user = await openPage(`?day=2026-01-15`);
  await theItem();
  expect(queryOf(listed)['date']).toBe('2026-01-15');
  await user.click(screen.getByRole('button', { name: 'Previous day' }));
  await waitFor(() => expect(queryOf(listed)['date']).toBe('2026-01-14'));
  await user.click(screen.getByRole('button', { name: 'Next day' }));
  await waitFor(() => expect(inAddress('day')).toBe('2026-01-15'));
  const days = answer(recordingRoutes.days, {
    results: [aDay('2026-01-03', { recordings: 4, motion: 2, faces: 1 })],
  });
  await user.click(screen.getByRole('button', { name: /^Date: / }));
  const grid = await screen.findByRole('grid', { name: 'January 2026' });
  const third = await within(grid).findByRole('button', {
    name: 'Saturday, January 3, 2026, 4 recordings found, Motion, 1 visit',
  });
  expect(queryOf(days)['month']).toBe('2026-01');
  await user.click(third);
  await waitFor(() => expect(queryOf(listed)['date']).toBe('2026-01-03'));
  expect(screen.queryByRole('grid')).toBeNull();
  expect(screen.getByRole('button', { name: /^Date: / })).toHaveFocus();
});

test('the calendar by keys: days, weeks, months, and no day of the future', async () => {
  const user = await openPage('?day=2026-01-15');
  await user.click(await screen.findByRole('button', { name: /^Date: / }));
  await screen.findByRole('grid', { name: 'January 2026' });
  act(() => screen.getByRole('button', { name: /^Thursday, January 15/ }).focus());
  await user.keyboard('{ArrowRight}{ArrowDown}');
  expect(screen.getByRole('button', { name: /^Friday, January 23/ })).toHaveFocus();
  await user.keyboard('{Home}');
  expect(screen.getByRole('button', { name: /^Monday, January 19/ })).toHaveFocus();
  await user.keyboard('{End}{PageUp}');
  expect(screen.getByRole('button', { name: /^Thursday, December 25, 2025/ })).toHaveFocus();
  await user.keyboard('{Escape}');
  expect(screen.getByRole('button', { name: /^Date: / })).toHaveFocus();
  await user.click(screen.getByRole('button', { name: /^Date: / }));
  await user.click(await screen.findByRole('button', { name: 'Today' }));
  await waitFor(() => expect(inAddress('day')).toBe(today));
  expect(screen.getByRole('button', { name: 'Next day' })).toBeDisabled();
});

test('REC-013 a search by name', async () => {
  const user = await openPage();
  await user.type(await screen.findByRole('searchbox', { name: 'Search by name' }), 'Rena{Enter}');
  await waitFor(() => expect(queryOf(listed)['search']).toBe('Rena'));
  expect(inAddress('search')).toBe('Rena');
});

test('REC-014 the filter narrows the list', async () => {
  const user = await openPage('?page=2');
  const filter = await screen.findByLabelText('Filter recordings');
  expect(
    within(filter)
      .getAllByRole('option')
      .map((one) => one.textContent),
  ).toEqual(['All', 'Motion Detected', 'Scheduled', 'With Faces']);
  for (const [name, query] of [
    ['Motion Detected', { has_motion: 'true' }],
    ['Scheduled', { type: 'scheduled' }],
    ['With Faces', { has_faces: 'true' }],
  ] as const) {
    await user.selectOptions(filter, name);
    await waitFor(() => expect(queryOf(listed)).toMatchObject({ ...query, page: '1' }));
  }
  expect(inAddress('filter')).toBe('faces');
  await user.selectOptions(filter, 'All');
  await waitFor(() => expect(queryOf(listed)).not.toHaveProperty('has_faces'));
});

test('the list pages on the server, and leaves a page that is no more', async () => {
  listed = answer(recordingRoutes.list, ({ url }) => ({
    count: 21,
    results: url.searchParams.get('page') === '1' ? [aRecording()] : [aRecording()],
  }));
  const user = await openPage();
  await user.click(await screen.findByRole('button', { name: 'Page 2' }));
  await waitFor(() => expect(queryOf(listed)['page']).toBe('2'));
  listed = serve(aRecording());
  await waitFor(() => expect(inAddress('page')).toBeNull(), { timeout: 8000 });
});

const statisticsCard = async (): Promise<HTMLElement> => {
  await openPage();
  return screen.findByRole('region', { name: 'Recording Statistics' });
};

/** What the card says of one of its figures. */
async function statistic(name: string): Promise<string | null | undefined> {
  const card = await statisticsCard();
  const term = (await within(card).findAllByRole('term')).find(
    ({ textContent }) => textContent === name,
  );
  return term?.nextElementSibling?.textContent;
}

test.each([
  ['REC-022', 'Total recordings', '48'],
  ['REC-023', 'Total duration', '26 h 5 min'],
  ['REC-024', 'Storage used', '12.3 GB'],
  ['REC-025', 'Faces detected', '7'],
])('%s the card says: %s %s', async (_, name, value) => {
  expect(await statistic(name)).toBe(value);
});

test('REC-026, REC-027 the bar is the part of the disk that is in use, the text what remains', async () => {
  const card = await statisticsCard();
  expect(await within(card).findByRole('progressbar', { name: 'Storage usage' })).toHaveAttribute(
    'value',
    '83',
  );
  expect(within(card).getByText('17% remaining')).toBeVisible();
});

test('a short rest is shown in whole seconds; a missing disk is shown as such', async () => {
  answer(recordingRoutes.statistics, someStatistics({ storage: null, duration: 10.139 }));
  await openPage();
  expect(await screen.findByText('10 sec')).toBeVisible();
  expect(await screen.findByText("The storage for recordings isn't available.")).toBeVisible();
});

test('a folder whose disk does not answer is named beside the room on the others', async () => {
  answer(recordingRoutes.statistics, someStatistics({ hung_folders: ['/recordings-2/'] }));
  await openPage();
  expect(await screen.findByText('Not responding: /recordings-2/')).toBeVisible();
  expect(screen.getByText('17% remaining')).toBeVisible();
});

test('where all folders hang the page does not say that they are missing', async () => {
  answer(
    recordingRoutes.statistics,
    someStatistics({ storage: null, hung_folders: ['/recordings/'] }),
  );
  await openPage();
  expect(await screen.findByText('Not responding: /recordings/')).toBeVisible();
  expect(screen.queryByText("The storage for recordings isn't available.")).not.toBeInTheDocument();
});

test('REC-028 without recordings: what to do about it, for users who may', async () => {
  serve();
  answer(recordingRoutes.newest, { newest: null });
  answer(recordingRoutes.days, { results: [] });
  await openPage();
  expect(await screen.findByText('No recordings yet')).toBeVisible();
  expect(screen.getByText(/^Start recording in the camera's menu/)).toBeVisible();
  expect(screen.getByRole('link', { name: 'Go to Cameras' })).toBeVisible();
});

test('~REC-028 a user who may not change cameras reads whom to ask', async () => {
  serve();
  answer(recordingRoutes.newest, { newest: null });
  answer(recordingRoutes.days, { results: [] });
  await openPage('', { user: plainUser });
  expect(await screen.findByText(/^Ask an administrator to turn on recording/)).toBeVisible();
  expect(screen.queryByRole('link', { name: 'Go to Cameras' })).toBeNull();
});

test('REC-029 a day without recordings gives way to the day of the newest, and the page says so', async () => {
  listed = answer(recordingRoutes.list, ({ url }) =>
    url.searchParams.get('date') === '2026-01-12' ? pageOf(aRecording()) : pageOf(),
  );
  answer(recordingRoutes.newest, { newest: aRecording({ date: '2026-01-12' }) });
  answer(recordingRoutes.days, { results: [aDay('2026-01-12')] });
  await openPage('?day=2026-01-15');
  expect(
    await screen.findByText(
      'Nothing was recorded on Jan 15, 2026. Showing Jan 12, 2026, the day of the newest recording.',
    ),
  ).toBeVisible();
  expect(inAddress('day')).toBe('2026-01-12');
  expect(await items()).toHaveLength(1);
});

test('~REC-029 a day whose recordings a filter hides stays', async () => {
  serve();
  answer(recordingRoutes.newest, { newest: aRecording({ date: today }) });
  answer(recordingRoutes.days, { results: [aDay('2026-01-15')] });
  const user = await openPage('?day=2026-01-15&filter=faces');
  expect(await screen.findByText('No matching recordings')).toBeVisible();
  expect(inAddress('day')).toBe('2026-01-15');
  await user.click(screen.getByRole('button', { name: 'Clear filters' }));
  await waitFor(() => expect(inAddress('filter')).toBeNull());
});

test('a day that there is none of gets a sentence and today’s recordings; nothing else is lost', async () => {
  await openPage('?day=2026-13-40&filter=motion');
  expect(await screen.findByText(/^2026-13-40 isn't a date\./)).toBeVisible();
  await theItem();
  expect(queryOf(listed)).toMatchObject({ date: today, has_motion: 'true' });
});

test('a moment in the address opens its day and is sought', async () => {
  const { fromMs } = timesOf(dayAfter(today, -3));
  await openPage(`?at=${new Date(fromMs + 3_600_000).toISOString()}`);
  await theItem();
  expect(queryOf(listed)['date']).toBe(dayAfter(today, -3));
  await waitFor(() => expect(begun).toHaveLength(1));
  expect(screen.getByRole('button', { name: 'Play' })).toBeVisible();
});

test('a recording in the address opens its day', async () => {
  const id = '22222222-2222-4222-8222-0000000000aa';
  serveOne(aRecording({ id, date: '2026-01-15' }));
  await openPage(`?recording=${id}`);
  await theItem();
  expect(queryOf(listed)['date']).toBe('2026-01-15');
  expect(await screen.findByRole('region', { name: 'Selected recording' })).toBeVisible();
});

test('~REC-004 a missing recording in the address is reported, and the day is today', async () => {
  serveOne(refusal(404, 'recording_not_found', "This recording wasn't found."));
  await openPage('?recording=22222222-2222-4222-8222-0000000000aa');
  expect(await screen.findByText("This recording wasn't found.")).toBeVisible();
  await theItem();
  expect(queryOf(listed)['date']).toBe(today);
});

test('REC-038, ~CON-003 the list asks again each 2 s with its tag; what is new appears', async () => {
  const tag = '"one"';
  const askedAtMs: number[] = [];
  listed = answer(recordingRoutes.list, ({ headers }) => {
    askedAtMs.push(performance.now());
    return headers.get('if-none-match') === tag
      ? new HttpResponse(null, { status: 304, headers: { ETag: tag } })
      : HttpResponse.json(pageOf(aRecording()), { headers: { ETag: tag } });
  });
  await openPage();
  await theItem();
  await waitFor(() => expect(listed.length).toBeGreaterThan(1));
  // Not sooner, however busy the machine: the two seconds begin with the first answer.
  expect(askedAtMs[1]! - askedAtMs[0]!).toBeGreaterThan(1900);
  expect(listed.at(-1)?.headers.get('if-none-match')).toBe(tag);
  serve(aRecording(), aRecording());
  await waitFor(async () => expect(await items()).toHaveLength(2), { timeout: 5000 });
});

test('~REC-038 news that recordings changed are followed at once: the figures, too', async () => {
  await openPage();
  await theItem();
  const figures = answer(recordingRoutes.statistics, someStatistics({ recordings: 49 }));
  serve(aRecording(), aRecording());
  const socket = FakeSocket.opened.find(({ url }) => url.includes('/news/'));
  act(() => socket?.receive({ kind: 'changed', what: 'recordings' }));
  expect(await screen.findByText('2 recordings found')).toBeVisible();
  await waitFor(() => expect(figures).toHaveLength(1));
  expect(await screen.findByText('49')).toBeVisible();
});

test('CAM-015 a camera that goes is gone at once, with its recording', async () => {
  answer(cameraRoutes.read, { ...camera, is_recording: true, recording_state: 'recording' });
  await openPage();
  await screen.findByText('Live · Recording');
  const health = someHealth({ state: 'offline', cause: 'unreachable' });
  const socket = FakeSocket.opened.find(({ url }) => url.includes('/news/'));
  act(() => socket?.receive(newsOf({ ...camera, health, recording_state: 'interrupted' })));
  expect(
    await screen.findByText(/the camera can't be reached · Nothing is recorded$/),
  ).toBeVisible();
});

test('~REC-038 a hidden tab asks nothing', async () => {
  await openPage();
  await theItem();
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
  act(() => void document.dispatchEvent(new Event('visibilitychange')));
  const before = listed.length;
  await new Promise((resolve) => void setTimeout(resolve, 2500));
  expect(listed).toHaveLength(before);
});

test('REC-041 a failed list says so, and is asked for again', async () => {
  answer(recordingRoutes.list, refusal(404, 'camera_not_found', 'Gone.'));
  const user = await openPage();
  expect(await screen.findByText('Failed to load recordings. Please try again.')).toBeVisible();
  serve(aRecording());
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  await theItem();
});

test('REC-040 a camera that cannot be loaded', async () => {
  answer(cameraRoutes.read, refusal(500, 'internal', 'Something went wrong.'));
  const user = await openPage();
  expect(
    await screen.findByText('Failed to load camera information. Please try again.'),
  ).toBeVisible();
  answer(cameraRoutes.read, camera);
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  expect(await screen.findByRole('heading', { level: 1, name: 'Gate' })).toBeVisible();
});

test('an unknown or foreign camera is reported, with the way back', async () => {
  answer(cameraRoutes.read, refusal(404, 'camera_not_found', 'No.'));
  await openPage('', { user: plainUser });
  expect(await screen.findByText("You can't see this camera, or it doesn't exist.")).toBeVisible();
  expect(screen.getByRole('link', { name: 'Back to Cameras' })).toBeVisible();
});

test('an address that is none of a camera', async () => {
  answer(cameraRoutes.read, fieldRefusal({ id: ['Not an id.'] }));
  await openPage('', { user: plainUser });
  expect(await screen.findByText("You can't see this camera, or it doesn't exist.")).toBeVisible();
});

test('a user who may see the camera and not its recordings reads so, and nothing is asked', async () => {
  answer(cameraRoutes.read, { ...camera, may_play: false });
  await openPage('', { user: plainUser });
  expect(await screen.findByText("You can't play this camera's recordings")).toBeVisible();
  expect(listed).toHaveLength(0);
});

test('an administrator can still open a deleted camera, and reads that it is deleted', async () => {
  answer(cameraRoutes.read, refusal(404, 'camera_not_found', 'No.'));
  answer(recordingRoutes.deletedCameras, {
    results: [
      {
        id: camera.id,
        name: 'Old gate',
        location: '',
        deleted_at: '2026-02-03T12:00:00.000Z',
        recordings: 1,
        from: '2026-01-15T12:00:00.000Z',
        until: '2026-01-15T13:00:00.000Z',
      },
    ],
  });
  await openPage();
  expect(await screen.findByRole('heading', { level: 1, name: 'Old gate' })).toBeVisible();
  expect(screen.getByText('This camera was deleted on Feb 3, 2026')).toBeVisible();
  await theItem();
});

async function opened(recording: Recording, scene: Partial<Scene> = {}) {
  serve(recording);
  const user = await openPage('', scene);
  await user.click(await theItem());
  await screen.findByRole('region', { name: 'Selected recording' });
  return user;
}

test('~REC-011, ~REC-004 delete names what it destroys, takes fresh proof, and the list is read again', async () => {
  const recording = aRecording({ duration: 600, bytes: 24_960_000 });
  const user = await opened(recording);
  const deleted = answer(recordingRoutes.delete, ({ body }) =>
    (body as { password?: string }).password === 'right'
      ? new HttpResponse(null, { status: 204 })
      : fieldRefusal({ password: ['This is not your password.'] }),
  );
  await user.click(screen.getByRole('button', { name: 'Delete' }));
  const dialog = await screen.findByRole('dialog', { name: 'Delete recording?' });
  expect(dialog).toHaveAccessibleDescription(/recording of Gate, .*10:00, 25 MB/);
  await user.type(within(dialog).getByLabelText(/password/i, { selector: 'input' }), 'wrong');
  await user.click(within(dialog).getByRole('button', { name: 'Delete recording' }));
  expect(await within(dialog).findByText('This is not your password.')).toBeVisible();
  const field = within(dialog).getByLabelText(/password/i, { selector: 'input' });
  await user.clear(field);
  await user.type(field, 'right');
  serve();
  await user.click(within(dialog).getByRole('button', { name: 'Delete recording' }));
  expect(await screen.findByText('Recording deleted.')).toBeVisible();
  expect(deleted.at(-1)?.params['id']).toBe(recording.id);
  expect(inAddress('recording')).toBeNull();
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(screen.queryByRole('region', { name: 'Selected recording' })).toBeNull();
  // What was in the player's buffer is shown no more: another ticket is asked for.
  await waitFor(() => expect(begun).toHaveLength(2));
  expect(document.querySelector('video')).toHaveAttribute('aria-hidden', 'true');
});

test('a selected recording that was removed by age or by another is shown as gone', async () => {
  const recording = aRecording();
  await opened(recording);
  await waitFor(() => expect(begun).toHaveLength(1));
  serveOne(refusal(404, 'recording_not_found', "This recording wasn't found."));
  serve(aRecording());
  const socket = FakeSocket.opened.find(({ url }) => url.includes('/news/'));
  act(() => socket?.receive({ kind: 'changed', what: 'recordings' }));
  expect(await screen.findByText("This recording wasn't found.")).toBeVisible();
  expect(screen.queryByRole('region', { name: 'Selected recording' })).toBeNull();
});

test('a held recording is not deleted, and says why', async () => {
  await opened(aRecording({ held: true }));
  expect(screen.getByRole('button', { name: 'Delete' })).toBeDisabled();
  await waitFor(() =>
    expect(screen.getByRole('button', { name: 'Delete' })).toHaveAccessibleDescription(
      "This recording is held as evidence and can't be deleted.",
    ),
  );
});

test('a recording that goes on is neither deleted nor downloaded yet', async () => {
  await opened(aRecording({ isActive: true, endTime: null }));
  expect(screen.getByRole('button', { name: 'Delete' })).toHaveAccessibleDescription(
    /still in progress/,
  );
  expect(screen.queryByRole('button', { name: 'Download' })).toBeNull();
});

test('a user who changes no cameras deletes nothing', async () => {
  await opened(aRecording(), { user: plainUser });
  expect(screen.queryByRole('button', { name: 'Delete' })).toBeNull();
  expect(screen.getByRole('button', { name: 'Download' })).toBeVisible();
});

const anExport = (over: Partial<RecordingExport> = {}): RecordingExport => ({
  id: '22222222-2222-4222-8222-0000000000ee',
  camera_id: camera.id,
  camera_name: 'Gate',
  file_name: 'Gate-20260115T120000Z.mp4',
  from: '2026-01-15T12:00:00.000Z',
  until: '2026-01-15T12:10:00.000Z',
  created_by: { id: plainUser.id, name: 'Aysel Quliyeva' },
  created_at: '2026-01-15T12:20:00.000Z',
  status: 'running',
  progress: 0.4,
  fault: null,
  bytes: null,
  sha256: null,
  seconds: null,
  expires_at: null,
  encoded_seconds: null,
  left_out_seconds: null,
  masked: false,
  ...over,
});

test('~REC-010 download: the file is made, then the browser saves it by a ticket', async () => {
  const saved: string[] = [];
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(
    this: HTMLAnchorElement,
  ) {
    saved.push(this.getAttribute('href') ?? '');
  });
  const recording = aRecording();
  const user = await opened(recording);
  const asked = answer(exportRoutes.ofRecording, anExport());
  answer(exportRoutes.read, anExport({ status: 'done', progress: 1 }));
  const there = '/secure-api/recordings/exports/download/?ticket=abc';
  answer(exportRoutes.ticket, {
    ticket: 'abc',
    expires_at: '2026-01-15T12:20:00Z',
    address: there,
  });
  await user.click(screen.getByRole('button', { name: 'Download' }));
  expect(await screen.findByText('Preparing the file... 40%')).toBeVisible();
  expect(await screen.findByText('The download has started.')).toBeVisible();
  expect(asked[0]?.params['id']).toBe(recording.id);
  expect(saved).toEqual([there]);
});

test('~REC-010, REC-004 a download that fails says so, and one that is cancelled ends', async () => {
  const user = await opened(aRecording());
  answer(exportRoutes.ofRecording, anExport({ status: 'failed', fault: 'unreadable' }));
  await user.click(screen.getByRole('button', { name: 'Download' }));
  expect(await screen.findByText(/^The export failed\./)).toBeVisible();
  answer(exportRoutes.ofRecording, anExport());
  const asked = answer(exportRoutes.read, anExport());
  await user.click(screen.getByRole('button', { name: 'Download' }));
  await waitFor(() => expect(asked.length).toBeGreaterThan(0));
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(screen.getByRole('button', { name: 'Download' })).toBeVisible();
});

const copyKept = (): Promise<string> =>
  waitFor(() => {
    const kept = localStorage.getItem('recordings');
    if (kept === null) throw new Error('no copy is kept');
    return kept;
  });

test('CFL-051, ~CFL-037 without the server the last list stays, with its age', async () => {
  await openPage();
  await theItem();
  server.use(http.all('*', () => HttpResponse.error()));
  const list = screen.getByRole('region', { name: 'Recordings' });
  const patient = { timeout: 15_000 };
  expect(
    await within(list).findByText(
      'Failed to load recordings. Please try again.',
      undefined,
      patient,
    ),
  ).toBeVisible();
  expect(within(list).getByText(/^As of /)).toBeVisible();
  expect(await items()).toHaveLength(1);
  server.resetHandlers();
});

test('~CFL-051 opened without the server: the copy of this user, of this camera and this day', async () => {
  await openPage();
  await theItem();
  const kept = await copyKept();
  expect(kept).toContain(aUser().id);
  expect(kept).not.toMatch(/secure-api|192\.168|rtsp|thumbnail|"path"/);
  cleanup();
  answer(recordingRoutes.list, refusal(503, 'unavailable', 'Later.'));
  answer(cameraRoutes.read, refusal(503, 'unavailable', 'Later.'));
  await openPage();
  const patient = { timeout: 15_000 };
  expect(await screen.findByText(/^As of /, undefined, patient)).toBeVisible();
  expect(screen.getByRole('heading', { level: 1, name: 'Gate' })).toBeVisible();
  expect(screen.getByText('Failed to load camera information. Please try again.')).toBeVisible();
  expect(await items()).toHaveLength(1);
});

test('~CFL-051 signing out leaves no copy', async () => {
  await openPage();
  await theItem();
  await copyKept();
  answer(accountRoutes.logout, new HttpResponse(null, { status: 204 }));
  await act(() => signOut());
  expect(localStorage.getItem('recordings')).toBeNull();
});
