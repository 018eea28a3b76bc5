/** Several cameras as their reader meets them, on the page of one of them: real rules, a fake server, no media. */
import type { Camera } from '@nazar/contract/cameras.ts';
import { bookmarkRoutes } from '@nazar/contract/bookmarks.ts';
import { cameraRoutes } from '@nazar/contract/cameras.ts';
import { exportRoutes } from '@nazar/contract/exports.ts';
import { playbackRoutes } from '@nazar/contract/playback.ts';
import { recordingRoutes, type CameraTimeline } from '@nazar/contract/recordings.ts';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse } from 'msw';
import { beforeEach, expect, test, vi } from 'vitest';
import { forgetAnswers } from '#api/kept-answers.ts';
import { forgetMedia } from '#api/media.ts';
import { address } from '#lib/address.ts';
import { aUser } from '#testing/builders.ts';
import { aCamera } from '#testing/cameras.ts';
import { allHls, forgetHls, type FakeFile, type FakeHls } from '#testing/fake-hls.ts';
import { fakeMedia } from '#testing/fake-media.ts';
import { aRecording, someStatistics } from '#testing/recordings.ts';
import { renderApp } from '#testing/render-app.tsx';
import { answer, refusal, type Seen } from '#testing/server.ts';

vi.mock('hls.js/light', async () => (await import('#testing/fake-hls.ts')).fakeHls());

const idOf = (number: number): string =>
  `22222222-2222-4222-8222-${String(number).padStart(12, '0')}`;
const named = (number: number, name: string, over: Partial<Camera> = {}): Camera =>
  aCamera({ id: idOf(number), name, may_play: true, ...over });

const gate = named(1, 'Gate');
const yard = named(2, 'Yard');
const hall = named(3, 'Hall');
const office = named(4, 'Office', { may_play: false });
const gone = idOf(99);
let all: Camera[];

const startMs = Date.parse('2026-01-15T12:00:00.000Z');
const iso = (seconds: number): string => new Date(startMs + seconds * 1000).toISOString();

/** Ten minutes in files of ten seconds, or without those from a second to another one. */
const files = (gap?: [number, number]): FakeFile[] => {
  const starts = Array.from({ length: 60 }, (_, index) => index * 10);
  return starts
    .filter((at) => gap === undefined || at < gap[0] || at >= gap[1])
    .map((at, index) => ({
      start: index * 10,
      duration: 10,
      programDateTime: startMs + at * 1000,
    }));
};

const timelineOf = (cameraId: string, over: Partial<CameraTimeline> = {}): CameraTimeline => ({
  camera_id: cameraId,
  spans: [],
  gaps: [],
  motion: [],
  faces: [],
  ...over,
});

const cameraOf = ({ params }: Seen): Camera | Response =>
  all.find(({ id }) => id === params['id']) ?? refusal(404, 'camera_not_found', 'No such camera.');

let timelines: Seen[];

beforeEach(() => {
  fakeMedia();
  forgetMedia();
  forgetHls();
  forgetAnswers();
  all = [gate, yard, hall, office];
  vi.spyOn(HTMLMediaElement.prototype, 'pause').mockReturnValue();
  vi.spyOn(HTMLMediaElement.prototype, 'readyState', 'get').mockReturnValue(4);
  answer(recordingRoutes.list, { count: 1, results: [aRecording()] });
  answer(recordingRoutes.days, { results: [] });
  answer(recordingRoutes.read, ({ params }) => aRecording({ id: String(params['id']) }));
  answer(recordingRoutes.newest, { newest: aRecording() });
  answer(recordingRoutes.statistics, someStatistics());
  answer(recordingRoutes.deletedCameras, { results: [] });
  answer(recordingRoutes.timeline, ({ params }) => timelineOf(String(params['id'])));
  timelines = answer(recordingRoutes.timelines, ({ url }) => ({
    results: (url.searchParams.get('cameras') ?? '').split(',').map((id) => timelineOf(id)),
  }));
  answer(playbackRoutes.begin, ({ params }) => ({
    ticket: String(params['id']),
    expires_at: iso(3600),
    playlist: `/secure-api/playback/index.m3u8?ticket=${String(params['id'])}`,
    starts_at: iso(0),
    mimes: ['video/mp4; codecs="avc1.4d401f,mp4a.40.2"'],
    masked: false,
    encoded: false,
  }));
  answer(playbackRoutes.thumbnail, new HttpResponse('jpeg'));
  answer(playbackRoutes.recordingThumbnail, new HttpResponse('jpeg'));
  answer(playbackRoutes.stills, { results: [] });
  answer(bookmarkRoutes.list, { count: 0, results: [] });
  answer(exportRoutes.list, { count: 0, results: [] });
  answer(cameraRoutes.list, ({ url }) => {
    const search = url.searchParams.get('search') ?? '';
    const results = all.filter(({ name }) => name.includes(search));
    return { count: results.length, results };
  });
  // After the list: the pattern of one camera would fit it, too.
  answer(cameraRoutes.read, cameraOf);
});

