/** The timeline as its reader meets it: a real playback, keys and pointers, a fake server and no drawing. */
import { ExportFields } from '@nazar/contract/exports.ts';
import { playbackRoutes } from '@nazar/contract/playback.ts';
import { recordingRoutes, type CameraTimeline } from '@nazar/contract/recordings.ts';
import { QueryClientProvider } from '@tanstack/react-query';
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { makeQueryClient, refresh } from '#api/query.ts';
import { RecordedPlayback } from '#parts/player/recorded/recorded-playback.ts';
import { everySentence } from '#testing/every-sentence.ts';
import { FakeClock, FakeRecordings } from '#testing/fake-recordings.ts';
import { answer, refusal, type Seen } from '#testing/server.ts';
import { RecordedTimeline } from './recorded-timeline.tsx';
import type { RecordedTimelineProps } from './timeline-section.tsx';
import { TimelineSection } from './timeline-section.tsx';
import { Scrub } from './scrub.ts';
import { ScrubStill } from './scrub-still.tsx';

const camera = { id: '22222222-2222-4222-8222-222222222222', name: 'Gate' };
const other = { id: '33333333-3333-4333-8333-333333333333', name: 'Hall' };
const hourMs = 3_600_000;
const fromMs = Date.UTC(2026, 0, 14);
const untilMs = fromMs + 24 * hourMs;
const widthPx = 1000;
const iso = (ms: number): string => new Date(ms).toISOString();
const lasting = (startMs: number, lastsMs: number) => ({
  started_at: iso(startMs),
  ended_at: iso(startMs + lastsMs),
});

/** From 6 to 12 continuously, then no network; movement at 8, Leyla at 9. */
const aTimeline = (over: Partial<CameraTimeline> = {}): CameraTimeline => ({
  camera_id: camera.id,
  spans: [{ type: 'continuous', ...lasting(fromMs + 6 * hourMs, 6 * hourMs) }],
  gaps: [{ cause: 'network', ...lasting(fromMs + 12 * hourMs, 3 * hourMs) }],
  motion: [lasting(fromMs + 8 * hourMs, 60_000)],
  faces: [
    {
      is_known: true,
      person_id: null,
      person_name: 'Leyla',
      visits: 1,
      ...lasting(fromMs + 9 * hourMs, 60_000),
    },
  ],
  ...over,
});

let asked: Seen[];
let client = makeQueryClient();

beforeEach(async () => {
  await everySentence();
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(widthPx);
  vi.spyOn(Element.prototype, 'getBoundingClientRect').mockReturnValue(
    new DOMRect(0, 0, widthPx, 80),
  );
  asked = answer(recordingRoutes.timeline, aTimeline());
  answer(playbackRoutes.stills, {
    results: [6, 7, 8, 9, 10, 11].map((hour) => ({
      at: iso(fromMs + hour * hourMs),
      jpeg: `aG91cg${hour}`,
    })),
  });
  client = makeQueryClient();
});

function open(over: Partial<RecordedTimelineProps> = {}) {
  const playback = new RecordedPlayback({
    server: new FakeRecordings(),
    clock: new FakeClock(untilMs),
  });
  const scrub = new Scrub();
  const onSeek = vi.fn((ms: number) => playback.momentMs.set(ms));
  const props: RecordedTimelineProps = {
    cameras: [camera],
    playback,
    timezone: 'UTC',
    fromMs,
    untilMs,
    onSeek,
    scrub,
    ...over,
  };
  const tree = (now: RecordedTimelineProps) => (
    <QueryClientProvider client={client}>
      <TimelineSection {...now} />
      <ScrubStill scrub={scrub} cameraId={camera.id} timezone="UTC" />
    </QueryClientProvider>
  );
  const { rerender } = render(tree(props));
  const again = (next: Partial<RecordedTimelineProps>) => rerender(tree({ ...props, ...next }));
  return { playback, scrub, onSeek, again, user: userEvent.setup() };
}

const slider = () => screen.getByRole('slider', { name: /^Timeline of/ });
const says = (text: string) =>
  waitFor(() => expect(slider()).toHaveAttribute('aria-valuetext', text));
/** On the ground, below the ruler. */
const at = (hour: number) => ({ clientX: (hour / 24) * widthPx, clientY: 50, button: 0 });
const onRuler = (hour: number) => ({ ...at(hour), clientY: 5 });

