/** Searching for motion as it stands on the page of a camera's recordings. */
import { cameraRoutes } from '@nazar/contract/cameras.ts';
import { playbackRoutes } from '@nazar/contract/playback.ts';
import { recordingRoutes, type MotionFound } from '@nazar/contract/recordings.ts';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse } from 'msw';
import { beforeEach, expect, test, vi } from 'vitest';
import { bookmarkRoutes } from '@nazar/contract/bookmarks.ts';
import { forgetMedia } from '#api/media.ts';
import { forgetAnswers } from '#api/kept-answers.ts';
import { address } from '#lib/address.ts';
import { timesOf } from '#lib/local-day.ts';
import { aUser } from '#testing/builders.ts';
import { aCamera } from '#testing/cameras.ts';
import { forgetHls } from '#testing/fake-hls.ts';
import { fakeMedia } from '#testing/fake-media.ts';
import { aRecording, someStatistics } from '#testing/recordings.ts';
import { renderApp } from '#testing/render-app.tsx';
import { answer, refusal, type Seen } from '#testing/server.ts';

vi.mock('hls.js/light', async () => (await import('#testing/fake-hls.ts')).fakeHls());

const camera = aCamera({ name: 'Gate', may_play: true });
const day = '2026-01-15';
const { fromMs, untilMs } = timesOf(day);
const iso = (ms: number): string => new Date(ms).toISOString();
const at = (minutes: number): string => iso(fromMs + minutes * 60_000);

const spans = (...minutes: number[]): MotionFound['results'] =>
  minutes.map((minute) => ({ started_at: at(minute), ended_at: at(minute + 1) }));
const found = (over: Partial<MotionFound> = {}): MotionFound => ({
  results: [],
  next: null,
  compared: true,
  ...over,
});

let stills: Seen[];

beforeEach(() => {
  fakeMedia();
  forgetMedia();
  forgetHls();
  forgetAnswers();
  vi.spyOn(HTMLMediaElement.prototype, 'pause').mockReturnValue();
  answer(cameraRoutes.read, camera);
  answer(recordingRoutes.list, { count: 1, results: [aRecording()] });
  answer(recordingRoutes.days, { results: [] });
  answer(recordingRoutes.newest, { newest: aRecording() });
  answer(recordingRoutes.statistics, someStatistics());
  answer(recordingRoutes.timeline, {
    camera_id: camera.id,
    spans: [],
    gaps: [],
    motion: [],
    faces: [],
  });
  answer(bookmarkRoutes.list, { count: 0, results: [] });
  answer(playbackRoutes.stills, { results: [] });
  answer(playbackRoutes.begin, refusal(503, 'recording_disk_away', 'Away'));
  answer(playbackRoutes.thumbnail, new HttpResponse('jpeg'));
  answer(playbackRoutes.recordingThumbnail, new HttpResponse('jpeg'));
  stills = answer(playbackRoutes.still, new HttpResponse('jpeg'));
});

async function open() {
  await renderApp({ path: `/recordings/${camera.id}?day=${day}`, user: aUser() });
  const person = userEvent.setup();
  await person.click(await screen.findByRole('button', { name: 'Find motion' }));
  const card = within(await screen.findByRole('region', { name: 'Find motion' }));
  return { person, card };
}

const queryOf = ({ url }: Seen): Record<string, string> => Object.fromEntries(url.searchParams);
const search = { name: 'Search for motion' };

