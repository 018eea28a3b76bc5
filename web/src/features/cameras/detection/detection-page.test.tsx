import { accountRoutes } from '@nazar/contract/accounts.ts';
import { cameraRoutes, type Camera } from '@nazar/contract/cameras.ts';
import { faceDetectorRoutes, type DetectedFace } from '@nazar/contract/face-detector.ts';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { beforeEach, expect, test, vi } from 'vitest';
import { aUser } from '#testing/builders.ts';
import { aCamera, aFace } from '#testing/cameras.ts';
import { aJpegPart, streamAnswer, type FakeStream } from '#testing/fake-detection.ts';
import { fakeMedia } from '#testing/fake-media.ts';
import { renderApp } from '#testing/render-app.tsx';
import { answer, refusal, server, type Seen } from '#testing/server.ts';

const byHand = (over: Partial<Camera> = {}): Camera =>
  aCamera({ enable_face_recognition: false, may_detect: true, ...over });
const yard = byHand({ id: '33333333-3333-4333-8333-333333333333', name: 'Yard' });
const seen = (over: Partial<DetectedFace> = {}): DetectedFace => ({
  ...aFace(),
  name: 'Leyla Hasanova',
  confidence: 0.93,
  score: 0.9,
  timestamp: '2026-01-02T03:04:05.000Z',
  ...over,
});

beforeEach(() => {
  fakeMedia();
  answer(cameraRoutes.snapshot, new HttpResponse('jpeg'));
  answer(cameraRoutes.liveTicket, { ticket: 't', expires_at: '2026-01-02T03:04:05.000Z' });
  answer(faceDetectorRoutes.recognition, { success: true, faces: [seen()] });
});

async function open(path: string, cameras: readonly Camera[]) {
  answer(cameraRoutes.list, { count: cameras.length, results: [...cameras] });
  answer(cameraRoutes.read, ({ params }) => cameras.find(({ id }) => id === params['id'])!);
  await renderApp({ path, user: aUser() });
  return userEvent.setup();
}

const live = ({ id }: Camera): string => `/cameras/${id}`;

/** Answers the stream; the streams that were opened, newest last. */
function serveStreams(): { asked: Seen[]; streams: FakeStream[] } {
  const streams: FakeStream[] = [];
  const asked = answer(faceDetectorRoutes.stream, () => {
    const stream = streamAnswer();
    streams.push(stream);
    return stream.response;
  });
  return { asked, streams };
}

async function opened(streams: FakeStream[], count = 1): Promise<FakeStream> {
  await waitFor(() => expect(streams).toHaveLength(count));
  const stream = streams[count - 1]!;
  act(() => stream.send(aJpegPart('picture')));
  return stream;
}

const picture = (name = 'Main entrance') =>
  screen.findByRole('img', { name: `Face detection on ${name}` });
const noPicture = (name = 'Main entrance') =>
  waitFor(() =>
    expect(screen.queryByRole('img', { name: `Face detection on ${name}` })).toBeNull(),
  );

test('=LIVE-002, LIVE-016, ~LIVE-019, =LIVE-020 Detect Faces puts the drawn stream in place of the picture, Stop Detection restores it', async () => {
  const { asked, streams } = serveStreams();
  const polls = answer(faceDetectorRoutes.recognition, { success: true, faces: [seen()] });
  const stops = answer(faceDetectorRoutes.stop, { success: true, stopped: 1 });
  const person = await open(live(byHand()), [byHand()]);
  const dialog = await screen.findByRole('dialog', { name: 'Main entrance' });
  await person.click(await within(dialog).findByRole('button', { name: 'Detect Faces' }));
  expect(within(dialog).getByText('Starting face detection...')).toBeInTheDocument();
  await opened(streams);
  await waitFor(async () => expect(await picture()).toHaveAttribute('src'));
  expect(within(dialog).queryByLabelText('Live view of Main entrance')).toBeNull();
  expect(asked[0]?.url.searchParams.get('camera_id')).toBe(byHand().id);
  expect(asked[0]?.headers.get('authorization')).toBe('Bearer good');
  const form = new URLSearchParams({ action: 'list_detected_faces', camera_id: byHand().id });
  expect(polls[0]?.body).toBe(form.toString());
  expect(polls[0]?.headers.get('content-type')).toContain('application/x-www-form-urlencoded');
  expect(await within(dialog).findByText('In view: Leyla Hasanova')).toBeInTheDocument();
  await person.click(within(dialog).getByRole('button', { name: 'Stop Detection' }));
  await noPicture();
  expect(stops.map(({ body }) => body)).toEqual([{ camera_id: byHand().id }]);
  expect(within(dialog).getByLabelText('Live view of Main entrance')).toBeInTheDocument();
  expect(within(dialog).getByRole('button', { name: 'Detect Faces' })).toBeInTheDocument();
});

