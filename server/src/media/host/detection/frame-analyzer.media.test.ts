import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { test } from 'node:test';
import { AV_PIX_FMT_GRAY8 } from 'node-av/constants';
import { aClock, type StoppedClock } from '#testing/clock.ts';
import { aCamera } from '#testing/media.ts';
import { frameOf } from '../../codec/frame-of.ts';
import { CameraPainters } from '../../mask/camera-painters.ts';
import { StageMeter } from '../stage-meter.ts';
import { FrameAnalyzer, type DetectedFaces } from './frame-analyzer.ts';
import { SpareTime } from './spare-time.ts';

const [width, height] = [320, 180];
const [seconds, fps] = [10, 25];
const shape = {
  width,
  height,
  format: AV_PIX_FMT_GRAY8,
  pts: 0n,
  timeBase: { num: 1, den: 90_000 },
};

/** A bright square on grey that moves by 4 pixels a frame, or stays. */
function paint(picture: number, moves: boolean): Buffer {
  const pixels = Buffer.alloc(width * height, 90);
  const left = 20 + (moves ? (picture * 4) % 240 : 0);
  for (let y = 60; y < 110; y++) pixels.fill(220, y * width + left, y * width + left + 40);
  return pixels;
}

/** One vision host that answers after so many milliseconds for each frame, one frame after the other. */
class OneHost {
  readonly #clock: StoppedClock;
  readonly #tookMs: number;
  #asked: { readonly untilMs: number; readonly answer: () => void }[] = [];

  constructor(clock: StoppedClock, tookMs: number) {
    this.#clock = clock;
    this.#tookMs = tookMs;
  }

  get free(): boolean {
    return this.#asked.length === 0;
  }

  detect(): Promise<DetectedFaces> {
    const nowMs = this.#clock.monotonicMs();
    const untilMs = Math.max(nowMs, this.#asked.at(-1)?.untilMs ?? 0) + this.#tookMs;
    const { promise, resolve } = Promise.withResolvers<DetectedFaces>();
    const answer = () => resolve({ reply: { faces: [] }, chips: Buffer.alloc(0), costMs: 1 });
    this.#asked.push({ untilMs, answer });
    return promise;
  }

  /** Answers what is over by now. */
  answer(): void {
    const nowMs = this.#clock.monotonicMs();
    for (const { untilMs, answer } of this.#asked) if (untilMs <= nowMs) answer();
    this.#asked = this.#asked.filter(({ untilMs }) => untilMs > nowMs);
  }
}

interface Watched {
  /** When its frames were analyzed: those that were due, and those between. */
  readonly dueMs: number[];
  readonly betweenMs: number[];
  readonly perSecond: number;
  readonly said: ReturnType<StageMeter['take']>['analysis'];
}

/** Shows all cameras the same 10 s of film, and says of each which frames were analyzed. */
async function watch(
  askedFps: readonly number[],
  { tookMs = 4, moves = true } = {},
): Promise<Watched[]> {
  const clock = aClock();
  const host = new OneHost(clock, tookMs);
  const spareTime = new SpareTime(clock);
  const cameras = askedFps.map((asked, index) => {
    const [dueMs, betweenMs]: [number[], number[]] = [[], []];
    const painters = new CameraPainters(0, []);
    const meter = new StageMeter(clock);
    const analyzer = new FrameAnalyzer({
      camera: aCamera(`camera ${index}`, '', {
        analysisFps: Math.min(5, asked),
        mostAnalysisFps: asked,
      }),
      clock,
      meter,
      client: {
        reachable: 1,
        get free() {
          return host.free;
        },
        detect: (_, __, isExtra) => {
          (isExtra === true ? betweenMs : dueMs).push(clock.monotonicMs());
          return host.detect();
        },
        [Symbol.asyncDispose]: () => Promise.resolve(),
      },
      spareTime,
      painters: { main: painters, sub: painters },
      seen: () => undefined,
      compared: () => undefined,
      failed: (error) => assert.fail(String(error)),
    });
    return { analyzer, meter, dueMs, betweenMs };
  });
  const everyMs = 1_000 / fps;
  for (let ms = 0; ms < seconds * 1_000; ms += 2) {
    host.answer();
    await setImmediate();
    for (const [index, { analyzer }] of cameras.entries()) {
      // Cameras are no clocks of each other: each sends its frames at times of its own.
      if ((ms + index * 14) % everyMs !== 0) continue;
      using frame = frameOf(paint((ms + index * 14) / everyMs, moves), shape);
      const origin = { stream: 'main', at: ms / 1000, wallMs: ms, width } as const;
      await analyzer.offer(frame, origin);
    }
    clock.advance(2);
  }
  clock.advance(60_000);
  host.answer();
  await setImmediate();
  return cameras.map(({ analyzer, meter, dueMs, betweenMs }) => {
    analyzer[Symbol.dispose]();
    const perSecond = (dueMs.length + betweenMs.length) / seconds;
    return { dueMs, betweenMs, perSecond, said: meter.take().analysis };
  });
}

test('~CAM-034 as many frames of what moves are analyzed as the camera asks for', async () => {
  const rates: number[] = [];
  for (const asked of [2, 5, 8, 12, 25]) {
    const [{ perSecond, said }] = (await watch([asked])) as [Watched];
    assert.ok(perSecond > asked * 0.85 && perSecond < asked * 1.05, `${asked}: ${perSecond}`);
    const saidPerSecond = (said.analyzed * 1_000) / said.movingMs;
    assert.ok(Math.abs(saidPerSecond - perSecond) < asked * 0.1, `${asked}: ${saidPerSecond} said`);
    rates.push(perSecond);
  }
  assert.equal(new Set(rates).size, 5, String(rates));
});

test('frames between those that are due take none of them their moment', async () => {
  const [usual] = (await watch([5])) as [Watched];
  const [more] = (await watch([25])) as [Watched];
  assert.deepEqual(more.dueMs, usual.dueMs);
  assert.equal(usual.betweenMs.length, 0);
  assert.ok(more.betweenMs.length > 100, String(more.betweenMs.length));
});

test('a picture in which nothing moves is analyzed as rarely as ever, whatever the camera asks for', async () => {
  const [usual] = (await watch([5], { moves: false })) as [Watched];
  const [more] = (await watch([25], { moves: false })) as [Watched];
  assert.deepEqual([more.dueMs, more.betweenMs], [usual.dueMs, []]);
  assert.deepEqual([more.said.analyzed, more.said.movingMs], [0, 0]);
});

test('a machine that is slow gives no more than what is due', async () => {
  const [usual] = (await watch([5], { tookMs: 150 })) as [Watched];
  const [more] = (await watch([25], { tookMs: 150 })) as [Watched];
  assert.deepEqual([more.dueMs, more.betweenMs], [usual.dueMs, []]);
});

test('cameras share what the machine can do alike, and one that asks for little loses nothing', async () => {
  const tookMs = 8;
  const [alone] = (await watch([25], { tookMs })) as [Watched];
  const [one, another, usual] = (await watch([25, 25, 5], { tookMs })) as [
    Watched,
    Watched,
    Watched,
  ];
  assert.ok(
    Math.abs(one.perSecond - another.perSecond) <= 1,
    `${one.perSecond}, ${another.perSecond}`,
  );
  assert.ok(one.perSecond > 5 && one.perSecond < alone.perSecond * 0.6, String(one.perSecond));
  assert.ok(usual.perSecond > 4.8, String(usual.perSecond));
  const most = (one.perSecond + another.perSecond + usual.perSecond) * (tookMs / 1_000);
  assert.ok(most < 0.3, 'a fifth of its time, and what is due');
});
