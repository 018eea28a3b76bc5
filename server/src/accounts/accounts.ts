/**
 * Who may come in: users, their passwords, sessions and preferences, and the one-time code of the first
 * run. Decides who somebody is; what they may see of cameras and people is decided where those live.
 */
import type { FirstAdministrator } from '@nazar/contract/setup.ts';
import type { Login, Preferences, User } from '@nazar/contract/accounts.ts';
import type { KeyScope, Standing } from '@nazar/contract/route.ts';
import type { Clock } from '#lib/clock.ts';
import type { Log } from '#lib/log.ts';
import { Problem } from '#lib/problem.ts';
import type { SecretKey } from '#lib/secrets.ts';
import { Topic } from '#lib/topic.ts';
import type { Database } from '#db/database.ts';
import { consoleActor, type Activity, type Actor } from '#activity/activity.ts';
import type { Settings } from '#settings/settings.ts';
import { Admission } from './security/admission.ts';
import { ApiKeys } from './api-keys/api-keys.ts';
import { ApiKeyStore } from './api-keys/store.ts';
import type { Mail } from '#mail/mail.ts';
import { checkPassword } from './passwords/rules.ts';
import { Passwords } from './passwords/passwords.ts';
import { FirstRun } from './users/first-run.ts';
import { Sessions, type Client, type TokenPair } from './sessions/sessions.ts';
import { Provider, type ProviderOptions } from './sign-on/provider.ts';
import { SignIn, type Challenged, type Opened } from './sign-in/sign-in.ts';
import { SignOnStore } from './sign-on/store.ts';
import { SignOn } from './sign-on/sign-on.ts';
import { aboutUser, actorOf } from './record.ts';
import {
  AccountStore,
  type PreferenceRow,
  type Registration as Policy,
  type UserRow,
} from './store.ts';
import { EndedAccounts } from './users/ended-store.ts';
import { LinkStore } from './recovery/link-store.ts';
import { Links } from './recovery/links.ts';
import { KnownNetworkStore } from './throttle/known-network-store.ts';
import { LoginThrottle } from './throttle/login-throttle.ts';
import { LostFactor } from './second-factor/lost-factor.ts';
import { Administration } from './administration/administration.ts';
import { Alerts } from './alerts/alerts.ts';
import { DirectoryStore } from './administration/directory-store.ts';
import { GroupStore } from './groups/store.ts';
import { SeeAs } from './administration/see-as.ts';
import { SeeAsStore } from './administration/see-as-store.ts';
import { UserGroups } from './groups/groups.ts';
import { OwnSecurity } from './security/own-security.ts';
import { SecurityStore } from './security/store.ts';
import { SessionStore } from './sessions/store.ts';
import { SteadyClock } from './sessions/steady-clock.ts';
import { OwnAccount } from './users/own-account.ts';
import { OwnPasskeys } from './passkeys/own-passkeys.ts';
import { PasskeyStore } from './passkeys/store.ts';
import { Passkeys } from './passkeys/passkeys.ts';
import { LoginChallenges } from './second-factor/login-challenges.ts';
import type { AccountParts, Suspicion } from './parts.ts';
import { Proofs } from './proof/proofs.ts';
import { Recovery } from './recovery/recovery.ts';
import { Registration } from './users/registration.ts';
import { SecondFactors } from './second-factor/second-factors.ts';
import { TwoFactorStore } from './second-factor/store.ts';
import { TwoFactor } from './second-factor/two-factor.ts';
import { UserStore } from './users/store.ts';
import { mailWarnings } from './alerts/warning-letters.ts';
import { asUser, newUserRow, standingOf, type NewUser } from './users/users.ts';

export type { Client, Issued, TokenPair } from './sessions/sessions.ts';
export type { Challenged, Entrance, How, Opened } from './sign-in/sign-in.ts';
export type { ProviderOptions } from './sign-on/provider.ts';
export { EndedAccounts } from './users/ended-store.ts';
export { siteOf, type Site } from './site.ts';
export { standingOf, type NewUser } from './users/users.ts';

/** Who a request comes from, before it is known which cameras they may see. */
export interface Identity {
  readonly userId: string;
  readonly email: string;
  readonly sessionId: string;
  readonly standing: Standing;
  /** What an API key is good for, whose id is then the session's; absent: somebody's own session. */
  readonly keyScopes?: ReadonlySet<KeyScope>;
}

export interface AccountsOptions {
  readonly db: Database;
  readonly activity: Activity;
  readonly settings: Pick<Settings, 'get'>;
  /** What is kept sealed here is sealed under it. */
  readonly key: SecretKey;
  readonly clock: Clock;
  readonly log: Log;
  /** Who may register; null or absent: what the first-run wizard was told. */
  readonly registration?: Policy | null;
  readonly mail: Mail;
  /** Where people reach this installation; null or absent: nobody said. */
  readonly publicUrl?: string | null;
  /** Where else people may sign in; null or absent: nowhere. */
  readonly provider?: ProviderOptions | null;
}

