import { expect, test } from 'vitest';
import {
  addRow,
  coverage,
  faultOf,
  minutesOf,
  paint,
  rowsOf,
  splitNight,
  timeOf,
  toSpans,
  type WeekRow,
} from './week.ts';

const row = (from: string, until: string, day = 1): WeekRow => ({ key: 1, day, from, until });

test('a time of a day is read as it is typed, up to 24:00', () => {
  expect(['00:00', '8:30', '08:30', '24:00', ' 10:15 '].map(minutesOf)).toEqual([
    0, 510, 510, 1440, 615,
  ]);
  for (const wrong of ['', '24:01', '25:00', '10:60', '10', '-1:00', 'ten']) {
    expect(minutesOf(wrong), wrong).toBeNull();
  }
});

test('an end before its beginning is distinguished from what is no time at all', () => {
  expect(faultOf(row('10:00', '09:00'))).toBe('order');
  expect(faultOf(row('10:00', '10:00'))).toBe('order');
  expect(faultOf(row('10:00', ''))).toBe('time');
  expect(faultOf(row('00:00', '24:00'))).toBeNull();
});

test('painting joins what touches, cuts out what is taken away, and keeps what is half typed', () => {
  const area = { firstDay: 1, lastDay: 2, from: 600, until: 720 };
  const typed = row('9:00', '', 1);
  const on = paint([typed, { ...row('08:00', '10:00'), key: 2 }], area, true);
  expect(on.map(({ day, from, until }) => [day, from, until])).toEqual([
    [1, '08:00', '12:00'],
    [1, '9:00', ''],
    [2, '10:00', '12:00'],
  ]);
  const off = paint(on, { firstDay: 1, lastDay: 1, from: 540, until: 570 }, false);
  expect(toSpans(off)).toEqual([
    { day: 1, from: '08:00', until: '09:00' },
    { day: 1, from: '09:30', until: '12:00' },
    { day: 2, from: '10:00', until: '12:00' },
  ]);
  expect(off).toContainEqual(typed);
  expect(new Set(off.map(({ key }) => key)).size).toBe(off.length);
});

test('a cell says whether all, some or none of it is chosen', () => {
  const rows = [row('08:00', '08:40')];
  expect(coverage(rows, 1, 480, 510)).toBe('all');
  expect(coverage(rows, 1, 510, 540)).toBe('some');
  expect(coverage(rows, 1, 540, 570)).toBe('none');
  expect(coverage(rows, 2, 480, 510)).toBe('none');
});

test('a night becomes two spans, that of Sunday goes on on Monday', () => {
  expect(toSpans(splitNight([row('22:00', '06:00', 7)], row('22:00', '06:00', 7)))).toEqual([
    { day: 1, from: '00:00', until: '06:00' },
    { day: 7, from: '22:00', until: '24:00' },
  ]);
  expect(toSpans(splitNight([row('22:00', '00:00')], row('22:00', '00:00')))).toEqual([
    { day: 1, from: '22:00', until: '24:00' },
  ]);
});

test('a new row follows the day of the last one', () => {
  expect(addRow([]).map(({ key, day }) => [key, day])).toEqual([[1, 1]]);
  expect(addRow([row('08:00', '09:00', 3)]).at(-1)).toMatchObject({ key: 2, day: 3 });
});

/** The same figures each time it runs. */
function figures(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

test('whatever is painted, a half hour is chosen exactly when it was painted on last', () => {
  for (let seed = 1; seed <= 40; seed += 1) {
    const below = figures(seed);
    let rows: WeekRow[] = [];
    const wanted = new Set<string>();
    for (let stroke = 0; stroke < 12; stroke += 1) {
      const firstDay = 1 + below(7);
      const lastDay = Math.min(7, firstDay + below(7));
      const from = below(48);
      const until = Math.min(48, from + 1 + below(20));
      const on = below(3) > 0;
      rows = paint(rows, { firstDay, lastDay, from: from * 30, until: until * 30 }, on);
      for (let day = firstDay; day <= lastDay; day += 1) {
        for (let slot = from; slot < until; slot += 1) {
          if (on) wanted.add(`${day} ${slot}`);
          else wanted.delete(`${day} ${slot}`);
        }
      }
    }
    const kept = rowsOf({ timeZone: 'UTC', spans: toSpans(rows) });
    for (let day = 1; day <= 7; day += 1) {
      for (let slot = 0; slot < 48; slot += 1) {
        const is = coverage(kept, day, slot * 30, slot * 30 + 30);
        expect(is, `seed ${seed}, ${day} ${slot}`).toBe(
          wanted.has(`${day} ${slot}`) ? 'all' : 'none',
        );
      }
    }
  }
  expect(timeOf(1440)).toBe('24:00');
});