test('it says what is at the playhead in words: what is recorded, what moves, who is seen, and why nothing is', async () => {
  const { playback } = open();
  await says('No time selected');
  const tell = (hour: number) => act(() => playback.momentMs.set(fromMs + hour * hourMs));
  tell(7);
  await says('Jan 14, 07:00:00: continuous recording');
  tell(8);
  await says('Jan 14, 08:00:00: continuous recording, motion');
  tell(9);
  await says('Jan 14, 09:00:00: continuous recording, Leyla');
  tell(13);
  await says(
    "Jan 14, 13:00:00: no recording since Jan 14, 12:00:00: the camera couldn't be reached",
  );
  tell(20);
  await says('Jan 14, 20:00:00: no recording');
  expect(Number(slider().getAttribute('aria-valuenow'))).toBe((fromMs + 20 * hourMs) / 1000);
});

test('a bookmark is announced where it stands, by its note', async () => {
  const marks = [{ id: 'one', atMs: fromMs + 7 * hourMs, label: 'Parcel' }];
  const { playback } = open({ marks });
  expect(screen.getByText('Bookmark')).toBeVisible();
  act(() => playback.momentMs.set(fromMs + 7 * hourMs));
  await says('Jan 14, 07:00:00: continuous recording; Parcel');
  fireEvent.pointerMove(slider(), at(7));
  expect(document.querySelector('[data-preview]')).toHaveTextContent('Parcel');
});

test('its code comes after the page', async () => {
  const playback = new RecordedPlayback({
    server: new FakeRecordings(),
    clock: new FakeClock(untilMs),
  });
  const seek = vi.fn();
  const props = { cameras: [camera], playback, timezone: 'UTC', fromMs, untilMs, onSeek: seek };
  render(
    <QueryClientProvider client={client}>
      <RecordedTimeline {...props} />
    </QueryClientProvider>,
  );
  expect(screen.queryByRole('slider')).toBeNull();
  expect(await screen.findByRole('slider', { name: 'Timeline of Gate' })).toBeVisible();
});

test('several cameras are announced each by its name', async () => {
  const results = [aTimeline(), aTimeline({ camera_id: other.id, spans: [] })];
  answer(recordingRoutes.timelines, { results });
  const { playback } = open({ cameras: [camera, other] });
  act(() => playback.momentMs.set(fromMs + 7 * hourMs));
  await says('Jan 14, 07:00:00: Gate: continuous recording; Hall: no recording');
});

test('keys lead through time, also into a gap that playing passes over, and rest before one seek', async () => {
  const { playback, onSeek, user } = open();
  act(() => playback.momentMs.set(fromMs + 11 * hourMs));
  slider().focus();
  await user.keyboard('{PageUp}');
  await says(
    "Jan 14, 13:24:00: no recording since Jan 14, 12:00:00: the camera couldn't be reached",
  );
  await user.keyboard('{ArrowLeft}{ArrowLeft}');
  await says(
    "Jan 14, 13:00:00: no recording since Jan 14, 12:00:00: the camera couldn't be reached",
  );
  await waitFor(() => expect(onSeek).toHaveBeenCalledTimes(1));
  expect(onSeek).toHaveBeenCalledWith(fromMs + 13 * hourMs);
  await user.keyboard('{Home}');
  await says('Jan 14, 00:00:00: no recording');
  await user.keyboard('{End}');
  await says('Jan 14, 23:59:59: no recording');
});

test('+ and - and the buttons zoom around the playhead, and what is near is asked for more finely', async () => {
  const { playback, user } = open();
  act(() => playback.momentMs.set(fromMs + 7 * hourMs));
  await waitFor(() => expect(asked).not.toHaveLength(0));
  const range = (): number =>
    Number(slider().getAttribute('aria-valuemax')) - Number(slider().getAttribute('aria-valuemin'));
  await waitFor(() => expect(range()).toBe(86_400));
  slider().focus();
  await user.keyboard('+');
  await waitFor(() => expect(range()).toBe(57_600));
  await user.keyboard('-');
  await waitFor(() => expect(range()).toBe(86_400));
  for (let press = 0; press < 3; press++)
    await user.click(screen.getByRole('button', { name: 'Zoom in on the timeline' }));
  await waitFor(() => expect(range()).toBe(10_800));
  const resolution = (seen: Seen | undefined) =>
    Number(seen?.url.searchParams.get('resolution_ms'));
  await waitFor(() => expect(resolution(asked.at(-1))).toBeLessThan(resolution(asked[0]) / 4));
});

