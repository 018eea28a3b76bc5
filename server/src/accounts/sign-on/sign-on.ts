/**
 * Signing in at a provider elsewhere. What happens there is never a way round what holds here: accounts are
 * found by issuer and subject, disabled ones stay out, the session is one like every other, and the same
 * limiter counts what fails. No token is ever in an address: the browser holds one secret in a cookie, with
 * which it comes back (`redeem`), and another one that it exchanges once for its session (`complete`).
 *
 * An account that is here is connected by its owner, with the password; by its e-mail address only where the
 * administrator allows it, the provider vouches for it, and the account administers nothing.
 */
import type { SignOnFault } from '@nazar/contract/sign-on.ts';
import type { Log } from '#lib/log.ts';
import { Problem } from '#lib/problem.ts';
import type { Tx } from '#db/database.ts';
import type { Owner } from '../passwords/ownership.ts';
import type { AccountParts } from '../parts.ts';
import type { Claims, Provider } from './provider.ts';
import { aboutUser, actorOf } from '../record.ts';
import type { Client } from '../sessions/sessions.ts';
import type { Challenged, Opened, SignIn } from '../sign-in/sign-in.ts';
import type { SignOnRow, SignOnStore } from './store.ts';
import type { UserRow } from '../store.ts';
import { newToken, tokenHash } from '../tokens.ts';
import { applyRole, mayConnectByEmail, newcomerRow } from './provider-users.ts';

/** To sign in there: a password, a second factor, perhaps a new password. */
const begunMs = 10 * 60_000;
/** From one page to the next. */
const provenMs = 2 * 60_000;

/** Why somebody who came back does not get in; told to them by the page they land on. */
class Refused extends Error {
  override readonly name = 'Refused';
  readonly fault: SignOnFault;

  constructor(fault: SignOnFault, cause?: unknown) {
    super(fault, { cause });
    this.fault = fault;
  }
}

export interface Begun {
  /** Of the provider. */
  readonly url: string;
  /** For the browser's cookie. */
  readonly secret: string;
}

/** How coming back ended. */
export type Returned =
  | { readonly kind: 'proven'; readonly secret: string }
  | { readonly kind: 'connected' }
  | { readonly kind: 'refused'; readonly fault: SignOnFault; readonly connecting: boolean };

export interface SignOnOptions {
  readonly parts: AccountParts;
  readonly signIn: SignIn;
  readonly store: SignOnStore;
  /** Null: people sign in here only. */
  readonly provider: Provider | null;
  readonly log: Log;
}

export class SignOn {
  readonly #options: SignOnOptions;

  constructor(options: SignOnOptions) {
    this.#options = options;
  }

  /** What the provider is called; null without one. */
  get name(): string | null {
    return this.#options.provider?.options.name ?? null;
  }

  /** Throws not_found without a provider, and sign_on_unavailable. */
  begin(remember: boolean): Promise<Begun> {
    return this.#begin({ user_id: null, session_id: null, remember });
  }

  /** The same for the account of somebody signed in. Throws password_wrong too. */
  async connect(owner: Owner, password: string): Promise<Begun> {
    this.#provider();
    await this.#prove(owner, password);
    return this.#begin({ user_id: owner.userId, session_id: owner.sessionId, remember: false });
  }

  async connectedAt(userId: string): Promise<Date | null> {
    return (await this.#options.store.identityOf(userId))?.connected_at ?? null;
  }

  /** Throws password_wrong. Whoever has no password keeps the only way in they have. */
  async disconnect(owner: Owner, client: Client, password: string): Promise<void> {
    const { parts, store } = this.#options;
    this.#provider();
    await this.#prove(owner, password);
    await parts.store.transaction(async (tx) => {
      await store.disconnect(tx, owner.userId);
      const actor = actorOf(client, owner.userId, owner.sessionId);
      await parts.activity.record(tx, aboutUser('account.disconnected', actor, owner.userId));
    });
  }

  /** What the provider's answer, brought by a browser with that cookie, leads to. */
  async redeem(query: string, cookie: string | undefined, client: Client): Promise<Returned> {
    this.#provider();
    let row: SignOnRow | null = null;
    try {
      row = await this.#take(cookie ?? '', 'begun', client);
      if (!row) throw new Refused('expired');
      const claims = await this.#claims(query, cookie ?? '');
      if (row.user_id !== null) return await this.#finishConnecting(row, claims, client);
      const user = await this.#userOf(claims, client);
      const secret = newToken('signedOn');
      await this.#keep(secret, 'proven', { ...row, user_id: user.id, is_strong: claims.isStrong });
      return { kind: 'proven', secret };
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.#options.log.warn({ fault: error.fault, err: error.cause }, 'a sign-on was refused');
      await this.#options.signIn.recordFailure(client, row?.user_id ?? null, 'oidc');
      const connecting = row !== null && row.user_id !== null;
      return { kind: 'refused', fault: error.fault, connecting };
    }
  }

  /**
   * A session for the browser that came back, or a challenge where the account has a second factor that the
   * provider did not ask for. Throws not_found, sign_on_expired, account_disabled.
   */
  async complete(cookie: string | undefined, client: Client): Promise<Opened | Challenged> {
    this.#provider();
    const row = await this.#take(cookie ?? '', 'proven', client);
    const user = row && (await this.#options.parts.store.userById(row.user_id ?? ''));
    if (!row || !user) throw new Problem('sign_on_expired');
    if (!user.is_active) throw new Problem('account_disabled');
    return this.#options.signIn.withProvider(user, row, client);
  }

  deleteExpired(at: Date): Promise<void> {
    return this.#options.store.deleteExpired(at);
  }

  async #begin(of: Pick<SignOnRow, 'user_id' | 'session_id' | 'remember'>): Promise<Begun> {
    const secret = newToken('signOn');
    const url = await this.#provider().addressFor(secret);
    await this.#keep(secret, 'begun', { ...of, is_strong: false });
    return { url, secret };
  }

  async #keep(
    secret: string,
    step: SignOnRow['step'],
    of: Pick<SignOnRow, 'user_id' | 'session_id' | 'remember' | 'is_strong'>,
  ): Promise<void> {
    const { parts, store } = this.#options;
    const { user_id, session_id, remember, is_strong } = of;
    const hash = tokenHash(secret, step === 'begun' ? 'signOn' : 'signedOn')!;
    const lastsMs = step === 'begun' ? begunMs : provenMs;
    const expires_at = new Date(parts.clock.now() + lastsMs);
    await store.add({ hash, step, user_id, session_id, remember, is_strong, expires_at });
  }

