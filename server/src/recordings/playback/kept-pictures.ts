/**
 * The last pictures that were made of recordings, for a user who scrolls back; about 10 kB each, in memory only. A key
 * names everything that a picture depends on, its masks too, and the caller's rights are checked first.
 */
const most = 500;

export class KeptPictures {
  readonly #pictures = new Map<string, Buffer>();

  of(key: string): Buffer | null {
    return this.#pictures.get(key) ?? null;
  }

  keep(key: string, picture: Buffer): void {
    this.#pictures.set(key, picture);
    for (const oldest of this.#pictures.keys()) {
      if (this.#pictures.size <= most) return;
      this.#pictures.delete(oldest);
    }
  }
}