test('a press seeks, a drag of the ground pans, one of the ruler scrubs with stills and seeks once', async () => {
  const onScrub = vi.fn();
  const { onSeek } = open({ onScrub });
  fireEvent.pointerDown(slider(), at(7));
  fireEvent.pointerUp(slider(), at(7));
  expect(onSeek.mock.calls).toEqual([[fromMs + 7 * hourMs]]);

  fireEvent.pointerDown(slider(), at(12));
  fireEvent.pointerMove(slider(), at(18));
  fireEvent.pointerUp(slider(), at(18));
  expect(onSeek).toHaveBeenCalledTimes(1);
  const first = () => Number(slider().getAttribute('aria-valuemin')) * 1000;
  await waitFor(() => expect(first()).toBe(fromMs - 6 * hourMs));
  fireEvent.pointerDown(slider(), at(18));
  fireEvent.pointerMove(slider(), at(12));
  fireEvent.pointerUp(slider(), at(12));
  await waitFor(() => expect(first()).toBe(fromMs));

  fireEvent.pointerDown(slider(), onRuler(9.5));
  await screen.findByText('Preview from Jan 14, 09:00:00');
  fireEvent.pointerMove(slider(), onRuler(10.5));
  await screen.findByText('Preview from Jan 14, 10:00:00');
  expect(document.querySelector('[data-scrub] img')).toHaveAttribute(
    'src',
    'data:image/jpeg;base64,aG91cg10',
  );
  expect(onSeek).toHaveBeenCalledTimes(1);
  fireEvent.pointerUp(slider(), onRuler(10.5));
  expect(onSeek).toHaveBeenLastCalledWith(fromMs + 10.5 * hourMs);
  expect(onScrub.mock.calls.at(-1)).toEqual([null]);
  expect(document.querySelector('[data-scrub]')).toBeNull();
});

test('the wheel zooms around the pointer, with Shift it pans; two fingers zoom', async () => {
  open();
  const sight = () =>
    ['aria-valuemin', 'aria-valuemax'].map((one) => Number(slider().getAttribute(one)));
  await waitFor(() => expect(sight()).toEqual([fromMs / 1000, untilMs / 1000]));
  fireEvent.wheel(slider(), { ...at(0), deltaY: -120 });
  await waitFor(() => expect(sight()[1]).toBeLessThan(untilMs / 1000 - 3600));
  expect(sight()[0]).toBe(fromMs / 1000);
  fireEvent.wheel(slider(), { ...at(0), deltaY: 120 });
  fireEvent.wheel(slider(), { ...at(0), deltaY: 100, shiftKey: true });
  await waitFor(() => expect(sight()[0]).toBe((fromMs + 2.4 * hourMs) / 1000));
  fireEvent.wheel(slider(), { ...at(0), deltaX: -100 });
  await waitFor(() => expect(sight()[0]).toBe(fromMs / 1000));
  const finger = (pointerId: number, hour: number) => ({
    ...at(hour),
    pointerId,
    pointerType: 'touch',
  });
  fireEvent.pointerDown(slider(), finger(1, 0));
  fireEvent.pointerDown(slider(), finger(2, 6));
  fireEvent.pointerMove(slider(), finger(2, 12));
  fireEvent.pointerUp(slider(), finger(2, 12));
  fireEvent.pointerUp(slider(), finger(1, 0));
  await waitFor(() =>
    expect(sight()).toEqual([fromMs, fromMs + 12 * hourMs].map((ms) => ms / 1000)),
  );
});

test('pointing shows a still, the time and what there is', async () => {
  open();
  await waitFor(() => expect(asked).not.toHaveLength(0));
  fireEvent.pointerMove(slider(), at(9.5));
  const bubble = await waitFor(() => {
    const found = document.querySelector('[data-preview]');
    expect(found).toHaveTextContent('Jan 14, 09:30:00continuous recording');
    return found;
  });
  await waitFor(() =>
    expect(bubble?.querySelector('img')).toHaveAttribute('src', 'data:image/jpeg;base64,aG91cg9'),
  );
  fireEvent.pointerLeave(slider());
  expect(document.querySelector('[data-preview]')).toBeNull();
});