test('the drawn picture is zoomed like any other', async () => {
  const { streams } = serveStreams();
  answer(faceDetectorRoutes.recognition, { success: true, faces: [] });
  const person = await open(live(byHand()), [byHand()]);
  await person.click(await screen.findByRole('button', { name: 'Detect Faces' }));
  await opened(streams);
  expect(await picture()).toHaveStyle({ transform: 'translate(0%, 0%) scale(1)' });
  await person.click(screen.getByRole('button', { name: 'Digital zoom in' }));
  expect((await picture()).style.transform).toMatch(/scale\(1\.5\)$/);
});

test.each([
  [401, 'not_signed_in', 'Authorization token not found. Please sign in again.'],
  [403, 'detection_not_running', "The stream couldn't be started: 403. So says the server."],
  [404, 'camera_not_found', 'Camera information is missing.'],
  [409, 'camera_not_active', "The camera isn't active. Please activate it."],
  [503, 'camera_not_live', "The stream couldn't be started: 503. So says the server."],
])(
  'ERR-015 a start that is refused with %i %s says so on the page',
  async (status, code, words) => {
    answer(faceDetectorRoutes.stream, refusal(status, code, 'So says the server.'));
    const person = await open(live(byHand()), [byHand()]);
    const dialog = await screen.findByRole('dialog', { name: 'Main entrance' });
    // The session itself stays: only this answer says otherwise.
    answer(accountRoutes.refresh, { access: 'fresh', refresh: 'next' });
    await person.click(await within(dialog).findByRole('button', { name: 'Detect Faces' }));
    expect(await screen.findByText(words)).toBeInTheDocument();
  },
);

test('LIVE-023, ERR-016 an answer of another format says so on the page', async () => {
  answer(faceDetectorRoutes.stream, HttpResponse.html('<!doctype html>'));
  const person = await open(live(byHand()), [byHand()]);
  await person.click(await screen.findByRole('button', { name: 'Detect Faces' }));
  expect(await screen.findByRole('alert')).toHaveTextContent('Unexpected stream format.');
  await noPicture();
});

test('LIVE-015, ERR-009 nothing is asked of a camera that is not active', async () => {
  const { asked } = serveStreams();
  const camera = byHand({ status: 'inactive' });
  const person = await open(live(camera), [camera]);
  await person.click(await screen.findByRole('button', { name: 'Detect Faces' }));
  expect(await screen.findByRole('alert')).toHaveTextContent(
    "The camera isn't active. Please activate it.",
  );
  expect(asked).toEqual([]);
});

test('LIVE-026, ERR-010 without a stored token nothing is asked', async () => {
  const { asked } = serveStreams();
  const person = await open(live(byHand()), [byHand()]);
  const button = await screen.findByRole('button', { name: 'Detect Faces' });
  localStorage.removeItem('auth-token');
  await person.click(button);
  expect(await screen.findByRole('alert')).toHaveTextContent(
    'Authorization token not found. Please sign in again.',
  );
  expect(asked).toEqual([]);
});

test('LIVE-025 a stop that fails says so, and the picture goes on', async () => {
  const { streams } = serveStreams();
  answer(faceDetectorRoutes.stop, refusal(403, 'forbidden', 'Not yours.'));
  const person = await open(live(byHand()), [byHand()]);
  await person.click(await screen.findByRole('button', { name: 'Detect Faces' }));
  await opened(streams);
  await person.click(await screen.findByRole('button', { name: 'Stop Detection' }));
  expect(await screen.findByRole('alert')).toHaveTextContent(
    'Failed to stop face detection. Not yours.',
  );
  expect(await picture()).toBeInTheDocument();
});

