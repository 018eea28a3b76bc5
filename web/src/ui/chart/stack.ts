/** Values put one on another: where each piece begins and ends, as shares of the whole. Pure. */
export interface Piece {
  readonly from: number;
  readonly until: number;
}

/** Shares of `whole`, which is at least 1 so that nothing is divided by zero. */
export function stacked(values: readonly number[], whole: number): Piece[] {
  const unit = Math.max(1, whole);
  let sum = 0;
  return values.map((value) => {
    const from = sum / unit;
    sum += value;
    return { from, until: sum / unit };
  });
}