test('a region is drawn and changed by keys, searched in over the day in sight, and a result is played', async () => {
  const asked = answer(recordingRoutes.motionSearch, found({ results: spans(90, 600) }));
  const { person, card } = await open();
  act(() => card.getByRole('button', { name: /^Corner 1: 30% from the left, 30%/ }).focus());
  await person.keyboard('{ArrowLeft}{Shift>}{ArrowDown}{/Shift}');
  await person.click(card.getByRole('button', search));
  const results = await card.findByRole('list', { name: 'Motion in this region' });
  expect(queryOf(asked[0]!)).toMatchObject({
    from: iso(fromMs),
    until: iso(untilMs),
    region: '0.29,0.35,0.7,0.35,0.7,0.7,0.29,0.7',
  });
  expect(card.getByText('Motion found 2 times.')).toBeInTheDocument();
  const [first, second] = within(results).getAllByRole('button');
  expect(first).toHaveTextContent('01:30:00');
  expect(first).toHaveTextContent('Duration 1:00');
  await waitFor(() => expect(stills.map((one) => queryOf(one)['at'])).toContain(at(600)));
  const begun = answer(playbackRoutes.begin, refusal(503, 'recording_disk_away', 'Away'));
  await person.click(second!);
  await waitFor(() => expect(begun.length).toBeGreaterThan(0));
  const { from, until } = begun[0]!.body as { from: string; until: string };
  expect(from <= at(600) && at(600) < until).toBe(true);
  // What was found stays beside what is played.
  expect(results).toBeInTheDocument();
});

test('a polygon gains and loses corners by keys and by buttons', async () => {
  const asked = answer(recordingRoutes.motionSearch, found());
  const { person, card } = await open();
  await person.click(card.getByRole('radio', { name: 'Polygon' }));
  const corners = () => card.getAllByRole('button', { name: /^Corner \d/ });
  act(() => corners()[0]!.focus());
  await person.keyboard('{Insert}');
  expect(corners()).toHaveLength(5);
  await person.click(card.getByRole('button', { name: 'Add corner' }));
  expect(corners()).toHaveLength(6);
  for (let left = 6; left > 3; left -= 1)
    await person.click(card.getByRole('button', { name: 'Remove corner' }));
  expect(card.getByRole('button', { name: 'Remove corner' })).toBeDisabled();
  // The one in between lies on an edge of the others: it is moved off it.
  act(() => corners()[1]!.focus());
  await person.keyboard('{Shift>}{ArrowDown}{ArrowDown}{/Shift}');
  await person.click(card.getByRole('button', search));
  await waitFor(() => expect(asked).toHaveLength(1));
  expect(queryOf(asked[0]!)['region']!.split(',')).toHaveLength(6);
});

test('a finger draws a rectangle across the picture', async () => {
  const asked = answer(recordingRoutes.motionSearch, found());
  const { person, card } = await open();
  const board = card.getByRole('button', { name: /^Corner 1/ }).parentElement!;
  vi.spyOn(board, 'getBoundingClientRect').mockReturnValue(new DOMRect(100, 50, 400, 200));
  Object.assign(board, { setPointerCapture: () => undefined, hasPointerCapture: () => true });
  fireEvent.pointerDown(board, { pointerId: 1, button: 0, clientX: 140, clientY: 70 });
  fireEvent.pointerMove(board, { pointerId: 1, clientX: 300, clientY: 150 });
  await person.click(card.getByRole('button', search));
  await waitFor(() => expect(asked).toHaveLength(1));
  expect(queryOf(asked[0]!)['region']).toBe('0.1,0.1,0.5,0.1,0.5,0.5,0.1,0.5');
  await person.click(card.getByRole('radio', { name: 'Polygon' }));
  fireEvent.pointerDown(board, { pointerId: 2, button: 0, clientX: 320, clientY: 110 });
  fireEvent.pointerMove(board, { pointerId: 2, clientX: 340, clientY: 110 });
  await person.click(card.getByRole('button', search));
  await waitFor(() => expect(asked).toHaveLength(2));
  expect(queryOf(asked[1]!)['region']).toBe('0.1,0.1,0.5,0.1,0.6,0.3,0.5,0.5,0.1,0.5');
});

test('it continues by itself where an answer has nothing, stops after a page, and continues on request', async () => {
  const many = Array.from({ length: 24 }, (_, index) => 100 + index * 10);
  const asked = answer(recordingRoutes.motionSearch, ({ url }) => {
    const from = url.searchParams.get('from');
    if (from === iso(fromMs)) return found({ next: at(60) });
    if (from === at(60)) return found({ results: spans(...many), next: at(331) });
    // Begins where the one before ended: the same motion.
    return found({ results: [{ started_at: at(331), ended_at: at(335) }, ...spans(700)] });
  });
  const { person, card } = await open();
  await person.click(card.getByRole('button', search));
  await card.findByText(/^Motion found 24 times/);
  expect(asked).toHaveLength(2);
  expect(card.getByText(/Searched up to .*05:31:00/)).toBeInTheDocument();
  await person.click(card.getByRole('button', { name: 'Continue searching' }));
  await card.findByText('Motion found 25 times.');
  const results = within(card.getByRole('list', { name: 'Motion in this region' }));
  expect(results.getAllByRole('button')[23]).toHaveTextContent('Duration 5:00');
  expect(card.queryByRole('button', { name: 'Continue searching' })).toBeNull();
});

