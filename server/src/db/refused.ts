/**
 * Why the database refused a row, where the caller caused it: so that the check and the row it is for
 * cannot disagree, as they could if the check ran before the insert.
 */

/** The foreign key whose target does not exist; null for every other error. */
export function missingTarget(error: unknown): string | null {
  return codeOf(error) === '23503' ? ((error as { constraint?: string }).constraint ?? '') : null;
}

/** A unique value is already taken. */
export const isTaken = (error: unknown): boolean => codeOf(error) === '23505';

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : null;
}
