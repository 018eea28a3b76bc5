/**
 * Passkeys as WebAuthn defines them: the options for a browser, and the verification of its answer. Every passkey is
 * discoverable and verifies its user (a PIN, a finger, a face), so that it proves possession and person at once.
 * Attestation is not requested: the make of a key does not matter here.
 */
import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
  type AuthenticationResponseJSON,
  type RegistrationResponseJSON,
  type VerifiedRegistrationResponse,
} from '@simplewebauthn/server';
import type { Assertion, Attestation } from '@nazar/contract/webauthn.ts';
import type { Clock } from '#lib/clock.ts';
import { PasskeyChallenges, type ChallengeFor } from './challenges.ts';
import type { PasskeyRow, PasskeyStore } from './store.ts';
import type { Site } from '../site.ts';
import type { Database } from '#db/database.ts';
import type { SecretKey } from '#lib/secrets.ts';
import type { UserRow } from '../store.ts';

/** Time to find the key and touch it; the challenge lives a little longer. */
const timeoutMs = 4 * 60_000;

/** EdDSA, ES256 and RS256, by their numbers in COSE: every authenticator supports one of them. */
const algorithms = [-8, -7, -257];

export type NewCredential = Pick<
  PasskeyRow,
  'host' | 'credential_id' | 'public_key' | 'counter' | 'transports' | 'is_synced'
>;

/** The purpose of a request for a passkey, and its account; without one, any passkey for this name is accepted. */
export type Asked = Omit<ChallengeFor, 'host'>;

type Options = Record<string, unknown>;

export class Passkeys {
  readonly #db: Database;
  readonly #store: PasskeyStore;
  readonly #challenges: PasskeyChallenges;
  readonly #clock: Clock;

  constructor(db: Database, store: PasskeyStore, key: SecretKey, clock: Clock) {
    this.#db = db;
    this.#store = store;
    this.#challenges = new PasskeyChallenges(key, store, clock);
    this.#clock = clock;
  }

  async addOptions(user: UserRow, site: Site): Promise<Options> {
    const known = await this.#store.of(user.id);
    const options = await generateRegistrationOptions({
      rpName: 'Nazar',
      rpID: site.host,
      userName: user.email,
      userDisplayName: `${user.first_name} ${user.last_name}`.trim(),
      // Neither name nor address, because authenticators store this.
      userID: Uint8Array.from(handleOf(user.id)),
      challenge: this.#challenges.issue({ purpose: 'add', userId: user.id, host: site.host }),
      timeout: timeoutMs,
      attestationType: 'none',
      supportedAlgorithmIDs: algorithms,
      excludeCredentials: known
        .filter(({ host }) => host === site.host)
        .map(({ credential_id }) => ({ id: credential_id.toString('base64url') })),
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    });
    return { ...options };
  }

  /** Null: it is not a passkey, or not one for this account, name and moment. */
  async added(user: UserRow, site: Site, response: Attestation): Promise<NewCredential | null> {
    const use: ChallengeFor = { purpose: 'add', userId: user.id, host: site.host };
    const challenge = this.#challengeOf(response, use);
    if (!challenge) return null;
    const info = await verifiedRegistration(site, response, challenge);
    if (!info) return null;
    const isFirst = await this.#db.transaction((tx) => this.#challenges.use(tx, challenge));
    if (!isFirst) return null;
    const { id, publicKey, counter } = info.credential;
    return {
      host: site.host,
      credential_id: Buffer.from(id, 'base64url'),
      public_key: Buffer.from(publicKey),
      counter,
      transports: response.response.transports ?? [],
      is_synced: info.credentialBackedUp,
    };
  }

  async proofOptions(asked: Asked, site: Site): Promise<Options> {
    const { userId } = asked;
    const mine = userId === null ? [] : await this.#store.of(userId);
    const options = await generateAuthenticationOptions({
      rpID: site.host,
      challenge: this.#challenges.issue({ ...asked, host: site.host }),
      timeout: timeoutMs,
      userVerification: 'required',
      allowCredentials: mine
        .filter(({ host }) => host === site.host)
        .map(({ credential_id, transports }) => ({
          id: credential_id.toString('base64url'),
          transports,
        })),
    });
    return { ...options };
  }

  /** The passkey that signed, once; null: it did not sign this challenge, or its counter went back. */
  async proven(asked: Asked, site: Site, response: Assertion): Promise<PasskeyRow | null> {
    const { userId } = asked;
    const challenge = this.#challengeOf(response, { ...asked, host: site.host });
    const row =
      challenge && (await this.#store.byCredential(Buffer.from(response.id, 'base64url')));
    if (!challenge || !row || row.host !== site.host) return null;
    if (userId !== null && row.user_id !== userId) return null;
    const { userHandle } = response.response;
    if (userHandle !== undefined && userHandle !== handleOf(row.user_id).toString('base64url')) {
      return null;
    }
    const counter = await verifiedCounter(row, site, response, challenge);
    if (counter === null) return null;
    const isFirst = await this.#db.transaction(
      async (tx) =>
        (await this.#challenges.use(tx, challenge)) &&
        this.#store.used(tx, row, counter, new Date(this.#clock.now())),
    );
    return isFirst ? row : null;
  }

  deleteExpired(): Promise<void> {
    return this.#store.deleteExpired(new Date(this.#clock.now()));
  }

  #challengeOf(response: Assertion | Attestation, use: ChallengeFor): Buffer | null {
    const challenge = signedChallenge(response.response.clientDataJSON);
    return challenge && this.#challenges.isGood(challenge, use) ? challenge : null;
  }
}

/** Instead of the password. */
export const forSignIn: Asked = { purpose: 'sign in', userId: null };
/** After the password, or instead of a code. */
export const forSecondFactor = (userId: string): Asked => ({ purpose: 'second factor', userId });

/** The user handle in the authenticator: the 16 bytes of the account's id. */
const handleOf = (userId: string): Buffer => Buffer.from(userId.replaceAll('-', ''), 'hex');

/** The challenge that the browser says it answered; the signature covers it. */
function signedChallenge(clientDataJSON: string): Buffer | null {
  try {
    const said = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString()) as unknown;
    const challenge = (said as { challenge?: unknown } | null)?.challenge;
    return typeof challenge === 'string' ? Buffer.from(challenge, 'base64url') : null;
  } catch {
    return null;
  }
}

async function verifiedRegistration(
  site: Site,
  response: Attestation,
  challenge: Buffer,
): Promise<VerifiedRegistrationResponse['registrationInfo'] | null> {
  try {
    const { registrationInfo } = await verifyRegistrationResponse({
      response: response as RegistrationResponseJSON,
      expectedChallenge: challenge.toString('base64url'),
      expectedOrigin: site.origin,
      expectedRPID: site.host,
      requireUserVerification: true,
      supportedAlgorithmIDs: algorithms,
    });
    return registrationInfo ?? null;
  } catch {
    return null; // the library throws at whatever does not fit
  }
}

async function verifiedCounter(
  { credential_id, public_key, counter }: PasskeyRow,
  site: Site,
  response: Assertion,
  challenge: Buffer,
): Promise<number | null> {
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: response as AuthenticationResponseJSON,
      expectedChallenge: challenge.toString('base64url'),
      expectedOrigin: site.origin,
      expectedRPID: site.host,
      requireUserVerification: true,
      credential: {
        id: credential_id.toString('base64url'),
        publicKey: Uint8Array.from(public_key),
        counter,
      },
    });
    return verified ? authenticationInfo.newCounter : null;
  } catch {
    return null;
  }
}
