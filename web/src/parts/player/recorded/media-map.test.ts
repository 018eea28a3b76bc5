import { expect, test } from 'vitest';
import { MediaMap, type Fragment } from './media-map.ts';

const at = (minutes: number, seconds = 0): number => Date.UTC(2026, 0, 15, 12, minutes, seconds);
const file = (startS: number, wallMs: number): Fragment => ({ startS, durationS: 10, wallMs });

/** Twenty seconds, nothing for five minutes, twenty seconds with a tenth between their files. */
const map = new MediaMap([
  file(0, at(0)),
  file(10, at(0, 10)),
  file(20, at(5, 20)),
  file(30, at(5, 30) + 100),
]);

test('a moment that is recorded has its place in the media, and back', () => {
  expect(map.place(at(0, 12) + 500)).toEqual({ kind: 'recorded', mediaS: 12.5, index: 1 });
  expect(map.wallMs(12.5)).toBe(at(0, 12) + 500);
  expect(map.place(at(5, 21))).toEqual({ kind: 'recorded', mediaS: 21, index: 2 });
  expect(map.wallMs(31)).toBe(at(5, 31) + 100);
});

test('a moment in a gap leads to what comes after it, and one after the last file to nothing', () => {
  const hole = { fromMs: at(3), untilMs: at(5, 20) };
  expect(map.place(at(3))).toEqual({ kind: 'hole', mediaS: 20, index: 2, hole });
  expect(map.place(at(-1))).toEqual({
    kind: 'hole',
    mediaS: 0,
    index: 0,
    hole: { fromMs: at(-1), untilMs: at(0) },
  });
  expect(map.place(at(6))).toEqual({ kind: 'after' });
  expect(map.lastMs).toBe(at(5, 40) + 100);
});

test('a gap is found before the file that it ends at; what the recorder leaves between files is none', () => {
  expect(map.holeBefore(2)).toEqual({ fromMs: at(0, 20), untilMs: at(5, 20) });
  expect([map.holeBefore(0), map.holeBefore(1), map.holeBefore(3)]).toEqual([null, null, null]);
});

test('times outside are those of the nearest picture, and the end of a file is the beginning of the next', () => {
  expect([map.wallMs(-1), map.wallMs(99)]).toEqual([at(0), map.lastMs]);
  expect([map.indexAt(19.9995), map.indexAt(19.99)]).toEqual([2, 1]);
  expect([map.holds(-0.1), map.holds(0), map.holds(39.9), map.holds(40)]).toEqual([
    false,
    true,
    true,
    false,
  ]);
  expect([map.nextFile(0), map.nextFile(3)]).toEqual([{ index: 1, startS: 10 }, null]);
});

test('after a file come no other parts of it', () => {
  const parts = new MediaMap(
    ['a', 'a', 'a', 'b', 'b'].map((name, index) => ({
      ...file(index * 10, at(0, index * 10)),
      file: name,
    })),
  );
  expect(parts.nextFile(1)).toEqual({ index: 3, startS: 30 });
  expect(parts.nextFile(3)).toBeNull();
});

test('where every tenth of a day lies, found one by one', () => {
  const day = Array.from({ length: 8640 }, (_, index) => file(index * 10, at(0) + index * 10_000));
  const whole = new MediaMap(day);
  for (let second = 0; second < 86_400; second += 8641) {
    expect(whole.place(at(0, second))).toMatchObject({ kind: 'recorded', mediaS: second });
    expect(whole.wallMs(second)).toBe(at(0, second));
  }
});
