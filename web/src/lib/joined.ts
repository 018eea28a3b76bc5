/** Parts of one line, each an island of its own direction: a name from right to left moves no other part. */
import { isolated } from '@nazar/contract/text-direction.ts';

/** Parts that are empty or not there are left out. */
export const joined = (
  parts: readonly (string | null | undefined | false)[],
  separator = ' · ',
): string =>
  parts
    .filter((part) => typeof part === 'string' && part !== '')
    .map((part) => isolated(String(part)))
    .join(separator);