test('buttons lead to the next movement and person, ask further when none is in sight, and say when there is none', async () => {
  const { playback, onSeek, user } = open();
  act(() => playback.momentMs.set(fromMs + 7 * hourMs));
  await says('Jan 14, 07:00:00: continuous recording');
  await user.click(screen.getByRole('button', { name: 'Next motion' }));
  expect(onSeek).toHaveBeenLastCalledWith(fromMs + 8 * hourMs);
  await user.click(screen.getByRole('button', { name: 'Next person' }));
  expect(onSeek).toHaveBeenLastCalledWith(fromMs + 9 * hourMs);

  const earlierMs = fromMs - 10 * 24 * hourMs;
  answer(recordingRoutes.timeline, aTimeline({ motion: [lasting(earlierMs, 1000)] }));
  act(() => playback.momentMs.set(fromMs + 8 * hourMs));
  await user.click(screen.getByRole('button', { name: 'Previous motion' }));
  await waitFor(() => expect(onSeek).toHaveBeenLastCalledWith(earlierMs));

  answer(recordingRoutes.timeline, aTimeline({ faces: [], motion: [] }));
  await user.click(screen.getByRole('button', { name: 'Next person' }));
  expect(await screen.findByText('No later person found.')).toBeVisible();
});

test('a typed moment is gone to; what is no time says why and seeks nothing', async () => {
  const { onSeek, user } = open({ timezone: 'Europe/Berlin' });
  const field = screen.getByRole('textbox', { name: 'Date and time' });
  await user.type(field, 'noon{Enter}');
  expect(screen.getByRole('alert')).toHaveTextContent('Enter a date and time, for example');
  expect(field).toBeInvalid();
  await user.clear(field);
  await user.type(field, '2025-03-30 02:30{Enter}');
  expect(screen.getByRole('alert')).toHaveTextContent('the clocks skip it');
  expect(onSeek).not.toHaveBeenCalled();
  await user.clear(field);
  await user.type(field, '2026-01-10 08:30{Enter}');
  expect(onSeek).toHaveBeenCalledWith(Date.parse('2026-01-10T08:30:00+01:00'));
  expect(screen.queryByRole('alert')).toBeNull();
});

test('the ends of a selection are moved by keys and by dragging, and do not pass each other', async () => {
  const onSelection = vi.fn();
  const selection = { fromMs: fromMs + 6 * hourMs, untilMs: fromMs + 7 * hourMs };
  const { user, onSeek } = open({ selection, onSelection });
  const start = screen.getByRole('slider', { name: 'Start of the selection' });
  expect(start).toHaveAttribute('aria-valuetext', 'Jan 14, 06:00:00');
  start.focus();
  await user.keyboard('{ArrowRight}');
  expect(onSelection).toHaveBeenLastCalledWith({
    ...selection,
    fromMs: selection.fromMs + 720_000,
  });
  await user.keyboard('{PageUp}');
  expect(onSelection).toHaveBeenLastCalledWith({ ...selection, fromMs: selection.untilMs - 1000 });
  const end = screen.getByRole('slider', { name: 'End of the selection' });
  Object.assign(end, { hasPointerCapture: () => true, setPointerCapture: () => undefined });
  fireEvent.pointerDown(end, at(7));
  fireEvent.pointerMove(end, at(12));
  fireEvent.pointerUp(end, at(12));
  expect(onSelection).toHaveBeenLastCalledWith({ ...selection, untilMs: fromMs + 12 * hourMs });
  expect(onSeek).not.toHaveBeenCalled();
});

test('a selection is never longer than the server exports, whichever end is moved', async () => {
  const dayMs = 24 * hourMs;
  const lasts = (ms: number): boolean =>
    ExportFields.safeParse({
      cameras: [camera.id],
      from: iso(fromMs),
      until: iso(fromMs + ms),
    }).success;
  expect([lasts(dayMs), lasts(dayMs + 1)]).toEqual([true, false]);
  const onSelection = vi.fn();
  const selection = { fromMs: fromMs + 6 * hourMs, untilMs: fromMs + 29.9 * hourMs };
  const { user } = open({ selection, onSelection });
  screen.getByRole('slider', { name: 'End of the selection' }).focus();
  await user.keyboard('{PageUp}');
  const { fromMs: startMs, untilMs: endMs } = selection;
  expect(onSelection).toHaveBeenLastCalledWith({ fromMs: startMs, untilMs: startMs + dayMs });
  const start = screen.getByRole('slider', { name: 'Start of the selection' });
  start.focus();
  await user.keyboard('{PageDown}');
  expect(onSelection).toHaveBeenLastCalledWith({ fromMs: endMs - dayMs, untilMs: endMs });
  expect(Number(start.getAttribute('aria-valuemin'))).toBe(Math.floor((endMs - dayMs) / 1000));
  const end = screen.getByRole('slider', { name: 'End of the selection' });
  expect(Number(end.getAttribute('aria-valuemax'))).toBe((startMs + dayMs) / 1000);
});

