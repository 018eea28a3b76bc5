/**
 * The challenges that passkeys sign: made for one purpose, one account (or any), perhaps one session, and one name of
 * this installation, for five minutes. The server signs challenges instead of storing them, so that strangers who
 * request them fill no table; answered ones are stored, and accepted once.
 */
import { createHash, randomBytes } from 'node:crypto';
import type { Clock } from '#lib/clock.ts';
import type { SecretKey } from '#lib/secrets.ts';
import type { Tx } from '#db/database.ts';
import type { PasskeyStore } from './store.ts';

const lifetimeMs = 5 * 60_000;
const nonceBytes = 16;
const headBytes = nonceBytes + 8;
const challengeBytes = headBytes + 32;

export interface ChallengeFor {
  readonly purpose: 'add' | 'sign in' | 'second factor' | 'fresh proof';
  /** Null: the account that the passkey names. */
  readonly userId: string | null;
  /** Absent: any session may answer it. */
  readonly sessionId?: string;
  readonly host: string;
}

export class PasskeyChallenges {
  readonly #key: SecretKey;
  readonly #store: PasskeyStore;
  readonly #clock: Clock;

  constructor(key: SecretKey, store: PasskeyStore, clock: Clock) {
    this.#key = key.derive('passkey challenge');
    this.#store = store;
    this.#clock = clock;
  }

  issue(use: ChallengeFor): Uint8Array<ArrayBuffer> {
    const head = Buffer.alloc(headBytes);
    randomBytes(nonceBytes).copy(head);
    head.writeBigUInt64BE(BigInt(this.#clock.now() + lifetimeMs), nonceBytes);
    return Uint8Array.from([...head, ...this.#key.sign(textOf(head, use))]);
  }

  isGood(challenge: Buffer, use: ChallengeFor): boolean {
    if (challenge.length !== challengeBytes) return false;
    const head = challenge.subarray(0, headBytes);
    const isOurs = this.#key.verify(textOf(head, use), challenge.subarray(headBytes));
    return isOurs && expiryOf(challenge) > this.#clock.now();
  }

  /** True exactly once. */
  use(tx: Tx, challenge: Buffer): Promise<boolean> {
    const hash = createHash('sha256').update(challenge).digest();
    return this.#store.useChallenge(tx, hash, new Date(expiryOf(challenge)));
  }
}

const expiryOf = (challenge: Buffer): number => Number(challenge.readBigUInt64BE(nonceBytes));

const textOf = (head: Buffer, { purpose, userId, sessionId, host }: ChallengeFor): string =>
  [purpose, userId ?? '', sessionId ?? '', host, head.toString('hex')].join('\n');
