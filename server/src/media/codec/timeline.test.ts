/** Times that cameras get wrong, as their pictures come 25 times a second for 16 s. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DecodeTimes } from '../sources/rtsp/decode-times.ts';
import { ticksPerSecond, Timeline } from './timeline.ts';

const step = ticksPerSecond / 25;
const pictures = 400;
const seconds = (ticks: number): number => ticks / ticksPerSecond;

/** When each picture is decoded, for the times that the camera says; `arrivedMs` of each. */
function placed(
  saidOf: (index: number) => number,
  arrivedMsOf: (index: number) => number = (index) => index * 40,
  depth: number | null = null,
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
  assert.ok(total >= 15.8 && total <= 16, `${total} s`);
  assert.ok(most <= step + 1);
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