test('it says how far it is, and can be cancelled and gone on with', async () => {
  const asked = answer(recordingRoutes.motionSearch, ({ url }) =>
    url.searchParams.get('from') === iso(fromMs)
      ? found({ next: at(360) })
      : new Promise<never>(() => undefined),
  );
  const { person, card } = await open();
  await person.click(card.getByRole('button', search));
  await waitFor(() => expect(asked).toHaveLength(2));
  const progress = card.getByRole<HTMLProgressElement>('progressbar', {
    name: 'Progress of the search',
  });
  expect(progress.position).toBeCloseTo(0.25, 2);
  await person.click(card.getByRole('button', { name: 'Cancel' }));
  expect(card.getByText(/Searched up to .*06:00:00/)).toBeInTheDocument();
  await person.click(card.getByRole('button', { name: 'Continue searching' }));
  await waitFor(() => expect(asked).toHaveLength(3));
  expect(queryOf(asked[2]!)['from']).toBe(at(360));
});

test('nothing moved is another thing than nothing compared, and a failure can be tried again', async () => {
  answer(recordingRoutes.motionSearch, refusal(500, 'internal', 'Broken.'));
  const { person, card } = await open();
  await person.click(card.getByRole('button', search));
  await card.findByText('Broken.');
  answer(recordingRoutes.motionSearch, found({ compared: false }));
  await person.click(card.getByRole('button', { name: 'Retry' }));
  await card.findByText("Motion wasn't analyzed in this period");
  expect(card.getByText(/face recognition or recording on motion is on/)).toBeInTheDocument();
  answer(recordingRoutes.motionSearch, found());
  await person.click(card.getByRole('button', search));
  await card.findByText('No motion in this region');
});

test('bad input is reported and not sent: no date, end before beginning, 31 days, crossing edges', async () => {
  const asked = answer(recordingRoutes.motionSearch, found());
  const { person, card } = await open();
  const type = (label: string, value: string) =>
    fireEvent.change(card.getByLabelText(new RegExp(`^${label}`)), { target: { value } });
  type('Until', '2026-01-14T10:00');
  expect(card.getByText('The end must be after the beginning.')).toBeInTheDocument();
  type('Until', '2026-02-15T10:00');
  expect(card.getByText('Choose at most 30 days at once.')).toBeInTheDocument();
  type('From', '');
  await person.click(card.getByRole('button', search));
  expect(card.getByText('Enter a date and time.')).toBeInTheDocument();
  type('From', '2026-02-14T10:00');
  await person.click(card.getByRole('radio', { name: 'Polygon' }));
  act(() => card.getByRole('button', { name: /^Corner 1/ }).focus());
  await person.keyboard(`{Shift>}${'{ArrowRight}'.repeat(10)}${'{ArrowDown}'.repeat(4)}{/Shift}`);
  await person.click(card.getByRole('button', search));
  expect(card.getByText("The edges of the region cross, or it's too small.")).toBeInTheDocument();
  expect(asked).toHaveLength(0);
});

test('Escape closes it and gives the focus back; the day in the address follows what is played', async () => {
  answer(recordingRoutes.motionSearch, found({ results: spans(90) }));
  const { person, card } = await open();
  await person.click(card.getByRole('button', search));
  await person.click(await card.findByRole('button', { name: /01:30:00/ }));
  expect(address.get()).toContain(`day=${day}`);
  await person.keyboard('{Escape}');
  expect(screen.queryByRole('region', { name: 'Find motion' })).toBeNull();
  expect(screen.getByRole('button', { name: 'Find motion' })).toHaveFocus();
});
