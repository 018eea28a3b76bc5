/**
 * Who may come in: users, their passwords, sessions and preferences, and the one-time code of the first
 * run. Decides who somebody is; what they may see of cameras and people is decided where those live.
 */
import { createHash, randomBytes } from 'node:crypto';
import type { FirstAdministrator } from '@nazar/contract/setup.ts';
import type { Login, Preferences, User } from '@nazar/contract/accounts.ts';
import type { Standing } from '@nazar/contract/route.ts';
import type { Clock } from '#lib/clock.ts';
import type { Log } from '#lib/log.ts';
import { Problem } from '#lib/problem.ts';
import { Topic } from '#lib/topic.ts';
import type { Database } from '#db/database.ts';
import { consoleActor, type Activity, type Actor } from '#activity/activity.ts';
import { checkPassword } from './password-rules.ts';
import { Passwords } from './passwords.ts';
import { Sessions, type Client, type Issued, type TokenPair } from './sessions.ts';
import { aboutUser, actorOf } from './record.ts';
import {
  AccountStore,
  type PreferenceRow,
  type Registration as Policy,
  type UserRow,
} from './store.ts';
import { LoginThrottle } from './login-throttle.ts';
import { Administration } from './administration.ts';
import { OwnAccount } from './own-account.ts';
import type { AccountParts } from './parts.ts';
import { Registration } from './registration.ts';
import { UserStore } from './user-store.ts';
import { asUser, newUserRow, standingOf, type NewUser } from './users.ts';

export type { Client, Issued, TokenPair } from './sessions.ts';
export { standingOf, type NewUser } from './users.ts';

const setupCodeLifetimeMs = 24 * 60 * 60_000;

/** Who a request comes from, before it is known which cameras they may see. */
export interface Identity {
  readonly userId: string;
  readonly email: string;
  readonly sessionId: string;
  readonly standing: Standing;
}

export interface AccountsOptions {
  readonly db: Database;
  readonly activity: Activity;
  readonly clock: Clock;
  readonly log: Log;
  /** Who may register; null or absent: what the first-run wizard was told. */
  readonly registration?: Policy | null;
}

export class Accounts {
  /** Ids of sessions that ended: their tickets and streams end too (C-111, C-205). */
  readonly sessionEnded: Topic<{ readonly sessionId: string }>;
  readonly registration: Registration;
  readonly own: OwnAccount;
  readonly administration: Administration;
  readonly #store: AccountStore;
  readonly #passwords = new Passwords();
  readonly #sessions: Sessions;
  readonly #throttle: LoginThrottle;
  readonly #activity: Activity;
  readonly #clock: Clock;
  #hasAdministrator = false;

  constructor({ db, activity, clock, log, registration = null }: AccountsOptions) {
    this.#activity = activity;
    this.#store = new AccountStore(db);
    this.#sessions = new Sessions(this.#store, clock);
    this.#throttle = new LoginThrottle(this.#store, clock);
    this.#clock = clock;
    this.sessionEnded = new Topic((error) =>
      log.error({ err: error }, 'reader of sessionEnded failed'),
    );
    const parts: AccountParts = {
      store: this.#store,
      users: new UserStore(db),
      passwords: this.#passwords,
      sessions: this.#sessions,
      throttle: this.#throttle,
      clock,
      ended: (ids) => ids.forEach((sessionId) => this.sessionEnded.publish({ sessionId })),
    };
    this.registration = new Registration(parts, registration);
    this.own = new OwnAccount(parts);
    this.administration = new Administration(parts);
  }