  /** A guess like any other: no network tries secrets without end (C-105). */
  async #take(secret: string, step: SignOnRow['step'], client: Client): Promise<SignOnRow | null> {
    const { parts, store } = this.#options;
    const hash = tokenHash(secret, step === 'begun' ? 'signOn' : 'signedOn');
    const subject = `sign-on:${hash?.toString('hex') ?? 'none'}`;
    if (!hash) return null;
    return parts.throttle.attempt(subject, client.ip, () =>
      store.take(hash, step, new Date(parts.clock.now())),
    );
  }

  async #claims(query: string, secret: string): Promise<Claims> {
    try {
      return await this.#provider().redeem(query, secret);
    } catch (error) {
      const { error: told } = error as { error?: unknown };
      throw new Refused(told === 'access_denied' ? 'refused' : 'failed', error);
    }
  }

  async #userOf(claims: Claims, client: Client): Promise<UserRow> {
    const { parts, store } = this.#options;
    const known = await store.identity(claims.issuer, claims.subject);
    const user = known
      ? await parts.store.userById(known.user_id)
      : await this.#newcomer(claims, client);
    if (!user?.is_active) throw new Refused('disabled');
    return parts.store.transaction((tx) => applyRole(parts, tx, user, claims.role, client));
  }

  /** Somebody whose identity nobody has here. */
  async #newcomer(claims: Claims, client: Client): Promise<UserRow> {
    const { parts } = this.#options;
    const { creates, connectsByEmail } = this.#provider().options;
    if (claims.email === null) throw new Refused('no_account', new Error('no verified address'));
    const same = await parts.store.userByEmail(claims.email);
    if (same && !(connectsByEmail && mayConnectByEmail(same))) throw new Refused('address_taken');
    if (!same && !creates) throw new Refused('no_account');
    const row = same ?? newcomerRow(claims.email, claims, parts.clock.now());
    const actor = actorOf(client, row.id, null);
    await parts.store.transaction(async (tx) => {
      if (!same) {
        if (!(await parts.store.addUser(tx, row))) throw new Refused('address_taken');
        const created = aboutUser('account.created', actor, row.id);
        await parts.activity.record(tx, {
          ...created,
          details: { role: row.role, by: 'provider' },
        });
      }
      await this.#connect(tx, row.id, claims, client);
    });
    return row;
  }

  async #finishConnecting(row: SignOnRow, claims: Claims, client: Client): Promise<Returned> {
    const { parts } = this.#options;
    // Signed out meanwhile, or disabled: nobody is there to connect anything to.
    const living = await parts.sessions.findById(row.session_id ?? '', client.ip);
    if (!living) throw new Refused('expired');
    await parts.store.transaction((tx) => this.#connect(tx, living.user.id, claims, client));
    return { kind: 'connected' };
  }

  async #connect(tx: Tx, userId: string, claims: Claims, client: Client): Promise<void> {
    const { parts, store } = this.#options;
    const { issuer, subject } = claims;
    const connected_at = new Date(parts.clock.now());
    if (!(await store.connect(tx, { issuer, subject, user_id: userId, connected_at }))) {
      throw new Refused('connected_elsewhere');
    }
    const actor = actorOf(client, userId, null);
    await parts.activity.record(tx, aboutUser('account.connected', actor, userId));
  }

  async #prove(owner: Owner, password: string): Promise<void> {
    const { store, throttle, passwords } = this.#options.parts;
    const user = await store.userById(owner.userId);
    if (!user) throw new Problem('not_signed_in');
    const proven = await throttle.attempt(user.email, owner.ip, async (guesser) =>
      (await passwords.verify(password, user.password_hash, guesser)) ? true : null,
    );
    if (!proven) throw new Problem('password_wrong', { field: 'password' });
  }

  #provider(): Provider {
    const { provider } = this.#options;
    if (!provider) throw new Problem('not_found');
    return provider;
  }
}
