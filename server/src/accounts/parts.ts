/** What the parts of accounts share: one hashing queue and one limiter for every check of a password. */
import type { Activity } from '#activity/activity.ts';
import type { Settings } from '#settings/settings.ts';
import type { Database } from '#db/database.ts';
import type { Clock } from '#lib/clock.ts';
import type { Mail } from '#mail/mail.ts';
import { ApiKeyStore } from './api-keys/store.ts';
import { Passwords, type HashCost } from './passwords/passwords.ts';
import { aboutUser, actorOf } from './log-entry.ts';
import { LinkStore } from './recovery/link-store.ts';
import { Links } from './recovery/links.ts';
import { Admission } from './security/admission.ts';
import { SecurityStore } from './security/store.ts';
import { Sessions } from './sessions/sessions.ts';
import { SteadyClock } from './sessions/steady-clock.ts';
import { SessionStore } from './sessions/store.ts';
import { TokenStore } from './sessions/token-store.ts';
import { AccountStore } from './store.ts';
import { KnownNetworkStore } from './throttle/known-network-store.ts';
import { LoginThrottle } from './throttle/login-throttle.ts';
import { ThrottleStore } from './throttle/store.ts';
import { PreferenceStore } from './users/preference-store.ts';
import { UserStore } from './users/store.ts';

export interface Suspicion {
  readonly kind: 'session_stolen' | 'key_new_address';
  readonly userId: string;
}

export interface AccountParts {
  readonly store: AccountStore;
  readonly users: UserStore;
  readonly preferences: PreferenceStore;
  readonly passwords: Passwords;
  readonly sessions: Sessions;
  readonly throttle: LoginThrottle;
  /** Counts of failures and of requests. */
  readonly counts: ThrottleStore;
  readonly links: Links;
  readonly activity: Activity;
  readonly clock: Clock;
  /** The time that the lifetimes of sessions and keys use. */
  readonly time: SteadyClock;
  readonly settings: Pick<Settings, 'get'>;
  readonly admission: Admission;
  readonly security: SecurityStore;
  readonly keys: ApiKeyStore;
  /** Reports that another person may be using an account. */
  readonly suspect: (suspicion: Suspicion) => void;
  /** Reports ended sessions: their tickets and streams end too. */
  readonly ended: (sessionIds: readonly string[]) => void;
}

export interface PartsOptions {
  readonly db: Database;
  readonly activity: Activity;
  readonly settings: Pick<Settings, 'get'>;
  readonly clock: Clock;
  readonly mail: Mail;
  /** The public address of this installation; null or absent: not configured. */
  readonly publicUrl?: string | null;
  /** The cost of new password hashes; absent: the full cost. */
  readonly hashCost?: HashCost | undefined;
}

export function makeParts(
  { db, activity, settings, clock, mail, publicUrl = null, hashCost }: PartsOptions,
  callbacks: Pick<AccountParts, 'suspect' | 'ended'>,
): AccountParts {
  const store = new AccountStore(db);
  const sessionStore = new SessionStore(db, store);
  const security = new SecurityStore(db);
  const time = new SteadyClock(sessionStore, clock);
  const admission = new Admission(settings, security);
  const counts = new ThrottleStore(db);
  const known = new KnownNetworkStore(db);
  return {
    ...callbacks,
    store,
    counts,
    time,
    admission,
    security,
    activity,
    clock,
    settings,
    users: new UserStore(db),
    preferences: new PreferenceStore(db),
    passwords: new Passwords(hashCost),
    sessions: new Sessions({
      store: sessionStore,
      tokens: new TokenStore(db, store),
      time,
      admission,
      stolen: async (tx, session, client) => {
        const actor = actorOf(client, null, session.id);
        await activity.record(tx, aboutUser('account.session_stolen', actor, session.user_id));
        callbacks.suspect({ kind: 'session_stolen', userId: session.user_id });
      },
    }),
    throttle: new LoginThrottle({ store: counts, users: store, known, clock, activity }),
    links: new Links({ store: new LinkStore(db), mail, publicUrl }),
    keys: new ApiKeyStore(db),
  };
}
