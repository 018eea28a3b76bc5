/** What the parts of accounts share: one hashing queue and one limiter, however a password is asked for (C-105). */
import type { Clock } from '#lib/clock.ts';
import type { LoginThrottle } from './login-throttle.ts';
import type { Passwords } from './passwords.ts';
import type { Sessions } from './sessions.ts';
import type { AccountStore } from './store.ts';
import type { UserStore } from './user-store.ts';

export interface AccountParts {
  readonly store: AccountStore;
  readonly users: UserStore;
  readonly passwords: Passwords;
  readonly sessions: Sessions;
  readonly throttle: LoginThrottle;
  readonly clock: Clock;
  /** Tells that sessions ended: their tickets and streams end too. */
  readonly ended: (sessionIds: readonly string[]) => void;
}
