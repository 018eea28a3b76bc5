import { cameraCostRoutes } from '@nazar/contract/camera-cost.ts';
import { cameraRoutes, type Camera } from '@nazar/contract/cameras.ts';
import type { LiveMessage } from '@nazar/contract/live.ts';
import { liveViewRoutes } from '@nazar/contract/live-views.ts';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse } from 'msw';
import { beforeEach, expect, test, vi } from 'vitest';
import { translate } from '#lib/i18n.ts';
import { cameraState } from '#parts/camera-state/camera-state.ts';
import { aUser } from '#testing/builders.ts';
import { cameraStates, nowMs } from '#testing/camera-states.ts';
import { aCamera, aFace, someHealth } from '#testing/cameras.ts';
import { FakeMediaSource, fakeMedia, showPicture } from '#testing/fake-media.ts';
import { fakePeers, noPeers } from '#testing/fake-peer.ts';
import { fakeBitmaps, pictureStream } from '#testing/fake-jpegs.ts';
import { FakeSocket } from '#testing/fake-socket.ts';
import { renderApp } from '#testing/render-app.tsx';
import { answer, refusal } from '#testing/server.ts';

const path = `/cameras/${aCamera().id}`;

beforeEach(() => {
  fakeMedia();
  answer(cameraRoutes.snapshot, new HttpResponse('jpeg'));
  answer(cameraRoutes.liveTicket, { ticket: 't', expires_at: '2026-01-02T03:04:05.000Z' });
});

function serve(camera: Camera): void {
  answer(cameraRoutes.list, { count: 1, results: [camera] });
  answer(cameraRoutes.read, camera);
}

async function openLive(camera = aCamera()): Promise<HTMLElement> {
  serve(camera);
  await renderApp({ path, user: aUser() });
  return screen.findByRole('dialog', { name: 'Main entrance' });
}

const liveSockets = (): FakeSocket[] =>
  FakeSocket.opened.filter(({ url, closed }) => url.includes('/live/') && !closed);

test('CAM-024, LIVE-001, LIVE-004, ~NSH-049 a click on the name opens it, Back to Cameras and Close lead back', async () => {
  serve(aCamera());
  await renderApp({ path: '/cameras?search=main', user: aUser() });
  const person = userEvent.setup();
  const link = await screen.findByRole('link', { name: 'Main entrance' });
  for (const [role, back] of [
    ['link', 'Back to Cameras'],
    ['button', 'Close'],
  ] as const) {
    await person.click(link);
    const dialog = await screen.findByRole('dialog', { name: 'Main entrance' });
    expect(location.pathname).toBe(path);
    expect(dialog).toHaveClass('fixed', 'inset-0');
    expect(screen.queryByRole('heading', { level: 1 })).toBeNull();
    expect(within(dialog).getByText(/^(?:Live|Opening the picture) · /)).toBeInTheDocument();
    await person.click(within(dialog).getByRole(role, { name: back }));
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    expect(location.pathname + location.search).toBe('/cameras?search=main');
    await waitFor(() => expect(link).toHaveFocus());
  }
});

test('~NSH-049 a click on the preview opens it; the list behind streams no more', async () => {
  serve(aCamera());
  await renderApp({ path: '/cameras', user: aUser() });
  await screen.findByRole('article');
  await waitFor(() => expect(liveSockets()).toHaveLength(1));
  const [behind] = liveSockets();
  await userEvent.click(screen.getByTestId('preview-link'));
  await screen.findByRole('dialog');
  await waitFor(() => expect(behind?.closed).toBe(true));
  await waitFor(() => expect(liveSockets()).toHaveLength(1));
});

