export interface Choice {
  readonly value: string;
  readonly label: string;
}

/** What is chosen stays an option, though it may be none of those that were found. */
export const withChosen = (
  choices: readonly Choice[],
  chosen: string | undefined,
  label: string,
): Choice[] =>
  chosen === undefined || choices.some(({ value }) => value === chosen)
    ? [...choices]
    : [...choices, { value: chosen, label }];
