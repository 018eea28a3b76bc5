/** Who a caller is, as the parts of accounts tell one another. Types only. */
import type { KeyScope, Standing } from '@nazar/contract/route.ts';

/** Who a request comes from, before it is known which cameras they may see. */
export interface Identity {
  readonly userId: string;
  readonly email: string;
  readonly sessionId: string;
  readonly standing: Standing;
  /** What an API key is good for, whose id is then the session's; absent: somebody's own session. */
  readonly keyScopes?: ReadonlySet<KeyScope>;
}

/** With what somebody proved who they are; the record keeps it. */
export type How = 'password' | 'totp' | 'recovery' | 'passkey' | 'oidc';
