/** Moves counts after each naming, of this node or another, one naming after the other. */
import type { Database } from '#db/database.ts';
import type { Log } from '#lib/log.ts';
import { NamingCounts } from './naming-counts.ts';
import { NamingCountsStore } from './naming-counts-store.ts';

export class NamingFollower implements AsyncDisposable {
  readonly #counts: NamingCounts;
  readonly #log: Log;
  readonly #listening: Disposable;
  readonly #stop = new AbortController();
  #running: Promise<void> = Promise.resolve();

  constructor({ db, log }: { readonly db: Database; readonly log: Log }) {
    this.#counts = new NamingCounts({ db });
    this.#log = log;
    // The first news is that listening begins: what an earlier process left goes on then.
    this.#listening = new NamingCountsStore(db).onNamed(() => void this.run());
  }

  /** Hourly too: what failed is tried again. */
  run(): Promise<void> {
    this.#running = this.#running.then(() =>
      this.#counts
        .run(this.#stop.signal)
        .catch((err: unknown) =>
          this.#log.error({ err }, 'counts of a naming were not moved; it goes on later'),
        ),
    );
    return this.#running;
  }

  /** Ends what is under way after its batch; the next start goes on. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#listening[Symbol.dispose]();
    this.#stop.abort();
    await this.#running;
  }
}