test('CFL-025 the address of a camera opens its live view over the list', async () => {
  const yard = aCamera({ id: '22222222-2222-4222-8222-222222222299', name: 'Yard' });
  const both = [yard, aCamera()];
  answer(cameraRoutes.list, { count: both.length, results: both });
  answer(cameraRoutes.read, ({ params }) => both.find(({ id }) => id === params['id'])!);
  await renderApp({ path, user: aUser() });
  const dialog = await screen.findByRole('dialog', { name: 'Main entrance' });
  expect(within(dialog).getByLabelText('Live view of Main entrance')).toBeInTheDocument();
  await waitFor(() => expect(document.title).toBe('Main entrance · Nazar'));
  await userEvent.keyboard('{Escape}');
  expect(await screen.findByRole('heading', { level: 1, name: 'Cameras' })).toBeInTheDocument();
  expect(location.pathname).toBe('/cameras');
});

test('the list below the live view is asked for when it is in sight again, and not before', async () => {
  const lists = answer(cameraRoutes.list, { count: 1, results: [aCamera()] });
  answer(cameraRoutes.read, aCamera());
  await renderApp({ path, user: aUser() });
  await screen.findByRole('dialog', { name: 'Main entrance' });
  const news = FakeSocket.opened.find(({ url }) => url.includes('/news/'));
  act(() => news?.receive({ kind: 'changed', what: 'cameras' }));
  await screen.findByLabelText('Live view of Main entrance');
  expect(lists).toHaveLength(0);
  expect(document.querySelector('main [aria-busy=true], main output')).toBeNull();
  await userEvent.keyboard('{Escape}');
  expect(await screen.findByRole('article')).toBeInTheDocument();
  expect(lists).toHaveLength(1);
});

test('CFL-025 an unknown camera shows the list with an error', async () => {
  answer(cameraRoutes.list, { count: 1, results: [aCamera()] });
  answer(
    cameraRoutes.read,
    refusal(404, 'camera_not_found', "You can't see this camera, or it doesn't exist."),
  );
  await renderApp({ path: '/cameras/99999999-9999-4999-8999-999999999999', user: aUser() });
  const banner = await screen.findByRole('alert');
  expect(banner).toHaveTextContent("You can't see this camera, or it doesn't exist.");
  expect(await screen.findByRole('article')).toBeInTheDocument();
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
  await waitFor(() => expect(location.pathname).toBe('/cameras'));
});

test('a server that fails is no unknown camera: it can be asked again', async () => {
  answer(cameraRoutes.list, refusal(500, 'internal', ''));
  answer(cameraRoutes.read, refusal(500, 'internal', 'Something went wrong.'));
  await renderApp({ path, user: aUser() });
  const dialog = await screen.findByRole('dialog');
  expect(await within(dialog).findByText('Something went wrong.')).toBeInTheDocument();
  serve(aCamera());
  await userEvent.click(within(dialog).getByRole('button', { name: 'Retry' }));
  expect(await screen.findByLabelText('Live view of Main entrance')).toBeInTheDocument();
});

test('a picture that is converted for browsers says so, and the substream is offered where it is not', async () => {
  const sub = someHealth({ codec: 'h264', width: 640, height: 360 });
  const health = { ...someHealth({ codec: 'hevc', width: 3840, height: 2160 }), sub };
  const dialog = await openLive(aCamera({ health, sub_url: 'rtsp://192.168.1.2/sub' }));
  const said = 'This camera sends H.265. You see it converted: up to 1280×720, 15 frames a second.';
  expect(within(dialog).getByText(said)).toBeInTheDocument();
  await userEvent.click(within(dialog).getByRole('button', { name: 'Show the substream' }));
  expect(within(dialog).queryByText(said)).not.toBeInTheDocument();
  await userEvent.click(within(dialog).getByRole('button', { name: 'Show the main stream' }));
  expect(within(dialog).getByText(said)).toBeInTheDocument();
});

test('a picture that is passed on as it is says nothing of it', async () => {
  const dialog = await openLive(aCamera({ health: someHealth({ codec: 'h264' }) }));
  expect(within(dialog).queryByText(/You see it converted/)).not.toBeInTheDocument();
});

test('LIVE-009 a camera without an address says so', async () => {
  const dialog = await openLive(aCamera({ has_url: false }));
  expect(within(dialog).getByText('Camera has no URL to stream')).toBeInTheDocument();
});

