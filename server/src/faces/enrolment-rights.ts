/**
 * The rights with which people were enrolled, in the memory of this node: what an account enrols counts on the
 * cameras that it may see, and never against what an account with more rights enrolled. They are read again every two
 * seconds, because rights change in many places and on other nodes; what is read contains no names.
 */
import type { Clock } from '#lib/clock.ts';
import { every } from '#lib/every.ts';
import type { Log } from '#lib/log.ts';

/** Accounts of one tier are equal; tier 0 has the administrators. */
export const tierCount = 3;

export interface EnrolmentRights {
  /** 0 to `tierCount` - 1. */
  readonly tier: number;
  readonly cameras: 'all' | ReadonlySet<string>;
}

/** Accounts of which nothing is known are absent. */
export type EnrolmentRightsOf = (
  userIds: readonly string[],
) => Promise<ReadonlyMap<string, EnrolmentRights>>;

export interface EnrollersOptions {
  readonly rightsOf: EnrolmentRightsOf;
  readonly clock: Clock;
  readonly log: Log;
}

const askAgainMs = 2_000;

export class Enrollers implements Disposable {
  readonly #options: EnrollersOptions;
  readonly #stop = new AbortController();
  #rights: ReadonlyMap<string, EnrolmentRights> = new Map();
  /** The accounts that `#rights` were read for. */
  #read: ReadonlySet<string> = new Set();
  #known: ReadonlySet<string> = new Set();
  /** Readings are numbered: one that began earlier never replaces a later one. */
  #begun = 0;
  #newest = 0;

  constructor(options: EnrollersOptions) {
    this.#options = options;
    const { clock, log } = options;
    void every(
      { clock, everyMs: askAgainMs, signal: this.#stop.signal },
      () => this.refresh(),
      (error) => log.warn({ err: error }, 'rights of those who enrolled people could not be read'),
    );
  }

  [Symbol.dispose](): void {
    this.#stop.abort();
  }

  /** Reads the rights of these accounts, whose entries are about to count. Rejects when they cannot be read. */
  async learn(userIds: Iterable<string | null>): Promise<void> {
    const ids = [...userIds].filter((id) => id !== null);
    if (ids.every((id) => this.#read.has(id))) return;
    this.#known = new Set([...this.#known, ...ids]);
    await this.refresh();
  }

  /** Reads the rights of all accounts again. */
  async refresh(): Promise<void> {
    const known = this.#known;
    if (known.size === 0) return;
    const reading = (this.#begun += 1);
    const rights = await this.#options.rightsOf([...known]);
    if (reading < this.#newest) return;
    this.#newest = reading;
    this.#rights = rights;
    this.#read = known;
  }

  /** The tier of what this account enrols; null: it counts nowhere. */
  tierOf(userId: string | null): number | null {
    return this.#of(userId)?.tier ?? null;
  }

  /** The tier at one camera; null also where the account may not see it. */
  tierAt(userId: string | null, cameraId: string): number | null {
    const rights = this.#of(userId);
    if (!rights) return null;
    return rights.cameras === 'all' || rights.cameras.has(cameraId) ? rights.tier : null;
  }

  #of(userId: string | null): EnrolmentRights | undefined {
    return userId === null ? undefined : this.#rights.get(userId);
  }
}
