/** Sums up many values, so that a person sees at a glance how even they are. */
import type { Spread } from '../../protocol/diagnosis-messages.ts';

/** Null when there are no values. */
export function spreadOf(values: readonly number[]): Spread | null {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number): number =>
    tenths(sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0);
  if (sorted.length === 0) return null;
  return { min: at(0), median: at(0.5), p95: at(0.95), max: at(1) };
}

export const tenths = (value: number): number => Math.round(value * 10) / 10;

/** The differences between neighbours. */
export function steps(values: readonly number[]): number[] {
  return values.slice(1).map((value, index) => value - values[index]!);
}
