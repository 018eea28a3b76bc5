/** Several cameras in step, by a clock: elements that are a little fast, slow or late, gaps, refusals, the end. */
import { expect, onTestFinished, test } from 'vitest';
import type { GapCause } from '@nazar/contract/recordings.ts';
import { RecordedPlayback } from '#parts/player/recorded/recorded-playback.ts';
import { FakeClock, FakeRecordings, refused, settled } from '#testing/fake-recordings.ts';
import { PlayingEngine, type Ways } from '#testing/playing-engine.ts';
import { Follower } from './follower.ts';
import { SynchronizedPlayback } from './synchronized-playback.ts';

const noon = Date.UTC(2026, 0, 15, 12);
const at = (minutes: number, seconds = 0): number => noon + (minutes * 60 + seconds) * 1000;
const always: [number, number][] = [[at(-120), at(120)]];
/** Two cameras never show pictures farther apart than this, which is what issue 17 promises. */
const inStepMs = 150;

interface Made {
  spans?: [number, number][];
  gaps?: { cause: GapCause; fromMs: number; untilMs: number | null }[];
  ways?: Ways;
}

function aCamera(clock: FakeClock, { spans = always, gaps = [], ways = {} }: Made) {
  const recordings = new FakeRecordings();
  recordings.spans = spans;
  recordings.gaps = gaps;
  const engine = new PlayingEngine(recordings, clock, ways);
  const playback = new RecordedPlayback({ server: recordings, clock, random: () => 0 });
  engine.events = playback;
  playback.attach(engine);
  onTestFinished(() => playback[Symbol.dispose]());
  const follower = new Follower(playback, clock);
  return { recordings, engine, playback, follower };
}

/** Cameras in step; now it is 15:00. */
function world(...made: Made[]) {
  const clock = new FakeClock(at(180));
  const several = new SynchronizedPlayback(clock);
  onTestFinished(() => several[Symbol.dispose]());
  const cameras = made.map((one) => aCamera(clock, one));
  const leave = cameras.map(({ follower }) => several.join(follower));
  const shownMs = (index: number): number => cameras[index]?.playback.shownMs.get() ?? Number.NaN;
  const apartMs = (): number => Math.abs(shownMs(0) - shownMs(1));
  return { clock, several, cameras, leave, shownMs, apartMs };
}

/** The same, playing since a moment, from which all have pictures. */
async function playing(momentMs: number, ...made: Made[]) {
  const it = world(...made);
  it.several.seek(momentMs);
  it.several.setPlaying(true);
  await settled();
  await it.clock.advance(1000);
  return it;
}

test('all begin at one moment, when the last has its picture', async () => {
  const { several, cameras, clock, shownMs } = world({}, { ways: { loadMs: 1500 } }, {});
  several.seek(at(0));
  several.setPlaying(true);
  await settled();
  await clock.advance(1400);
  expect([0, 2].map(shownMs)).toEqual([at(0), at(0)]);
  expect(cameras.map(({ engine }) => engine.isPlaying)).toEqual([false, false, false]);
  expect(several.momentMs.get()).toBe(at(0));
  await clock.advance(1000);
  expect(cameras.map(({ engine }) => engine.isPlaying)).toEqual([true, true, true]);
  expect(several.state.get()).toEqual({ kind: 'ready' });
  expect(Math.max(...[0, 1, 2].map(shownMs)) - Math.min(...[0, 1, 2].map(shownMs))).toBeLessThan(
    50,
  );
});

test('one whose picture does not come is waited for four seconds, and comes in step later', async () => {
  const { several, clock, shownMs, apartMs } = world({}, { ways: { loadMs: 9000 } });
  several.seek(at(0));
  several.setPlaying(true);
  await settled();
  await clock.advance(3900);
  expect(shownMs(0)).toBe(at(0));
  await clock.advance(2000);
  expect(shownMs(0)).toBeGreaterThan(at(0, 1));
  await clock.advance(9000);
  expect(apartMs()).toBeLessThan(inStepMs);
});

test.each([0.25, 1, 4])(
  'at %f times: an element that is two percent fast and one that is slow stay in step without a seek',
  async (speed) => {
    const it = world({ ways: { skew: 1.02 } }, { ways: { skew: 0.98 } });
    const { several, clock, cameras, apartMs, shownMs } = it;
    several.setSpeed(speed);
    several.seek(at(0));
    several.setPlaying(true);
    await settled();
    await clock.advance(1000);
    const seeks = cameras.map(({ engine }) => engine.seeks);
    let worstMs = 0;
    for (let second = 0; second < 60; second += 1) {
      await clock.advance(1000);
      worstMs = Math.max(worstMs, apartMs() / speed);
    }
    expect(worstMs).toBeLessThan(inStepMs);
    expect(cameras.map(({ engine }) => engine.seeks)).toEqual(seeks);
    expect(Math.abs(shownMs(0) - at(0, 60 * speed))).toBeLessThan(1000 * speed);
    // The speed that is chosen is what it was.
    expect(cameras.map(({ playback }) => playback.speed.get())).toEqual([speed, speed]);
    expect(cameras.some(({ engine }) => engine.correction !== 1)).toBe(true);
  },
);

