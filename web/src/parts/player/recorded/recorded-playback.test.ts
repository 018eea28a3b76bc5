/** The rules of playing recordings, with a clock, a server and a player of the test's own. */
import { expect, onTestFinished, test } from 'vitest';
import {
  FakeClock,
  FakeEngine,
  FakeRecordings,
  refused,
  settled,
} from '#testing/fake-recordings.ts';
import { RecordedPlayback } from './recorded-playback.ts';

const noon = Date.UTC(2026, 0, 15, 12);
const at = (minutes: number, seconds = 0): number => noon + (minutes * 60 + seconds) * 1000;

/** Recorded from 11:00 to 12:10 and from 12:20 to 12:40, as a rule; now it is 15:00. */
function world(
  spans: [number, number][] = [
    [at(-60), at(10)],
    [at(20), at(40)],
  ],
) {
  const clock = new FakeClock(at(180));
  const recordings = new FakeRecordings();
  recordings.spans = spans;
  recordings.gaps = [{ cause: 'network', fromMs: at(10), untilMs: at(20) }];
  const engine = new FakeEngine(recordings);
  const playback = new RecordedPlayback({ server: recordings, clock, random: () => 0 });
  engine.events = playback;
  onTestFinished(() => playback[Symbol.dispose]());
  const state = () => playback.state.get();
  return { clock, recordings, engine, playback, state };
}

/** The same with a moment that is shown. */
async function shown(momentMs: number, spans?: [number, number][]) {
  const it = world(spans);
  it.playback.attach(it.engine);
  it.playback.seek(momentMs);
  await settled();
  it.engine.arrive();
  it.playback.onPicture();
  await settled();
  expect(it.state()).toEqual({ kind: 'ready' });
  it.engine.log.length = 0;
  return it;
}

/** Media time of a wall time in the first span. */
const mediaS = (momentMs: number, firstMs: number): number => (momentMs - firstMs) / 1000;

test('a moment is opened with what is round it, and shown at its second', async () => {
  const { playback, engine, recordings, state } = world();
  playback.seek(at(5));
  expect(recordings.begun).toEqual([]);
  playback.attach(engine);
  expect(state()).toEqual({ kind: 'loading', atMs: at(5) });
  await settled();
  expect(recordings.begun).toEqual([{ fromMs: at(-5), untilMs: at(25), encoded: false }]);
  expect(engine.log).toEqual(['pause', 'load index.m3u8?ticket=0']);
  engine.arrive();
  expect(engine.log.slice(2)).toEqual([`start ${10 * 60}`, 'speed 1', 'pause']);
  expect(state()).toEqual({ kind: 'loading', atMs: at(5) });
  playback.onPicture();
  expect(state()).toEqual({ kind: 'ready' });
  playback.onTime(10 * 60 + 1.5);
  expect(playback.momentMs.get()).toBe(at(5, 1.5));
});

test('missing parts round a moment are asked for once, and not beside the first picture', async () => {
  const { playback, engine, recordings } = world();
  playback.attach(engine);
  playback.seek(at(5));
  await settled();
  engine.arrive();
  expect(recordings.timelines).toEqual([]);
  playback.onPicture();
  playback.seek(at(6));
  playback.onPicture();
  expect(recordings.timelines).toHaveLength(1);
});

test('~REC-006 ten seconds on and back, over a gap too, without another ticket', async () => {
  const { playback, engine, recordings } = await shown(at(9, 55));
  playback.skip(10);
  expect(playback.momentMs.get()).toBe(at(20, 5));
  playback.skip(-10);
  expect(playback.momentMs.get()).toBe(at(9, 55));
  playback.skip(-10);
  expect(playback.momentMs.get()).toBe(at(9, 45));
  expect(engine.log.filter((one) => one.startsWith('seek'))).toHaveLength(3);
  expect(recordings.begun).toHaveLength(1);
});

