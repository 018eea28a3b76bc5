/**
 * Signing in: users, their passwords, sessions and preferences, and the one-time code of the first run.
 * This module identifies a caller; the modules of cameras and people decide what the caller may see.
 */
import type { FirstAdministrator } from '@nazar/contract/setup.ts';
import type { Login, User } from '@nazar/contract/accounts.ts';
import type { Standing } from '@nazar/contract/route.ts';
import type { Log } from '#lib/log.ts';
import { Problem } from '#lib/problem.ts';
import type { SecretKey } from '#lib/secrets.ts';
import { Topic } from '#lib/topic.ts';
import { consoleActor, type Actor } from '#activity/activity.ts';
import { ApiKeys } from './api-keys/api-keys.ts';
import { checkPassword } from './passwords/rules.ts';
import { FirstRun } from './users/first-run.ts';
import { FirstRunStore } from './users/first-run-store.ts';
import { OwnPreferences } from './users/preferences.ts';
import type { Client, TokenPair, UsedSession } from './sessions/sessions.ts';
import { Provider, type ProviderOptions } from './sign-on/provider.ts';
import { SignIn, type Challenged, type Opened } from './sign-in/sign-in.ts';
import { SignOnStore } from './sign-on/store.ts';
import { SignOn } from './sign-on/sign-on.ts';
import { aboutUser } from './log-entry.ts';
import { takeAllowance, type Allowance } from './throttle/allowance.ts';
import type { UserRow } from './store.ts';
import { EndedAccounts } from './users/ended-store.ts';
import { LostFactor } from './second-factor/lost-factor.ts';
import { Administration } from './administration/administration.ts';
import { EventChanges } from './security-emails/event-changes.ts';
import { SecurityEmails } from './security-emails/security-emails.ts';
import { Directory } from './administration/directory.ts';
import { DirectoryStore } from './administration/directory-store.ts';
import { SeeAs } from './administration/see-as.ts';
import { SeeAsStore } from './administration/see-as-store.ts';
import { UserGroups } from './groups/groups.ts';
import { OwnSecurity } from './security/own-security.ts';
import { OwnAccount } from './users/own-account.ts';
import { OwnPasskeys } from './passkeys/own-passkeys.ts';
import { PasskeyStore } from './passkeys/store.ts';
import { Passkeys } from './passkeys/passkeys.ts';
import { LoginChallenges } from './second-factor/login-challenges.ts';
import { makeParts, type AccountParts, type PartsOptions, type Suspicion } from './parts.ts';
import { Proofs } from './proof/proofs.ts';
import { Recovery } from './recovery/recovery.ts';
import { Registration } from './users/registration.ts';
import { SecondFactors } from './second-factor/second-factors.ts';
import { TwoFactorStore } from './second-factor/store.ts';
import { TwoFactor } from './second-factor/two-factor.ts';
import type { ActiveAccount, Registration as Policy } from './users/store.ts';
import { mailWarnings } from './security-emails/warning-emails.ts';
import { asUser, newUserRow, standingOf, type NewUser } from './users/users.ts';
import type { Identity } from './identity.ts';

export type { Client, Issued, TokenPair } from './sessions/sessions.ts';
export type { Challenged, Entrance, Opened } from './sign-in/sign-in.ts';
export type { HashCost } from './passwords/passwords.ts';
export type { How } from './identity.ts';
export type { Identity } from './identity.ts';
export type { ProviderOptions } from './sign-on/provider.ts';
export { parseRoleMap } from './sign-on/role-map.ts';
export { EndedAccounts } from './users/ended-store.ts';
export type { ActiveAccount } from './users/store.ts';
export type { AccountEvent, EventChanges } from './security-emails/event-changes.ts';
export { siteOf, type Site } from './site.ts';
export { standingOf, type NewUser } from './users/users.ts';

export interface AccountsOptions extends PartsOptions {
  /** Secrets of accounts are sealed under this key. */
  readonly key: SecretKey;
  readonly log: Log;
  /** The registration policy; null or absent: the one chosen in the first-run wizard. */
  readonly registration?: Policy | null;
  /** An identity provider where users may sign in as well; null or absent: none. */
  readonly provider?: ProviderOptions | null;
}

