/**
 * Opaque tokens: 256 random bits, of which only the SHA-256 is stored. The prefix says what a token
 * is for, so that one kind is never accepted as another, and scanners can find a leaked one.
 */
import { createHash, randomBytes } from 'node:crypto';

export const tokenKinds = {
  access: 'nza',
  refresh: 'nzr',
  cookie: 'nzc',
  challenge: 'nzm',
  link: 'nzl',
  key: 'nzk',
  signOn: 'nzo',
  signedOn: 'nzd',
} as const;
export type TokenKind = keyof typeof tokenKinds;

export function newToken(kind: TokenKind): string {
  return `${tokenKinds[kind]}_${randomBytes(32).toString('base64url')}`;
}

/** The stored hash of a token; null if the text is not a token of that kind. */
export function tokenHash(token: string, kind: TokenKind): Buffer | null {
  if (!new RegExp(`^${tokenKinds[kind]}_[\\w-]{43}$`).test(token)) return null;
  return createHash('sha256').update(token).digest();
}