test('a moment in a gap jumps to what comes next, and the cause is shown for a while', async () => {
  const { playback, clock, engine } = await shown(at(5));
  playback.seek(at(15));
  expect(playback.momentMs.get()).toBe(at(20));
  const jump = { fromMs: at(10), untilMs: at(20), cause: 'network' };
  expect(playback.notice.jump.get()).toEqual(jump);
  playback.onPicture();
  expect(engine.last('seek')).toBe(`seek ${mediaS(at(10), at(-5))}`);
  await clock.advance(7999);
  expect(playback.notice.jump.get()).toEqual(jump);
  await clock.advance(1);
  expect(playback.notice.jump.get()).toBeNull();
});

test('playing over a gap shows it, and its cause as soon as that is known', async () => {
  const it = world();
  const { recordings, playback, engine } = it;
  let tell = (): void => undefined;
  recordings.beforeTimeline = new Promise<void>((resolve) => (tell = resolve));
  playback.attach(engine);
  playback.seek(at(9, 59));
  await settled();
  engine.arrive();
  playback.onPicture();
  playback.setPlaying(true);
  const [first] = recordings.files('index.m3u8?ticket=0');
  const edgeS = (at(10) - (first?.wallMs ?? 0)) / 1000;
  playback.onTime(edgeS - 0.2);
  expect(playback.notice.jump.get()).toBeNull();
  playback.onTime(edgeS + 0.1);
  expect(playback.notice.jump.get()).toEqual({ fromMs: at(10), untilMs: at(20), cause: null });
  tell();
  await settled();
  expect(playback.notice.jump.get()?.cause).toBe('network');
  expect(playback.momentMs.get()).toBe(at(20) + 100);
});

test('nothing round the moment: the next that is recorded is found, however far away', async () => {
  const { playback, recordings, engine, state } = world([[at(-60), at(10)]]);
  const days = 40 * 24 * 60;
  recordings.spans = [[at(170), at(175)]];
  recordings.gaps = [{ cause: 'switched_off', fromMs: at(-days), untilMs: at(170) }];
  playback.attach(engine);
  playback.seek(at(-days));
  await settled();
  engine.arrive();
  playback.onPicture();
  expect(state()).toEqual({ kind: 'ready' });
  expect(playback.momentMs.get()).toBe(at(170));
  expect(playback.notice.jump.get()).toEqual({
    fromMs: at(-days),
    untilMs: at(170),
    cause: 'switched_off',
  });
  const reaches = recordings.timelines.map(
    ({ fromMs, untilMs }) => (untilMs - fromMs) / 86_400_000,
  );
  expect(reaches.slice(0, 3)).toEqual([1, 31, 365]);
});

test('at the end it goes on with what was written since', async () => {
  const { playback, recordings, engine, state } = await shown(at(179, 45), [
    [at(100), at(179, 50)],
  ]);
  playback.setPlaying(true);
  recordings.spans = [[at(100), at(180)]];
  playback.onEnded();
  await settled();
  expect(recordings.begun.at(-1)?.fromMs).toBe(at(179, 50.5));
  engine.arrive();
  expect(engine.last('start')).toBe('start 0');
  expect(engine.log.at(-1)).toBe('play');
  playback.onPicture();
  expect(state()).toEqual({ kind: 'ready' });
  expect(playback.notice.jump.get()).toBeNull();
});

