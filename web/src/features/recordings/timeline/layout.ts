/** Where what lies on a timeline, in CSS pixels from its upper edge. Pure. */
export const rulerPx = 24;
const namePx = 16;
const peoplePx = 18;
const barPx = 18;
const motionPx = 5;
const spacePx = 9;

export interface RowLayout {
  readonly topPx: number;
  /** The upper edge of the names of people, of the spans and of the movement. */
  readonly peoplePx: number;
  readonly barPx: number;
  readonly motionPx: number;
}

export const sizes = { bar: barPx, motion: motionPx, people: peoplePx } as const;

/** Several cameras have their names above. */
const rowPx = (rows: number): number =>
  (rows > 1 ? namePx : 0) + peoplePx + barPx + 2 + motionPx + spacePx;

export const heightPx = (rows: number): number => rulerPx + rows * rowPx(rows);

export function rowLayout(index: number, rows: number): RowLayout {
  const topPx = rulerPx + index * rowPx(rows);
  const people = topPx + (rows > 1 ? namePx : 0);
  const bar = people + peoplePx;
  return { topPx, peoplePx: people, barPx: bar, motionPx: bar + barPx + 2 };
}

/** Which row lies there; the last below it, the first on the ruler. */
export const rowAt = (yPx: number, rows: number): number =>
  Math.min(rows - 1, Math.max(0, Math.floor((yPx - rulerPx) / rowPx(rows))));
