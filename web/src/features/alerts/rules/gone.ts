/** Cameras and groups that a rule names and that were deleted since. */

export interface Named {
  readonly id: string;
  readonly name: string;
}

/** What there is; `isComplete`: nothing else is. */
export interface Known {
  readonly all: readonly Named[];
  readonly isComplete: boolean;
}

export const goneAmong = (ids: readonly string[], { all, isComplete }: Known): string[] =>
  isComplete ? ids.filter((id) => !all.some((one) => one.id === id)) : [];

/** The choices of a form, and behind them what it named when it was opened and is gone. */
export const withGone = (known: Known, named: readonly string[], goneName: string): Named[] => [
  ...known.all,
  ...goneAmong(named, known).map((id) => ({ id, name: goneName })),
];