test('at the end of everything Live is offered; what comes within a minute is played, then waiting ends', async () => {
  const { playback, recordings, engine, clock, state } = await shown(at(30));
  recordings.gaps.push({ cause: 'camera', fromMs: at(40), untilMs: null });
  playback.setPlaying(true);
  playback.onEnded();
  await settled();
  expect(state()).toEqual({ kind: 'end', atMs: at(40), sinceMs: at(40), cause: 'camera' });
  expect(playback.momentMs.get()).toBe(at(40));
  await clock.advance(20_000);
  const asked = recordings.timelines.length;
  recordings.spans.push([at(180), at(180, 20)]);
  recordings.gaps.splice(1, 1, { cause: 'camera', fromMs: at(40), untilMs: at(180) });
  await clock.advance(5000);
  expect(recordings.timelines.length).toBeGreaterThan(asked);
  engine.arrive();
  playback.onPicture();
  expect(state()).toEqual({ kind: 'ready' });
  playback.onEnded();
  await settled();
  expect(state()).toMatchObject({ kind: 'end' });
  await clock.advance(60_000);
  const after = recordings.timelines.length;
  await clock.advance(120_000);
  expect(recordings.timelines).toHaveLength(after);
  expect(state()).toEqual({ kind: 'end', atMs: at(180, 20), sinceMs: at(180, 20), cause: null });
});

test('a moment within a gap says when the gap began and why, and not where the user pressed', async () => {
  const { playback, recordings, state } = await shown(at(30));
  recordings.gaps.push({ cause: 'restart', fromMs: at(40), untilMs: at(41) });
  recordings.gaps.push({ cause: 'network', fromMs: at(41), untilMs: null });
  playback.seek(at(120));
  await settled();
  expect(state()).toMatchObject({ kind: 'end', atMs: at(120), cause: 'network' });
  const { sinceMs } = state() as { sinceMs: number };
  // What the server answers from that moment on begins with the gap that lies there.
  expect(sinceMs).toBeLessThanOrEqual(at(41));
});

test('the file that is being written is no reason to ask without a pause', async () => {
  const { playback, recordings, clock, state } = await shown(at(179), [[at(100), at(179, 50)]]);
  recordings.writtenSinceMs = at(179, 50);
  playback.setPlaying(true);
  playback.onEnded();
  await settled();
  expect(state()).toEqual({ kind: 'end', atMs: at(179, 50), sinceMs: at(179, 50), cause: null });
  const asked = recordings.timelines.length;
  await clock.advance(4999);
  expect(recordings.timelines).toHaveLength(asked);
});

test('at the end: back is where it was, and who pauses is not asked for', async () => {
  const { playback, recordings, engine, clock, state } = await shown(at(39, 50));
  playback.onEnded();
  await settled();
  expect(state()).toMatchObject({ kind: 'end', atMs: at(40) });
  const asked = recordings.timelines.length;
  await clock.advance(9000);
  expect(recordings.timelines).toHaveLength(asked);
  playback.seek(at(39));
  playback.onPicture();
  expect(state()).toEqual({ kind: 'ready' });
  expect(engine.last('load')).toBeUndefined();
  expect(playback.momentMs.get()).toBe(at(39));
});

test('a dead ticket is replaced without a word: what plays plays on', async () => {
  const { playback, recordings, engine, state } = await shown(at(0));
  playback.setPlaying(true);
  const states: string[] = [];
  playback.state.subscribe(() => states.push(state().kind));
  const dead = { status: 403, code: 'playback_ended', sentence: 'over', mediaS: 700 } as const;
  playback.onFailed({ kind: 'http', ...dead });
  playback.onFailed({ kind: 'http', ...dead });
  await settled();
  expect(recordings.begun).toHaveLength(2);
  expect(recordings.begun[1]).toEqual(recordings.begun[0]);
  expect(engine.log).toEqual(['play', 'renew index.m3u8?ticket=1']);
  expect(states).toEqual([]);
});

test('after a long pause the ticket is replaced before it is used', async () => {
  const { playback, recordings, engine, clock } = await shown(at(0));
  await clock.advance(4.4 * 60_000);
  playback.setPlaying(true);
  playback.setPlaying(false);
  await settled();
  expect(recordings.begun).toHaveLength(1);
  playback.onServed();
  await clock.advance(4.6 * 60_000);
  playback.seek(at(1));
  await settled();
  expect(engine.last('renew')).toBe('renew index.m3u8?ticket=1');
  expect(playback.momentMs.get()).toBe(at(1));
});

