import { cameraRoutes, type Camera } from '@nazar/contract/cameras.ts';
import type { LiveMessage } from '@nazar/contract/live.ts';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse } from 'msw';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { everySentence } from '#testing/every-sentence.ts';
import { liveViewRoutes } from '@nazar/contract/live-views.ts';
import { playbackRoutes } from '@nazar/contract/playback.ts';
import { forgetMedia } from '#api/media.ts';
import { chooseLanguage } from '#lib/i18n.ts';
import { aCamera, aFace, someHealth } from '#testing/cameras.ts';
import {
  FakeMediaSource,
  fakeMedia,
  showPicture,
  showShare,
  showTab,
} from '#testing/fake-media.ts';
import { FakeSocket } from '#testing/fake-socket.ts';
import { answer, refusal } from '#testing/server.ts';
import { fakeBitmaps, pictureStream } from '#testing/fake-jpegs.ts';
import { LiveView, type LiveReport } from './live-view.tsx';

beforeAll(everySentence);

const html = { 'Content-Type': 'text/html' };
const stream: LiveMessage = {
  kind: 'stream',
  mime: 'video/mp4; codecs="avc1.4d401f"',
  width: 800,
  height: 400,
};

beforeEach(() => {
  fakeMedia();
  forgetMedia();
  localStorage.setItem('auth-token', 'good');
  answer(
    cameraRoutes.snapshot,
    new HttpResponse('jpeg', { headers: { 'Content-Type': 'image/jpeg' } }),
  );
  answer(cameraRoutes.liveTicket, { ticket: 't', expires_at: '2026-01-02T03:04:05.000Z' });
});
afterEach(() => chooseLanguage('en'));

const theVideo = (): HTMLVideoElement => {
  const video = document.querySelector('video');
  if (video === null) throw new Error('there is no video');
  return video;
};

async function opened(count = 1): Promise<FakeSocket> {
  await waitFor(() => expect(FakeSocket.opened).toHaveLength(count));
  const socket = FakeSocket.opened.at(-1);
  if (socket === undefined) throw new Error('no socket');
  return socket;
}

/** A picture of 800 x 400 in an element of 400 x 400: bars of 100 above and below. */
async function play(camera: Camera = aCamera()): Promise<FakeSocket> {
  render(<LiveView camera={camera} />);
  const socket = await opened();
  const sizes = { clientWidth: 400, clientHeight: 400, videoWidth: 800, videoHeight: 400 };
  for (const [name, value] of Object.entries(sizes)) {
    Object.defineProperty(theVideo(), name, { value });
  }
  act(() => {
    socket.receive(stream);
    FakeMediaSource.made[0]?.open();
    theVideo().dispatchEvent(new Event('playing'));
  });
  return socket;
}

const boxes = (): HTMLElement[] => [
  ...(screen.getByTestId('face-boxes').children as HTMLCollectionOf<HTMLElement>),
];

test.each([
  ['CAM-028 no address', aCamera({ has_url: false }), 'No URL provided'],
  ['CAM-029 inactive', aCamera({ status: 'inactive' }), 'Camera inactive'],
  ['~NSH-049 maintenance', aCamera({ status: 'maintenance' }), 'Camera under maintenance'],
  ['~NSH-049 error', aCamera({ status: 'error' }), 'Camera error'],
])('%s: words in place of a picture, and nothing is asked for', async (_title, camera, words) => {
  const asked = answer(cameraRoutes.liveTicket, refusal(503, 'camera_not_live', ''));
  render(<LiveView camera={camera} />);
  expect(screen.getByText(words)).toBeInTheDocument();
  expect(document.querySelector('video')).toBeNull();
  await Promise.resolve();
  expect(asked).toHaveLength(0);
});