test.each(['inactive', 'unplugged', 'its password is refused'])(
  'the one sentence, in the one colour, of its state is shown, and read out: %s',
  async (name) => {
    vi.useFakeTimers({ toFake: ['Date'], now: nowMs });
    const { camera, sentence, tone } = cameraStates.find(({ of }) => of === name)!;
    const dialog = within(await openLive(camera));
    const line = dialog.getByText(sentence).closest('[data-camera-state]');
    expect(line).toHaveAttribute('data-camera-state', tone);
    expect(line).toHaveAttribute('role', 'status');
    expect(dialog.queryByText('No people in view')).toBeNull();
    vi.useRealTimers();
  },
);

test('the page says what this viewer gets, and not only what the camera does', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: nowMs });
  const { camera } = cameraStates.find(({ of }) => of === 'playing')!;
  const dialog = within(await openLive(camera));
  const facts = { camera, view: { kind: 'opening' }, knownAtMs: null } as const;
  const { sentence, tone } = cameraState(translate, facts, nowMs);
  const line = (await dialog.findByText(sentence)).closest('[data-camera-state]');
  expect(line).toHaveAttribute('data-camera-state', tone);
  vi.useRealTimers();
});

test('the state is shown with its cause', async () => {
  const health = someHealth({ state: 'offline', cause: 'not_found' });
  const dialog = await openLive(aCamera({ health }));
  expect(
    within(dialog).getByText(/^Offline since .*: there's no stream at this address/),
  ).toBeInTheDocument();
});

test('LIVE-004, LIVE-008 native fullscreen, and the words for a browser that refuses', async () => {
  const dialog = await openLive();
  const person = userEvent.setup();
  const request = vi.fn<() => Promise<void>>().mockRejectedValueOnce(new TypeError('no'));
  Object.assign(dialog, { requestFullscreen: request });
  const words = 'Failed to enter fullscreen mode. Your browser may not support this feature.';
  await person.click(within(dialog).getByRole('button', { name: 'Full screen' }));
  expect(await screen.findByText(words)).toBeInTheDocument();
  request.mockResolvedValueOnce();
  await person.click(within(dialog).getByRole('button', { name: 'Full screen' }));
  await waitFor(() => expect(screen.queryByText(words)).not.toBeInTheDocument());
  expect(request).toHaveBeenCalledTimes(2);
});

async function play(): Promise<FakeSocket> {
  await waitFor(() => expect(liveSockets()).toHaveLength(1));
  const [socket] = liveSockets();
  if (socket === undefined) throw new Error('no live socket');
  const mime = 'video/mp4; codecs="avc1.4d401f"';
  act(() => {
    socket.receive({ kind: 'stream', mime, width: 1280, height: 720 } satisfies LiveMessage);
    FakeMediaSource.made[0]?.open();
    document.querySelector('[role=dialog] video')?.dispatchEvent(new Event('playing'));
  });
  return socket;
}

test('ROL-009, LIVE-005 a user who may not detect shows and hides faces by a switch, and has no button that starts anything', async () => {
  const dialog = await openLive();
  const socket = await play();
  act(() => socket.receive({ kind: 'faces', at: 1, faces: [aFace()] } satisfies LiveMessage));
  act(() => showPicture(1));
  const layer = within(dialog).getByTestId('face-boxes');
  expect(layer).toHaveTextContent('Leyla Hasanova 93%');
  const toggle = within(dialog).getByRole('button', { name: 'Show faces' });
  expect(toggle).toHaveAttribute('aria-pressed', 'true');
  await userEvent.click(toggle);
  expect(toggle).toHaveAttribute('aria-pressed', 'false');
  act(() => showPicture(1));
  expect(layer).toBeEmptyDOMElement();
  expect(within(dialog).queryByRole('button', { name: /Detect/ })).not.toBeInTheDocument();
});

test('people in view are announced politely, on change only', async () => {
  vi.spyOn(performance, 'now').mockReturnValue(0);
  const dialog = await openLive();
  const socket = await play();
  const faces = [aFace(), aFace({ track_id: 'b', state: 'unknown', name: null, confidence: null })];
  act(() => socket.receive({ kind: 'faces', at: 1, faces } satisfies LiveMessage));
  expect(within(dialog).getByText('No people in view')).toBeInTheDocument();
  act(() => showPicture(1));
  // Two boxes are drawn, of which nothing is said yet.
  expect(within(dialog).getByText('In view: 2 faces')).toBeInTheDocument();
  vi.spyOn(performance, 'now').mockReturnValue(600);
  act(() => showPicture(1.1));
  const words = within(dialog).getByText('In view: Leyla Hasanova and 1 unknown person');
  expect(words.closest('output')).toBeInTheDocument();
});

test('~LIVE-010, LIVE-012 low latency is tried on demand; what stands in its way is shown, and can be put away', async () => {
  fakePeers();
  const refused = refusal(409, 'low_latency_reordered', 'This camera sends B-frames.');
  answer(liveViewRoutes.lowLatency, refused);
  const dialog = await openLive();
  const toggle = within(dialog).getByRole('button', { name: 'Low Latency Mode' });
  expect(toggle).toHaveAttribute('aria-pressed', 'false');
  await userEvent.click(toggle);
  expect(toggle).toHaveAttribute('aria-pressed', 'true');
  const banner = await within(dialog).findByRole('alert');
  expect(banner).toHaveTextContent(
    'Failed to create low latency stream: This camera sends B-frames. Showing the standard live view instead.',
  );
  expect(toggle).toHaveAttribute('aria-pressed', 'false');
  await userEvent.click(toggle);
  await waitFor(() => expect(banner).not.toBeInTheDocument());
});

test('~LIVE-010 a browser without WebRTC has no button for low latency', async () => {
  noPeers();
  const dialog = await openLive();
  await waitFor(() => expect(liveSockets()).toHaveLength(1));
  expect(within(dialog).getByRole('button', { name: 'Show faces' })).toBeInTheDocument();
  expect(within(dialog).queryByRole('button', { name: 'Low Latency Mode' })).toBeNull();
});

test('a user who asks for sound gets it, and no one does before', async () => {
  await openLive(aCamera({ health: someHealth({ sound: 'pcm_alaw' }) }));
  await waitFor(() => expect(liveSockets()).toHaveLength(1));
  const person = userEvent.setup();
  const button = screen.getByRole('button', { name: 'Sound' });
  expect(button).toHaveAttribute('aria-pressed', 'false');
  await person.click(button);
  await waitFor(() => expect(liveSockets()).toHaveLength(2));
  expect(liveSockets()[1]?.url).toContain('stream=sound');
  expect(button).toHaveAttribute('aria-pressed', 'true');
  await person.click(button);
  await waitFor(() => expect(liveSockets()).toHaveLength(1));
});

test('a camera without sound has no button for it', async () => {
  await openLive();
  await waitFor(() => expect(liveSockets()).toHaveLength(1));
  expect(screen.queryByRole('button', { name: 'Sound' })).not.toBeInTheDocument();
});

/** A camera with a second stream. */
const withSub = (over: Partial<Camera> = {}): Camera => {
  const sub = someHealth({ codec: 'h264', width: 640, height: 360 });
  return aCamera({ health: { ...someHealth({ codec: 'h264' }), sub }, ...over });
};

test('LIVE-003 Optimize Performance changes to the substream and back, and says which is in use', async () => {
  const dialog = await openLive(withSub());
  await waitFor(() => expect(liveSockets()).toHaveLength(1));
  const person = userEvent.setup();
  const optimize = within(dialog).getByRole('button', { name: 'Optimize Performance' });
  expect(within(dialog).getByText('Main stream in use')).toBeInTheDocument();
  await person.click(optimize);
  expect(within(dialog).getByText('Substream in use')).toBeInTheDocument();
  expect(optimize).toHaveAttribute('aria-pressed', 'true');
  await waitFor(() => expect(liveSockets().map(({ url }) => url)).toHaveLength(1));
  await waitFor(() => expect(liveSockets()[0]?.url).toContain('stream=sub'));
  await person.click(optimize);
  expect(within(dialog).getByText('Main stream in use')).toBeInTheDocument();
  await waitFor(() => expect(liveSockets()[0]?.url).not.toContain('stream=sub'));
});

test('LIVE-003 the page says what the server shows in place of a substream that does not come', async () => {
  const sub = someHealth({ state: 'offline', cause: 'unreachable' });
  const dialog = await openLive(aCamera({ health: { ...someHealth(), sub } }));
  await userEvent.click(within(dialog).getByRole('button', { name: 'Optimize Performance' }));
  const said = "The substream isn't available: main stream in use";
  expect(within(dialog).getByText(said)).toBeInTheDocument();
});

test('LIVE-003 a camera without a substream says so', async () => {
  const dialog = await openLive();
  expect(within(dialog).getByRole('button', { name: 'Optimize Performance' })).toBeDisabled();
  expect(within(dialog).getByText('This camera has no substream')).toBeInTheDocument();
});

test('the statistics say what the camera costs by stage, to users who may see how it is reached', async () => {
  const cost = { measured_at: '2026-01-02T03:04:05.000Z', over_s: 10 };
  const stages = { decode: 0.1234, detect: 1.2, embed: null, record: 0 };
  const figures = { ...stages, analyzed_fps: 11.96, analysis_limit: null };
  const asked = answer(cameraCostRoutes.read, { ...cost, ...figures });
  const dialog = await openLive();
  await userEvent.click(within(dialog).getByRole('button', { name: 'Statistics' }));
  const panel = within(dialog).getByRole('region', { name: 'Statistics' });
  const figure = (label: string) => within(panel).getByText(label).nextElementSibling;
  await waitFor(() => expect(figure('Decoding')).toHaveTextContent('12.3%'));
  expect(figure('Detection')).toHaveTextContent('120%');
  expect(figure('Face vectors')).toHaveTextContent('Not measured');
  expect(figure('Recording')).toHaveTextContent(/^0%$/);
  expect(figure('Frames analyzed during motion')).toHaveTextContent(/^12 fps$/);
  expect(asked).toHaveLength(1);
});

test('no one else sees what a camera costs, and a failing server shows that nothing is known', async () => {
  const asked = answer(cameraCostRoutes.read, refusal(403, 'forbidden', 'You cannot do this.'));
  const { url: _, ...camera } = aCamera();
  serve(camera);
  const view = await renderApp({ path, user: aUser() });
  const person = userEvent.setup();
  await person.click(await screen.findByRole('button', { name: 'Statistics' }));
  expect(screen.getByRole('region', { name: 'Statistics' })).toBeInTheDocument();
  expect(screen.queryByText('Decoding')).not.toBeInTheDocument();
  expect(asked).toHaveLength(0);
  view.unmount();
  const dialog = await openLive();
  await person.click(within(dialog).getByRole('button', { name: 'Statistics' }));
  await waitFor(() => expect(asked).toHaveLength(1));
  expect(within(dialog).getAllByText('Not measured')).toHaveLength(5);
});

test('statistics lie over the picture on request, and a chosen connection is kept', async () => {
  answer(cameraCostRoutes.read, refusal(503, 'unavailable', 'Try again.'));
  const asked = answer(liveViewRoutes.mjpeg, () => pictureStream(['one'], { endless: true }));
  fakeBitmaps();
  const dialog = await openLive();
  await play();
  const person = userEvent.setup();
  expect(within(dialog).queryByRole('region', { name: 'Statistics' })).toBeNull();
  await person.click(within(dialog).getByRole('button', { name: 'Statistics' }));
  const panel = within(dialog).getByRole('region', { name: 'Statistics' });
  expect(await within(panel).findByText('avc1.4d401f')).toBeInTheDocument();
  const choice = within(panel).getByRole('combobox', { name: 'Connection' });
  expect(choice).toHaveDisplayValue('Automatic');
  await person.selectOptions(choice, 'JPEG pictures');
  expect(await within(panel).findByText('640×360')).toBeInTheDocument();
  expect(asked).toHaveLength(1);
  expect(liveSockets().every(({ url }) => url.includes('pictures=0'))).toBe(true);
});

test('the picture is saved under the name of its camera and its time, and only when there is one', async () => {
  fakeBitmaps();
  vi.spyOn(HTMLCanvasElement.prototype, 'toBlob').mockImplementation((done) =>
    done(new Blob(['jpeg'])),
  );
  Object.assign(URL, { createObjectURL: () => 'blob:x', revokeObjectURL: () => undefined });
  const dialog = await openLive();
  const save = within(dialog).getByRole('button', { name: 'Save picture' });
  expect(save).toBeDisabled();
  await play();
  // Before anything links: the click of a test is no click of the page.
  const saved = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockReturnValue();
  await userEvent.click(save);
  await waitFor(() => expect(saved).toHaveBeenCalledTimes(1));
  const [link] = saved.mock.contexts as HTMLAnchorElement[];
  expect(link?.download).toMatch(/^Main entrance \d{4}-\d{2}-\d{2} \d{2}-\d{2}-\d{2}\.jpg$/);
});

test('the picture is zoomed to eight times by buttons and by keys, and shown whole again', async () => {
  const dialog = await openLive();
  await play();
  const person = userEvent.setup();
  const nearer = within(dialog).getByRole('button', { name: 'Digital zoom in' });
  const farther = within(dialog).getByRole('button', { name: 'Digital zoom out' });
  expect(farther).toHaveAttribute('aria-disabled', 'true');
  await person.click(nearer);
  expect(within(dialog).getByText('1.5×')).toBeInTheDocument();
  await person.keyboard('[NumpadAdd][NumpadAdd][NumpadAdd][NumpadAdd][NumpadAdd]');
  expect(within(dialog).getByText('8×')).toBeInTheDocument();
  expect(nearer).toHaveAttribute('aria-disabled', 'true');
  await person.click(within(dialog).getByRole('button', { name: 'Show the whole picture' }));
  expect(within(dialog).queryByText('8×')).not.toBeInTheDocument();
});

test('a browser with picture in picture has a button for it, and one that refuses it says so', async () => {
  Object.assign(document, { pictureInPictureEnabled: true });
  try {
    const dialog = await openLive();
    await play();
    const refuse = vi.fn<() => Promise<void>>().mockRejectedValue(new Error('no'));
    Object.assign(document.querySelector('[role=dialog] video') ?? {}, {
      requestPictureInPicture: refuse,
    });
    await userEvent.click(within(dialog).getByRole('button', { name: 'Picture in picture' }));
    const said = "Picture in picture isn't available just now.";
    expect(await within(dialog).findByText(said)).toBeInTheDocument();
  } finally {
    Object.assign(document, { pictureInPictureEnabled: false });
  }
});

test('Back 30 seconds leads into the recordings, for users who may see them', async () => {
  const dialog = await openLive(aCamera({ may_play: true }));
  await userEvent.click(within(dialog).getByRole('button', { name: 'Back 30 seconds' }));
  await waitFor(() => expect(location.pathname).toBe(`/recordings/${aCamera().id}`));
  const at = Date.parse(new URLSearchParams(location.search).get('at')?.replaceAll('"', '') ?? '');
  expect(Math.abs(Date.now() - 30_000 - at)).toBeLessThan(10_000);
});

test('Back 30 seconds is not there for users who may not', async () => {
  const dialog = await openLive();
  expect(within(dialog).queryByRole('button', { name: 'Back 30 seconds' })).toBeNull();
});

test('on a phone what finds no place in the head is in a menu', async () => {
  fakePeers();
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches: query === '(width < 40rem)',
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }));
  const dialog = await openLive(
    aCamera({ may_play: true, health: someHealth({ sound: 'pcm_alaw' }) }),
  );
  expect(within(dialog).queryByRole('button', { name: 'Show faces' })).toBeNull();
  const person = userEvent.setup();
  await person.click(within(dialog).getByRole('button', { name: 'More actions' }));
  expect(await screen.findByRole('menuitem', { name: 'View recordings' })).toBeInTheDocument();
  expect(screen.getByRole('menuitem', { name: 'History' })).toBeInTheDocument();
  for (const name of ['Sound', 'Low Latency Mode']) {
    expect(screen.getByRole('menuitemcheckbox', { name })).not.toBeChecked();
  }
  const faces = screen.getByRole('menuitemcheckbox', { name: 'Show faces' });
  expect(faces).toBeChecked();
  await person.click(faces);
  await person.click(within(dialog).getByRole('button', { name: 'More actions' }));
  expect(await screen.findByRole('menuitemcheckbox', { name: 'Show faces' })).not.toBeChecked();
});