const inAddress = (name: string): string | null =>
  new URLSearchParams(address.get().split('?')[1]).get(name);
const tile = (name: string): Promise<HTMLElement> => screen.findByRole('listitem', { name });
const videoOf = (name: string): HTMLVideoElement =>
  screen.getByLabelText<HTMLVideoElement>(`Recorded video of ${name}`);
const hlsOf = (cameraId: string): FakeHls => {
  const found = allHls().findLast(({ log }) => log.some((one) => one.includes(cameraId)));
  if (found === undefined) throw new Error(`nothing was loaded of ${cameraId}`);
  return found;
};

/** The page of the gate, with others, at 12:00:05. */
async function open(ids: readonly string[], more = '') {
  const further = ids.length === 0 ? '' : `&with=${ids.join(',')}`;
  const path = `/recordings/${gate.id}?at=${encodeURIComponent(iso(5))}${further}${more}`;
  await renderApp({ path, user: aUser() });
  return userEvent.setup();
}

async function show(camera: Camera, some = files(), atS = 5): Promise<void> {
  await waitFor(() => hlsOf(camera.id));
  await act(async () => hlsOf(camera.id).arrive(some));
  videoOf(camera.name).currentTime = atS;
  await act(async () => void videoOf(camera.name).dispatchEvent(new Event('seeked')));
}

const muted = (): Record<string, boolean> =>
  Object.fromEntries(['Gate', 'Yard', 'Hall'].map((name) => [name, videoOf(name).muted]));

test('cameras of the address play side by side: one set of controls, one timeline', async () => {
  const user = await open([yard.id, hall.id]);
  await screen.findByRole('region', { name: 'Recordings of several cameras' });
  for (const camera of [gate, yard, hall]) await show(camera);
  expect(await tile('Gate')).toBeVisible();
  expect(await tile('Yard')).toBeVisible();
  const play = vi.spyOn(HTMLMediaElement.prototype, 'play').mockResolvedValue();
  const pressedMs = performance.now();
  await user.click(screen.getByRole('button', { name: 'Play' }));
  expect(new Set(play.mock.contexts)).toEqual(
    new Set(['Gate', 'Yard', 'Hall'].map((name) => videoOf(name))),
  );
  await user.click(screen.getByRole('button', { name: 'Pause' }));
  // It played for as long as a busy machine took to press twice.
  const playedS = (performance.now() - pressedMs) / 1000;
  await user.selectOptions(screen.getByLabelText('Speed'), '4');
  expect(['Gate', 'Yard', 'Hall'].map((name) => videoOf(name).playbackRate)).toEqual([4, 4, 4]);
  fireEvent.keyDown(screen.getByRole('region', { name: 'Recordings of several cameras' }), {
    code: 'ArrowRight',
  });
  for (const name of ['Gate', 'Yard', 'Hall']) {
    expect(videoOf(name).currentTime).toBeGreaterThan(15 - 0.2 * 4);
    expect(videoOf(name).currentTime).toBeLessThan(15 + playedS + 0.2 * 4);
  }
  await waitFor(() => expect(timelines.length).toBeGreaterThan(0));
  expect(timelines.at(-1)?.url.searchParams.get('cameras')).toBe(
    [gate.id, yard.id, hall.id].join(','),
  );
});