  /** Throws too_many_requests before any hashing, invalid_credentials after it (C-107, C-108). */
  async login(
    { email, password, remember }: Login,
    client: Client,
  ): Promise<Issued & { user: User }> {
    let found: UserRow | undefined;
    const user = await this.#throttle.attempt(email, client.ip, async () => {
      found = await this.#store.userByEmail(email);
      const matches = await this.#passwords.verify(password, found?.password_hash ?? null);
      return found?.is_active && matches ? found : null;
    });
    if (!user) {
      const stranger = actorOf(client, null, null);
      await this.#activity.recordAlone(
        aboutUser('account.login_failed', stranger, found?.id ?? null),
      );
      throw new Problem('invalid_credentials');
    }
    const rehashed = this.#passwords.isOutdated(user.password_hash)
      ? await this.#passwords.hash(password)
      : null;
    const issued = await this.#store.transaction(async (tx) => {
      if (rehashed) await this.#store.setPassword(tx, user.id, rehashed);
      const begun = await this.#sessions.begin(tx, user.id, client, remember);
      const actor = actorOf(client, user.id, begun.sessionId);
      await this.#activity.record(tx, aboutUser('account.login', actor, user.id));
      return begun;
    });
    return { ...issued, user: asUser(user) };
  }

  refresh(refresh: string, client: Client): Promise<TokenPair> {
    return this.#sessions.refresh(refresh, client);
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
    const { session, user } = await this.#sessions.find(access, client);
    return asIdentity(user, session.id);
  }

  /** The same for a session known by its id, e.g. from a ticket; null when it lives no more. */
  async identifySession(sessionId: string): Promise<Identity | null> {
    const found = await this.#sessions.findById(sessionId);
    return found ? asIdentity(found.user, sessionId) : null;
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
      await this.#activity.record(tx, aboutUser('account.password_reset', consoleActor, user.id));
      return this.#sessions.endAll(tx, user.id, 'password');
    });
    await this.#throttle.forgive(user.email);
    for (const sessionId of ended) this.sessionEnded.publish({ sessionId });
  }

  /** True until the first administrator exists; from then on never asked of the database again. */
  async awaitsSetup(): Promise<boolean> {
    this.#hasAdministrator ||= await this.#store.hasAdministrator();
    return !this.#hasAdministrator;
  }

  /** A fresh one-time code for the first run; earlier ones stop working. */
  async newSetupCode(): Promise<string> {
    const code = randomBytes(16).toString('base64url');
    const expiresAt = new Date(this.#clock.now() + setupCodeLifetimeMs);
    await this.#store.replaceSetupCode(setupHash(code), expiresAt);
    return code;
  }

  /** The first administrator, for whoever holds the code: it works once (C-101). */
  async setUp(first: FirstAdministrator, client: Client): Promise<Issued & { user: User }> {
    const code = setupHash(first.code);
    const done = await this.#throttle.attempt('setup', client.ip, async () => {
      const isGood = await this.#store.isSetupCode(code, this.#now());
      return isGood ? this.#addFirst(first, code, client) : null;
    });
    if (!done) throw new Problem('setup_code_invalid', { field: 'code' });
    return done;
  }

  /** Housekeeping: tokens that expired are of no use to anybody. */
  deleteExpiredTokens(): Promise<void> {
    return this.#store.deleteExpiredTokens(this.#now());
  }

  /** Null when somebody else was faster with the same code. */
  async #addFirst(
    first: FirstAdministrator,
    code: Buffer,
    client: Client,
  ): Promise<(Issued & { user: User }) | null> {
    const row = await this.#newUserRow({
      email: first.email,
      password: first.password,
      firstName: first.first_name,
      lastName: first.last_name,
      role: 'superadmin',
    });
    const issued = await this.#store.transaction(async (tx) => {
      if (!(await this.#store.useSetupCode(tx, code, this.#now()))) return null;
      const added = await this.#store.addUser(tx, row);
      if (!added) throw new Problem('email_taken', { field: 'email' });
      await this.#store.setRegistration(tx, first.registration);
      const begun = await this.#sessions.begin(tx, row.id, client, false);
      const actor = actorOf(client, row.id, begun.sessionId);
      await this.#activity.record(tx, aboutUser('account.set_up', actor, row.id));
      return begun;
    });
    return issued && { ...issued, user: asUser(row) };
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

const setupHash = (code: string): Buffer => createHash('sha256').update(code.trim()).digest();
