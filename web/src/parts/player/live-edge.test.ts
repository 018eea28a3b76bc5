import { describe, expect, test } from 'vitest';
import { LiveEdge } from './live-edge.ts';

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

  test('a jump never leaves the buffer', () => {
    const edge = new LiveEdge();
    expect(edge.steer({ start: 9.95, end: 10, current: 0 }, 0).seekTo).toBe(9.95);
  });

  test('stalls widen the distance to a bound, calm gives it back step by step', () => {
    const edge = new LiveEdge();
    for (let stall = 0; stall < 50; stall += 1) edge.stalled(1000);
    expect(edge.targetS).toBeCloseTo(0.6);
    const steady = { start: 0, end: 10, current: 9.4 };
    edge.steer(steady, 20_999);
    expect(edge.targetS).toBeCloseTo(0.6);
    edge.steer(steady, 21_000);
    expect(edge.targetS).toBeCloseTo(0.55);
    for (let at = 41_000; at < 1_000_000; at += 20_000) edge.steer(steady, at);
    expect(edge.targetS).toBeCloseTo(0.1);
  });

  test('the buffer is cut to 15 s, and only once it is 20 s long', () => {
    const edge = new LiveEdge();
    expect(edge.trimBefore({ start: 80, end: 100 })).toBeNull();
    expect(edge.trimBefore({ start: 79.9, end: 100 })).toBe(85);
  });
});