test('where one has no recording it waits there with its words, the other plays on, and it joins in', async () => {
  const gap = { cause: 'network', fromMs: at(1), untilMs: at(2) } as const;
  const { several, cameras, clock, shownMs, apartMs } = await playing(
    at(0, 50),
    {},
    {
      spans: [
        [at(-60), at(1)],
        [at(2), at(60)],
      ],
      gaps: [gap],
    },
  );
  const [, second] = cameras;
  await clock.advance(15_000);
  expect(shownMs(0)).toBeGreaterThan(at(1, 4));
  expect(shownMs(1)).toBeGreaterThanOrEqual(at(2));
  expect(second?.engine.isPlaying).toBe(false);
  expect(second?.follower.gap.get()).toEqual(gap);
  // Longer than one camera alone would say it.
  await clock.advance(35_000);
  expect(second?.follower.gap.get()).toEqual(gap);
  expect(second?.playback.notice.jump.get()).toBeNull();
  let [worstMs, slowest] = [0, 1];
  for (let step = 0; step < 200; step += 1) {
    await clock.advance(100);
    if (second?.engine.isPlaying !== true) continue;
    worstMs = Math.max(worstMs, apartMs());
    slowest = Math.min(slowest, second.engine.correction);
  }
  expect(worstMs).toBeLessThan(inStepMs);
  // The minute that it waited is nothing to be mended.
  expect(slowest).toBeGreaterThan(0.95);
  expect(several.momentMs.get()).toBeGreaterThan(at(2));
  expect(second?.follower.gap.get()).toBeNull();
  expect(second?.engine.isPlaying).toBe(true);
  expect(apartMs()).toBeLessThan(inStepMs);
});

test('one that is left alone while it waits at its gap plays on', async () => {
  const it = await playing(
    at(0, 55),
    {},
    {
      spans: [
        [at(-60), at(1)],
        [at(20), at(60)],
      ],
    },
  );
  await it.clock.advance(10_000);
  expect(it.cameras[1]?.engine.isPlaying).toBe(false);
  it.leave[1]?.();
  expect(it.cameras.map(({ engine }) => engine.isPlaying)).toEqual([true, true]);
});

test('the gap of the first camera is no gap of the others', async () => {
  const { several, clock, shownMs } = await playing(
    at(0, 55),
    {
      spans: [
        [at(-60), at(1)],
        [at(30), at(60)],
      ],
    },
    {},
  );
  await clock.advance(20_000);
  expect(several.momentMs.get()).toBeGreaterThan(at(1, 10));
  expect(several.momentMs.get()).toBeLessThan(at(1, 20));
  expect(Math.abs(shownMs(1) - (several.momentMs.get() ?? 0))).toBeLessThan(inStepMs);
});

test('a gap that all have is passed over to where the first has a recording again', async () => {
  const it = await playing(
    at(0, 58),
    {
      spans: [
        [at(-60), at(1)],
        [at(30), at(60)],
      ],
    },
    {
      spans: [
        [at(-60), at(1)],
        [at(20), at(60)],
      ],
    },
  );
  await it.clock.advance(6000);
  expect(it.several.momentMs.get()).toBeGreaterThan(at(20));
  expect(it.several.momentMs.get()).toBeLessThan(at(20, 10));
  expect(it.cameras[0]?.follower.gap.get()).toMatchObject({ fromMs: at(1), untilMs: at(30) });
  expect(it.cameras[1]?.follower.gap.get()).toBeNull();
  // Back over the gap, as one camera alone would.
  it.several.skip(-10);
  await it.clock.advance(500);
  expect(it.several.momentMs.get()).toBeLessThan(at(1));
  it.several.skip(10);
  await it.clock.advance(500);
  expect(it.several.momentMs.get()).toBeGreaterThanOrEqual(at(20));
});

test('a moment in a common gap is left at once, paused too', async () => {
  const spans: [number, number][] = [
    [at(-60), at(1)],
    [at(20), at(60)],
  ];
  const { several, clock } = world({ spans }, { spans: [...spans] });
  several.seek(at(5));
  await settled();
  await clock.advance(1000);
  expect(several.momentMs.get()).toBe(at(20));
  expect(several.isPlaying.get()).toBe(false);
});

test('a right that is taken: its words, and the others play on', async () => {
  const { several, cameras, clock, shownMs } = await playing(at(0), {}, {});
  const [first] = cameras;
  const sentence = 'You have no permission.';
  if (first) first.recordings.timelineRefusal = refused(403, 'forbidden', sentence);
  await clock.advance(20_000);
  expect(first?.playback.state.get()).toEqual({ kind: 'refused', why: 'rights', sentence });
  expect(shownMs(1)).toBeGreaterThan(at(0, 19));
  expect(several.state.get()).toEqual({ kind: 'ready' });
});

