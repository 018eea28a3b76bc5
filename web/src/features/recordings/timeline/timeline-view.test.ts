/** What a timeline has in sight. */
import { expect, test } from 'vitest';
import {
  clamped,
  holds,
  lengthOf,
  longestMs,
  momentAt,
  panned,
  resolutionOf,
  shareOf,
  shortestMs,
  showing,
  windowOf,
  zoomed,
} from './timeline-view.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const fromMs = Date.UTC(2026, 0, 14);
const day = { fromMs, untilMs: fromMs + dayMs };
const nowMs = fromMs + 100 * dayMs;

test('zooming leaves what lies under the pointer where it is', () => {
  const aroundMs = fromMs + 6 * hourMs;
  const near = zoomed(day, 2, aroundMs, nowMs);
  expect(lengthOf(near)).toBe(dayMs / 2);
  expect(shareOf(near, aroundMs)).toBeCloseTo(0.25);
  expect(zoomed(near, 0.5, aroundMs, nowMs)).toEqual(day);
});

test('it shows two minutes at least and thirty days at most, also where zooming goes on', () => {
  const near = zoomed(day, 1e6, fromMs, nowMs);
  expect(lengthOf(near)).toBe(shortestMs);
  expect(lengthOf(zoomed(day, 1e-6, fromMs, nowMs))).toBe(longestMs);
  expect(zoomed(near, 2, fromMs + 60_000, nowMs)).toEqual(near);
  expect([shortestMs, longestMs]).toEqual([120_000, 30 * dayMs]);
});

test('the view does not go into the future, and a day that goes on is shown whole', () => {
  const today = { fromMs: nowMs - hourMs, untilMs: nowMs - hourMs + dayMs };
  expect(clamped(today, nowMs)).toEqual(today);
  const later = panned({ fromMs: nowMs, untilMs: nowMs + hourMs }, 50 * dayMs, nowMs);
  expect(later).toEqual({ fromMs: nowMs, untilMs: nowMs + hourMs });
  expect(panned(day, -1e15, nowMs).fromMs).toBe(Date.UTC(2000, 0, 1));
});

test('a moment out of sight comes into the middle, one in sight moves nothing', () => {
  expect(showing(day, fromMs + hourMs, nowMs)).toBe(day);
  const moved = showing(day, fromMs + 3 * dayMs, nowMs);
  expect(shareOf(moved, fromMs + 3 * dayMs)).toBeCloseTo(0.5);
  expect(momentAt(moved, 0.5)).toBe(fromMs + 3 * dayMs);
  expect([holds(day, day.fromMs), holds(day, day.untilMs)]).toEqual([true, false]);
});

test('it is asked as finely as the screen shows it, and a short way asks for nothing new', () => {
  expect(resolutionOf({ fromMs: 0, untilMs: shortestMs }, 1000)).toBe(64);
  expect(resolutionOf({ fromMs: 0, untilMs: longestMs }, 1000)).toBe(2 ** 21);
  expect(resolutionOf({ fromMs: 0, untilMs: longestMs }, 1)).toBe(dayMs);
  const asked = windowOf(day, 1000);
  expect(asked.fromMs).toBeLessThan(day.fromMs - dayMs / 4);
  expect(asked.untilMs).toBeGreaterThan(day.untilMs + dayMs / 4);
  const inside = { fromMs: asked.fromMs + 2 ** 16 * 600, untilMs: asked.fromMs + 2 ** 16 * 1800 };
  expect(windowOf(inside, 1000)).toEqual(windowOf({ ...inside, fromMs: inside.fromMs + 1 }, 1000));
});