test("one has sound: the page's own at first, and then the chosen one", async () => {
  const user = await open([yard.id, hall.id]);
  for (const camera of [gate, yard, hall]) await show(camera);
  expect(muted()).toEqual({ Gate: false, Yard: true, Hall: true });
  const hear = screen.getByRole('button', { name: 'Listen to Yard' });
  await user.click(hear);
  expect(muted()).toEqual({ Gate: true, Yard: false, Hall: true });
  expect(hear).toHaveAttribute('aria-pressed', 'true');
  fireEvent.change(screen.getByLabelText('Volume'), { target: { value: '80' } });
  expect(videoOf('Yard').volume).toBeCloseTo(0.8);
  await user.click(screen.getByRole('button', { name: 'Mute' }));
  expect(muted()).toEqual({ Gate: true, Yard: true, Hall: true });
  await user.click(screen.getByRole('button', { name: 'Listen to Hall' }));
  expect(muted()).toEqual({ Gate: true, Yard: true, Hall: false });
});

test('a gap of one has its words and no picture, for as long as it lasts', async () => {
  answer(recordingRoutes.timeline, ({ params }) =>
    timelineOf(String(params['id']), {
      gaps: [{ cause: 'network', started_at: iso(0), ended_at: iso(300) }],
    }),
  );
  await open([yard.id]);
  await show(gate);
  await show(yard, files([0, 300]), 0);
  const words = await within(await tile('Yard')).findByText(
    /^No recording from .+ to .+: the camera couldn't be reached$/,
  );
  expect(words).toBeVisible();
  expect(videoOf('Yard')).toHaveAttribute('aria-hidden', 'true');
  expect(videoOf('Gate')).toHaveAttribute('aria-hidden', 'false');
});

