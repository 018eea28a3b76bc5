import { expect, test } from 'vitest';
import { faultOf, readMoment, typedMoment, wholeSeconds } from './period.ts';
import { remainingMs } from './remaining.ts';

const moment = new Date(2026, 2, 4, 5, 6, 7).getTime();
const hourMs = 60 * 60_000;

test('a moment is typed to the second by the reader’s clock, and read back', () => {
  expect(typedMoment(moment)).toBe('03/04/2026 05:06:07');
  expect(typedMoment(moment - 7000)).toBe('03/04/2026 05:06:00');
  expect(typedMoment(null)).toBe('');
  expect(readMoment('03/04/2026 05:06:07', null)).toBe(moment);
  expect(readMoment('3/4/2026, 5:06', null)).toBe(moment - 7000);
  expect(readMoment('2026-03-04T05:06:07', null)).toBe(moment);
  expect(readMoment('2026-03-04T05:06', null)).toBe(moment - 7000);
});

test('an invalid moment is none: the thirteenth month, the 40th, 30 February, half a date', () => {
  const typed = [
    '2026-13-04T05:06:07',
    '2026-03-40T05:06:07',
    '2026-02-30T05:06:07',
    '2026-03-04',
    '03/04/2026',
    '03/04/2026 24:00',
    '03/04/2026 05:60',
    '05:06:07',
    '',
  ];
  expect(typed.map((text) => readMoment(text, moment))).toEqual(typed.map(() => null));
});

test('an unchanged field stays the moment it was, also within its second', () => {
  expect(readMoment(typedMoment(moment + 400), moment + 400)).toBe(moment + 400);
  const minute = moment - 7000;
  expect(readMoment('2026-03-04T05:06:00', minute + 1)).toBe(minute + 1);
});

test('a selection grows to whole seconds: nothing of it is lost', () => {
  const selection = { fromMs: moment + 999, untilMs: moment + 2001 };
  expect(wholeSeconds(selection)).toEqual({ fromMs: moment, untilMs: moment + 3000 });
  const whole = { fromMs: moment, untilMs: moment + 1000 };
  expect(wholeSeconds(whole)).toEqual(whole);
});

test('a period has a beginning, a later end, and no more hours than may be exported', () => {
  const of = (fromMs: number | null, untilMs: number | null, longest: number | null = 24) =>
    faultOf({ fromMs, untilMs }, longest);
  expect(of(null, moment)).toEqual({ field: 'from', kind: 'missing' });
  expect(of(moment, null)).toEqual({ field: 'until', kind: 'missing' });
  expect(of(moment, moment)).toEqual({ field: 'until', kind: 'endFirst' });
  expect(of(moment, moment + 24 * hourMs)).toBeNull();
  expect(of(moment, moment + 24 * hourMs + 1)).toEqual({ field: 'until', kind: 'tooLong' });
  expect(of(moment, moment + 1000 * hourMs, null)).toBeNull();
});

test('the remaining time of an export follows from its pace, once there is one', () => {
  const first = { atMs: 0, progress: 0.2 };
  expect(remainingMs(first, { atMs: 10_000, progress: 0.4 })).toBeCloseTo(30_000);
  expect(remainingMs(first, { atMs: 10_000, progress: 0.21 })).toBeNull();
  expect(remainingMs(first, { atMs: 1000, progress: 0.4 })).toBeNull();
});
