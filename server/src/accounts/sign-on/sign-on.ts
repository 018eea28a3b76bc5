/**
 * Signing in at an external provider, which bypasses no rule of this installation: accounts are found by issuer
 * and subject, disabled ones stay out, the session is like every other, and the same limiter counts failures. No
 * token is ever in an address: the browser holds one secret in a cookie, with which it comes back (`redeem`), and
 * another one that it exchanges once for its session (`complete`).
 *
 * The owner connects an existing account, with fresh proof; it is connected by its e-mail address only if the
 * administrator allows it, the provider vouches for the address, and the account has no administrative role.
 */
import type { SignOnFault } from '@nazar/contract/sign-on.ts';
import type { FreshProof } from '@nazar/contract/proof.ts';
import type { Log } from '#lib/log.ts';
import { Problem } from '#lib/problem.ts';
import type { Tx } from '#db/database.ts';
import type { Owner } from '../users/ownership.ts';
import { freshMs, type Proofs } from '../proof/proofs.ts';
import type { AccountParts } from '../parts.ts';
import type { Claims, Provider } from './provider.ts';
import { aboutUser, actorOf } from '../log-entry.ts';
import type { Client } from '../sessions/sessions.ts';
import type { Challenged, Opened, SignIn } from '../sign-in/sign-in.ts';
import type { SignOnRow, SignOnStore } from './store.ts';
import type { Site } from '../site.ts';
import type { UserRow } from '../store.ts';
import { newToken, tokenHash } from '../tokens.ts';
import { applyRole, mayConnectByEmail, newcomerRow } from './provider-users.ts';

/** The time to sign in there: a password, a second factor, perhaps a new password. */
const begunMs = 10 * 60_000;
/** The time between one page and the next. */
const provenMs = 2 * 60_000;

/** Why a user who came back is not signed in; the page they are sent to shows it. */
class Refused extends Error {
  override readonly name = 'Refused';
  readonly fault: SignOnFault;

  constructor(fault: SignOnFault, cause?: unknown) {
    super(fault, { cause });
    this.fault = fault;
  }
}

type Purpose = SignOnRow['purpose'];
/** The purpose of a sign-on, and its account. */
type For = Pick<SignOnRow, 'purpose' | 'user_id' | 'session_id' | 'remember'>;

export interface Begun {
  /** The address of the provider's page. */
  readonly url: string;
  /** For the browser's cookie. */
  readonly secret: string;
}

/** The outcome of coming back. */
export type Returned =
  | { readonly kind: 'proven'; readonly secret: string }
  | { readonly kind: 'connected' }
  | { readonly kind: 'proved' }
  | { readonly kind: 'refused'; readonly fault: SignOnFault; readonly purpose: Purpose };

export interface SignOnOptions {
  readonly parts: AccountParts;
  readonly signIn: SignIn;
  readonly proofs: Proofs;
  readonly store: SignOnStore;
  /** Null: there is no provider. */
  readonly provider: Provider | null;
  readonly log: Log;
}

export class SignOn {
  readonly #options: SignOnOptions;

  constructor(options: SignOnOptions) {
    this.#options = options;
  }

  /** The provider's name; null without one. */
  get name(): string | null {
    return this.#options.provider?.options.name ?? null;
  }

  /** Throws not_found without a provider, and sign_on_unavailable. */
  begin(remember: boolean): Promise<Begun> {
    return this.#begin({ purpose: 'sign in', user_id: null, session_id: null, remember });
  }

  /** The same for the account of a signed-in user. Throws the problems of a refused proof, too. */
  async connect(owner: Owner, proof: FreshProof, site: Site | null): Promise<Begun> {
    this.#provider();
    await this.#options.proofs.prove(owner, proof, site);
    return this.#begin(forSession('connect', owner));
  }

  /** Fresh proof for one session: the provider must ask the user to sign in again. Throws as `begin`. */
  beginProof(owner: Owner): Promise<Begun> {
    return this.#begin(forSession('prove', owner));
  }

  async connectedAt(userId: string): Promise<Date | null> {
    const { provider, store } = this.#options;
    const identity = provider && (await store.identityOf(userId, provider.options.issuer));
    return identity?.connected_at ?? null;
  }

  /** Throws last_way_in and the problems of a refused proof. */
  async disconnect(owner: Owner, proof: FreshProof, site: Site | null): Promise<void> {
    const { parts, store, proofs } = this.#options;
    this.#provider();
    await proofs.prove(owner, proof, site);
    await parts.store.transaction(async (tx) => {
      const user = await parts.users.userForUpdate(tx, owner.userId);
      if (user) await proofs.mustKeepWayIn(user, 'provider');
      await store.disconnect(tx, owner.userId);
      await parts.activity.record(tx, aboutUser('account.disconnected', owner, owner.userId));
    });
  }