export class Accounts implements AsyncDisposable {
  /** Ids of sessions that ended: their tickets and streams end too (C-111, C-205). */
  readonly sessionEnded: Topic<{ readonly sessionId: string }>;
  /** Somebody may be using what is another's (C-808). */
  readonly suspected: Topic<Suspicion>;
  readonly signIn: SignIn;
  readonly signOn: SignOn;
  readonly twoFactor: TwoFactor;
  readonly passkeys: Passkeys;
  readonly ownPasskeys: OwnPasskeys;
  readonly proofs: Proofs;
  readonly registration: Registration;
  readonly recovery: Recovery;
  readonly lostFactor: LostFactor;
  readonly alerts: Alerts;
  readonly own: OwnAccount;
  readonly security: OwnSecurity;
  readonly keys: ApiKeys;
  readonly administration: Administration;
  readonly ended: EndedAccounts;
  readonly groups: UserGroups;
  readonly seeAs: SeeAs;
  readonly #firstRun: FirstRun;
  readonly #challenges: LoginChallenges;
  readonly #store: AccountStore;
  readonly #passwords = new Passwords();
  readonly #sessions: Sessions;
  readonly #throttle: LoginThrottle;
  readonly #links: Links;
  readonly #activity: Activity;
  readonly #clock: Clock;

