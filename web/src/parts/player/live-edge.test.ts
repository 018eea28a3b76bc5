import { describe, expect, test } from 'vitest';
import { LiveEdge } from './live-edge.ts';

/** What comes to the buffer: when, in milliseconds, and where the buffer then ends, in seconds. */
type Arrival = readonly [atMs: number, end: number];

/** Pictures of a camera, each `lateMs` after the moment at which it would be there at once. */
function pictures(fps: number, seconds: number, lateMs: (index: number) => number): Arrival[] {
  let lastMs = 0;
  return Array.from({ length: fps * seconds }, (_, index): Arrival => {
    // Nothing overtakes what was sent before it.
    lastMs = Math.max(lastMs, 10_000 + (index * 1000) / fps + lateMs(index));
    return [lastMs, (index + 1) / fps];
  });
}

/** A player that takes no time to decode: how far behind it is at the end, and when it ran dry. */
function play(arrivals: readonly Arrival[], edge = new LiveEdge()) {
  const [[beganMs, firstEnd] = [0, 0]] = arrivals;
  // As after the pictures that were kept for a next viewer.
  let [current, pace, lastMs, end] = [firstEnd - 0.1, 1, beganMs, firstEnd];
  const stallsMs: number[] = [];
  for (const [atMs, newEnd] of arrivals) {
    const next = current + ((atMs - lastMs) / 1000) * pace;
    if (next > end + 1e-6) {
      stallsMs.push(atMs - beganMs);
      edge.stalled(atMs);
    }
    current = Math.min(next, end);
    [lastMs, end] = [atMs, newEnd];
    const { seekTo, playbackRate } = edge.steer({ start: firstEnd - 2, end, current }, atMs);
    current = seekTo ?? current;
    pace = playbackRate;
  }
  return { behindS: end - current, stallsMs, targetS: edge.targetS };
}

/** The same each time, between 0 and `most`. */
const uneven = (index: number, most: number): number => ((index * 7919) % 101) * (most / 100);

describe('live edge', () => {
  test.each([
    ['at the target nothing changes', 9.9, { seekTo: null, playbackRate: 1 }],
    ['a little late plays a little faster', 9.8, { seekTo: null, playbackRate: 1.05 }],
    ['later plays faster', 9.5, { seekTo: null, playbackRate: 1.2 }],
    ['more than a second late jumps', 8.8, { seekTo: 9.9, playbackRate: 1 }],
    ['before the buffer jumps', 1, { seekTo: 9.9, playbackRate: 1 }],
    ['far beyond a timeline that began anew jumps back', 500, { seekTo: 9.9, playbackRate: 1 }],
    ['at the very edge it waits at the normal pace', 10, { seekTo: null, playbackRate: 1 }],
  ])('%s', (_title, current, steering) => {
    expect(new LiveEdge().steer({ start: 4, end: 10, current }, 0)).toEqual(steering);
  });

  test('a faster pace is kept until the target is reached', () => {
    const edge = new LiveEdge();
    let end = 10;
    const paceAt = (behind: number): number => {
      end += 0.033;
      return edge.steer({ start: 4, end, current: end - behind }, end * 1000).playbackRate;
    };
    expect([0.13, 0.15, 0.12, 0.1, 0.13].map(paceAt)).toEqual([1, 1.05, 1.05, 1, 1]);
  });

  test('a jump never leaves the buffer', () => {
    const edge = new LiveEdge();
    expect(edge.steer({ start: 9.95, end: 10, current: 0 }, 0).seekTo).toBe(9.95);
  });

  test('stalls widen the distance to a bound, calm gives it back step by step', () => {
    const edge = new LiveEdge();
    for (let stall = 0; stall < 50; stall += 1) edge.stalled(1000);
    expect(edge.targetS).toBeCloseTo(0.6);
    // The camera has stopped: nothing more is learnt of its arrivals.
    const steady = { start: 0, end: 10, current: 9.4 };
    const targetAt = (atMs: number): number => {
      edge.steer(steady, atMs);
      return edge.targetS;
    };
    expect(targetAt(20_999)).toBeCloseTo(0.6);
    targetAt(21_000);
    expect(targetAt(26_000)).toBeCloseTo(0.55);
    for (let atMs = 41_000; atMs < 400_000; atMs += 20_000) targetAt(atMs);
    expect(edge.targetS).toBeCloseTo(0.1);
  });

  test('the buffer is cut to 15 s, and only once it is 20 s long', () => {
    const edge = new LiveEdge();
    expect(edge.trimBefore({ start: 80, end: 100 })).toBeNull();
    expect(edge.trimBefore({ start: 79.9, end: 100 })).toBe(85);
  });
});

