/** The identity of a caller, as the parts of accounts pass it to one another. Types only. */
import type { KeyScope, Standing } from '@nazar/contract/route.ts';

/** The sender of a request, before it is known which cameras they may see. */
export interface Identity {
  readonly userId: string;
  readonly email: string;
  readonly sessionId: string;
  readonly standing: Standing;
  /** The scopes of an API key, whose id is then the session's; absent: a user's own session. */
  readonly keyScopes?: ReadonlySet<KeyScope>;
}

/** How a user proved who they are; the activity log stores it. */
export type How = 'password' | 'totp' | 'recovery' | 'passkey' | 'oidc';
