/**
 * News from one module to whoever cares. The publisher does not know its readers, so a module never has
 * to import one that comes after it. Only a wake-up: a reader that must not lose news keeps a cursor and
 * reads the owner's table from there.
 */
export class Topic<T> {
  readonly #readers = new Set<(news: T) => void>();
  readonly #onError: (error: unknown) => void;

  /** `onError` gets what a reader threw; the other readers still hear the news. */
  constructor(onError: (error: unknown) => void) {
    this.#onError = onError;
  }

  publish(news: T): void {
    for (const read of this.#readers) {
      try {
        read(news);
      } catch (error) {
        this.#onError(error);
      }
    }
  }

  /** Stops when the returned handle is disposed, so `using` is enough to avoid a leak. */
  on(read: (news: T) => void): Disposable {
    this.#readers.add(read);
    return { [Symbol.dispose]: () => void this.#readers.delete(read) };
  }
}
