/**
 * Results that take long to make and are requested more than once: made once for simultaneous requests, stopped when
 * none of them waits any more, and kept in memory up to a size; the least recently requested one goes first.
 */
interface Running<V> {
  readonly made: Promise<V>;
  readonly stop: AbortController;
  waiting: number;
}

export class SharedWork<V> {
  readonly #maxBytes: number;
  readonly #bytesOf: (value: V) => number;
  readonly #kept = new Map<string, V>();
  readonly #running = new Map<string, Running<V>>();
  #keptBytes = 0;

  constructor(maxBytes: number, bytesOf: (value: V) => number) {
    this.#maxBytes = maxBytes;
    this.#bytesOf = bytesOf;
  }

  /** Throws what `work` throws, and the reason of `signal` when it is aborted. */
  async get(key: string, signal: AbortSignal, work: (stop: AbortSignal) => Promise<V>): Promise<V> {
    signal.throwIfAborted();
    const kept = this.#kept.get(key);
    if (kept !== undefined) {
      // The last one in the map is removed last.
      this.#kept.delete(key);
      this.#kept.set(key, kept);
      return kept;
    }
    const running = this.#running.get(key) ?? this.#begin(key, work);
    running.waiting += 1;
    const left = Promise.withResolvers<never>();
    const leave = (): void => left.reject(signal.reason as Error);
    signal.addEventListener('abort', leave, { once: true });
    try {
      return await Promise.race([running.made, left.promise]);
    } finally {
      signal.removeEventListener('abort', leave);
      running.waiting -= 1;
      if (running.waiting === 0) this.#end(key, running);
    }
  }

  #begin(key: string, work: (stop: AbortSignal) => Promise<V>): Running<V> {
    const stop = new AbortController();
    const made = work(stop.signal).then((value) => {
      this.#keep(key, value);
      return value;
    });
    // The callers that wait receive the error; there may be none.
    made.catch(() => undefined);
    const running: Running<V> = { made, stop, waiting: 0 };
    this.#running.set(key, running);
    return running;
  }

  /** Later requests start it again if it did not finish. */
  #end(key: string, running: Running<V>): void {
    if (this.#running.get(key) === running) this.#running.delete(key);
    running.stop.abort();
  }

  #keep(key: string, value: V): void {
    const bytes = this.#bytesOf(value);
    if (bytes > this.#maxBytes) return;
    this.#kept.set(key, value);
    this.#keptBytes += bytes;
    for (const [oldest, old] of this.#kept) {
      if (this.#keptBytes <= this.#maxBytes) return;
      this.#kept.delete(oldest);
      this.#keptBytes -= this.#bytesOf(old);
    }
  }
}
