/** Times that cameras get wrong, as their pictures come 25 times a second for 16 s or a minute. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Chance } from '#testing/chance.ts';
import { DecodeTimes } from '../sources/rtsp/decode-times.ts';
import { ticksPerSecond, Timeline } from './timeline.ts';

const step = ticksPerSecond / 25;
const seconds = (ticks: number): number => ticks / ticksPerSecond;

/** When each picture is decoded, for the times that the camera says; `arrivedMs` of each. */
function placed(
  saidOf: (index: number) => number,
  arrivedMsOf: (index: number) => number = (index) => index * 40,
  depth: number | null = null,
  pictures = 400,
): number[] {
  const timeline = new Timeline(25);
  const times = depth === null ? null : new DecodeTimes(depth);
  return Array.from({ length: pictures }, (_, index) => {
    const pts = saidOf(index);
    return timeline.next(pts, times?.next(pts, step) ?? pts, arrivedMsOf(index)).dts;
  });
}

function lengths(times: readonly number[]): { total: number; least: number; most: number } {
  const steps = times.slice(1).map((at, index) => at - times[index]!);
  return {
    total: Math.round(seconds(times.at(-1)! - times[0]!) * 10) / 10,
    least: Math.min(...steps),
    most: Math.max(...steps),
  };
}

const even = { total: 16, least: step, most: step };

const wrong: Readonly<Record<string, (index: number) => number>> = {
  'go back 3 s every 4 s': (index) => index * step - Math.floor(index / 100) * 3 * ticksPerSecond,
  'go forward 5 s every 4 s': (index) =>
    index * step + Math.floor(index / 100) * 5 * ticksPerSecond,
  'go back to 0 every 4 s': (index) => (index % 100) * step,
  'are far away for one picture in 50': (index) =>
    index * step + (index % 50 === 49 ? 37_600 * ticksPerSecond : 0),
};
for (const [what, saidOf] of Object.entries(wrong)) {
  test(`times that ${what} leave the pictures 40 ms apart`, () => {
    assert.deepEqual(lengths(placed(saidOf)), even);
  });
}

test('times that stand still are replaced by arrival', () => {
  const { total, most } = lengths(placed(() => 77));
  assert.ok(total >= 15.9 && total <= 16, `${total} s`);
  assert.ok(most <= 1.2 * step);
});

const minutes = 1_500;
/** Clocks of cameras whose pictures come every 40 ms: what they say of each. */
const clocks: Readonly<Record<string, (index: number) => number>> = {
  'run 1.4 times too slow': (index) => Math.round((index * step) / 1.4),
  'run 1.4 times too fast': (index) => Math.round(index * step * 1.4),
  'run at half the rate': (index) => (index * step) / 2,
  'are of 1 kHz': (index) => index * 40,
  'stand still': () => 77,
  'are shared by ten pictures': (index) => Math.floor(index / 10) * 10 * step,
  'are shared by four pictures and run at half the rate': (index) =>
    Math.floor(index / 4) * 2 * step,
};
for (const [what, saidOf] of Object.entries(clocks)) {
  test(`a minute of pictures whose times ${what} lasts a minute, within 1 %`, () => {
    for (const jitterMs of [0, 30]) {
      const times = placed(
        saidOf,
        (index) => index * 40 + ((index * 7_919) % 13) * (jitterMs / 13),
        null,
        minutes,
      );
      const { total, least } = lengths(times);
      assert.ok(Math.abs(total - 60) <= 0.6, `${total} s with a jitter of ${jitterMs} ms`);
      const first = seconds(times[250]! - times[0]!);
      assert.ok(Math.abs(first - 10) <= 0.1, `${first} s of the first ten, jitter ${jitterMs} ms`);
      assert.ok(least >= 1);
      const late = times.slice(-300);
      const { least: shortest, most: longest } = lengths(late);
      assert.ok(shortest >= step / 2 && longest <= 1.5 * step, `${shortest} to ${longest} ticks`);
    }
  });
}

