/** The player of recordings as its reader meets it: real rules, real calls, and hls.js without media. */
import { playbackRoutes, type PlaybackTicket } from '@nazar/contract/playback.ts';
import { cameraRoutes } from '@nazar/contract/cameras.ts';
import { recordingRoutes, type CameraTimeline } from '@nazar/contract/recordings.ts';
import { QueryClientProvider, type QueryClient } from '@tanstack/react-query';
import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse } from 'msw';
import { useEffect } from 'react';
import { beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { ask, makeQueryClient } from '#api/query.ts';
import { aCamera, someHealth } from '#testing/cameras.ts';
import { everySentence } from '#testing/every-sentence.ts';
import { countHls, forgetHls, newestHls, type FakeFile } from '#testing/fake-hls.ts';
import { fakeMedia } from '#testing/fake-media.ts';
import { answer, refusal, type Seen } from '#testing/server.ts';
import { keyRows } from './player-keys.ts';
import type { RecordedPlayback } from './recorded-playback.ts';
import { RecordedPlayer } from './recorded-player.tsx';
import { useRecordedPlayback } from './use-recorded-playback.ts';

vi.mock('hls.js/light', async () => (await import('#testing/fake-hls.ts')).fakeHls());

beforeAll(everySentence);

const cameraId = '22222222-2222-4222-8222-222222222222';
const noon = new Date(2026, 0, 15, 12).getTime();
const at = (minutes: number, seconds = 0): number => noon + (minutes * 60 + seconds) * 1000;
const iso = (ms: number): string => new Date(ms).toISOString();

/** A minute from 12:00, nothing for four minutes because the network was away, a minute from 12:05. */
const files: FakeFile[] = Array.from({ length: 12 }, (_, index) => ({
  start: index * 10,
  duration: 10,
  programDateTime: index < 6 ? at(0, index * 10) : at(5, (index - 6) * 10),
}));

const timeline = (over: Partial<CameraTimeline> = {}): CameraTimeline => ({
  camera_id: cameraId,
  spans: [],
  gaps: [{ cause: 'network', started_at: iso(at(1)), ended_at: iso(at(5)) }],
  motion: [],
  faces: [],
  ...over,
});

const h264 = 'video/mp4; codecs="avc1.4d401f,mp4a.40.2"';
const aTicket = (over: Partial<PlaybackTicket> = {}): PlaybackTicket => ({
  ticket: 'one',
  expires_at: iso(at(60)),
  playlist: '/secure-api/playback/index.m3u8?ticket=one',
  starts_at: iso(noon),
  mimes: [h264],
  masked: false,
  encoded: false,
  ...over,
});

let begun: Seen[];

beforeEach(() => {
  fakeMedia();
  forgetHls();
  localStorage.setItem('auth-token', 'good');
  client = makeQueryClient();
  const video = HTMLMediaElement.prototype;
  vi.spyOn(video, 'pause').mockReturnValue();
  vi.spyOn(video, 'readyState', 'get').mockReturnValue(4);
  begun = answer(playbackRoutes.begin, aTicket());
  answer(recordingRoutes.timeline, timeline());
  answer(playbackRoutes.thumbnail, new HttpResponse('jpeg'));
});

let playback: RecordedPlayback;
let client: QueryClient;
const live = vi.fn();

function Harness({ momentMs }: { momentMs: number }) {
  const made = useRecordedPlayback(cameraId, momentMs);
  useEffect(() => {
    playback = made;
  }, [made]);
  const camera = { id: cameraId, name: 'Gate' };
  return (
    <QueryClientProvider client={client}>
      <RecordedPlayer playback={made} camera={camera} onLive={live} />
    </QueryClientProvider>
  );
}

const theVideo = (): HTMLVideoElement => {
  const video = document.querySelector('video');
  if (video === null) throw new Error('there is no video');
  return video;
};

/** The element shows the place that it was sent to. */
const showPicture = (): void => act(() => void theVideo().dispatchEvent(new Event('seeked')));

async function shown(momentMs = at(0, 5)): Promise<void> {
  render(<Harness momentMs={momentMs} />);
  await waitFor(() => expect(countHls()).toBe(1));
  act(() => newestHls().arrive(files));
  const [, start] = /^start (.+)$/.exec(newestHls().log.at(-1) ?? '') ?? [];
  theVideo().currentTime = Number(start);
  showPicture();
  await waitFor(() => expect(playback.state.get().kind).toBe('ready'));
}

const frame = (): HTMLElement => screen.getByRole('region', { name: 'Recordings of Gate' });
const press = (code: string, more: object = {}): void => {
  fireEvent.keyDown(frame(), { code, ...more });
};

test('hls.js comes with the first moment, without its worker, and begins at its second', async () => {
  await shown(at(0, 5));
  expect(newestHls().config).toMatchObject({ enableWorker: false, autoStartLoad: false });
  expect(newestHls().log).toEqual([
    'attach',
    'load /secure-api/playback/index.m3u8?ticket=one',
    'start 5',
  ]);
  expect(screen.getByText('Jan 15, 2026, 12:00:05')).toBeInTheDocument();
});

test('~REC-005, ~REC-006 play, pause, ten seconds on and back: by buttons and by keys', async () => {
  const user = userEvent.setup();
  await shown();
  await user.click(screen.getByRole('button', { name: 'Play' }));
  expect(playback.isPlaying.get()).toBe(true);
  await user.click(screen.getByRole('button', { name: 'Pause' }));
  expect(playback.isPlaying.get()).toBe(false);
  press('Space');
  expect(playback.isPlaying.get()).toBe(true);
  await user.click(screen.getByRole('button', { name: 'Forward 10 seconds' }));
  expect(theVideo().currentTime).toBe(15);
  press('ArrowLeft');
  expect(theVideo().currentTime).toBe(5);
});

test('a quarter to sixteen times, by the list and by keys, kept by the element', async () => {
  const user = userEvent.setup();
  await shown();
  const list = screen.getByLabelText('Speed');
  expect(
    within(list)
      .getAllByRole('option')
      .map((one) => one.textContent),
  ).toEqual(['0.25×', '0.5×', '1×', '2×', '4×', '8×', '16×']);
  await user.selectOptions(list, '16');
  expect(theVideo().playbackRate).toBe(16);
  press('BracketLeft');
  expect([theVideo().playbackRate, theVideo().defaultPlaybackRate]).toEqual([8, 8]);
});

test('a little faster than its speed, to be in step with others: the speed that is chosen stays', async () => {
  await shown();
  act(() => playback.setSpeed(2));
  act(() => playback.correct(1.05));
  expect([theVideo().playbackRate, theVideo().defaultPlaybackRate]).toEqual([2.1, 2]);
  expect(screen.getByLabelText('Speed')).toHaveValue('2');
  act(() => playback.setSpeed(4));
  expect(theVideo().playbackRate).toBe(4.2);
  // Browsers throw where they are asked for more than 16.
  act(() => playback.setSpeed(16));
  expect(theVideo().playbackRate).toBe(16);
  act(() => playback.setSpeed(4));
  act(() => playback.correct(1));
  expect([theVideo().playbackRate, theVideo().defaultPlaybackRate]).toEqual([4, 4]);
});

test('REC-008 it is half as loud as it can be; volume and mute by slider, button and keys', async () => {
  const user = userEvent.setup();
  await shown();
  const slider = screen.getByLabelText('Volume');
  expect(slider).toHaveValue('50');
  expect([slider.getAttribute('min'), slider.getAttribute('max')]).toEqual(['0', '100']);
  fireEvent.change(slider, { target: { value: '100' } });
  expect(theVideo().volume).toBe(1);
  press('ArrowDown');
  expect(theVideo().volume).toBeCloseTo(0.95);
  await user.click(screen.getByRole('button', { name: 'Mute' }));
  expect(theVideo().muted).toBe(true);
  expect(slider).toHaveValue('0');
});

test('without sound there is nothing to make louder', async () => {
  answer(playbackRoutes.begin, aTicket({ mimes: ['video/mp4; codecs="avc1.4d401f"'] }));
  await shown();
  expect(screen.getByRole('button', { name: 'No sound was recorded' })).toBeDisabled();
  expect(screen.queryByLabelText('Volume')).toBeNull();
});

test('a gap is passed over, and its cause is named', async () => {
  await shown();
  act(() => playback.seek(at(3)));
  theVideo().currentTime = 60;
  showPicture();
  expect(
    await screen.findByText(
      "No recording from 12:01:00 to 12:05:00: the camera couldn't be reached",
    ),
  ).toBeInTheDocument();
  expect(screen.getByText('Jan 15, 2026, 12:05:00')).toBeInTheDocument();
});

test('a player that stood for want of data and is paused meanwhile has its picture again when the data is here', async () => {
  await shown();
  act(() => void theVideo().dispatchEvent(new Event('waiting')));
  expect(playback.state.get().kind).toBe('loading');
  act(() => void theVideo().dispatchEvent(new Event('canplay')));
  expect(playback.state.get().kind).toBe('ready');
});

test('at the end the live view is offered', async () => {
  const user = userEvent.setup();
  await shown();
  const gaps: CameraTimeline['gaps'] = [
    { cause: 'switched_off', started_at: iso(at(6)), ended_at: null },
  ];
  answer(recordingRoutes.timeline, timeline({ gaps }));
  act(() => void theVideo().dispatchEvent(new Event('ended')));
  expect(await screen.findByText(/^No recording after .*: recording was off$/)).toBeInTheDocument();
  await user.click(screen.getByRole('button', { name: 'Go to live view' }));
  expect(live).toHaveBeenCalledOnce();
});

test('in the gap of a camera that is down: since when and why, in the words of its card, and the last recording', async () => {
  const user = userEvent.setup();
  const health = someHealth({ state: 'stalled', cause: 'no_packets' });
  const key = ask('cameras', cameraRoutes.read, { params: { id: cameraId } }).queryKey;
  client.setQueryData(key, aCamera({ id: cameraId, health }));
  await shown();
  const gaps: CameraTimeline['gaps'] = [
    { cause: 'network', started_at: iso(at(6)), ended_at: null },
  ];
  answer(recordingRoutes.timeline, timeline({ gaps, spans: [] }));
  answer(playbackRoutes.begin, refusal(404, 'recording_not_found', ''));
  act(() => playback.seek(at(30)));
  const words = /^No recording after .*12:06:00: the camera isn't sending anything$/;
  expect(await screen.findByText(words)).toBeInTheDocument();
  expect(screen.queryByRole('button', { name: 'Go to live view' })).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Go to the last recording' }));
  expect(playback.momentMs.get()).toBe(at(5, 50));
});

test('a ticket that died: another one for the same files, and the addresses carry it', async () => {
  await shown();
  begun = answer(
    playbackRoutes.begin,
    aTicket({ ticket: 'two', playlist: '/secure-api/playback/index.m3u8?ticket=two' }),
  );
  const hls = newestHls();
  act(() => hls.refuse(403, 'playback_ended', 'This playback has ended.'));
  await waitFor(() => expect(hls.log.at(-1)).toBe('start 5'));
  expect([begun.length, countHls()]).toEqual([1, 1]);
  expect(hls.log).toContain('stop');
  const sent: string[] = [];
  const xhr = {
    open: (_: string, url: string) => sent.push(url),
    setRequestHeader: () => undefined,
  };
  (hls.config['xhrSetup'] as (xhr: object, url: string) => void)(xhr, '/s.mp4?ticket=one&id=7');
  expect(sent).toEqual(['/s.mp4?ticket=two&id=7']);
  expect(screen.queryByText('This playback has ended.')).toBeNull();
});

test('a user who may not see it any more sees nothing, and reads so', async () => {
  await shown();
  answer(playbackRoutes.begin, refusal(403, 'forbidden', "You don't have permission to do this."));
  act(() => newestHls().refuse(403, 'playback_ended', ''));
  expect(await screen.findByText("You don't have permission to do this.")).toBeInTheDocument();
  expect(newestHls().log.at(-1)).toBe('destroy');
  expect(theVideo()).toHaveAttribute('aria-hidden', 'true');
  expect(screen.getByRole('button', { name: 'Save picture' })).toBeDisabled();
});

test('offline: said with the time of the picture that stays, and tried again on demand', async () => {
  const user = userEvent.setup();
  await shown();
  answer(playbackRoutes.begin, () => HttpResponse.error());
  act(() => newestHls().breakDown('networkError'));
  expect(await screen.findByText(/^The server can't be reached\. Next try in/)).toBeInTheDocument();
  expect(screen.getByText(/^The picture is from Jan 15, 2026, 12:00:05/)).toBeInTheDocument();
  answer(playbackRoutes.begin, aTicket());
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  await waitFor(() => expect(countHls()).toBe(2));
});

test('a format that the browser does not know is converted, and the page says so; so are masks', async () => {
  begun = answer(playbackRoutes.begin, ({ body }) =>
    (body as { encoded?: boolean }).encoded === true
      ? aTicket({ encoded: true })
      : aTicket({ mimes: ['video/mp4; codecs="hvc1.1.6.L93.B0"'] }),
  );
  await shown();
  expect(begun).toHaveLength(2);
  expect(screen.getByText(/can't play the original format/)).toBeInTheDocument();
  answer(playbackRoutes.begin, aTicket({ masked: true, encoded: true }));
  act(() => playback.seek(at(-6000)));
  expect(await screen.findByText(/^Privacy masks are applied/)).toBeInTheDocument();
});

test('a media error is mended once; the next one is converted', async () => {
  begun = answer(playbackRoutes.begin, aTicket());
  await shown();
  act(() => newestHls().breakDown('mediaError'));
  expect(newestHls().log.at(-1)).toBe('recover');
  answer(playbackRoutes.begin, ({ body }) => {
    expect(body).toMatchObject({ encoded: true });
    return aTicket({ encoded: true });
  });
  act(() => newestHls().breakDown('mediaError'));
  expect(await screen.findByText(/can't play the original format/)).toBeInTheDocument();
});

test('the question mark lists every key, in a dialog that gives the focus back', async () => {
  const user = userEvent.setup();
  await shown();
  frame().focus();
  press('Slash', { key: '?', shiftKey: true });
  const dialog = await screen.findByRole('dialog', { name: 'Keyboard shortcuts' });
  expect(within(dialog).getAllByRole('definition')).toHaveLength(keyRows.length);
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('zoom by keys, to eight times and back', async () => {
  await shown();
  press('Equal');
  expect(theVideo().style.transform).toBe('translate(-25%, -25%) scale(1.5)');
  press('ArrowLeft', { shiftKey: true });
  expect(theVideo().style.transform).toBe('translate(-15%, -25%) scale(1.5)');
  for (let time = 0; time < 9; time += 1) press('Equal');
  expect(screen.getByText('8×', { selector: 'output' })).toBeInTheDocument();
  press('Digit0');
  expect(theVideo().style.transform).toBe('translate(0%, 0%) scale(1)');
});

const touch = (name: string, fingers: number): Event => {
  const event = new Event(name, { bubbles: true, cancelable: true });
  Object.assign(event, { touches: Array.from({ length: fingers }, () => ({})) });
  act(() => void theVideo().dispatchEvent(event));
  return event;
};

const finger = (name: string, pointerId: number, clientX: number, clientY: number): void => {
  const where = { bubbles: true, clientX, clientY, pointerId, pointerType: 'touch', button: 0 };
  act(() => void theVideo().dispatchEvent(new PointerEvent(name, where)));
};

/** Percent of the frame to the right and down, and the scale. */
const zoomed = (): number[] =>
  [...theVideo().style.transform.matchAll(/-?[\d.]+/g)].map(([one]) =>
    Number(Number(one).toFixed(6)),
  );

test('two fingers zoom what is between them, and the page does not scroll below them', async () => {
  Object.assign(HTMLElement.prototype, { setPointerCapture: () => undefined });
  await shown();
  const box = { left: 0, top: 0, width: 400, height: 200 } as DOMRect;
  vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockReturnValue(box);
  // One finger scrolls the page for as long as the picture is whole.
  expect(touch('touchstart', 1).defaultPrevented).toBe(false);
  expect(touch('touchmove', 1).defaultPrevented).toBe(false);
  finger('pointerdown', 1, 150, 100);
  expect(touch('touchstart', 2).defaultPrevented).toBe(true);
  finger('pointerdown', 2, 250, 100);
  finger('pointermove', 2, 350, 100);
  expect(touch('touchmove', 2).defaultPrevented).toBe(true);
  // Twice as far from each other, with the middle at five eighths of the width.
  expect(zoomed()).toEqual([-37.5, -50, 2]);
  // A finger that moves on its own moves what is enlarged.
  finger('pointerup', 2, 350, 100);
  finger('pointermove', 1, 170, 110);
  expect(zoomed()).toEqual([-32.5, -45, 2]);
  finger('pointerup', 1, 170, 110);
  // A pinch is no click, which would play.
  expect(playback.isPlaying.get()).toBe(false);
  finger('pointerdown', 3, 100, 100);
  finger('pointermove', 3, 60, 100);
  expect(zoomed()).toEqual([-42.5, -45, 2]);
});

test('keys of the list of speeds and of buttons stay theirs', async () => {
  await shown();
  fireEvent.keyDown(screen.getByLabelText('Speed'), { code: 'ArrowRight' });
  fireEvent.keyDown(screen.getByRole('button', { name: 'Forward 10 seconds' }), { code: 'Space' });
  expect([theVideo().currentTime, playback.isPlaying.get()]).toEqual([5, false]);
});

test('~REC-009 full screen, and a sentence where the browser has none', async () => {
  const user = userEvent.setup();
  await shown();
  await user.click(screen.getByRole('button', { name: 'Full screen' }));
  expect(await screen.findByText(/^Failed to enter fullscreen mode/)).toBeInTheDocument();
  const request = vi.fn(() => Promise.resolve());
  Object.assign(frame(), { requestFullscreen: request });
  press('KeyF');
  expect(request).toHaveBeenCalledOnce();
  expect(screen.queryByText(/^Failed to enter fullscreen mode/)).toBeNull();
});