test('NSH-021 another viewer is named before detection is stopped for them, and after', async () => {
  const { streams } = serveStreams();
  answer(faceDetectorRoutes.status, {
    results: [{ camera_id: byHand().id, viewers: 3, started_at: '2026-01-02T03:04:05.000Z' }],
  });
  answer(faceDetectorRoutes.stop, { success: true, stopped: 3 });
  const person = await open(live(byHand()), [byHand()]);
  await person.click(await screen.findByRole('button', { name: 'Detect Faces' }));
  await opened(streams);
  const before = '2 other viewers are watching. Stopping detection ends it for them, too.';
  expect(await screen.findByText(before)).toBeInTheDocument();
  await person.click(screen.getByRole('button', { name: 'Stop Detection' }));
  const after = 'Face detection stopped. 2 other viewers were watching it.';
  expect(await screen.findByText(after)).toBeInTheDocument();
  expect(screen.queryByText(before)).toBeNull();
});

test('LIVE-018 leaving the Live View closes the stream, and stops it for no one else', async () => {
  const signals: AbortSignal[] = [];
  const stream = streamAnswer();
  server.use(
    http.get(faceDetectorRoutes.stream.path, ({ request }) => {
      signals.push(request.signal);
      return stream.response;
    }),
  );
  const stops = answer(faceDetectorRoutes.stop, { success: true, stopped: 1 });
  const person = await open(live(byHand()), [byHand()]);
  await person.click(await screen.findByRole('button', { name: 'Detect Faces' }));
  await opened([stream]);
  await person.click(screen.getByRole('link', { name: 'Back to Cameras' }));
  // The card has a place for it, too: it goes on there until the page is left.
  const article = await screen.findByRole('article');
  expect(await within(article).findByRole('img', { name: /Face detection/ })).toBeInTheDocument();
  expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
  await person.click(screen.getByRole('link', { name: 'Dashboard' }));
  await screen.findByRole('heading', { level: 1, name: 'Dashboard' });
  expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  expect(stops).toEqual([]);
});

test('~CAM-016, ~NSH-021 the badge says that detection was started by hand', async () => {
  answer(faceDetectorRoutes.status, {
    results: [{ camera_id: yard.id, viewers: 1, started_at: '2026-01-02T03:04:05.000Z' }],
  });
  await open('/cameras', [byHand(), yard]);
  const [first] = await screen.findAllByRole('article');
  const on = await screen.findByText('Face Detection On');
  expect(on.closest('article')).toHaveAccessibleName('Yard');
  expect(within(first!).getByText('Face Detection Off')).toBeInTheDocument();
});

test('~LIVE-002 where a camera recognises by itself the button hides and shows its boxes, and says that it goes on', async () => {
  const { asked } = serveStreams();
  const person = await open(live(aCamera()), [aCamera({ may_detect: true })]);
  await person.click(await screen.findByRole('button', { name: 'Stop Detection' }));
  expect(
    screen.getByText(
      'This camera recognizes people by itself: recognition continues, only the boxes are hidden.',
    ),
  ).toBeInTheDocument();
  await person.click(screen.getByRole('button', { name: 'Detect Faces' }));
  expect(screen.queryByText(/only the boxes are hidden/)).toBeNull();
  expect(asked).toEqual([]);
});

test('~LIVE-024, ERR-014 a Live View has a window of its own; one that is blocked says so', async () => {
  const made = vi.spyOn(window, 'open').mockReturnValueOnce(null);
  const person = await open(live(byHand()), [byHand()]);
  const button = await screen.findByRole('button', { name: 'Open in a new window' });
  await person.click(button);
  expect(await screen.findByRole('alert')).toHaveTextContent(
    "The window couldn't be opened. Please turn off the pop-up blocker.",
  );
  expect(made.mock.calls[0]?.[0]).toBe(live(byHand()));
  const focus = vi.fn<() => void>();
  made.mockReturnValueOnce({ focus } as unknown as Window);
  await person.click(button);
  expect(focus).toHaveBeenCalledOnce();
});
