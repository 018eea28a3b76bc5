/**
 * The second factors of a user, and their verification. Each code is accepted once, also
 * by two simultaneous requests and by a restarted server: the database decides.
 */
import type { SecondFactor } from '@nazar/contract/accounts.ts';
import type { Proof } from '@nazar/contract/two-factor.ts';
import { Problem } from '#lib/problem.ts';
import type { SecretKey } from '#lib/secrets.ts';
import type { AccountParts } from '../parts.ts';
import type { PasskeyStore } from '../passkeys/store.ts';
import { forSecondFactor, type Passkeys } from '../passkeys/passkeys.ts';
import { recoveryHash } from './recovery-codes.ts';
import type { Site } from '../site.ts';
import { stepOfCode } from './totp.ts';
import type { TotpRow, TwoFactorStore } from './store.ts';
import type { How } from '../identity.ts';

export interface Factors {
  /** Whether the account requires more than a password. */
  readonly isOn: boolean;
  /** The factors that the user can show after the password; empty: only an administrator can help. */
  readonly methods: SecondFactor[];
}

/** Where the request comes from. */
export interface From {
  readonly ip: string;
  readonly site: Site | null;
}

export interface SecondFactorsOptions {
  readonly parts: AccountParts;
  readonly store: TwoFactorStore;
  readonly key: SecretKey;
  readonly passkeys: Passkeys;
  readonly passkeyStore: PasskeyStore;
}

/** The sentence belongs to the field where a code was typed; a passkey has no field. */
export function proofRefused({ passkey }: Proof): Problem {
  return passkey ? new Problem('passkey_refused') : new Problem('code_wrong', { field: 'code' });
}

export class SecondFactors {
  readonly #parts: AccountParts;
  readonly #store: TwoFactorStore;
  readonly #key: SecretKey;
  readonly #passkeys: Passkeys;
  readonly #passkeyStore: PasskeyStore;

  constructor({ parts, store, key, passkeys, passkeyStore }: SecondFactorsOptions) {
    this.#parts = parts;
    this.#store = store;
    this.#key = key;
    this.#passkeys = passkeys;
    this.#passkeyStore = passkeyStore;
  }

  /** `site`: a passkey that was made for another name does not work here. */
  async of(userId: string, site: Site | null = null): Promise<Factors> {
    const [totp, passkeys, codes] = await Promise.all([
      this.#store.totp(userId),
      this.#passkeyStore.of(userId),
      this.#store.recoveryCodesLeft(userId),
    ]);
    const hasTotp = Boolean(totp?.confirmed_at);
    if (!hasTotp && passkeys.length === 0) return { isOn: false, methods: [] };
    const methods: SecondFactor[] = [];
    if (hasTotp) methods.push('totp');
    if (passkeys.some(({ host }) => host === site?.host)) methods.push('passkey');
    if (codes > 0) methods.push('recovery');
    return { isOn: true, methods };
  }

  /** The ids of those of these users whose accounts require more than a password. */
  async whoHasOne(userIds: readonly string[]): Promise<Set<string>> {
    const [totp, passkeys] = await Promise.all([
      this.#store.confirmedBy(userIds),
      this.#passkeyStore.heldBy(userIds),
    ]);
    return new Set([...totp, ...passkeys]);
  }

  /**
   * Uses up the shown factor and returns its kind; null if it was wrong. Guesses are counted apart from those
   * at the password: a caller who knows the password could otherwise reset the count again and again.
   */
  async prove(userId: string, proof: Proof, { ip, site }: From): Promise<How | null> {
    return this.#parts.throttle.attempt(factorSubject(userId), ip, async () => {
      if (proof.passkey) {
        const passkey =
          site && (await this.#passkeys.proven(forSecondFactor(userId), site, proof.passkey));
        return passkey ? 'passkey' : null;
      }
      const code = proof.code ?? '';
      const totp = await this.#store.totp(userId);
      if (totp?.confirmed_at && (await this.useCode(totp, code))) return 'totp';
      const hash = recoveryHash(this.#key, userId, code);
      return (await this.#store.useRecoveryCode(userId, hash)) ? 'recovery' : null;
    });
  }

  /** Whether this is a code of that secret, and of a later step than any used before. */
  async useCode(totp: TotpRow, code: string): Promise<boolean> {
    const secret = this.#key.openText(totp.secret, secretPlace(totp.user_id));
    const digits = code.replaceAll(/\s/g, '');
    const step = stepOfCode(secret, digits, this.#parts.clock.now());
    return step !== null && this.#store.useStep(totp, step);
  }
}

/** The subject under which the limiter counts guesses. */
export const factorSubject = (userId: string): string => `second-factor:${userId}`;
export const secretPlace = (userId: string): string => `user_totp.secret:${userId}`;
