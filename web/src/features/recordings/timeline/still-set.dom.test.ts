/** The stills at hand. */
import { expect, test } from 'vitest';
import { StillSet } from './still-set.ts';
import { stillsWindow } from './stills-query.ts';

const still = (ms: number) => ({ ms, source: `still ${ms}` });

test('the last one before a moment is shown, and the first where none is before', () => {
  const stills = new StillSet();
  expect(stills.at(5)).toBeNull();
  stills.put({ fromMs: 0, untilMs: 100 }, [10, 20, 30].map(still));
  expect([5, 10, 19, 20, 1000].map((ms) => stills.at(ms)?.ms)).toEqual([10, 10, 10, 20, 30]);
});

test('a still deleted since goes, one that lies elsewhere stays', () => {
  const stills = new StillSet();
  stills.put({ fromMs: 0, untilMs: 100 }, [10, 20].map(still));
  stills.put({ fromMs: 100, untilMs: 200 }, [110].map(still));
  stills.put({ fromMs: 0, untilMs: 100 }, []);
  expect([50, 150].map((ms) => stills.at(ms)?.ms)).toEqual([110, 110]);
});

test('no still is kept of a time that was deleted', () => {
  const stills = new StillSet();
  stills.put({ fromMs: 0, untilMs: 100 }, [10, 20, 60].map(still));
  stills.keep({ fromMs: 0, untilMs: 50 }, [{ fromMs: 15, untilMs: 30 }]);
  expect([12, 25, 70].map((ms) => stills.at(ms)?.ms)).toEqual([20, 20, 60]);
});

test('a thousand are kept: those nearest to the shown moment', () => {
  const stills = new StillSet();
  for (let part = 0; part < 20; part++) {
    const [fromMs, untilMs] = [part * 200, (part + 1) * 200];
    stills.put(
      { fromMs, untilMs },
      Array.from({ length: 200 }, (_, index) => still(fromMs + index)),
    );
  }
  expect(stills.size).toBe(1000);
  expect(stills.at(3999)?.ms).toBe(3999);
  expect(stills.at(0)?.ms).toBe(3000);
});

test('a short way asks for no other stills', () => {
  const view = { fromMs: 1_000_000, untilMs: 4_600_000 };
  const window = stillsWindow(view);
  expect(window.fromMs).toBeLessThanOrEqual(view.fromMs);
  expect(window.untilMs).toBeGreaterThanOrEqual(view.untilMs);
  expect(window.untilMs - window.fromMs).toBeLessThan(3 * (view.untilMs - view.fromMs));
  expect(stillsWindow({ fromMs: 1_000_001, untilMs: 4_600_001 })).toEqual(window);
});
