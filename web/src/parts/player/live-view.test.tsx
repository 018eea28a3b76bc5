import { cameraRoutes, type Camera } from '@nazar/contract/cameras.ts';
import type { LiveMessage } from '@nazar/contract/live.ts';
import { act, render, screen, waitFor } from '@testing-library/react';
import { HttpResponse } from 'msw';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { everySentence } from '#testing/every-sentence.ts';
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
import { LiveView } from './live-view.tsx';

beforeAll(everySentence);

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
    socket.hear(stream);
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
  expect(screen.getByText('Connecting...')).toBeInTheDocument();
  expect(theVideo()).toHaveClass('opacity-0');
  act(() => socket.hear(stream));
  expect(screen.getByText('Waiting for video...')).toBeInTheDocument();
  act(() => void theVideo().dispatchEvent(new Event('playing')));
  expect(theVideo()).not.toHaveClass('opacity-0');
  expect(screen.queryByText('Waiting for video...')).not.toBeInTheDocument();
});

test('~CAM-027 without any picture there are words, not a black box', async () => {
  answer(cameraRoutes.snapshot, refusal(404, 'snapshot_not_ready', ''));
  render(<LiveView camera={aCamera()} />);
  expect(await screen.findByText('No picture yet')).toBeInTheDocument();
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

test('LIVE-006, LIVE-007 boxes lie by fractions of the picture, with name and percent', async () => {
  const socket = await play();
  act(() => socket.hear({ kind: 'faces', at: 3, faces: [aFace()] } satisfies LiveMessage));
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

test('LIVE-006 unknown, undecided, unusable, and a person whose name one may not see', async () => {
  await chooseLanguage('tr');
  const socket = await play();
  const faces = [
    aFace({ track_id: '1', state: 'unknown', name: null, confidence: null }),
    aFace({ track_id: '2', state: 'undecided', name: null, confidence: null }),
    aFace({ track_id: '3', state: 'unusable', name: null, confidence: null }),
    aFace({ track_id: '4', name: 'Known person', confidence: 0.8 }),
  ];
  act(() => socket.hear({ kind: 'faces', at: 1, faces } satisfies LiveMessage));
  act(() => showPicture(1));
  expect(boxes().map((box) => [box.dataset['state'], box.textContent])).toEqual([
    ['unknown', 'Bilinmeyen'],
    ['undecided', '…'],
    ['unusable', 'Tanınamıyor'],
    ['known', 'Tanınan kişi %80'],
  ]);
});

test('LIVE-021 a broken stream keeps its last picture and says what happens', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(0);
  const socket = await play();
  act(() => socket.drop());
  expect(theVideo()).not.toHaveClass('opacity-0');
  expect(screen.getByText(/^The connection was lost\. Reconnecting in [45] sec$/)).toBeVisible();
});

test('rights that are lost end the picture with a sentence', async () => {
  const socket = await play();
  act(() => socket.hear({ kind: 'end', reason: 'rights' } satisfies LiveMessage));
  expect(screen.getByText('You no longer have access to this camera.')).toBeInTheDocument();
  expect(theVideo()).toHaveClass('opacity-0');
});

test('a camera that is offline is not connected to; its old still says so', async () => {
  const health = someHealth({ state: 'offline', cause: 'unreachable' });
  const { rerender } = render(<LiveView camera={aCamera({ health })} />);
  expect(await screen.findByText('Offline')).toBeInTheDocument();
  expect(FakeSocket.opened).toHaveLength(0);
  rerender(<LiveView camera={aCamera()} />);
  await opened();
});

test('CAM-044 deactivating ends the running stream', async () => {
  const { rerender } = render(<LiveView camera={aCamera()} />);
  const socket = await opened();
  rerender(<LiveView camera={aCamera({ status: 'inactive' })} />);
  expect(socket.closed).toBe(true);
  expect(screen.getByText('Camera inactive')).toBeInTheDocument();
});

test('~CAM-027 a format the browser cannot play: said, and the still is kept fresh', async () => {
  const asked = answer(cameraRoutes.snapshot, () => new HttpResponse('jpeg'));
  render(<LiveView camera={aCamera()} />);
  const socket = await opened();
  await waitFor(() => expect(asked).toHaveLength(1));
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] });
  try {
    act(() => socket.hear({ ...stream, mime: 'video/mp4; codecs="hvc1.1.6.L93.B0"' }));
    expect(screen.getByText(/can't play this camera's video format/)).toBeInTheDocument();
    act(() => void vi.advanceTimersByTime(5000));
  } finally {
    vi.useRealTimers();
  }
  await waitFor(() => expect(asked).toHaveLength(2));
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
    await waitFor(() => expect(stills).toBe(1));
    await act(() => vi.advanceTimersByTimeAsync(10_500));
    await waitFor(() => expect(stills).toBe(3));
    vi.useRealTimers();
  },
);
