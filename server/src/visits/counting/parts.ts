/** How a stretch of time is cut into parts, each counted by the coarsest counts that are exact for it. Pure. */
import { floorTo, quarterMs } from './buckets.ts';
import type { Part } from './counting-store.ts';

const units: readonly { readonly grain: Part['grain']; readonly ms: number }[] = [
  { grain: 'day', ms: 96 * quarterMs },
  { grain: 'hour', ms: 4 * quarterMs },
  { grain: 'quarter', ms: quarterMs },
];
const ceilTo = (unitMs: number, ms: number): number => -floorTo(unitMs, -ms);

/** Whole units by their counts, beginning with `coarsest`, what is around them by finer ones, the rest by the visits. */
export function partsOf(fromMs: number, untilMs: number, coarsest: Part['grain']): Part[] {
  const first = units.findIndex(({ grain }) => grain === coarsest);
  return cut(fromMs, untilMs, first < 0 ? [] : units.slice(first));
}

function cut(fromMs: number, untilMs: number, [unit, ...finer]: typeof units): Part[] {
  if (fromMs >= untilMs) return [];
  if (!unit) return [{ grain: 'visit', fromMs, untilMs }];
  const [first, last] = [ceilTo(unit.ms, fromMs), floorTo(unit.ms, untilMs)];
  if (first >= last) return cut(fromMs, untilMs, finer);
  return [
    ...cut(fromMs, first, finer),
    { grain: unit.grain, fromMs: first, untilMs: last },
    ...cut(last, untilMs, finer),
  ];
}