export class Accounts implements AsyncDisposable {
  /** Ids of sessions that ended: their tickets and streams end too. */
  readonly sessionEnded: Topic<{ readonly sessionId: string }>;
  /** Another person may be using an account. */
  readonly suspected: Topic<Suspicion>;
  readonly preferences: OwnPreferences;
  readonly signIn: SignIn;
  readonly signOn: SignOn;
  readonly twoFactor: TwoFactor;
  readonly passkeys: Passkeys;
  readonly ownPasskeys: OwnPasskeys;
  readonly proofs: Proofs;
  readonly registration: Registration;
  readonly recovery: Recovery;
  readonly lostFactor: LostFactor;
  readonly securityEmails: SecurityEmails;
  readonly eventChanges: EventChanges;
  readonly own: OwnAccount;
  readonly security: OwnSecurity;
  readonly keys: ApiKeys;
  readonly directory: Directory;
  readonly administration: Administration;
  readonly ended: EndedAccounts;
  readonly groups: UserGroups;
  readonly seeAs: SeeAs;
  readonly #firstRun: FirstRun;
  readonly #challenges: LoginChallenges;
  readonly #parts: AccountParts;

  constructor(options: AccountsOptions) {
    const { db, activity, key, clock, log } = options;
    const { registration = null, mail, publicUrl = null, provider = null } = options;
    this.suspected = new Topic((error) => log.error({ err: error }, 'reader of suspected failed'));
    this.sessionEnded = new Topic((error) =>
      log.error({ err: error }, 'reader of sessionEnded failed'),
    );
    const parts = makeParts(options, {
      suspect: (suspicion) => this.suspected.publish(suspicion),
      ended: (ids) => ids.forEach((sessionId) => this.sessionEnded.publish({ sessionId })),
    });
    this.#parts = parts;
    this.preferences = new OwnPreferences(parts.preferences);
    const factorStore = new TwoFactorStore(db);
    const passkeyStore = new PasskeyStore(db);
    this.passkeys = new Passkeys(db, passkeyStore, key, clock);
    const factorParts = { parts, store: factorStore, key, passkeys: this.passkeys, passkeyStore };
    const factors = new SecondFactors(factorParts);
    const signOnStore = new SignOnStore(db);
    const { passkeys } = this;
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
      provider: provider && new Provider(provider),
      log,
    });
    this.#firstRun = new FirstRun(parts, new FirstRunStore(db), this.signIn);
    this.registration = new Registration(parts, registration);
    this.recovery = new Recovery(parts, log);
    this.lostFactor = new LostFactor(parts, factorStore, passkeyStore);
    this.securityEmails = new SecurityEmails(activity, mail, publicUrl);
    this.eventChanges = new EventChanges(activity);
    mailWarnings(activity, mail, publicUrl);
    this.own = new OwnAccount(parts, proofs);
    this.security = new OwnSecurity(parts);
    this.keys = new ApiKeys(parts, proofs);
    this.directory = new Directory(parts, new DirectoryStore(db));
    this.administration = new Administration(parts, this.directory, this);
    this.ended = new EndedAccounts(db);
    this.groups = new UserGroups({ db, activity, clock });
    this.seeAs = new SeeAs({ store: new SeeAsStore(db), activity, clock });
  }

  /** Throws too_many_requests before any hashing, invalid_credentials after it. */
  login(form: Login, client: Client): Promise<Opened | Challenged> {
    return this.signIn.withPassword(form, client);
  }

  /** Throws invalid_refresh, and too_many_requests when a network keeps sending invalid tokens. */
  async refresh(refresh: string, client: Client): Promise<TokenPair> {
    const pair = await this.#parts.throttle.lookUp('refresh', client.ip, () =>
      this.#parts.sessions.refresh(refresh, client),
    );
    if (!pair) throw new Problem('invalid_refresh');
    return pair;
  }

  async logout(sessionId: string, actor: Actor): Promise<void> {
    await this.#parts.store.transaction(async (tx) => {
      await this.#parts.sessions.end(tx, sessionId, 'logout');
      await this.#parts.activity.record(tx, aboutUser('account.logout', actor, actor.userId));
    });
    this.sessionEnded.publish({ sessionId });
  }

  /** The user of this access token. Throws not_signed_in. */
  async identify(access: string, client: Client): Promise<Identity> {
    const { id, user } = await this.#parts.sessions.find(access, client);
    return asIdentity(user, id);
  }

  /**
   * The same for a session or an API key known by its id, e.g. from a ticket, as used from that address; null
   * when it has ended. This is not activity: a user who only watches is idle.
   */
  async identifySession(sessionId: string, ip: string): Promise<Identity | null> {
    return (await this.identifyEach([{ sessionId, ip }]))[0] ?? null;
  }

  /** The same for many, in their order; sessions are read together. */
  async identifyEach(asked: readonly UsedSession[]): Promise<(Identity | null)[]> {
    const found = await this.#parts.sessions.findEach(asked);
    const identities = asked.map(async ({ sessionId, ip }, nth) => {
      const session = found[nth];
      return session ? asIdentity(session.user, sessionId) : this.keys.identifyById(sessionId, ip);
    });
    return Promise.all(identities);
  }

  async me(userId: string): Promise<User> {
    const user = await this.#parts.store.userById(userId);
    if (!user) throw new Problem('not_signed_in');
    return asUser(user);
  }

  /** The standings of these accounts, or their last ones if they ended; accounts that never existed are absent. */
  standingsOf(userIds: readonly string[]): Promise<Map<string, Standing>> {
    return this.#parts.users.standingsOf(userIds);
  }

  /** Counts a request that another module limits; the ms to wait, 0 if it is allowed. `key` begins with its kind. */
  takeAllowance(key: string, allowance: Allowance): Promise<number> {
    return takeAllowance(this.#parts, key, allowance);
  }

  /** All accounts that may sign in. */
  active(): Promise<ActiveAccount[]> {
    return this.#parts.users.active();
  }

  /** Throws email_taken and the password problems. */
  async createUser(user: NewUser, actor: Actor = consoleActor): Promise<User> {
    const row = await this.#newUserRow(user);
    const added = await this.#parts.store.transaction(async (tx) => {
      if (!(await this.#parts.store.addUser(tx, row))) return false;
      const created = aboutUser('account.created', actor, row.id);
      await this.#parts.activity.record(tx, { ...created, details: { role: row.role } });
      return true;
    });
    if (!added) throw new Problem('email_taken', { field: 'email' });
    return asUser(row);
  }

  /** Sets a new password from the console; every session of that user ends. */
  async resetPassword(email: string, password: string): Promise<void> {
    const user = await this.#parts.store.userByEmail(email.toLowerCase());
    if (!user) throw new Problem('user_not_found', { email });
    checkPassword(password, user);
    const hash = await this.#parts.passwords.hash(password);
    const ended = await this.#parts.store.transaction(async (tx) => {
      await this.#parts.store.setPassword(tx, user.id, hash);
      await this.#parts.links.revoke(tx, user.id);
      await this.#parts.activity.record(
        tx,
        aboutUser('account.password_reset', consoleActor, user.id),
      );
      return this.#parts.sessions.endAll(tx, user.id, 'password');
    });
    await this.#parts.throttle.forgive(user.email);
    for (const sessionId of ended) this.sessionEnded.publish({ sessionId });
  }

  /** True until the first administrator exists. */
  awaitsSetup(): Promise<boolean> {
    return this.#firstRun.isAwaited();
  }

  newSetupCode(): Promise<string> {
    return this.#firstRun.newCode();
  }

  /** Creates the first administrator for a caller who has the code, which works once. */
  setUp(first: FirstAdministrator, client: Client): Promise<Opened> {
    return this.#firstRun.setUp(first, client);
  }

  /** Housekeeping: deletes tokens, challenges and links that expired. */
  async deleteExpiredTokens(): Promise<void> {
    await this.#parts.sessions.deleteExpiredTokens(this.#now());
    await this.#parts.counts.deleteForgotten(this.#now());
    await this.#challenges.deleteExpired();
    await this.passkeys.deleteExpired();
    await this.#parts.links.deleteExpired(this.#now());
    await this.signOn.deleteExpired(this.#now());
  }

  /** Waits until requested emails are queued. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.recovery.settled();
  }

  /** Housekeeping: ends sessions that were idle for too long, whether or not they are used again. */
  async endOverdueSessions(): Promise<void> {
    for (const sessionId of await this.#parts.sessions.endOverdue()) {
      this.sessionEnded.publish({ sessionId });
    }
  }

  #newUserRow(user: NewUser): Promise<UserRow> {
    return newUserRow(user, this.#parts.passwords, this.#parts.clock.now());
  }

  #now(): Date {
    return new Date(this.#parts.clock.now());
  }
}

function asIdentity(user: UserRow, sessionId: string): Identity {
  return { userId: user.id, email: user.email, sessionId, standing: standingOf(user) };
}
