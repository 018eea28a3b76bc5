/**
 * Finds any of many words in one pass over bytes, however many there are: the files of an installation are hundreds of
 * megabytes, and a run knows thousands of tokens in five spellings. A pass for each word took a third of the processor
 * time of all browser tests. After Wu and Manber, A fast algorithm for multi-pattern searching (1994), but by the ends of
 * the words, as tokens of one kind begin alike.
 */

/** What is shorter would be found by chance, and would be passed over. */
export const shortestBytes = 10;
const blockBytes = 4;
/** One of 2^20 places by the upper bits of a product (Knuth, The Art of Computer Programming 3, 6.4). */
const placesLog2 = 20;
const placeOf = (block: number): number => Math.imul(block, 0x9e3779b1) >>> (32 - placesLog2);

export class WordSearch<T> {
  /** By the block before a position: how many bytes further the end of a word can be at the earliest. */
  readonly #steps = new Uint8Array(1 << placesLog2).fill(shortestBytes - blockBytes + 1);
  readonly #byEnd = new Map<number, { readonly word: Buffer; readonly meaning: T }[]>();
  #longest = 0;

  /** The length of the longest word, in bytes. */
  get longest(): number {
    return this.#longest;
  }

  /** `word` of `shortestBytes` or more; adding it once more gives it another meaning too. */
  add(word: Buffer, meaning: T): void {
    const last = word.length - blockBytes;
    for (let step = 0; step <= shortestBytes - blockBytes; step += 1) {
      const place = placeOf(word.readInt32BE(last - step));
      this.#steps[place] = Math.min(this.#steps[place]!, step);
    }
    const end = word.readInt32BE(last);
    const known = this.#byEnd.get(end);
    if (known) known.push({ word, meaning });
    else this.#byEnd.set(end, [{ word, meaning }]);
    this.#longest = Math.max(this.#longest, word.length);
  }

  /** The meanings of the words that stand in it, each once. */
  in(bytes: Buffer): Set<T> {
    // Playwright's translation makes a call of each use of a private field.
    const steps = this.#steps;
    const found = new Set<T>();
    for (let end = shortestBytes; end <= bytes.length;) {
      const block =
        (bytes[end - 4]! << 24) |
        (bytes[end - 3]! << 16) |
        (bytes[end - 2]! << 8) |
        bytes[end - 1]!;
      const step = steps[placeOf(block)]!;
      if (step === 0) this.#endingAt(bytes, end, block, found);
      end += step || 1;
    }
    return found;
  }

  #endingAt(bytes: Buffer, end: number, block: number, found: Set<T>): void {
    for (const { word, meaning } of this.#byEnd.get(block) ?? []) {
      const from = end - word.length;
      if (from >= 0 && word.equals(bytes.subarray(from, end))) found.add(meaning);
    }
  }
}