test('a clock that runs 1.5 % too slow or too fast is noticed within 70 s, and the film lasts as long as the wall', () => {
  for (const rate of [0.985, 1.015]) {
    const times = placed((index) => Math.round(index * step * rate), undefined, null, 3 * minutes);
    const { total } = lengths(times);
    assert.ok(Math.abs(total - 180) <= 0.6, `${total} s`);
  }
});

/** Even times of pictures that arrive late by so many milliseconds. */
const lateBy = (lateMsOf: (ms: number) => number): number[] =>
  placed(
    (index) => index * step,
    (index) => index * 40 + lateMsOf(index * 40),
    null,
    minutes,
  );

const networks: Readonly<Record<string, (ms: number) => number>> = {
  'that slows down by a tenth for 15 s and then catches up': (ms) =>
    ms < 10_000 ? 0 : ms < 25_000 ? (ms - 10_000) / 10 : Math.max(0, 1_500 - (ms - 25_000) / 5),
  'that is two seconds slower from some moment': (ms) => (ms < 20_000 ? 0 : 2_000),
  'that stops for five seconds and catches up in twenty': (ms) =>
    ms < 20_000 ? 0 : Math.max(0, 5_000 - (ms - 20_000) / 4),
  'that sends six seconds at a time': (ms) => 6_000 - (ms % 6_000),
};
for (const [what, lateMsOf] of Object.entries(networks)) {
  test(`right times keep their steps in a network ${what}`, () => {
    assert.deepEqual(lengths(lateBy(lateMsOf)), { total: 60, least: step, most: step });
  });
}

const seed = Number(process.env['NAZAR_TEST_SEED'] ?? Date.now() % 2 ** 31);

/** Forty cameras, each by a seed of its own, so that one that fails can be repeated alone. */
function eachCamera(what: (chance: Chance) => void): void {
  for (let camera = 0; camera < 40; camera++) {
    try {
      what(new Chance(seed + camera));
    } catch (cause) {
      throw new Error(`NAZAR_TEST_SEED=${seed + camera}`, { cause });
    }
  }
}

/** Pictures for half a minute: when each is decoded, by a camera that declares its rate. */
function declared(
  fps: number,
  saidOf: (index: number) => number,
  arrivedMsOf: (index: number) => number,
): number[] {
  const timeline = new Timeline(fps);
  return Array.from({ length: 30 * fps + 1 }, (_, index) => {
    const said = Math.round(saidOf(index));
    return timeline.next(said, said, arrivedMsOf(index)).dts;
  });
}

test('clocks that are wrong by any factor from 1.35 on give films as long as the wall, from the tenth second on', () => {
  eachCamera((chance) => {
    const fps = chance.pick([10, 15, 20, 25, 30]);
    const factor = chance.pick([1 / 90, 0.1, 0.2, 0.35, 0.5, 0.6, 0.72, 1.36, 1.5, 2, 3]);
    const jitterMs = chance.below(20);
    const late = Array.from({ length: 30 * fps + 1 }, () => chance.below(jitterMs + 1));
    const times = declared(
      fps,
      (index) => ((index * ticksPerSecond) / fps) * factor,
      (index) => (index * 1_000) / fps + late[index]!,
    );
    for (const second of [10, 20, 30]) {
      const length = seconds(times[second * fps]! - times[0]!);
      const what = `${length} of ${second} s, ${fps} fps, ${factor} times, ${jitterMs} ms`;
      assert.ok(Math.abs(length - second) <= second / 100 + 0.02, what);
    }
    assert.ok(lengths(times).least >= 1, 'it never goes back');
  });
});