test('tickets that die at once are not asked for again and again', async () => {
  const { playback, recordings, state, clock } = await shown(at(0));
  const dead = { status: 403, code: 'playback_ended', sentence: 'This has ended.', mediaS: 0 };
  for (let time = 0; time < 3; time += 1) {
    playback.onFailed({ kind: 'http', ...dead });
    await settled();
  }
  playback.onFailed({ kind: 'http', ...dead });
  expect(state()).toMatchObject({ kind: 'waiting', why: 'refused', sentence: 'This has ended.' });
  expect(recordings.begun).toHaveLength(4);
  await clock.advance(10_000);
  expect(recordings.begun).toHaveLength(5);
});

test('a mask that is drawn while it plays: another playlist from the same moment, and the page says so', async () => {
  const { playback, recordings, engine } = await shown(at(0));
  expect(playback.form.get()).toMatchObject({ masked: false, encoded: false });
  playback.onTime(605);
  recordings.masked = true;
  playback.onFailed({
    kind: 'http',
    status: 403,
    code: 'camera_masked',
    sentence: 'masked',
    mediaS: 610,
  });
  await settled();
  engine.arrive();
  expect(playback.form.get()).toMatchObject({ masked: true, encoded: true });
  expect(engine.last('start')).toBe('start 605');
});

test('files that were deleted under it: the gap is jumped', async () => {
  const { playback, recordings, engine, state } = await shown(at(0));
  playback.onTime(601);
  recordings.spans = [[at(20), at(40)]];
  recordings.gaps = [{ cause: 'deleted', fromMs: at(-60), untilMs: at(10) }];
  playback.onFailed({
    kind: 'http',
    status: 404,
    code: 'recording_not_found',
    sentence: null,
    mediaS: 610,
  });
  await settled();
  engine.arrive();
  playback.onPicture();
  expect(state()).toEqual({ kind: 'ready' });
  expect(playback.momentMs.get()).toBe(at(20));
  expect(playback.notice.jump.get()).toMatchObject({ fromMs: at(0, 1), untilMs: at(20) });
});

test('a file that cannot be read is passed over, the last one too', async () => {
  const { playback, engine, state } = await shown(at(39, 35));
  const unreadable = (mediaS: number) =>
    ({
      kind: 'http',
      status: 409,
      code: 'recording_unreadable',
      sentence: null,
      mediaS,
    }) as const;
  const fileS = mediaS(at(39, 30), at(29, 30));
  playback.onFailed(unreadable(fileS));
  expect(engine.last('seek')).toBe(`seek ${fileS + 10.01}`);
  playback.onPicture();
  playback.onTime(fileS + 19);
  playback.onWaiting();
  playback.onFailed(unreadable(1e6));
  await settled();
  expect(state()).toMatchObject({ kind: 'end', atMs: at(40) });
});

test.each(['recording_unreadable', 'recording_file_missing'])(
  'the recording before a file that cannot be read plays to its end (%s)',
  async (code) => {
    const { playback, engine, state } = await shown(at(39, 25));
    const fileS = mediaS(at(39, 30), at(29, 20));
    // Read ahead: it is met long before it is due.
    playback.onFailed({ kind: 'http', status: 409, code, sentence: null, mediaS: fileS });
    expect([engine.last('seek'), state().kind]).toEqual([undefined, 'ready']);
    playback.onTime(fileS - 0.1);
    expect(engine.last('seek')).toBe(undefined);
    playback.onWaiting();
    expect(engine.last('seek')).toBe(`seek ${fileS + 10.01}`);
    expect(playback.notice.jump.get()).toMatchObject({ fromMs: at(39, 30), untilMs: at(39, 40) });
    // Once passed over, it is not passed over again.
    engine.log.length = 0;
    playback.onPicture();
    playback.onTime(fileS + 12);
    playback.onWaiting();
    expect(engine.last('seek')).toBe(undefined);
  },
);

