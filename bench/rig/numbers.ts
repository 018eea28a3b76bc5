/** The few figures that stand for many measurements. */
export interface Spread {
  readonly n: number;
  readonly min: number;
  readonly p50: number;
  readonly p95: number;
  readonly max: number;
}

export function spreadOf(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (part: number): number => sorted[Math.round(part * (sorted.length - 1))] ?? NaN;
  return { n: sorted.length, min: at(0), p50: at(0.5), p95: at(0.95), max: at(1) };
}

export const whole = (value: number): string => (Number.isNaN(value) ? '-' : value.toFixed(0));
export const tenth = (value: number): string => (Number.isNaN(value) ? '-' : value.toFixed(1));

/** How much a value grows for each unit of x, by least squares. */
export function slopeOf(points: readonly (readonly [x: number, value: number])[]): number {
  const mean = (at: 0 | 1): number => points.reduce((sum, one) => sum + one[at], 0) / points.length;
  const [meanX, meanValue] = [mean(0), mean(1)];
  const covariance = points.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanValue), 0);
  return covariance / points.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
}
