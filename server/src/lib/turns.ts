/** Limits how much work runs at once; the rest waits for its turn, in order, up to a limit. */
import { Problem } from './problem.ts';

const retryAfterS = 2;

export class Turns {
  readonly #maxAtOnce: number;
  readonly #maxWaiting: number;
  readonly #waiting = new Set<() => void>();
  #working = 0;

  constructor(maxAtOnce: number, maxWaiting: number) {
    this.#maxAtOnce = maxAtOnce;
    this.#maxWaiting = maxWaiting;
  }

  /** Throws `unavailable` when too many wait, and what `signal` says when it is aborted before its turn. */
  async take<R>(work: () => Promise<R>, signal?: AbortSignal): Promise<R> {
    if (this.#working < this.#maxAtOnce) this.#working += 1;
    else await this.#wait(signal);
    try {
      return await work();
    } finally {
      this.#pass();
    }
  }

  /** Resolves when the caller takes over the turn of one that is done. */
  async #wait(signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    if (this.#waiting.size >= this.#maxWaiting) {
      throw new Problem('unavailable', { retry_after_s: retryAfterS });
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const leave = (): void => {
      if (this.#waiting.delete(resolve)) reject(signal?.reason as Error);
    };
    this.#waiting.add(resolve);
    signal?.addEventListener('abort', leave, { once: true });
    await promise.finally(() => signal?.removeEventListener('abort', leave));
  }

  #pass(): void {
    const [next] = this.#waiting;
    if (next) this.#waiting.delete(next);
    else this.#working -= 1;
    next?.();
  }
}