test('the one of two ends at one edge that can be dragged back lies above', async () => {
  const later = { fromMs: untilMs + hourMs, untilMs: untilMs + 2 * hourMs };
  const earlier = { fromMs: fromMs - 2 * hourMs, untilMs: fromMs - hourMs };
  const over = (name: string): number => Number(screen.getByRole('slider', { name }).style.zIndex);
  const { again } = open({ selection: later, onSelection: vi.fn() });
  await waitFor(() =>
    expect(over('Start of the selection')).toBeGreaterThan(over('End of the selection')),
  );
  again({ selection: earlier, onSelection: vi.fn() });
  await waitFor(() =>
    expect(over('End of the selection')).toBeGreaterThan(over('Start of the selection')),
  );
});

test('a press counts at once, also while keys are on their way to another moment', async () => {
  const { playback, scrub, onSeek, user } = open();
  act(() => playback.momentMs.set(fromMs + 7 * hourMs));
  await says('Jan 14, 07:00:00: continuous recording');
  slider().focus();
  await user.keyboard('{PageUp}');
  act(() => playback.state.set({ kind: 'loading', atMs: fromMs }));
  fireEvent.pointerDown(slider(), at(11));
  fireEvent.pointerUp(slider(), at(11));
  await says('Jan 14, 11:00:00: continuous recording');
  expect(scrub.moment.get()).toBe(fromMs + 11 * hourMs);
  // Longer than keys rest before they seek.
  await new Promise((resolve) => setTimeout(resolve, 400));
  expect(onSeek.mock.calls).toEqual([[fromMs + 11 * hourMs]]);
  await user.keyboard('{PageUp}');
  const field = screen.getByRole('textbox', { name: 'Date and time' });
  fireEvent.change(field, { target: { value: '2026-01-14 08:30' } });
  fireEvent.submit(field);
  await says('Jan 14, 08:30:00: continuous recording');
  await new Promise((resolve) => setTimeout(resolve, 400));
  expect(onSeek).toHaveBeenLastCalledWith(fromMs + 8.5 * hourMs);
});

test('two fingers on a touchpad zoom, which a browser reports as a wheel with Ctrl, in small steps', async () => {
  open();
  const length = (): number =>
    Number(slider().getAttribute('aria-valuemax')) - Number(slider().getAttribute('aria-valuemin'));
  await waitFor(() => expect(length()).toBe(86_400));
  fireEvent.wheel(slider(), { ...at(0), deltaY: -10, ctrlKey: true });
  await waitFor(() => expect(length()).toBe(Math.floor(86_400 / Math.exp(0.1))));
});

test('a deleted recording vanishes without a reload, and the drawn ones stay when asking fails', async () => {
  const { playback, user } = open();
  act(() => playback.momentMs.set(fromMs + 7 * hourMs));
  await says('Jan 14, 07:00:00: continuous recording');
  const gaps: CameraTimeline['gaps'] = [{ cause: 'deleted', ...lasting(fromMs, 12 * hourMs) }];
  answer(recordingRoutes.timeline, aTimeline({ spans: [], gaps }));
  answer(playbackRoutes.stills, { results: [] });
  await act(() => refresh(client, 'recordings'));
  await says('Jan 14, 07:00:00: no recording since Jan 14, 00:00:00: the recording was deleted');
  answer(recordingRoutes.timeline, () =>
    refusal(404, 'camera_not_found', 'There is no such camera.'),
  );
  await act(() => refresh(client, 'recordings'));
  expect(await screen.findByRole('alert')).toHaveTextContent("The timeline couldn't be loaded.");
  expect(slider()).toHaveAttribute(
    'aria-valuetext',
    'Jan 14, 07:00:00: no recording since Jan 14, 00:00:00: the recording was deleted',
  );
  answer(recordingRoutes.timeline, aTimeline());
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  await says('Jan 14, 07:00:00: continuous recording');
});

test('another day comes into sight, and the playhead keeps in sight while it plays', async () => {
  const { playback, again } = open();
  const first = () => Number(slider().getAttribute('aria-valuemin')) * 1000;
  await waitFor(() => expect(first()).toBe(fromMs));
  again({ fromMs: untilMs, untilMs: untilMs + 24 * hourMs });
  await waitFor(() => expect(first()).toBe(untilMs));
  act(() => playback.momentMs.set(fromMs));
  await waitFor(() => expect(first()).toBe(fromMs - 12 * hourMs));
});
