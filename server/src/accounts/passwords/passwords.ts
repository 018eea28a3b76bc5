/**
 * Password hashes: Argon2id as OWASP's cheat sheet sets it (19 MiB, 2 passes, 1 lane; 65 ms of one core
 * here), stored in the PHC string format so that a later change of parameters can be detected and upgraded.
 *
 * Hashing is the most expensive work that a stranger can cause, so at most two run at once and few may
 * wait: recording and live views go on during a flood of logins.
 */
import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { Problem } from '#lib/problem.ts';

const derive = promisify(argon2);

export interface HashCost {
  readonly memoryKiB: number;
  readonly passes: number;
}

const owaspCost: HashCost = { memoryKiB: 19_456, passes: 2 };
const lanes = 1;
const nonceBytes = 16;
const tagBytes = 32;

const maxRunning = 2;
const maxWaiting = 32;

/** The user that a hash is computed for. */
export interface Turn {
  /** A user who signed in here before: their hash is computed before those of strangers, who may be a flood. */
  readonly isKnown: boolean;
}
const stranger: Turn = { isKnown: false };

export class Passwords {
  readonly #cost: HashCost;
  #running = 0;
  readonly #waiting = { known: [] as (() => void)[], strangers: [] as (() => void)[] };

  constructor(cost: HashCost = owaspCost) {
    this.#cost = cost;
  }

  /** PHC string, e.g. `$argon2id$v=19$m=19456,t=2,p=1$<nonce>$<tag>`. */
  async hash(password: string): Promise<string> {
    const { memoryKiB, passes } = this.#cost;
    const nonce = randomBytes(nonceBytes);
    const tag = await this.#derive(password, nonce, memoryKiB, passes, lanes);
    return `$argon2id$v=19$m=${memoryKiB},t=${passes},p=${lanes}$${base64(nonce)}$${base64(tag)}`;
  }

  /** Takes the same time whether the hash exists or not. */
  async verify(password: string, phc: string | null, turn: Turn = stranger): Promise<boolean> {
    const stored = phc === null ? null : parsePhc(phc);
    const nonce = stored?.nonce ?? Buffer.alloc(nonceBytes);
    const tag = await this.#derive(
      password,
      nonce,
      stored?.memoryKiB ?? this.#cost.memoryKiB,
      stored?.passes ?? this.#cost.passes,
      stored?.lanes ?? lanes,
      turn,
    );
    return stored !== null && tag.length === stored.tag.length && timingSafeEqual(tag, stored.tag);
  }

  /** Whether a hash was made with weaker parameters than today's. */
  isOutdated(phc: string): boolean {
    const { memoryKiB, passes } = this.#cost;
    const stored = parsePhc(phc);
    return stored === null || stored.memoryKiB < memoryKiB || stored.passes < passes;
  }

  async #derive(
    password: string,
    nonce: Buffer,
    memory: number,
    rounds: number,
    parallelism: number,
    turn = stranger,
  ): Promise<Buffer> {
    await this.#enter(turn);
    try {
      return await derive('argon2id', {
        message: password.normalize('NFC'),
        nonce,
        memory,
        passes: rounds,
        parallelism,
        tagLength: tagBytes,
      });
    } finally {
      this.#running -= 1;
      const { known, strangers } = this.#waiting;
      (known.shift() ?? strangers.shift())?.();
    }
  }

  async #enter({ isKnown }: Turn): Promise<void> {
    if (this.#running >= maxRunning) {
      const queue = isKnown ? this.#waiting.known : this.#waiting.strangers;
      if (queue.length >= maxWaiting) {
        throw new Problem('too_many_requests', { retry_after_s: 2 });
      }
      await new Promise<void>((resolve) => queue.push(resolve));
    }
    this.#running += 1;
  }
}

interface Phc {
  readonly memoryKiB: number;
  readonly passes: number;
  readonly lanes: number;
  readonly nonce: Buffer;
  readonly tag: Buffer;
}

function parsePhc(phc: string): Phc | null {
  const match = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/.exec(phc);
  if (!match) return null;
  const [, memory, rounds, parallelism, nonce = '', tag = ''] = match;
  return {
    memoryKiB: Number(memory),
    passes: Number(rounds),
    lanes: Number(parallelism),
    nonce: Buffer.from(nonce, 'base64'),
    tag: Buffer.from(tag, 'base64'),
  };
}

/** The PHC format omits the padding. */
const base64 = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '');