const pageOf = (url: string, over: Partial<Camera> = {}): Camera =>
  aCamera({
    type: 'http',
    url,
    health: someHealth({ state: 'refused', cause: 'not_video' }),
    ...over,
  });

test('=CAM-025 an address with `.html` that gives no video has a button that opens a new tab', async () => {
  const url = 'http://192.168.1.20/live.html';
  answer(liveViewRoutes.page, { viewer_url: url, frame_url: null });
  await openLive(pageOf(url));
  const link = await screen.findByRole('link', { name: 'Open Viewer' });
  expect(link).toHaveAttribute('href', url);
  expect(link).toHaveAttribute('target', '_blank');
  expect(link).toHaveAttribute('rel', 'noopener noreferrer');
  expect(screen.queryByTitle(/^Page of the camera/)).not.toBeInTheDocument();
});

test('=CAM-026, C-701 one with `/view` or `/stream` lies in a sandboxed frame, with the button beside it', async () => {
  const url = 'http://192.168.1.20/view';
  const frame = `/secure-api/cameras/${aCamera().id}/page/frame/?token=t`;
  answer(liveViewRoutes.page, { viewer_url: url, frame_url: frame });
  await openLive(pageOf(url));
  const shown = await screen.findByTitle('Page of the camera Main entrance');
  expect(shown).toHaveAttribute('src', frame);
  expect(shown).toHaveAttribute('sandbox', 'allow-scripts');
  expect(shown).toHaveAttribute('referrerpolicy', 'no-referrer');
  expect(screen.getByRole('link', { name: 'Open Viewer' })).toHaveAttribute('href', url);
});

