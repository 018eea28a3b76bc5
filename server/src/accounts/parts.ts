/** What the parts of accounts share: one hashing queue and one limiter, however a password is asked for (C-105). */
import type { Activity } from '#activity/activity.ts';
import type { Settings } from '#settings/settings.ts';
import type { Clock } from '#lib/clock.ts';
import type { Admission } from './security/admission.ts';
import type { ApiKeyStore } from './api-keys/store.ts';
import type { Links } from './recovery/links.ts';
import type { LoginThrottle } from './throttle/login-throttle.ts';
import type { Passwords } from './passwords/passwords.ts';
import type { SecurityStore } from './security/store.ts';
import type { Sessions } from './sessions/sessions.ts';
import type { SteadyClock } from './sessions/steady-clock.ts';
import type { AccountStore } from './store.ts';
import type { UserStore } from './users/store.ts';

export interface Suspicion {
  readonly kind: 'session_stolen' | 'key_new_address';
  readonly userId: string;
}

export interface AccountParts {
  readonly store: AccountStore;
  readonly users: UserStore;
  readonly passwords: Passwords;
  readonly sessions: Sessions;
  readonly throttle: LoginThrottle;
  readonly links: Links;
  readonly activity: Activity;
  readonly clock: Clock;
  /** What lives and ends of sessions and keys is judged by this time (C-210). */
  readonly time: SteadyClock;
  readonly settings: Pick<Settings, 'get'>;
  readonly admission: Admission;
  readonly security: SecurityStore;
  readonly keys: ApiKeyStore;
  /** Tells that somebody may be using what is another's. */
  readonly suspect: (suspicion: Suspicion) => void;
  /** Tells that sessions ended: their tickets and streams end too. */
  readonly ended: (sessionIds: readonly string[]) => void;
}