describe('live edge, by how pictures arrive', () => {
  test('evenly: the picture comes as near as one picture and a bit, and never stands still', () => {
    const { behindS, targetS, stallsMs } = play(pictures(30, 30, (i) => uneven(i, 8)));
    expect(stallsMs).toEqual([]);
    expect(targetS).toBeCloseTo(1 / 30 + 0.008 + 0.015, 2);
    expect(behindS).toBeLessThan(0.1);
  });

  test('unevenly: as far away as the latest of them, and never still', () => {
    const { targetS, stallsMs } = play(pictures(30, 30, (i) => uneven(i, 60)));
    expect(stallsMs).toEqual([]);
    expect(targetS).toBeGreaterThan(1 / 30 + 0.06);
    expect(targetS).toBeLessThanOrEqual(0.15);
  });

  test('in bursts of five: what is waited for before each of them counts, although none is late after it', () => {
    const burst = (index: number): number => ((4 - (index % 5)) * 1000) / 30;
    const { targetS, stallsMs } = play(pictures(30, 60, burst));
    expect(targetS).toBeGreaterThanOrEqual(5 / 30);
    // It finds its distance at the beginning, and then stays there.
    expect(stallsMs.every((atMs) => atMs < 5_000)).toBe(true);
  });

  test('one hiccup: further away at once, and near again within a minute', () => {
    const hiccup = (index: number): number => (index === 600 ? 180 : uneven(index, 8));
    const stream = pictures(30, 90, hiccup);
    const edge = new LiveEdge();
    const upTo = (seconds: number): Arrival[] => stream.slice(0, seconds * 30);
    expect(play(upTo(21)).targetS).toBeGreaterThan(0.09);
    const whole = play(stream, edge);
    expect(whole.stallsMs).toHaveLength(1);
    expect(whole.targetS).toBeLessThan(0.06);
  });

  test('five pictures a second: no nearer than from one to the next', () => {
    const { targetS, stallsMs } = play(pictures(5, 90, (i) => uneven(i, 8)));
    expect(targetS).toBeGreaterThan(0.2);
    expect(stallsMs.every((atMs) => atMs < 10_000)).toBe(true);
  });

  test('B-frames: a picture that comes after its successor is still on time', () => {
    // Decoded as 0 3 1 2, 6 4 5: the end leaps by three pictures and then stays for two arrivals.
    const arrivals = Array.from({ length: 900 }, (_, index): Arrival => {
      const group = Math.floor(index / 3);
      return [10_000 + (index * 1000) / 30, (group * 3 + 4) / 30];
    });
    const { behindS, stallsMs } = play(arrivals);
    expect(stallsMs).toEqual([]);
    // Just after the last of a group the first of it, which came two pictures ago, must not be over yet.
    expect(behindS).toBeGreaterThan(2 / 30);
  });

  test('a timeline that begins anew forgets what was known of the one before', () => {
    const edge = new LiveEdge();
    play(
      pictures(30, 30, (i) => uneven(i, 8)),
      edge,
    );
    expect(edge.targetS).toBeLessThan(0.06);
    edge.steer({ start: 0, end: 0.1, current: 0 }, 41_000);
    edge.steer({ start: 0, end: 0.13, current: 0 }, 41_033);
    expect(edge.targetS).toBeCloseTo(0.1);
  });
});
