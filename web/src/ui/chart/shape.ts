/** The outline of a chart in steps as SVG paths. Pure; knows heights, not what they stand for. */

const round = (value: number): number => Math.round(value * 100) / 100;

/**
 * Level over each interval and upright between two, so that nothing is shown before it was counted: `heights` of
 * intervals of the same `width`, from x = 0, in the coordinates of SVG (y goes down).
 */
export function steps(heights: readonly number[], width: number): string {
  return heights
    .map(
      (y, index) =>
        `${index === 0 ? `M0,${round(y)}` : `V${round(y)}`}H${round((index + 1) * width)}`,
    )
    .join('');
}

/** The steps, closed along the ground; nothing without intervals. */
export function area(heights: readonly number[], width: number, ground: number): string {
  if (heights.length === 0) return '';
  return `${steps(heights, width)}V${ground}H0Z`;
}

/** Tops of an axis, of which the half is whole too and people like to read, from 10 on; below, the even ones. */
const tops = [1, 1.2, 1.6, 2, 2.4, 3, 4, 5, 6, 8, 10];

/** The least figure that people like to read on an axis, holds `value`, and whose half is whole. */
export function niceCeiling(value: number): number {
  if (value <= 10) return Math.max(2, 2 * Math.ceil(value / 2));
  const power = 10 ** Math.floor(Math.log10(value));
  return Math.round((tops.find((top) => top * power >= value) ?? 10) * power);
}