  /** The outcome of the provider's answer, brought by a browser with that cookie. */
  async redeem(query: string, cookie: string | undefined, client: Client): Promise<Returned> {
    this.#provider();
    let row: SignOnRow | null = null;
    try {
      row = await this.#take(cookie ?? '', 'begun', client);
      if (!row) throw new Refused('expired');
      const claims = await this.#claims(query, cookie ?? '', row.purpose === 'prove');
      if (row.purpose === 'connect') return await this.#finishConnecting(row, claims, client);
      if (row.purpose === 'prove') return await this.#finishProof(row, claims, client);
      const user = await this.#userOf(claims, client);
      const secret = newToken('signedOn');
      await this.#keep(secret, 'proven', { ...row, user_id: user.id, is_strong: claims.isStrong });
      return { kind: 'proven', secret };
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.#options.log.warn({ fault: error.fault, err: error.cause }, 'a sign-on was refused');
      await this.#recordRefusal(row, client);
      return { kind: 'refused', fault: error.fault, purpose: row?.purpose ?? 'sign in' };
    }
  }

  /**
   * A session for the browser that came back, or a challenge if the account has a second factor that the
   * provider did not require. Throws not_found, sign_on_expired, account_disabled.
   */
  async complete(cookie: string | undefined, client: Client): Promise<Opened | Challenged> {
    this.#provider();
    const row = await this.#take(cookie ?? '', 'proven', client);
    const user = row && (await this.#options.parts.store.userById(row.user_id ?? ''));
    if (!row || !user) throw new Problem('sign_on_expired');
    if (!user.is_active) throw new Problem('account_disabled');
    return this.#options.signIn.withProvider(user, row, client);
  }

  async deleteExpired(at: Date): Promise<void> {
    await this.#options.store.deleteExpired(at);
    await this.#options.store.deleteFresh(new Date(at.getTime() - freshMs));
  }

  async #begin(of: For): Promise<Begun> {
    const secret = newToken('signOn');
    const url = await this.#provider().addressFor(secret, of.purpose === 'prove');
    await this.#keep(secret, 'begun', { ...of, is_strong: false });
    return { url, secret };
  }

  async #keep(
    secret: string,
    step: SignOnRow['step'],
    of: For & Pick<SignOnRow, 'is_strong'>,
  ): Promise<void> {
    const { parts, store } = this.#options;
    const { purpose, user_id, session_id, remember, is_strong } = of;
    const hash = tokenHash(secret, step === 'begun' ? 'signOn' : 'signedOn')!;
    const lastsMs = step === 'begun' ? begunMs : provenMs;
    const expires_at = new Date(parts.clock.now() + lastsMs);
    const whose = { purpose, user_id, session_id, remember };
    await store.add({ hash, step, ...whose, is_strong, expires_at });
  }

  /** Counts as a guess like any other, so that no network can try secrets without limit. */
  async #take(secret: string, step: SignOnRow['step'], client: Client): Promise<SignOnRow | null> {
    const { parts, store } = this.#options;
    const hash = tokenHash(secret, step === 'begun' ? 'signOn' : 'signedOn');
    const subject = `sign-on:${hash?.toString('hex') ?? 'none'}`;
    if (!hash) return null;
    return parts.throttle.attempt(subject, client.ip, () =>
      store.take(hash, step, new Date(parts.clock.now())),
    );
  }

  async #recordRefusal(row: SignOnRow | null, client: Client): Promise<void> {
    const { parts, signIn } = this.#options;
    const userId = row?.user_id ?? null;
    if (row?.purpose !== 'prove') return signIn.recordFailure(client, userId, 'oidc');
    const actor = actorOf(client, userId, row.session_id);
    const entry = aboutUser('account.proof_refused', actor, userId);
    await parts.activity.recordAlone({ ...entry, details: { how: 'oidc' } });
  }

  async #claims(query: string, secret: string, isAnew: boolean): Promise<Claims> {
    try {
      return await this.#provider().redeem(query, secret, isAnew);
    } catch (error) {
      const { error: code } = error as { error?: unknown };
      throw new Refused(code === 'access_denied' ? 'refused' : 'failed', error);
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

  /** The user for an identity that no account has yet: the account of that address if allowed, else a new one. */
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
    // The user signed out meanwhile or was disabled: there is no account to connect.
    const living = await parts.sessions.findById(row.session_id ?? '', client.ip);
    if (!living) throw new Refused('expired');
    await parts.store.transaction((tx) => this.#connect(tx, living.user.id, claims, client));
    return { kind: 'connected' };
  }

  /** The user who came back must own the session that sent them. */
  async #finishProof(row: SignOnRow, claims: Claims, client: Client): Promise<Returned> {
    const { parts, store } = this.#options;
    const living = await parts.sessions.findById(row.session_id ?? '', client.ip);
    if (!living) throw new Refused('expired');
    const known = await store.identity(claims.issuer, claims.subject);
    if (known?.user_id !== living.user.id) throw new Refused('other_person');
    await store.keepFresh(living.id, new Date(parts.clock.now()));
    return { kind: 'proved' };
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

  #provider(): Provider {
    const { provider } = this.#options;
    if (!provider) throw new Problem('not_found');
    return provider;
  }
}

const forSession = (purpose: Purpose, { userId, sessionId }: Owner): For => ({
  purpose,
  user_id: userId,
  session_id: sessionId,
  remember: false,
});