test('a clock that is right moves no picture, whatever the network does in the first seconds', () => {
  eachCamera((chance) => {
    const fps = chance.pick([5, 10, 15, 25, 30]);
    const stepTicks = ticksPerSecond / fps;
    const fromMs = chance.below(4_000);
    const slowFor = 500 + chance.below(1_500);
    const slower = chance.pick([1.2, 1.5, 2, 4]);
    const keptMs = chance.pick([0, 500, 2_000]);
    /** Slows down, and catches up half as fast again as pictures come; what was kept comes at once. */
    const lateAt = (ms: number): number => {
      const most = slowFor * (slower - 1);
      if (ms < fromMs) return 0;
      if (ms < fromMs + slowFor) return (ms - fromMs) * (slower - 1);
      return Math.max(0, most - (ms - fromMs - slowFor) / 2);
    };
    const times = declared(
      fps,
      (index) => 123 + index * stepTicks,
      (index) => {
        const ms = (index * 1_000) / fps;
        return Math.max(keptMs, ms) + lateAt(ms) + chance.below(8);
      },
    );
    const { least, most } = lengths(times);
    assert.deepEqual([least, most], [stepTicks, stepTicks]);
  });
});

test('times that run right again are believed again, and say so', () => {
  const timeline = new Timeline(25);
  const byArrival = Array.from({ length: 3_000 }, (_, index) => {
    const said = index < 750 ? index * 1_800 : 750 * 1_800 + (index - 750) * step;
    timeline.next(said, said, index * 40);
    return timeline.isByArrival;
  });
  assert.deepEqual(
    [byArrival[30], byArrival[60], byArrival[1_400], byArrival.at(-1)],
    [false, true, true, false],
  );
});

test('pictures that refer to later ones keep their order when they are timed by arrival', () => {
  // Decoded 0 2 1 4 3 ...: each second one is shown after the next; the times run at half the rate.
  const timeline = new Timeline(25);
  const shown = Array.from({ length: minutes }, (_, index) => {
    const dts = (index * step) / 2;
    const pts = dts + (index % 2 === 0 ? step : 0);
    return timeline.next(pts, dts, index * 40);
  }).slice(600);
  for (const { pts, dts } of shown) assert.ok(pts >= dts);
  const offsets = shown.map(({ pts, dts }) => pts - dts);
  assert.deepEqual(new Set(offsets.map((ticks) => Math.round(ticks / step))), new Set([2, 0]));
});

test('times that go back half a second every 4 s lose none of it', () => {
  const { total, most } = lengths(
    placed((index) => index * step - Math.floor(index / 100) * 0.5 * ticksPerSecond),
  );
  assert.equal(total, 16);
  assert.ok(most <= step + 1);
});

test('a pause of the network, and pictures that then come at once, keep their times', () => {
  // Three seconds of pictures come together; nothing was wrong with their times.
  const late = (index: number): number => (index >= 100 && index < 175 ? 175 * 40 : index * 40);
  assert.deepEqual(lengths(placed((index) => index * step, late)), even);
});

test('a camera that drops what it could not send leaves the gap that there was', () => {
  const saidOf = (index: number): number => (index + (index >= 101 ? 75 : 0)) * step;
  const arrivedMsOf = (index: number): number => (index + (index >= 100 ? 75 : 0)) * 40;
  const { total, most } = lengths(placed(saidOf, arrivedMsOf));
  assert.deepEqual([total, most], [19, 76 * step]);
});

test('pictures that are kept and sent at once at the beginning keep their times', () => {
  const arrivedMsOf = (index: number): number => Math.max(0, index - 50) * 40;
  assert.deepEqual(lengths(placed((index) => index * step, arrivedMsOf)), even);
});

test('a camera that sends one picture in 2 s keeps its times', () => {
  const apart = 50 * step;
  const times = placed(
    (index) => index * apart,
    (index) => index * 2_000,
  );
  assert.deepEqual(lengths(times), { total: 798, least: apart, most: apart });
});

test('the clock of a camera that runs 1 % fast is followed', () => {
  const fast = Math.round(step * 1.01);
  const { least, most } = lengths(placed((index) => index * fast));
  assert.deepEqual([least, most], [fast, fast]);
});

test('pictures that refer to later ones are not taken for a clock that is set', () => {
  const order = [0, 4, 2, 1, 3];
  const saidOf = (index: number): number =>
    (Math.floor(index / 5) * 5 + order[index % 5]!) * step + 10 * step;
  const { total, most } = lengths(placed(saidOf, undefined, 2));
  assert.ok(total >= 15.6 && total <= 16.1, `${total} s`);
  assert.ok(most <= 2 * step);
});
