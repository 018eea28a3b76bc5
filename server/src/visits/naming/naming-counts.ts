/**
 * A stranger who is named, or unknown again, may have been seen a hundred thousand times: the naming itself is short, and
 * the counts kept of their visits move afterwards, a batch in a transaction. Readers add what is not moved yet, so that
 * no reader is shown a half of it (decision 0028).
 */
import { alone } from '#db/alone.ts';
import type { Database } from '#db/database.ts';
import { NamingCountsStore } from './naming-counts-store.ts';

export interface NamingCountsOptions {
  readonly db: Database;
  /** Visits whose counts move in one transaction. */
  readonly visitBatch?: number;
}

/** A writer of a visit in the same hour, at the same camera or another of its quarter of the cameras, waits for one of them. */
const usualVisitBatch = 1_000;

export class NamingCounts {
  readonly #db: Database;
  readonly #store: NamingCountsStore;
  readonly #visitBatch: number;

  constructor({ db, visitBatch = usualVisitBatch }: NamingCountsOptions) {
    this.#db = db;
    this.#store = new NamingCountsStore(db);
    this.#visitBatch = visitBatch;
  }

  /** Until nothing is left to move; nothing when another node does it. `signal` ends it between two batches. */
  async run(signal: AbortSignal): Promise<void> {
    if ((await this.#store.first()) === null) return;
    await alone(this.#db, 'visits.naming', async (lost) => {
      while (!signal.aborted && !lost.aborted && (await this.step()));
    });
  }

  /** One batch, which a process that dies undoes as a whole; false when nothing is left. */
  async step(): Promise<boolean> {
    const identityId = await this.#store.first();
    if (identityId === null) return false;
    await this.#store.move(identityId, this.#visitBatch);
    return true;
  }
}
