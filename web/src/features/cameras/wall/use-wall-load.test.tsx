import { act, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { aCamera, someHealth } from '#testing/cameras.ts';
import { useWallLoad } from './use-wall-load.ts';

const idOf = (digit: string): string => `${digit.repeat(8)}-2222-4222-8222-222222222222`;
const [gate, hall] = ['1', '2'].map((digit) => aCamera({ id: idOf(digit) }));
const away = aCamera({ id: idOf('3'), health: someHealth({ state: 'offline' }) });
const cameras = [gate!, hall!, away];

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const wall = () =>
  renderHook(({ paused }) => useWallLoad(cameras, paused), { initialProps: { paused: false } });

/** So many seconds in which the page has one turn of the ten that it wants each second. */
function starve(seconds: number): void {
  for (let second = 0; second < seconds; second += 1) {
    act(() => {
      vi.setSystemTime(Date.now() + 900);
      vi.advanceTimersByTime(100);
    });
  }
}
const free = (seconds: number): void => act(() => void vi.advanceTimersByTime(seconds * 1000));

test('stills are asked for by turns, one camera each second, of none that sends nothing', () => {
  const { result } = wall();
  starve(60);
  expect(result.current.pace).toBe('stills');
  const turns = (): (number | undefined)[] => cameras.map(({ id }) => result.current.turnMsOf(id));
  const changed = (): number[] => {
    const before = turns();
    free(1);
    return turns().flatMap((turn, index) => (turn === before[index] ? [] : [index]));
  };
  const each = [changed(), changed(), changed(), changed()];
  expect(each.map(({ length }) => length)).toEqual([1, 1, 1, 1]);
  expect(new Set(each.slice(0, 2).flat())).toEqual(new Set([0, 1]));
  expect(each.slice(2)).toEqual(each.slice(0, 2));
});

test('while something lies over the wall nothing is measured and no still is asked for', () => {
  const { result, rerender } = wall();
  rerender({ paused: true });
  starve(60);
  expect(result.current.pace).toBe('streams');
  rerender({ paused: false });
  starve(60);
  rerender({ paused: true });
  const before = cameras.map(({ id }) => result.current.turnMsOf(id));
  free(300);
  expect(result.current.pace).toBe('stills');
  expect(cameras.map(({ id }) => result.current.turnMsOf(id))).toEqual(before);
  // It is measured anew from then on.
  rerender({ paused: false });
  free(75);
  expect(result.current.pace).toBe('keyFrames');
});
