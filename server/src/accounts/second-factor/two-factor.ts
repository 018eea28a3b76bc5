/**
 * The second factor as its owner turns it on and off. A secret counts only after a code of
 * it was shown; a user who turns it off gives fresh proof and a code; either way all other sessions end.
 */
import type { FreshProof } from '@nazar/contract/proof.ts';
import type {
  Prove,
  RecoveryCodes,
  TotpSetup,
  TwoFactorState,
} from '@nazar/contract/two-factor.ts';
import { Problem } from '#lib/problem.ts';
import type { Standing } from '@nazar/contract/route.ts';
import { seesEverything } from '#http/scope.ts';
import type { SecretKey } from '#lib/secrets.ts';
import type { Tx } from '#db/database.ts';
import type { Action } from '#activity/activity.ts';
import { endOthers, type Owner } from '../users/ownership.ts';
import type { AccountParts } from '../parts.ts';
import type { PasskeyStore } from '../passkeys/store.ts';
import { aboutUser } from '../log-entry.ts';
import { newRecoveryCodes, recoveryHash } from './recovery-codes.ts';
import {
  factorSubject,
  proofRefused,
  secretPlace,
  type SecondFactors,
  type SecondFactorsOptions,
} from './second-factors.ts';
import type { Proofs } from '../proof/proofs.ts';
import type { Site } from '../site.ts';
import { newSecret, otpauthUri } from './totp.ts';
import type { TwoFactorStore } from './store.ts';
import type { Identity } from '../identity.ts';

export class TwoFactor {
  readonly #parts: AccountParts;
  readonly #store: TwoFactorStore;
  readonly #passkeys: PasskeyStore;
  readonly #factors: SecondFactors;
  readonly #key: SecretKey;
  readonly #proofs: Proofs;

  constructor(
    factors: SecondFactors,
    proofs: Proofs,
    { parts, store, passkeyStore, key }: SecondFactorsOptions,
  ) {
    this.#proofs = proofs;
    this.#parts = parts;
    this.#store = store;
    this.#passkeys = passkeyStore;
    this.#factors = factors;
    this.#key = key;
  }

  async state({
    userId,
    standing,
  }: Pick<Identity, 'userId' | 'standing'>): Promise<TwoFactorState> {
    const [totp, passkeys, codes] = await Promise.all([
      this.#store.totp(userId),
      this.#passkeys.of(userId),
      this.#store.recoveryCodesLeft(userId),
    ]);
    const hasTotp = Boolean(totp?.confirmed_at);
    return {
      is_on: hasTotp || passkeys.length > 0,
      totp: hasTotp,
      passkeys: passkeys.length,
      recovery_codes_left: codes,
      is_demanded: (await this.#demands())({ standing }),
    };
  }

  /** Whether the policy requires a second factor that this account does not have. */
  async mustEnrol(who: Pick<Identity, 'userId' | 'standing'>): Promise<boolean> {
    return (await this.mustEnrolOf([who])).has(who.userId);
  }

  /** The ids of those for whom that is true. */
  async mustEnrolOf(
    all: readonly Pick<Identity, 'userId' | 'standing'>[],
  ): Promise<ReadonlySet<string>> {
    const demands = await this.#demands();
    const asked = new Set(all.filter(demands).map(({ userId }) => userId));
    return asked.size === 0 ? asked : asked.difference(await this.#factors.whoHasOne([...asked]));
  }

  async #demands(): Promise<(who: { readonly standing: Standing }) => boolean> {
    const { twoFactorAuth, twoFactorFor } = await this.#parts.settings.get('security');
    return ({ standing }) => twoFactorAuth && (twoFactorFor === 'all' || seesEverything(standing));
  }

  /** A new secret, which counts only after `confirm`. Throws proof_required and two_factor_on. */
  async setUp(owner: Owner, site: Site | null, proof: FreshProof): Promise<TotpSetup> {
    const user = await this.#proofs.proveRecent(owner, proof, site);
    const secret = newSecret();
    const sealed = this.#key.sealText(secret, secretPlace(user.id));
    const isNew = await this.#parts.store.transaction((tx) =>
      this.#store.replaceTotp(tx, user.id, sealed, this.#now()),
    );
    if (!isNew) throw new Problem('two_factor_on');
    return { secret, uri: otpauthUri(secret, user.email) };
  }

