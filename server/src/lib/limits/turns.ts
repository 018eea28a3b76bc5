/**
 * Limits how much work runs at once; the rest waits for its turn, up to a limit. Accounts take turns, so an account
 * that requests fifty things does not hold up one that requests a single thing. Where too many wait, the account with
 * the most of them gives up its oldest (`fair-share.ts`).
 */
import { Problem } from '../problem.ts';
import { FairShare } from './fair-share.ts';

const retryAfterS = 2;

/** The account of work that the server does by itself. */
export const ownWork = '';

interface Waiting {
  readonly begin: () => void;
  readonly refuse: (why: Error) => void;
}

export class Turns {
  readonly #maxAtOnce: number;
  readonly #waiting: FairShare<Waiting>;
  #working = 0;

  constructor(maxAtOnce: number, maxWaiting: number) {
    this.#maxAtOnce = maxAtOnce;
    this.#waiting = new FairShare(maxWaiting);
  }

  /**
   * `account`: the one that the work is for. Throws `unavailable` when too many wait, `request_replaced` when a newer
   * request took the place of this one, and the reason of `signal` when it is aborted before its turn.
   */
  async take<R>(account: string, work: () => Promise<R>, signal?: AbortSignal): Promise<R> {
    if (this.#working < this.#maxAtOnce) this.#working += 1;
    else await this.#wait(account, signal);
    try {
      return await work();
    } finally {
      this.#pass();
    }
  }

  /** Work that waits is refused with `why`; work that runs goes on. */
  refuseWaiting(why: Error): void {
    for (let next = this.#waiting.next(); next; next = this.#waiting.next()) next.refuse(why);
  }

  /** Resolves when the caller takes over the turn of work that has ended. */
  async #wait(account: string, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiting: Waiting = { begin: resolve, refuse: reject };
    const admission = this.#waiting.admit(account, waiting);
    if (admission.kind === 'full') throw new Problem('unavailable', { retry_after_s: retryAfterS });
    if (admission.kind === 'replaced') {
      admission.left.refuse(new Problem('request_replaced', { retry_after_s: retryAfterS }));
    }
    const leave = (): void => {
      if (this.#waiting.release(account, waiting)) reject(signal?.reason as Error);
    };
    signal?.addEventListener('abort', leave, { once: true });
    await promise.finally(() => signal?.removeEventListener('abort', leave));
  }

  #pass(): void {
    const next = this.#waiting.next();
    if (!next) this.#working -= 1;
    next?.begin();
  }
}
