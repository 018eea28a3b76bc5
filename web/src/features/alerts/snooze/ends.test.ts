import { expect, test } from 'vitest';
import { endOf } from './ends.ts';

const at = (text: string): number => new Date(text).getTime();

test('a snooze lasts a quarter of an hour, an hour, or until the next seven in the morning', () => {
  expect(endOf('quarter', at('2026-03-04T22:10:00'))).toEqual(new Date('2026-03-04T22:25:00'));
  expect(endOf('hour', at('2026-03-04T22:10:00'))).toEqual(new Date('2026-03-04T23:10:00'));
  expect(endOf('morning', at('2026-03-04T22:10:00'))).toEqual(new Date('2026-03-05T07:00:00'));
  expect(endOf('morning', at('2026-03-05T06:59:00'))).toEqual(new Date('2026-03-05T07:00:00'));
  expect(endOf('morning', at('2026-03-05T07:00:00'))).toEqual(new Date('2026-03-06T07:00:00'));
  expect(endOf('morning', at('2026-12-31T12:00:00'))).toEqual(new Date('2027-01-01T07:00:00'));
});
