/** Codes on paper for a user who loses the phone: ten, each works once, only their HMAC is stored. */
import { randomInt } from 'node:crypto';
import type { SecretKey } from '#lib/secrets.ts';

const howMany = 10;
const letters = 10;
/** Without 0, 1, i, l, o and u, which are easy to misread. 30^10 is 49 bits. */
const alphabet = '23456789abcdefghjkmnpqrstvwxyz';

/** Codes as users see them: `abcde-fghjk`. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: howMany }, () => {
    const code = Array.from({ length: letters }, () => alphabet[randomInt(alphabet.length)]);
    return `${code.slice(0, letters / 2).join('')}-${code.slice(letters / 2).join('')}`;
  });
}

/**
 * The hash is keyed, because 49 bits are too few for an unkeyed one: a copy of the database alone holds nothing to
 * compare guesses with.
 */
export function recoveryHash(key: SecretKey, userId: string, typed: string): Buffer {
  return key.sign(`recovery_code:${userId}:${typed.toLowerCase().replace(/[\s-]/g, '')}`);
}
