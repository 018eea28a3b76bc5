/**
 * Which passwords are accepted: at least 8 characters,
 * 12 for administrators, any composition, none of the very common ones.
 */
import { dictionary } from '@zxcvbn-ts/language-common';
import type { Role } from '@nazar/contract/accounts.ts';
import { Problem } from '#lib/problem.ts';

const minLength = 8;
const minLengthPrivileged = 12;
const maxLength = 128;

/**
 * The 3,000 most used passwords that the length rule alone would accept. A longer list would refuse passwords
 * that people have every reason to consider unique.
 */
const common = new Set(
  dictionary['passwords-common'].filter((password) => password.length >= minLength).slice(0, 3000),
);

/** Whether a password is long enough for the account's role, which may have been raised since it was chosen. */
export function fitsRole(password: string, role: Role): boolean {
  const isPrivileged = role === 'admin' || role === 'superadmin';
  return !isPrivileged || Array.from(password.normalize('NFC')).length >= minLengthPrivileged;
}

/** Throws the Problem that says what is wrong, keyed by `field`. */
export function checkPassword(
  password: string,
  { role, email }: { readonly role: Role; readonly email: string },
  field = 'password',
): void {
  // Counted in the form that is hashed: an accent typed as two characters is one.
  const normalized = password.normalize('NFC');
  const length = Array.from(normalized).length;
  if (length < minLength) throw new Problem('password_too_short', { field, min: minLength });
  if (!fitsRole(normalized, role)) {
    throw new Problem('password_too_short_privileged', { field, min: minLengthPrivileged });
  }
  if (length > maxLength) throw new Problem('password_too_long', { field, max: maxLength });
  const plain = normalized.toLowerCase();
  const [name = ''] = email.toLowerCase().split('@');
  if (common.has(plain) || plain === email.toLowerCase() || plain === name) {
    throw new Problem('password_common', { field });
  }
}
