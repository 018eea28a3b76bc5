/** How a stretch of time is cut into parts, each counted by the coarsest counts that are exact for it. Pure. */
import { floorTo, quarterMs } from './buckets.ts';
import type { Part } from './counting-store.ts';

const hourMs = 4 * quarterMs;
const ceilTo = (unitMs: number, ms: number): number => -floorTo(unitMs, -ms);

/** Whole hours by hours (unless they are too coarse), whole quarters by quarters, the rest by the visits themselves. */
export function partsOf(fromMs: number, untilMs: number, byHours: boolean): Part[] {
  const [quartersFrom, quartersUntil] = [ceilTo(quarterMs, fromMs), floorTo(quarterMs, untilMs)];
  const [hoursFrom, hoursUntil] = [ceilTo(hourMs, fromMs), floorTo(hourMs, untilMs)];
  const hours = byHours && hoursFrom < hoursUntil;
  const cuts: Part[] =
    quartersFrom > quartersUntil
      ? [{ grain: 'visit', fromMs, untilMs }]
      : [
          { grain: 'visit', fromMs, untilMs: quartersFrom },
          ...(hours
            ? ([
                { grain: 'quarter', fromMs: quartersFrom, untilMs: hoursFrom },
                { grain: 'hour', fromMs: hoursFrom, untilMs: hoursUntil },
                { grain: 'quarter', fromMs: hoursUntil, untilMs: quartersUntil },
              ] as const)
            : ([{ grain: 'quarter', fromMs: quartersFrom, untilMs: quartersUntil }] as const)),
          { grain: 'visit', fromMs: quartersUntil, untilMs },
        ];
  return cuts.filter((part) => part.fromMs < part.untilMs);
}
