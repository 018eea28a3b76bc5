/**
 * The rights with which people were enrolled, in the memory of this node: what an account enrols counts on the
 * cameras that it may see, and never against what an account with more rights enrolled. They are read again every two
 * seconds, because rights change in many places and on other nodes; what is read names nobody.
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
  #known: ReadonlySet<string> = new Set();

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
    const all = new Set(this.#known);
    for (const id of userIds) if (id !== null) all.add(id);
    if (all.size === this.#known.size) return;
    this.#known = all;
    await this.refresh();
  }

  /** Reads the rights of all accounts again. */
  async refresh(): Promise<void> {
    if (this.#known.size > 0) this.#rights = await this.#options.rightsOf([...this.#known]);
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
