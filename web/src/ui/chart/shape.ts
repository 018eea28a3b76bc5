/** The lines of a chart as SVG paths. Pure; knows dots, not what they stand for. */
export interface Dot {
  readonly x: number;
  readonly y: number;
}

/** Flat at every turn, so that a smooth line never rises above what was counted nor dips below it. */
function slopes(dots: readonly Dot[]): number[] {
  const steps = dots.slice(1).map((dot, index) => {
    const before = dots[index] ?? dot;
    return (dot.y - before.y) / (dot.x - before.x);
  });
  return dots.map((_, index) => {
    const before = steps[index - 1];
    const after = steps[index];
    if (before === undefined || after === undefined) return 0;
    // The harmonic mean is at most twice the smaller slope, which keeps each piece monotone.
    return before * after <= 0 ? 0 : (2 * before * after) / (before + after);
  });
}

const round = (value: number): number => Math.round(value * 100) / 100;

/** A smooth line through every dot. */
export function line(dots: readonly Dot[]): string {
  const slope = slopes(dots);
  return dots
    .map((dot, index) => {
      const before = dots[index - 1];
      if (before === undefined) return `M${round(dot.x)},${round(dot.y)}`;
      const third = (dot.x - before.x) / 3;
      const rise = (slope[index - 1] ?? 0) * third;
      const fall = (slope[index] ?? 0) * third;
      const control = [
        `${round(before.x + third)},${round(before.y + rise)}`,
        `${round(dot.x - third)},${round(dot.y - fall)}`,
        `${round(dot.x)},${round(dot.y)}`,
      ];
      return `C${control.join(' ')}`;
    })
    .join('');
}

/** The line, closed along the ground. */
export function area(dots: readonly Dot[], ground: number): string {
  const [first, last] = [dots[0], dots.at(-1)];
  if (first === undefined || last === undefined) return '';
  return `${line(dots)}L${round(last.x)},${ground}L${round(first.x)},${ground}Z`;
}

/** The next figure that people like to read on an axis, and whose half is whole. */
export function niceCeiling(value: number): number {
  if (value <= 2) return 2;
  const power = 10 ** Math.floor(Math.log10(value));
  const step = [1, 2, 4, 6, 8, 10].find((candidate) => candidate * power >= value) ?? 10;
  return step * power;
}