  /** Turns it on. Throws code_wrong. */
  async confirm(owner: Owner, code: string): Promise<RecoveryCodes> {
    const { throttle, store } = this.#parts;
    const { userId, ip } = owner;
    const totp = await throttle.attempt(factorSubject(userId), ip, async () => {
      const pending = await this.#store.totp(userId);
      const isRight = pending?.confirmed_at === null && this.#factors.useCode(pending, code);
      return (await isRight) && pending ? pending : null;
    });
    if (!totp) throw new Problem('code_wrong', { field: 'code' });
    const codes = newRecoveryCodes();
    const ended = await store.transaction(async (tx) => {
      const isNew = await this.#store.confirmTotp(tx, totp, this.#now());
      if (!isNew) throw new Problem('code_wrong', { field: 'code' });
      await this.#keep(tx, userId, codes);
      await this.#record(tx, owner, 'account.two_factor_on');
      return endOthers(this.#parts, tx, owner, 'revoked');
    });
    this.#parts.ended(ended);
    return { recovery_codes: codes };
  }

  /** Throws what `mustProve` throws. */
  async disable(owner: Owner, site: Site | null, proof: Prove): Promise<void> {
    await this.mustProve(owner, site, proof);
    const ended = await this.#parts.store.transaction(async (tx) => {
      await this.#parts.users.userForUpdate(tx, owner.userId);
      await this.#store.deleteTotp(tx, owner.userId);
      await this.forgetCodesAfterLast(tx, owner.userId);
      await this.#record(tx, owner, 'account.two_factor_off');
      return endOthers(this.#parts, tx, owner, 'revoked');
    });
    this.#parts.ended(ended);
  }

  /** Makes ten new codes; the old ones stop working. */
  async renewRecoveryCodes(owner: Owner, site: Site | null, proof: Prove): Promise<RecoveryCodes> {
    await this.mustProve(owner, site, proof);
    const codes = newRecoveryCodes();
    await this.#parts.store.transaction(async (tx) => {
      await this.#keep(tx, owner.userId, codes);
      await this.#record(tx, owner, 'account.recovery_codes_made');
    });
    return { recovery_codes: codes };
  }

  /**
   * Requires fresh proof and the second factor; a passkey is both. Throws the problems of a refused proof,
   * two_factor_off and code_wrong.
   */
  async mustProve(owner: Owner, site: Site | null, { code, ...shown }: Prove): Promise<void> {
    const { user, how } = await this.#proofs.prove(owner, shown, site);
    if (how === 'passkey') return;
    if (!(await this.#factors.of(user.id)).isOn) throw new Problem('two_factor_off');
    const second = await this.#factors.prove(user.id, { code }, { ip: owner.ip, site });
    if (second === null) throw proofRefused({});
  }

  /** Ten codes if the account has none, else null; runs in the transaction that added a factor. */
  async codesForFirstFactor(tx: Tx, userId: string): Promise<string[] | null> {
    if (await this.#store.hasRecoveryCodes(tx, userId)) return null;
    const codes = newRecoveryCodes();
    await this.#keep(tx, userId, codes);
    return codes;
  }

  /** Codes alone are no second factor. True if no factor is left; runs in the transaction that removed one. */
  async forgetCodesAfterLast(tx: Tx, userId: string): Promise<boolean> {
    const hasTotp = await this.#store.hasTotp(tx, userId);
    if (hasTotp || (await this.#passkeys.count(tx, userId)) > 0) return false;
    await this.#keep(tx, userId, []);
    return true;
  }

  async #keep(tx: Tx, userId: string, codes: readonly string[]): Promise<void> {
    const hashes = codes.map((code) => recoveryHash(this.#key, userId, code));
    await this.#store.replaceRecoveryCodes(tx, userId, hashes);
  }

  #record(tx: Tx, owner: Owner, action: Action): Promise<void> {
    return this.#parts.activity.record(tx, aboutUser(action, owner, owner.userId));
  }

  #now(): Date {
    return new Date(this.#parts.clock.now());
  }
}