test('CAM-011, ~CAM-027 the still lies underneath until the stream shows its first picture', async () => {
  const socket = await (async () => {
    render(<LiveView camera={aCamera()} />);
    return opened();
  })();
  expect(await screen.findByAltText('Latest picture of Main entrance')).toBeInTheDocument();
  expect(screen.getByText(/^Opening the picture/)).toBeInTheDocument();
  expect(theVideo()).toHaveClass('opacity-0');
  act(() => socket.receive(stream));
  expect(screen.getByText(/^Opening the picture/)).toBeInTheDocument();
  act(() => void theVideo().dispatchEvent(new Event('playing')));
  expect(theVideo()).not.toHaveClass('opacity-0');
  expect(screen.queryByText(/^Opening the picture/)).not.toBeInTheDocument();
});

test('~CAM-011 the still, or the words in its place, are gone once the stream shows pictures, whatever its shape', async () => {
  render(<LiveView camera={aCamera()} />);
  const socket = await opened();
  const still = await screen.findByAltText('Latest picture of Main entrance');
  const under = still.closest('[data-under-live]');
  expect(under).not.toHaveClass('invisible');
  act(() => socket.receive(stream));
  expect(under).not.toHaveClass('invisible');
  act(() => void theVideo().dispatchEvent(new Event('playing')));
  expect(under).toHaveClass('invisible');
  expect(under).not.toContainElement(theVideo());
});

