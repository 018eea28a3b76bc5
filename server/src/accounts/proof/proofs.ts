/**
 * Fresh proof that the caller is the user who signed in, before actions that a stolen session
 * alone must not be able to do. Only this file decides that. The password counts; so does a passkey that was requested
 * for this very session; so does a sign-in at the provider that this very session began, for five minutes. Each is
 * recorded, and guesses at what can be guessed are counted together with those at the login.
 */
import type { FreshProof, ProofWays } from '@nazar/contract/proof.ts';
import { Problem } from '#lib/problem.ts';
import type { AccountParts } from '../parts.ts';
import type { Asked, Passkeys } from '../passkeys/passkeys.ts';
import type { PasskeyStore } from '../passkeys/store.ts';
import { aboutUser } from '../log-entry.ts';
import { factorSubject } from '../second-factor/second-factors.ts';
import type { ProviderOptions } from '../sign-on/provider.ts';
import type { SignOnStore } from '../sign-on/store.ts';
import { mustHaveName, type Site } from '../site.ts';
import type { UserRow } from '../store.ts';
import { ownerRow, type Owner } from '../users/ownership.ts';
import { hasPassword } from '../users/users.ts';
import type { How } from '../identity.ts';

/** A sign-in at the provider counts for this long. */
export const freshMs = 5 * 60_000;
/** Setting up an authenticator app needs no further proof within this time after signing in. */
const recentMs = 15 * 60_000;

export interface Proven {
  readonly user: UserRow;
  readonly how: Extract<How, 'password' | 'passkey' | 'oidc'>;
}

export interface ProofsOptions {
  readonly parts: AccountParts;
  readonly passkeys: Passkeys;
  readonly passkeyStore: PasskeyStore;
  readonly signOnStore: SignOnStore;
  /** Null: there is no provider. */
  readonly provider: Pick<ProviderOptions, 'name' | 'issuer'> | null;
}

export class Proofs {
  readonly #options: ProofsOptions;

  constructor(options: ProofsOptions) {
    this.#options = options;
  }

  async ways(owner: Owner, site: Site | null): Promise<ProofWays> {
    const { parts, passkeyStore, provider } = this.#options;
    const user = await ownerRow(parts, owner.userId);
    const passkeys = await passkeyStore.of(user.id);
    const isConnected = await this.#isConnected(user.id);
    const at = await this.#freshSignOn(owner);
    return {
      password: hasPassword(user),
      passkey: passkeys.some(({ host }) => host === site?.host),
      sign_on: provider && isConnected ? provider.name : null,
      signed_on_until: at === null ? null : new Date(at.getTime() + freshMs).toISOString(),
    };
  }

  /** Throws passkeys_need_a_name. */
  passkeyOptions(owner: Owner, site: Site | null) {
    return this.#options.passkeys.proofOptions(askedOf(owner), mustHaveName(site));
  }

  /** Throws proof_required, password_wrong, passkey_refused and too_many_requests. */
  async prove(owner: Owner, shown: FreshProof, site: Site | null): Promise<Proven> {
    const user = await ownerRow(this.#options.parts, owner.userId);
    if (shown.password !== undefined) {
      await this.provePassword(owner, user, shown.password);
      return { user, how: 'password' };
    }
    if (shown.passkey) {
      await this.#provePasskey(owner, shown.passkey, site);
      return { user, how: 'passkey' };
    }
    if ((await this.#freshSignOn(owner)) === null) {
      throw new Problem('proof_required');
    }
    await this.#record(owner, 'oidc', true);
    return { user, how: 'oidc' };
  }

  /** A session that began a moment ago also counts. Throws as `prove` does. */
  async proveRecent(owner: Owner, shown: FreshProof, site: Site | null): Promise<UserRow> {
    const { parts } = this.#options;
    const isShown = shown.password !== undefined || shown.passkey !== undefined;
    const session = await parts.sessions.findById(owner.sessionId, owner.ip);
    const ageMs = parts.clock.now() - (session?.created_at.getTime() ?? 0);
    if (!isShown && ageMs <= recentMs) return ownerRow(parts, owner.userId);
    return (await this.prove(owner, shown, site)).user;
  }

  /** Accepts the password only, e.g. to change it. `field`: where it was typed. Throws password_wrong. */
  async provePassword(
    owner: Owner,
    user: UserRow,
    password: string,
    field = 'password',
  ): Promise<void> {
    const { throttle, passwords } = this.#options.parts;
    const isProven = await throttle.attempt(user.email, owner.ip, async (guesser) =>
      (await passwords.verify(password, user.password_hash, guesser)) ? true : null,
    );
    await this.#record(owner, 'password', isProven !== null);
    if (!isProven) throw new Problem('password_wrong', { field });
  }

  /**
   * Refuses to remove the user's last way to sign in. Runs in a transaction that holds the user's row.
   * Throws last_way_in.
   */
  async mustKeepWayIn(
    user: Pick<UserRow, 'id' | 'password_hash'>,
    without: { readonly passkeyId: string } | 'provider',
  ): Promise<void> {
    if (hasPassword(user)) return;
    const { passkeyId } = without === 'provider' ? { passkeyId: null } : without;
    const passkeys = await this.#options.passkeyStore.of(user.id);
    if (passkeys.some(({ id }) => id !== passkeyId)) return;
    if (without !== 'provider' && (await this.#isConnected(user.id))) return;
    throw new Problem('last_way_in');
  }

  /** Counted with guesses at the second factor, so that a caller who knows the password cannot reset the count. */
  async #provePasskey(
    owner: Owner,
    shown: NonNullable<FreshProof['passkey']>,
    site: Site | null,
  ): Promise<void> {
    const { parts, passkeys } = this.#options;
    const found = await parts.throttle.attempt(
      factorSubject(owner.userId),
      owner.ip,
      async () => site && (await passkeys.proven(askedOf(owner), site, shown)),
    );
    await this.#record(owner, 'passkey', found !== null);
    if (!found) throw new Problem('passkey_refused');
  }

  /** When this session signed in at the provider as proof; null: never, too long ago, or no longer connected. */
  async #freshSignOn({ userId, sessionId }: Owner): Promise<Date | null> {
    const { parts, signOnStore } = this.#options;
    const since = new Date(parts.clock.now() - freshMs);
    const at = await signOnStore.freshSince(sessionId, since);
    return at && (await this.#isConnected(userId)) ? at : null;
  }

  async #isConnected(userId: string): Promise<boolean> {
    const { provider, signOnStore } = this.#options;
    return provider !== null && Boolean(await signOnStore.identityOf(userId, provider.issuer));
  }

  #record(owner: Owner, how: Proven['how'], isProven: boolean): Promise<void> {
    const action = isProven ? 'account.proven' : 'account.proof_refused';
    const entry = { ...aboutUser(action, owner, owner.userId), details: { how } };
    return this.#options.parts.activity.recordAlone(entry);
  }
}

/** A challenge of one session proves nothing in another. */
const askedOf = ({ userId, sessionId }: Owner): Asked => ({
  purpose: 'fresh proof',
  userId,
  sessionId,
});