test('the page stays while the ingest tries again, and goes with the right to see it', async () => {
  const url = 'http://192.168.1.20/view';
  const page = { viewer_url: url as string | null, frame_url: '/frame/?token=1' };
  const asked = answer(liveViewRoutes.page, () => page);
  await openLive(pageOf(url));
  const frame = await screen.findByTitle('Page of the camera Main entrance');
  serve(pageOf(url, { health: someHealth({ state: 'connecting', cause: 'starting' }) }));
  Object.assign(page, { frame_url: '/frame/?token=2' });
  const [news] = FakeSocket.opened.filter((socket) => socket.url.includes('/news/'));
  act(() => news?.receive({ kind: 'changed', what: 'cameras' }));
  await waitFor(() => expect(asked).toHaveLength(2));
  expect(screen.getByTitle('Page of the camera Main entrance')).toBe(frame);
  expect(frame).toHaveAttribute('src', '/frame/?token=1');
  Object.assign(page, { viewer_url: null, frame_url: null });
  act(() => news?.receive({ kind: 'changed', what: 'cameras' }));
  await waitFor(() => expect(screen.queryByTitle(/^Page of the camera/)).toBeNull());
});

test.each([
  ['CAM-030 what plays is played', { health: someHealth() }],
  ['C-307 who sees no address sees no page', { url: undefined }],
  ['H-8 no other scheme', { url: 'rtsp://192.168.1.20/view' }],
])('the page of a camera is not asked for: %s', async (_title, over) => {
  const asked = answer(liveViewRoutes.page, { viewer_url: null, frame_url: null });
  await openLive(pageOf('http://192.168.1.20/view', over));
  await waitFor(() => expect(document.title).toBe('Main entrance · Nazar'));
  expect(asked).toHaveLength(0);
  expect(screen.queryByRole('link', { name: 'Open Viewer' })).not.toBeInTheDocument();
});