test('CAM-027 an address plays as video, else as pictures, else there is a still, else words', async () => {
  const drawn = fakeBitmaps();
  const unplayable = async (): Promise<void> => {
    cleanup();
    forgetMedia();
    const before = FakeSocket.opened.length;
    render(<LiveView camera={aCamera()} />);
    const socket = await opened(before + 1);
    act(() => socket.receive(hevc));
  };
  await play();
  expect(theVideo()).not.toHaveClass('opacity-0');
  answer(liveViewRoutes.mjpeg, () => pictureStream(['one'], { endless: true }));
  await unplayable();
  await waitFor(() => expect(drawn).not.toHaveLength(0));
  expect(await screen.findByRole('img', { name: 'Live view of Main entrance' })).toBeVisible();
  expect(theVideo()).toHaveClass('opacity-0');
  answer(liveViewRoutes.mjpeg, () => new HttpResponse('<html>', { headers: html }));
  await unplayable();
  expect(await screen.findByText(/^The stream couldn't be played\./)).toBeInTheDocument();
  expect(await screen.findByAltText('Latest picture of Main entrance')).toBeInTheDocument();
  expect(screen.queryByText('No picture')).toBeNull();
  answer(cameraRoutes.snapshot, refusal(404, 'snapshot_not_ready', ''));
  await unplayable();
  expect(await screen.findByText('No picture')).toBeInTheDocument();
});

test('it streams only while half of it is in view of a visible tab', async () => {
  const first = await play();
  act(() => showShare(0.4));
  expect(first.closed).toBe(true);
  act(() => showShare(0.5));
  const second = await opened(2);
  act(() => showTab('hidden'));
  expect(second.closed).toBe(true);
  act(() => showTab('visible'));
  await opened(3);
});

test('no stream begins while the page is scrolled, nor where it was scrolled past', async () => {
  const first = await play();
  act(() => showShare(0));
  expect(first.closed).toBe(true);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  const pass = (forMs: number): Promise<void> =>
    act(async () => void (await vi.advanceTimersByTimeAsync(forMs)));
  act(() => void document.body.dispatchEvent(new Event('scroll')));
  act(() => showShare(1));
  await pass(100);
  act(() => void document.body.dispatchEvent(new Event('scroll')));
  await pass(100);
  act(() => showShare(0));
  await pass(1_000);
  expect(FakeSocket.opened).toHaveLength(1);
  act(() => void document.body.dispatchEvent(new Event('scroll')));
  act(() => showShare(1));
  await pass(149);
  expect(FakeSocket.opened).toHaveLength(1);
  await pass(1);
  vi.useRealTimers();
  await opened(2);
});

test('=LIVE-006, LIVE-007 boxes lie by fractions of the picture, with name and percent', async () => {
  const socket = await play();
  act(() => socket.receive({ kind: 'faces', at: 3, faces: [aFace()] } satisfies LiveMessage));
  act(() => showPicture(3));
  const [box] = boxes();
  expect(box).toHaveStyle({
    transform: 'translate(100.0px, 200.0px)',
    width: '40.0px',
    height: '40.0px',
  });
  expect(box).toHaveTextContent('Leyla Hasanova 93%');
  expect(box?.dataset['state']).toBe('known');
  expect(box).toHaveClass('border-[#ef4444]');
  act(() => showPicture(3.8));
  expect(boxes()).toEqual([]);
});

test('=LIVE-006 unknown, undecided, unusable, and a person whose name one may not see', async () => {
  await chooseLanguage('tr');
  const socket = await play();
  const faces = [
    aFace({ track_id: '1', state: 'unknown', name: null, confidence: null }),
    aFace({ track_id: '2', state: 'undecided', name: null, confidence: null }),
    aFace({ track_id: '3', state: 'unusable', name: null, confidence: null }),
    aFace({ track_id: '4', name: 'Known person', confidence: 0.8 }),
  ];
  act(() => socket.receive({ kind: 'faces', at: 1, faces } satisfies LiveMessage));
  act(() => showPicture(1));
  expect(boxes().map((box) => [box.dataset['state'], box.textContent])).toEqual([
    ['unknown', 'Bilinmeyen'],
    ['undecided', '…'],
    ['unusable', 'Tanınamıyor'],
    ['known', 'Tanınan kişi %80'],
  ]);
});

test('LIVE-021 a broken stream keeps its last picture and says what happens', async () => {
  const socket = await play();
  act(() => socket.drop());
  expect(theVideo()).not.toHaveClass('opacity-0');
  expect(
    screen.getByText(/^The connection to Nazar was lost\. Reconnecting in [45] sec$/),
  ).toBeVisible();
});

test('rights that are lost end the picture with a sentence', async () => {
  const socket = await play();
  act(() => socket.receive({ kind: 'end', reason: 'rights' } satisfies LiveMessage));
  expect(screen.getByText('You no longer have access to this camera.')).toBeInTheDocument();
  expect(theVideo()).toHaveClass('opacity-0');
});

test('a view that made way for a newer one stays closed until it is opened again', async () => {
  const socket = await play();
  act(() => socket.receive({ kind: 'end', reason: 'replaced' } satisfies LiveMessage));
  expect(screen.getByText(/^This view was closed because too many were open/)).toBeInTheDocument();
  const before = FakeSocket.opened.length;
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
  await waitFor(() => expect(FakeSocket.opened).toHaveLength(before + 1));
});

test('a camera that is offline is not connected to; its old still says so', async () => {
  const health = someHealth({ state: 'offline', cause: 'unreachable' });
  const { rerender } = render(<LiveView camera={aCamera({ health })} />);
  expect(
    await screen.findByText(/^Offline since .*: the camera can't be reached/),
  ).toBeInTheDocument();
  expect(FakeSocket.opened).toHaveLength(0);
  rerender(<LiveView camera={aCamera()} />);
  await opened();
});

test('a camera that goes offline keeps its last picture, dimmed; a right that is lost keeps nothing', async () => {
  const drawn = vi.fn<(image: unknown) => void>();
  const context = { drawImage: drawn } as unknown as CanvasRenderingContext2D;
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(context);
  const { rerender } = render(<LiveView camera={aCamera()} />);
  const socket = await opened();
  const kept = () => document.querySelectorAll('canvas')[0]!;
  for (const [name, value] of Object.entries({ videoWidth: 800, videoHeight: 400 })) {
    Object.defineProperty(theVideo(), name, { value });
  }
  act(() => {
    socket.receive(stream);
    FakeMediaSource.made[0]?.open();
    theVideo().dispatchEvent(new Event('playing'));
  });
  expect(kept()).toHaveClass('hidden');
  const health = someHealth({ state: 'offline', cause: 'unreachable' });
  rerender(<LiveView camera={aCamera({ health })} />);
  expect(drawn).toHaveBeenCalledWith(theVideo(), 0, 0);
  expect(kept()).not.toHaveClass('hidden');
  expect(kept()).toHaveClass('opacity-50');
  expect([kept().width, kept().height]).toEqual([800, 400]);
  rerender(<LiveView camera={aCamera()} />);
  const second = await opened(2);
  act(() => second.receive({ kind: 'end', reason: 'rights' } satisfies LiveMessage));
  expect(kept()).toHaveClass('hidden');
});

test('a camera that went away while stills were shown by turns keeps the newest still, not an older picture of its stream', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue({
    drawImage: vi.fn(),
  } as unknown as CanvasRenderingContext2D);
  const { rerender } = render(<LiveView camera={aCamera()} />);
  const socket = await opened();
  for (const [name, value] of Object.entries({ videoWidth: 800, videoHeight: 400 }))
    Object.defineProperty(theVideo(), name, { value });
  act(() => {
    socket.receive(stream);
    FakeMediaSource.made[0]?.open();
    theVideo().dispatchEvent(new Event('playing'));
  });
  const reports: LiveReport[] = [];
  const onReport = (report: LiveReport): void => void reports.push(report);
  rerender(<LiveView camera={aCamera()} pace="stills" onReport={onReport} />);
  vi.setSystemTime(Date.now() + 30_000);
  const asked = answer(cameraRoutes.snapshot, new HttpResponse('jpeg'));
  const turnMs = Date.now();
  rerender(<LiveView camera={aCamera()} pace="stills" turnMs={turnMs} onReport={onReport} />);
  await waitFor(() => expect(asked).toHaveLength(1));
  await waitFor(() => expect(reports.at(-1)?.view).toEqual({ kind: 'stills', ageMs: null }));
  const health = someHealth({ state: 'offline', cause: 'unreachable' });
  rerender(<LiveView camera={aCamera({ health })} pace="stills" turnMs={turnMs} />);
  expect(await screen.findByAltText('Latest picture of Main entrance')).toHaveClass('opacity-50');
  expect(document.querySelectorAll('canvas')[0]).toHaveClass('hidden');
  vi.useRealTimers();
});

const goneAt = '2026-01-02T03:04:05.000Z';
const gone = someHealth({ state: 'offline', cause: 'unreachable', down_since: goneAt });

test('a camera that was gone before shows what it recorded right before that, dimmed, with since when', async () => {
  const kept = { at: '2026-01-02T03:03:57.000Z', jpeg: 'aaaa' };
  const asked = answer(playbackRoutes.stills, { results: [kept] });
  const recorded = answer(playbackRoutes.thumbnail, new HttpResponse('jpeg'));
  const stills = answer(cameraRoutes.snapshot, new HttpResponse('jpeg'));
  const { rerender } = render(<LiveView camera={aCamera({ health: gone, may_play: true })} />);
  const picture = await screen.findByAltText('Latest picture of Main entrance');
  expect(picture).toHaveClass('opacity-50');
  expect(asked.map(({ url }) => Object.fromEntries(new URL(url).searchParams))).toEqual([
    { from: '2026-01-02T03:03:45.000Z', until: goneAt, count: '1' },
  ]);
  expect(recorded.map(({ url }) => new URL(url).searchParams.get('at'))).toEqual([kept.at]);
  expect(screen.getByText(/^Offline since .*: the camera can't be reached/)).toBeInTheDocument();
  expect(stills).toHaveLength(0);
  rerender(<LiveView camera={aCamera({ may_play: true })} />);
  await waitFor(() => expect(stills).not.toHaveLength(0));
  const now = await screen.findByAltText('Latest picture of Main entrance');
  expect(now).not.toHaveClass('opacity-50');
});

test('a user who may not see recordings is shown no picture of a camera that was gone before, and none is asked for', async () => {
  const none = answer(playbackRoutes.stills, { results: [] });
  const pictures = answer(playbackRoutes.thumbnail, new HttpResponse('jpeg'));
  const hidden = aCamera({ health: gone });
  // The reader may see what this one recorded, but it was not recorded then.
  const other = aCamera({ id: '3'.repeat(36), health: gone, may_play: true });
  render([hidden, other].map((camera) => <LiveView key={camera.id} camera={camera} />));
  await waitFor(() => expect(none).not.toHaveLength(0));
  expect(none.map(({ params }) => params['id'])).toEqual([other.id]);
  await waitFor(() => expect(screen.getAllByText('No picture')).toHaveLength(2));
  expect(pictures).toHaveLength(0);
});

test('no still is announced where none could be had', async () => {
  answer(cameraRoutes.snapshot, refusal(404, 'snapshot_not_ready', ''));
  const reports: LiveReport[] = [];
  const onReport = (report: LiveReport): void => void reports.push(report);
  render(<LiveView camera={aCamera()} pace="stills" turnMs={Date.now()} onReport={onReport} />);
  expect(await screen.findByText('No picture')).toBeInTheDocument();
  expect(reports.map(({ view }) => view.kind)).not.toContain('stills');
});

test('CAM-044 deactivating ends the running stream', async () => {
  const { rerender } = render(<LiveView camera={aCamera()} />);
  const socket = await opened();
  rerender(<LiveView camera={aCamera({ status: 'inactive' })} />);
  expect(socket.closed).toBe(true);
  expect(screen.getByText('Camera inactive')).toBeInTheDocument();
});

const hevc = { ...stream, mime: 'video/mp4; codecs="hvc1.1.6.L93.B0"' };

test('~CAM-027 a format the browser cannot play comes as JPEGs, by fetch, into a canvas', async () => {
  const drawn = fakeBitmaps();
  answer(liveViewRoutes.mjpeg, () => pictureStream(['one', 'two'], { endless: true }));
  render(<LiveView camera={aCamera()} />);
  const socket = await opened();
  act(() => socket.receive(hevc));
  await waitFor(() => expect(drawn).not.toHaveLength(0));
  expect(await screen.findByRole('img', { name: 'Live view of Main entrance' })).toBeVisible();
  expect(theVideo()).toHaveClass('opacity-0');
  // Health and faces are reported as before.
  await waitFor(() => expect(FakeSocket.opened.at(-1)?.url).toContain('pictures=0'));
});

test('an answer that is no stream of pictures is none: said, and the still is kept fresh', async () => {
  const asked = answer(cameraRoutes.snapshot, () => new HttpResponse('jpeg'));
  answer(liveViewRoutes.mjpeg, () => new HttpResponse('<html>', { headers: html }));
  const ticking = vi.spyOn(globalThis, 'setInterval');
  render(<LiveView camera={aCamera()} />);
  const socket = await opened();
  act(() => socket.receive(hevc));
  expect(await screen.findByText(/^The stream couldn't be played\./)).toBeInTheDocument();
  await waitFor(() => expect(asked).not.toHaveLength(0));
  const before = asked.length;
  const [refresh] = ticking.mock.calls.find(([, ms]) => ms === 5000) ?? [];
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 5000 });
  act(() => (refresh as () => void)());
  vi.useRealTimers();
  await waitFor(() => expect(asked.length).toBeGreaterThan(before));
});

test('a third view on one page leaves the connections of the browser to the page: it shows stills', async () => {
  fakeBitmaps();
  const asked = answer(liveViewRoutes.mjpeg, () => pictureStream(['one'], { endless: true }));
  vi.stubGlobal('MediaSource', undefined);
  const cameras = ['1', '2', '3'].map((id) => aCamera({ id: id.repeat(36), name: id }));
  render(cameras.map((camera) => <LiveView key={camera.id} camera={camera} />));
  expect(await screen.findByText(/can't play this camera's video format/)).toBeInTheDocument();
  await waitFor(() => expect(asked).toHaveLength(2));
});

test('a picture that stands still says how old it is from two seconds on, and stops saying it', async () => {
  const socket = await play();
  expect(screen.queryByTestId('picture-age')).not.toBeInTheDocument();
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 4400 });
  try {
    expect(await screen.findByText(/^[345] sec old$/, {}, { timeout: 3000 })).toBeInTheDocument();
    expect(screen.getByText(/^No new picture for [345] sec/)).toBeInTheDocument();
    // What comes is not shown: it is this device that does not keep up, and the clock of a video is no picture.
    const media = new Uint8Array([1]).buffer;
    act(() => void socket.dispatchEvent(new MessageEvent('message', { data: media })));
    act(() => void theVideo().dispatchEvent(new Event('timeupdate')));
    vi.setSystemTime(Date.now() + 1000);
    const words = /^This device can't keep up: the picture is [3-6] sec old/;
    expect(await screen.findByText(words, {}, { timeout: 3000 })).toBeInTheDocument();
    act(() => showPicture(9));
    vi.setSystemTime(Date.now() + 1000);
    await waitFor(() => expect(screen.queryByTestId('picture-age')).toBeNull(), { timeout: 3000 });
  } finally {
    vi.useRealTimers();
  }
  expect(socket.closed).toBe(false);
});

test('only a part of the picture is seen when it is zoomed; boxes keep their lines', async () => {
  const { rerender } = render(<LiveView camera={aCamera()} />);
  const socket = await opened();
  const sizes = { clientWidth: 400, clientHeight: 400, videoWidth: 800, videoHeight: 400 };
  for (const [name, value] of Object.entries(sizes)) {
    Object.defineProperty(theVideo(), name, { value });
  }
  act(() => {
    socket.receive(stream);
    theVideo().dispatchEvent(new Event('playing'));
    socket.receive({ kind: 'faces', at: 3, faces: [aFace()] } satisfies LiveMessage);
  });
  rerender(<LiveView camera={aCamera()} zoom={{ scale: 2, x: -0.5, y: -0.25 }} />);
  act(() => showPicture(3));
  expect(theVideo().parentElement).toHaveStyle({ transform: 'translate(-50%, -25%) scale(2)' });
  // (100, 200) and 40 x 40 in the whole picture.
  expect(boxes()[0]).toHaveStyle({ transform: 'translate(0.0px, 300.0px)', width: '80.0px' });
});

test('a video that floats in a window of its own goes on when its tab is hidden', async () => {
  const socket = await play();
  act(() => void theVideo().dispatchEvent(new Event('enterpictureinpicture')));
  act(() => showTab('hidden'));
  expect(socket.closed).toBe(false);
  act(() => void theVideo().dispatchEvent(new Event('leavepictureinpicture')));
  expect(socket.closed).toBe(true);
  act(() => showTab('visible'));
});

test.each([
  ['too_many_live_streams', /^Too many live views are open/],
  ['too_many_masked_views', /^Too many masked or converted views are open/],
])(
  'a view that a limit refuses (%s) says why, and shows a still each 5 s',
  async (reason, words) => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    let stills = 0;
    answer(cameraRoutes.snapshot, () => {
      stills += 1;
      return new HttpResponse('jpeg', { headers: { 'Content-Type': 'image/jpeg' } });
    });
    render(<LiveView camera={aCamera()} />);
    const socket = await opened();
    act(() => void socket.dispatchEvent(new CloseEvent('close', { code: 4503, reason })));
    expect(await screen.findByText(words)).toBeInTheDocument();
    // Nothing of what it showed before lies over the still.
    expect(theVideo()).toHaveClass('opacity-0');
    await waitFor(() => expect(stills).toBeGreaterThan(0));
    // The time of the machine passes too: on a busy one there are more.
    const before = stills;
    await act(() => vi.advanceTimersByTimeAsync(10_500));
    await waitFor(() => expect(stills).toBeGreaterThanOrEqual(before + 2));
    vi.useRealTimers();
  },
);
