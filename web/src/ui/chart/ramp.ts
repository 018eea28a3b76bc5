/** The steps of a heatmap's colours: 0 for nothing, then 1 to `steps` up to the largest value. Pure. */
export const steps = 6;

/** Against the largest value, which counts as 1 at least. */
export function stepOf(value: number, largest: number): number {
  if (value <= 0) return 0;
  return Math.min(steps, Math.ceil((value / Math.max(1, largest)) * steps));
}

/** How much of the recognized colour is mixed into the surface, per cent: the last step is the colour itself. */
export const mixOf = (step: number): number => Math.round((step / steps) * 100);
