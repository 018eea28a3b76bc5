/** What a line of the matrix of rights says, and what bodies of requests are filled with. */
import type { KeyScope } from '@nazar/contract/route.ts';
import { testPassword } from '../server.ts';

/** The caller of a route: what a body may need of them. */
export interface Caller {
  readonly id: string;
  readonly email: string;
  readonly refresh: string;
}

export type Made = Readonly<Record<string, string>>;

export interface Ask {
  /** What the route is about; its ids fill the parameters of the path and of `query`. */
  readonly of?: ObjectKind;
  readonly query?: string;
  readonly body?: object | ((caller: Caller, made: Made) => object);
  /** What an admitted caller is answered, where it is not the route's own status: a status or a code. */
  readonly ok?: number | string;
  /** What is answered about another user's object; else 404, the same as about what does not exist. */
  readonly foreign?: 403;
  /** The call ends the session or the account: a new user makes it each time. */
  readonly spends?: true;
}

export interface MatrixRow {
  readonly resource: string;
  readonly cells: string;
  /** The scope with which an API key is answered here as its owner is; absent: no key gets here (C-118). */
  readonly key?: KeyScope;
  readonly routes: Readonly<Record<string, Ask | readonly Ask[]>>;
}

export const newPassword = 'another-horse-8-staple';
export const proof = { password: testPassword, code: 'x' };
export const aPerson = { first_name: 'Ayla', last_name: 'Example' };
/** What every proof of a passkey says of itself. */
export const aCredential = {
  id: 'AA',
  rawId: 'AA',
  type: 'public-key',
  clientExtensionResults: {},
};
/** One page with everything. */
export const everything = '?page_size=1000';

let taken = 0;
/** An address that no account has yet. */
export const anEmail = (): string => `matrix-${(taken += 1)}@example.org`;

export type ObjectKind =
  | 'camera'
  | 'camera group'
  | 'saved search'
  | 'wall layout'
  | 'shared wall layout'
  | 'grant'
  | 'person'
  | 'recording'
  | 'segment'
  | 'hold'
  | 'bookmark'
  | 'export'
  | 'visit'
  | 'day of a visit'
  | 'named visit'
  | 'corrected visit'
  | 'unknown face'
  | 'identified face'
  | 'unknown faces'
  | 'session'
  | 'passkey'
  | 'API key'
  | 'log entry'
  | 'verification'
  | 'system log entry'
  | 'warning'
  | 'alert'
  | 'alert rule'
  | 'push device'
  | 'webhook'
  | 'webhook delivery'
  | 'notification'
  | 'snooze'
  | 'user group'
  | UserKind;

/** `user`: the owner. `oneself`: the caller, regardless of the owner. */
type UserKind =
  'user' | 'user with entries' | 'oneself' | 'other user' | 'other user session' | 'new user';
