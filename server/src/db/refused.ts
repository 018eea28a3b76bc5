/**
 * Why the database refused a row, as far as a caller did it: so that the check and the row it is for
 * cannot disagree, as they could when one were asked before the other.
 */

/** The foreign key whose target is not there; null for every other error. */
export function missingTarget(error: unknown): string | null {
  return codeOf(error) === '23503' ? ((error as { constraint?: string }).constraint ?? '') : null;
}

/** Something unique is taken already. */
export const isTaken = (error: unknown): boolean => codeOf(error) === '23505';

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : null;
}
