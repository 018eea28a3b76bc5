/**
 * Events of one module for any reader. The publisher does not know its readers, so a module never has
 * to import a later one. An event is only a wake-up: a reader that must not miss one keeps a
 * cursor and reads the owner's table from there.
 */
export class Topic<T> {
  readonly #readers = new Set<(event: T) => void>();
  readonly #onError: (error: unknown) => void;

  /** `onError` receives what a reader threw; the other readers still receive the event. */
  constructor(onError: (error: unknown) => void) {
    this.#onError = onError;
  }

  publish(event: T): void {
    for (const read of this.#readers) {
      try {
        read(event);
      } catch (error) {
        this.#onError(error);
      }
    }
  }

  /** Stops when the returned handle is disposed, so `using` is enough to avoid a leak. */
  on(read: (event: T) => void): Disposable {
    this.#readers.add(read);
    return { [Symbol.dispose]: () => void this.#readers.delete(read) };
  }
}
