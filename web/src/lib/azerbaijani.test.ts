/** Node has Azerbaijani data, browsers may not: what stands in for it says the same. */
import { expect, test } from 'vitest';
import { azerbaijani } from './azerbaijani.ts';
import { formatsOf, isKnown } from './formats.ts';

const intl = formatsOf('az');
/** CLDR has a comma between date and time, and before a weekday; Turkish has none. */
const plain = (text: string): string => text.replaceAll(',', '').replaceAll(/\s/g, ' ');

test('every day of a year reads as Intl writes it, in each of the forms that are shown', () => {
  expect(isKnown('az')).toBe(true);
  for (const options of [
    { dateStyle: 'medium', timeStyle: 'short' },
    { dateStyle: 'full' },
    { timeStyle: 'medium' },
    { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' },
  ] as const) {
    const full = { hourCycle: 'h23', timeZone: 'UTC', ...options } as const;
    const [ours, theirs] = [azerbaijani.time(full), intl.time(full)];
    for (let day = 0; day < 365; day += 1) {
      const at = new Date(Date.UTC(2026, 0, 1, 5, 6, 7) + day * 86_400_000);
      expect(plain(ours(at))).toBe(plain(theirs(at)));
    }
  }
});

test('so do numbers, shares, durations, the past and lists', () => {
  for (const options of [
    {},
    { style: 'percent', maximumFractionDigits: 1 },
    { style: 'unit', unit: 'second', unitDisplay: 'short' },
    { style: 'unit', unit: 'minute', unitDisplay: 'short' },
  ] as const) {
    for (const value of [0, 0.953, 7, 1284, 1_234_567.5])
      expect(azerbaijani.number(options)(value)).toBe(intl.number(options)(value));
  }
  for (const unit of ['second', 'minute', 'hour', 'day'] as const) {
    for (const value of unit === 'day' ? [-1, -2, -30] : [-1, -10, -59])
      expect(azerbaijani.ago(value, unit)).toBe(intl.ago(value, unit));
  }
  expect(azerbaijani.ago(0, 'second')).toBe(intl.ago(0, 'second'));
  for (const parts of [[], ['a'], ['a', 'b'], ['a', 'b', 'c']])
    expect(azerbaijani.list(parts)).toBe(intl.list(parts));
});