  constructor(options: AccountsOptions) {
    const { db, activity, settings, key, clock, log } = options;
    const { registration = null, mail, publicUrl = null } = options;
    this.#activity = activity;
    this.#store = new AccountStore(db);
    const lives = new SessionStore(db);
    const time = new SteadyClock(lives, clock);
    const security = new SecurityStore(db);
    const admission = new Admission(settings, security);
    this.#sessions = new Sessions({
      store: this.#store,
      lives,
      time,
      admission,
      stolen: async (tx, session, client) => {
        const actor = actorOf(client, null, session.id);
        await activity.record(tx, aboutUser('account.session_stolen', actor, session.user_id));
        this.suspected.publish({ kind: 'session_stolen', userId: session.user_id });
      },
    });
    this.#links = new Links({ store: new LinkStore(db), mail, publicUrl });
    this.#throttle = new LoginThrottle({
      store: this.#store,
      known: new KnownNetworkStore(db),
      clock,
      activity,
    });
    this.#clock = clock;
    this.suspected = new Topic((error) => log.error({ err: error }, 'reader of suspected failed'));
    this.sessionEnded = new Topic((error) =>
      log.error({ err: error }, 'reader of sessionEnded failed'),
    );
    const parts: AccountParts = {
      store: this.#store,
      users: new UserStore(db),
      passwords: this.#passwords,
      sessions: this.#sessions,
      throttle: this.#throttle,
      links: this.#links,
      activity,
      clock,
      time,
      settings,
      admission,
      security,
      keys: new ApiKeyStore(db),
      suspect: (suspicion) => this.suspected.publish(suspicion),
      ended: (ids) => ids.forEach((sessionId) => this.sessionEnded.publish({ sessionId })),
    };
    const factorStore = new TwoFactorStore(db);
    const passkeyStore = new PasskeyStore(db);
    this.passkeys = new Passkeys(db, passkeyStore, key, clock);
    const factorParts = { parts, store: factorStore, key, passkeys: this.passkeys, passkeyStore };
    const factors = new SecondFactors(factorParts);
    const signOnStore = new SignOnStore(db);
    const { passkeys } = this;
    const provider = options.provider ?? null;
    this.proofs = new Proofs({ parts, passkeys, passkeyStore, signOnStore, provider });
    this.twoFactor = new TwoFactor(factors, this.proofs, factorParts);
    const { twoFactor, proofs } = this;
    this.ownPasskeys = new OwnPasskeys({ parts, passkeyStore, passkeys, twoFactor, proofs });
    this.#challenges = new LoginChallenges(factorStore, clock);
    this.signIn = new SignIn(parts, factors, this.#challenges, this.passkeys);
    this.signOn = new SignOn({
      parts,
      signIn: this.signIn,
      proofs,
      store: signOnStore,
      provider: options.provider ? new Provider(options.provider) : null,
      log,
    });
    this.#firstRun = new FirstRun(parts, this.signIn);
    this.registration = new Registration(parts, registration);
    this.recovery = new Recovery(parts, log);
    this.lostFactor = new LostFactor(parts, factorStore, passkeyStore);
    this.alerts = new Alerts(activity, mail, publicUrl);
    mailWarnings(activity, mail, publicUrl);
    this.own = new OwnAccount(parts, proofs);
    this.security = new OwnSecurity(parts);
    this.keys = new ApiKeys(parts, proofs);
    this.administration = new Administration(parts, new DirectoryStore(db), this);
    this.ended = new EndedAccounts(db);
    this.groups = new UserGroups({ store: new GroupStore(db), activity, clock });
    this.seeAs = new SeeAs({ store: new SeeAsStore(db), activity, clock });
  }

  /** Throws too_many_requests before any hashing, invalid_credentials after it (C-107, C-108). */
  login(form: Login, client: Client): Promise<Opened | Challenged> {
    return this.signIn.withPassword(form, client);
  }

  /** Throws invalid_refresh, and too_many_requests when a network keeps showing tokens that are none. */
  async refresh(refresh: string, client: Client): Promise<TokenPair> {
    const pair = await this.#throttle.lookUp('refresh', client.ip, () =>
      this.#sessions.refresh(refresh, client),
    );
    if (!pair) throw new Problem('invalid_refresh');
    return pair;
  }

  async logout(sessionId: string, actor: Actor): Promise<void> {
    await this.#store.transaction(async (tx) => {
      await this.#sessions.end(tx, sessionId, 'logout');
      await this.#activity.record(tx, aboutUser('account.logout', actor, actor.userId));
    });
    this.sessionEnded.publish({ sessionId });
  }

  /** Who holds this access token. Throws not_signed_in. */
  async identify(access: string, client: Client): Promise<Identity> {
    const { id, user } = await this.#sessions.find(access, client);
    return asIdentity(user, id);
  }

  /**
   * The same for a session or an API key known by its id, e.g. from a ticket, as used from that address; null
   * when it opens nothing any more. Is no deed of anybody's: who only watches is idle.
   */
  async identifySession(sessionId: string, ip: string): Promise<Identity | null> {
    const found = await this.#sessions.findById(sessionId, ip);
    return found ? asIdentity(found.user, sessionId) : this.keys.identifyById(sessionId, ip);
  }

  async me(userId: string): Promise<User> {
    const user = await this.#store.userById(userId);
    if (!user) throw new Problem('not_signed_in');
    return asUser(user);
  }

  async preferences(userId: string): Promise<Preferences> {
    return asPreferences(await this.#store.preferences(userId));
  }

  async changePreferences(userId: string, change: Partial<Preferences>): Promise<Preferences> {
    await this.#store.savePreferences(userId, change);
    return this.preferences(userId);
  }

  /** Throws email_taken and the password problems. */
  async createUser(user: NewUser, actor: Actor = consoleActor): Promise<User> {
    const row = await this.#newUserRow(user);
    const added = await this.#store.transaction(async (tx) => {
      if (!(await this.#store.addUser(tx, row))) return false;
      const created = aboutUser('account.created', actor, row.id);
      await this.#activity.record(tx, { ...created, details: { role: row.role } });
      return true;
    });
    if (!added) throw new Problem('email_taken', { field: 'email' });
    return asUser(row);
  }

  /** A new password set from the console; every session of that user ends. */
  async resetPassword(email: string, password: string): Promise<void> {
    const user = await this.#store.userByEmail(email.toLowerCase());
    if (!user) throw new Problem('user_not_found', { email });
    checkPassword(password, user);
    const hash = await this.#passwords.hash(password);
    const ended = await this.#store.transaction(async (tx) => {
      await this.#store.setPassword(tx, user.id, hash);
      await this.#links.revoke(tx, user.id);
      await this.#activity.record(tx, aboutUser('account.password_reset', consoleActor, user.id));
      return this.#sessions.endAll(tx, user.id, 'password');
    });
    await this.#throttle.forgive(user.email);
    for (const sessionId of ended) this.sessionEnded.publish({ sessionId });
  }

  /** True until the first administrator exists. */
  awaitsSetup(): Promise<boolean> {
    return this.#firstRun.isAwaited();
  }

  newSetupCode(): Promise<string> {
    return this.#firstRun.newCode();
  }

  /** The first administrator, for whoever holds the code: it works once (C-101). */
  setUp(first: FirstAdministrator, client: Client): Promise<Opened> {
    return this.#firstRun.setUp(first, client);
  }

  /** Housekeeping: tokens, challenges and links that expired are of no use to anybody. */
  async deleteExpiredTokens(): Promise<void> {
    await this.#store.deleteExpiredTokens(this.#now());
    await this.#challenges.deleteExpired();
    await this.passkeys.deleteExpired();
    await this.#links.deleteExpired(this.#now());
    await this.signOn.deleteExpired(this.#now());
  }

  /** Waits for the letters that were asked for. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.recovery.settled();
  }

  /** Housekeeping: who has not been here for too long has no session any more, asked for or not. */
  async endOverdueSessions(): Promise<void> {
    for (const sessionId of await this.#sessions.endOverdue()) {
      this.sessionEnded.publish({ sessionId });
    }
  }

  #newUserRow(user: NewUser): Promise<UserRow> {
    return newUserRow(user, this.#passwords, this.#clock.now());
  }

  #now(): Date {
    return new Date(this.#clock.now());
  }
}

function asIdentity(user: UserRow, sessionId: string): Identity {
  return { userId: user.id, email: user.email, sessionId, standing: standingOf(user) };
}

function asPreferences(row: PreferenceRow | undefined): Preferences {
  return {
    language: row?.language ?? null,
    theme: row?.theme ?? null,
    avatar_color: row?.avatar_color ?? null,
    sidebar_collapsed: row?.sidebar_collapsed ?? false,
    cameras_view: row?.cameras_view ?? 'grid',
    faces_view: row?.faces_view ?? 'grid',
  };
}