test('a user who may not see one of them reads why, and sees the others', async () => {
  const user = await open([yard.id, office.id, gone]);
  for (const camera of [gate, yard]) await show(camera);
  const theirs = within(await tile('Office'));
  expect(theirs.getByText("You can't play this camera's recordings")).toBeVisible();
  expect(screen.getByText("You can't see this camera, or it doesn't exist.")).toBeVisible();
  expect(timelines.every(({ url }) => !url.search.includes(office.id))).toBe(true);
  // A right that is taken while it plays.
  answer(playbackRoutes.begin, refusal(403, 'forbidden', 'You have no permission.'));
  act(() => hlsOf(yard.id).refuse(403, 'playback_ended', ''));
  expect(await within(await tile('Yard')).findByText('You have no permission.')).toBeVisible();
  expect(videoOf('Gate')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Play' }));
  expect(screen.getByRole('button', { name: 'Pause' })).toBeVisible();
});

test('a right that is taken while it plays: known at once, and the timeline is of the others', async () => {
  await open([yard.id, hall.id]);
  for (const camera of [gate, yard, hall]) await show(camera);
  all = all.map((one) => (one === yard ? { ...yard, may_play: false } : one));
  const refused = refusal(403, 'forbidden', 'You have no permission.');
  answer(playbackRoutes.begin, refused);
  act(() => hlsOf(yard.id).refuse(403, 'playback_ended', ''));
  const words = "You can't play this camera's recordings";
  // Its tile is another one then.
  expect(await screen.findByText(words)).toBeVisible();
  expect(within(await tile('Yard')).getByText(words)).toBeVisible();
  await waitFor(() =>
    expect(timelines.at(-1)?.url.searchParams.get('cameras')).toBe([gate.id, hall.id].join(',')),
  );
  expect(videoOf('Hall')).toBeVisible();
});

test('cameras are found on the server, nine at most, and only those that may be played', async () => {
  const extra = Array.from({ length: 8 }, (_, index) => named(10 + index, `Extra ${index}`));
  all.push(...extra);
  const asked = answer(cameraRoutes.list, ({ url }) => {
    const search = url.searchParams.get('search') ?? '';
    const results = all.filter(({ name }) => name.includes(search));
    return { count: results.length, results };
  });
  const user = await open(extra.slice(0, 7).map(({ id }) => id));
  await user.click(await screen.findByRole('button', { name: 'Play with other cameras' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Play with other cameras' }));
  expect(dialog.getByText('Up to nine cameras play at the same moment.')).toBeVisible();
  expect(await dialog.findByRole('button', { name: 'Add Yard' })).toBeVisible();
  expect(dialog.queryByRole('button', { name: 'Add Office' })).toBeNull();
  expect(dialog.queryByRole('button', { name: 'Add Gate' })).toBeNull();
  await user.type(dialog.getByRole('searchbox', { name: 'Find a camera' }), 'Hall{Enter}');
  await waitFor(() => expect(asked.at(-1)?.url.searchParams.get('search')).toBe('Hall'));
  await user.click(await dialog.findByRole('button', { name: 'Add Hall' }));
  expect(inAddress('with')?.split(',')).toEqual([
    ...extra.slice(0, 7).map(({ id }) => id),
    hall.id,
  ]);
  expect(
    await dialog.findByText('Nine cameras are selected. Remove one to add another.'),
  ).toBeVisible();
  expect(dialog.queryByRole('searchbox')).toBeNull();
  await user.click(dialog.getByRole('button', { name: 'Remove Extra 0' }));
  expect(inAddress('with')).not.toContain(extra[0]?.id);
  expect(await dialog.findByRole('searchbox')).toBeVisible();
});

test('more than nine in the address: the first nine, and the page says so', async () => {
  const many = Array.from({ length: 12 }, (_, index) => named(20 + index, `Many ${index}`));
  all.push(...many);
  await open(many.map(({ id }) => id));
  expect(
    await screen.findByText(
      'The link names more than nine cameras. Only the first nine are shown.',
    ),
  ).toBeVisible();
  const region = screen.getByRole('region', { name: 'Recordings of several cameras' });
  await waitFor(() => expect(region.querySelectorAll('video')).toHaveLength(9));
});

test('one is opened alone, at the moment that was shown', async () => {
  const user = await open([yard.id]);
  for (const camera of [gate, yard]) await show(camera);
  await user.click(screen.getByRole('button', { name: 'Show Yard alone' }));
  expect(await screen.findByRole('heading', { level: 1, name: 'Yard' })).toBeVisible();
  expect([address.get().split('?')[0], inAddress('at'), inAddress('with')]).toEqual([
    `/recordings/${yard.id}`,
    iso(5),
    null,
  ]);
});

test('alone and together again: the moment stays, and so does playing', async () => {
  const user = await open([yard.id]);
  for (const camera of [gate, yard]) await show(camera);
  await user.click(screen.getByRole('button', { name: 'Play' }));
  await user.click(screen.getByRole('button', { name: 'Show Gate alone' }));
  expect(await screen.findByRole('region', { name: 'Recordings of Gate' })).toBeVisible();
  expect(inAddress('with')).toBeNull();
  expect(screen.getByRole('button', { name: 'Pause' })).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Play with other cameras' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Play with other cameras' }));
  await user.click(await dialog.findByRole('button', { name: 'Add Yard' }));
  expect(inAddress('with')).toBe(yard.id);
  await user.keyboard('{Escape}');
  expect(
    await screen.findByRole('region', { name: 'Recordings of several cameras' }),
  ).toBeVisible();
  expect(screen.getByRole('button', { name: 'Pause' })).toBeVisible();
});

test('an export is of all cameras that are shown', async () => {
  answer(exportRoutes.estimate, { results: [] });
  const user = await open([yard.id, office.id]);
  for (const camera of [gate, yard]) await show(camera);
  await user.click(await screen.findByRole('button', { name: /^Export/ }));
  const dialog = within(await screen.findByRole('dialog', { name: /export/i }));
  expect(dialog.getByText('Yard')).toBeVisible();
  expect(dialog.queryByText('Office')).toBeNull();
});

test('the keys of several: only those that do something here', async () => {
  const user = await open([yard.id]);
  for (const camera of [gate, yard]) await show(camera);
  await user.click(screen.getByRole('button', { name: 'Keyboard shortcuts' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Keyboard shortcuts' }));
  expect(dialog.getByText('Forward 10 seconds')).toBeVisible();
  expect(dialog.queryByText('Next frame')).toBeNull();
});