test('while no camera has a picture the moment stands, and goes on where it was', async () => {
  const { several, cameras, clock } = await playing(at(0), {}, {});
  await clock.advance(2000);
  for (const { engine } of cameras) engine.starve();
  const momentMs = several.momentMs.get();
  expect(several.state.get().kind).toBe('loading');
  await clock.advance(5000);
  expect(several.momentMs.get()).toBe(momentMs);
  for (const { engine } of cameras) engine.feed();
  await clock.advance(1000);
  expect(several.momentMs.get()).toBeLessThan((momentMs ?? 0) + 1200);
  expect(several.momentMs.get()).toBeGreaterThan((momentMs ?? 0) + 800);
});

test('one that stood for a while catches up with one seek, and goes on saying what it said', async () => {
  const { cameras, clock, apartMs } = await playing(at(0), {}, {});
  const [, second] = cameras;
  if (!second) throw new Error('no camera');
  second.engine.starve();
  await clock.advance(5000);
  expect(apartMs()).toBeGreaterThan(4000);
  const seeks = second.engine.seeks;
  second.playback.notice.tell({ fromMs: at(-2), untilMs: at(-1) });
  second.engine.feed();
  await clock.advance(7900);
  expect(apartMs()).toBeLessThan(inStepMs);
  expect(second.engine.seeks).toBe(seeks + 1);
  // What it says of a gap is not ended by a seek that the user did not ask for.
  expect(second.playback.notice.jump.get()).toMatchObject({ fromMs: at(-2) });
});

test('a computer that cannot show so much plays slower, and in step', async () => {
  const ways = { mostRate: 6 };
  const { several, clock, apartMs, cameras } = world({ ways }, { ways });
  several.setSpeed(16);
  several.seek(at(0));
  several.setPlaying(true);
  await settled();
  await clock.advance(1000);
  const seeks = cameras.map(({ engine }) => engine.seeks);
  await clock.advance(10_000);
  expect(several.momentMs.get()).toBeLessThan(at(0, 16 * 6));
  expect(several.momentMs.get()).toBeGreaterThan(at(0, 9 * 6));
  expect(apartMs()).toBeLessThan(inStepMs * 16);
  expect(cameras.map(({ engine }) => engine.seeks)).toEqual(seeks);
});

test('one at its end says so, others play on, and what was written since is played', async () => {
  const it = await playing(at(0, 50), {}, { spans: [[at(-60), at(1)]] });
  const [, second] = it.cameras;
  await it.clock.advance(15_000);
  expect(second?.playback.state.get().kind).toBe('end');
  expect(it.several.state.get()).toEqual({ kind: 'ready' });
  await it.clock.advance(120_000);
  second?.recordings.spans.push([at(3, 30), at(60)]);
  await it.clock.advance(120_000);
  expect(second?.playback.state.get()).toEqual({ kind: 'ready' });
  expect(it.apartMs()).toBeLessThan(inStepMs);
});

test('nothing later of any camera: the end, with the reason of one', async () => {
  const spans: [number, number][] = [[at(-60), at(1)]];
  const gaps = [{ cause: 'switched_off' as const, fromMs: at(1), untilMs: null }];
  const { several, clock } = await playing(at(0, 55), { spans, gaps }, { spans: [...spans], gaps });
  await clock.advance(10_000);
  expect(several.state.get()).toMatchObject({ kind: 'end', cause: 'switched_off' });
  const momentMs = several.momentMs.get();
  await clock.advance(10_000);
  expect(several.momentMs.get()).toBe(momentMs);
});

test('a camera that is added comes in step, and one that is left alone goes on as it was', async () => {
  const clock = new FakeClock(at(180));
  const several = new SynchronizedPlayback(clock);
  const [alone, other] = [aCamera(clock, { ways: { skew: 1.03 } }), aCamera(clock, {})];
  alone.playback.seek(at(0));
  alone.playback.setPlaying(true);
  alone.playback.setSpeed(2);
  await settled();
  await clock.advance(3000);
  const first = several.join(alone.follower);
  expect([several.isPlaying.get(), several.speed.get()]).toEqual([true, 2]);
  const second = several.join(other.follower);
  await clock.advance(6000);
  const apartMs = (alone.playback.shownMs.get() ?? 0) - (other.playback.shownMs.get() ?? 0);
  expect(Math.abs(apartMs)).toBeLessThan(inStepMs * 2);
  expect(alone.engine.correction).toBeLessThan(1);
  second();
  first();
  expect([alone.engine.isPlaying, alone.engine.correction, alone.playback.speed.get()]).toEqual([
    true,
    1,
    2,
  ]);
  expect(several.momentMs.get()).toBeNull();
});

test('a browser that lets nothing play before a click pauses all', async () => {
  const { several, cameras } = await playing(at(0), {}, {});
  cameras[1]?.playback.onPlayRefused();
  expect(several.isPlaying.get()).toBe(false);
  expect(cameras.map(({ playback }) => playback.isPlaying.get())).toEqual([false, false]);
  expect(cameras[0]?.engine.isPlaying).toBe(false);
});