test('a user who leaves before the unreadable file is due is not taken past it', async () => {
  const { playback, engine } = await shown(at(39, 25));
  const fileS = mediaS(at(39, 30), at(20));
  const code = 'recording_unreadable';
  playback.onFailed({ kind: 'http', status: 409, code, sentence: null, mediaS: fileS });
  playback.seek(at(5));
  const sought = engine.last('seek');
  playback.onPicture();
  playback.onWaiting();
  expect(engine.last('seek')).toBe(sought);
});

test.each([
  [403, 'forbidden', 'You have no permission.'],
  [404, 'camera_not_found', 'There is no such camera.'],
])('%i %s: the picture is taken away and the reason stays', async (status, code, sentence) => {
  const { playback, recordings, engine, clock, state } = await shown(at(0));
  playback.setPlaying(true);
  recordings.refusal = refused(status, code, sentence);
  playback.onFailed({ kind: 'http', status: 403, code: 'playback_ended', sentence: '', mediaS: 0 });
  await settled();
  expect(state()).toEqual({ kind: 'refused', why: 'rights', sentence });
  expect(engine.log.at(-1)).toBe('unload');
  const asked = recordings.timelines.length;
  await clock.advance(60_000);
  expect([recordings.timelines.length, state().kind]).toEqual([asked, 'refused']);
});

test('~C-403 a right that is taken ends it within 15 s, paused and with everything in the buffer', async () => {
  const { recordings, engine, clock, state } = await shown(at(0));
  recordings.timelineRefusal = refused(403, 'forbidden', 'You have no permission.');
  await clock.advance(15_000);
  expect(state()).toMatchObject({ kind: 'refused', why: 'rights' });
  expect(engine.log.at(-1)).toBe('unload');
});

test('a fifth who needs encoding waits, reads why, and comes in when there is room', async () => {
  const { playback, recordings, engine, clock, state } = world();
  recordings.refusal = refused(503, 'too_many_masked_views', 'At most 4 at once.');
  playback.attach(engine);
  playback.seek(at(0));
  await settled();
  expect(state()).toEqual({
    kind: 'waiting',
    why: 'refused',
    sentence: 'At most 4 at once.',
    retryAtMs: clock.now() + 10_000,
  });
  recordings.refusal = null;
  await clock.advance(10_000);
  engine.arrive();
  playback.onPicture();
  expect(state()).toEqual({ kind: 'ready' });
});

test('a player that made way for a newer view does not come back by itself', async () => {
  const { playback, recordings, clock, state } = await shown(at(0));
  const sentence = 'A newer one took its place.';
  playback.onFailed({ kind: 'http', code: 'view_replaced', status: 409, sentence, mediaS: 0 });
  expect(state()).toEqual({ kind: 'refused', why: 'failed', sentence });
  const asked = recordings.begun.length;
  await clock.advance(60_000);
  expect(recordings.begun).toHaveLength(asked);
  playback.retry();
  await settled();
  expect(recordings.begun).toHaveLength(asked + 1);
});

test('offline: tried again ever more seldom, at once when the network is back', async () => {
  const { playback, recordings, engine, clock, state } = await shown(at(0));
  playback.onTime(603);
  recordings.refusal = refused(0, '', '');
  playback.onFailed({ kind: 'network' });
  const pauses: number[] = [];
  for (let time = 0; time < 7; time += 1) {
    const now = state();
    if (now.kind !== 'waiting') throw new Error(now.kind);
    expect(now.why).toBe('offline');
    pauses.push(now.retryAtMs - clock.now());
    await clock.advance(now.retryAtMs - clock.now());
  }
  expect(pauses).toEqual([500, 1000, 2000, 4000, 8000, 15_000, 15_000]);
  recordings.refusal = null;
  playback.retry();
  await settled();
  engine.arrive();
  playback.onPicture();
  expect([state().kind, playback.momentMs.get()]).toEqual(['ready', at(0, 3)]);
});

