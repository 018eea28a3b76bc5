/**
 * Two faces in one picture are two people: a person in view together with another is not the same. The check may read
 * 100,000 visits, so it runs before the lock of strangers is taken, and under the lock only on what changed since.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Database } from '#db/database.ts';
import type { Clock } from '#lib/clock.ts';
import { Problem } from '#lib/problem.ts';
import { longestVisitMs } from '../recent-visits.ts';
import { TogetherStore, type PersonOrStranger } from './together-store.ts';

/** Two who were not in view together until then. */
export interface Apart {
  readonly one: PersonOrStranger;
  readonly other: PersonOrStranger;
  readonly identities: Identities;
  readonly untilMs: number;
}

type Identities = readonly [ones: readonly string[], others: readonly string[]];

export class Together {
  readonly #store: TogetherStore;
  readonly #clock: Clock;

  constructor(db: Database, clock: Clock) {
    this.#store = new TogetherStore(db);
    this.#clock = clock;
  }

  /** Throws seen_together. */
  async mustBeApart(one: PersonOrStranger, other: PersonOrStranger): Promise<Apart> {
    const untilMs = this.#clock.now();
    const identities = await this.#identities(one, other);
    await this.#ask(identities, null);
    return { one, other, identities, untilMs };
  }

  /**
   * The same check under the lock: of visits that were written meanwhile, or went on; of all visits where another
   * identity was merged with one of them, or got their name. Throws seen_together.
   */
  async mustStillBeApart({ one, other, identities, untilMs }: Apart): Promise<void> {
    const now = await this.#identities(one, other);
    const isSame = isDeepStrictEqual(now, identities);
    await this.#ask(now, isSame ? new Date(untilMs - longestVisitMs) : null);
  }

  async #identities(one: PersonOrStranger, other: PersonOrStranger): Promise<Identities> {
    return [await this.#store.identitiesOf(one), await this.#store.identitiesOf(other)];
  }

  async #ask([ones, others]: Identities, since: Date | null): Promise<void> {
    if (await this.#store.overlapped(ones, others, since)) throw new Problem('seen_together');
  }
}