test('a recording that the browser cannot play is encoded anew, and the page says so', async () => {
  const { playback, recordings, engine } = world();
  recordings.mime = 'video/mp4; codecs="hvc1.1.6.L93.B0"';
  playback.attach(engine);
  playback.seek(at(0));
  await settled();
  expect(recordings.begun.map(({ encoded }) => encoded)).toEqual([false, true]);
  expect(playback.form.get()).toMatchObject({ masked: false, encoded: true });
  engine.arrive();
  playback.onPicture();
  playback.onFailed({ kind: 'http', status: 403, code: 'playback_ended', sentence: '', mediaS: 0 });
  await settled();
  expect(recordings.begun.at(-1)?.encoded).toBe(true);
  expect(engine.last('renew')).toBeDefined();
});

test('a recording that the browser claims to play and does not is encoded anew once; then it is refused', async () => {
  const { playback, recordings, engine, state } = await shown(at(0));
  playback.onFailed({ kind: 'media' });
  await settled();
  expect(recordings.begun.at(-1)?.encoded).toBe(true);
  engine.arrive();
  playback.onPicture();
  playback.onFailed({ kind: 'media' });
  expect(state()).toEqual({ kind: 'refused', why: 'unplayable', sentence: null });
});

test('a browser that plays nothing at all gets a sentence saying so', async () => {
  const { playback, recordings, engine, state } = world();
  recordings.mime = 'video/mp4; codecs="mp4v.20.9"';
  recordings.encodedMime = recordings.mime;
  playback.attach(engine);
  playback.seek(at(0));
  await settled();
  expect(state()).toEqual({ kind: 'refused', why: 'unplayable', sentence: null });
  expect(engine.last('load')).toBeUndefined();
});

test('the last of many moments asked for one after another is shown', async () => {
  const { playback, engine, recordings } = await shown(at(0));
  for (const minute of [-600, -700, -800]) playback.seek(at(minute));
  recordings.spans.push([at(-900), at(-600)]);
  playback.onTime(3602);
  expect(playback.momentMs.get()).toBe(at(-800));
  playback.seek(at(-650));
  await settled();
  engine.arrive();
  expect(playback.momentMs.get()).toBe(at(-650));
  expect(engine.log.filter((one) => one.startsWith('load'))).toHaveLength(1);
});

test('a moment after the last file: the old picture does not play on meanwhile', async () => {
  const { playback, engine, state } = await shown(at(0));
  playback.setPlaying(true);
  playback.seek(at(100));
  expect(engine.log.at(-1)).toBe('pause');
  playback.onTime(605);
  playback.onPicture();
  expect(playback.momentMs.get()).toBe(at(100));
  await settled();
  expect(state()).toMatchObject({ kind: 'end', atMs: at(100) });
});

test('pictures one by one pause it, and speed is kept over playlists', async () => {
  const { playback, engine } = await shown(at(0));
  playback.setPlaying(true);
  playback.setSpeed(16);
  playback.step(1);
  expect(engine.log).toEqual(['play', 'speed 16', 'pause', 'step 1']);
  expect(playback.isPlaying.get()).toBe(false);
  playback.seek(at(-400));
  playback.seek(at(25));
  await settled();
  engine.arrive();
  expect(engine.last('speed')).toBe('speed 16');
});

test('detached it is idle: nothing is asked, and attached again it is where it was', async () => {
  const { playback, recordings, engine, clock, state } = await shown(at(0));
  playback.onTime(604);
  playback.detach();
  const asked = recordings.timelines.length;
  await clock.advance(60_000);
  expect([state().kind, recordings.timelines.length]).toEqual(['idle', asked]);
  playback.attach(engine);
  await settled();
  engine.arrive();
  expect(playback.momentMs.get()).toBe(at(0, 4));
});
