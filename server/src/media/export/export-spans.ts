/** Which pictures of an export are other than they were recorded, for its manifest. */
import type { EncodedSpan } from '../protocol/worker-messages.ts';
import type { FilePicture, Period, RecordedFile } from './recorded-file.ts';

export class ExportSpans {
  readonly #period: Period;
  readonly #encoded: EncodedSpan[] = [];
  readonly #leftOut: EncodedSpan[] = [];
  readonly #rewritten: EncodedSpan[] = [];

  constructor(period: Period) {
    this.#period = period;
  }

  /** Encoded anew. */
  get encoded(): readonly EncodedSpan[] {
    return this.#encoded;
  }

  /** Would have had to be encoded anew, and can't be. */
  get leftOut(): readonly EncodedSpan[] {
    return this.#leftOut;
  }

  /** Copied with other headers. */
  get rewritten(): readonly EncodedSpan[] {
    return this.#rewritten;
  }

  add(
    kind: 'encoded' | 'leftOut' | 'rewritten',
    file: RecordedFile,
    pictures: readonly FilePicture[],
  ): void {
    if (pictures.length === 0) return;
    const lists = { encoded: this.#encoded, leftOut: this.#leftOut, rewritten: this.#rewritten };
    lists[kind].push(spanOf(file, pictures, this.#period));
  }

  /** What was encoded is not in the export. */
  leaveOutEncoded(): void {
    this.#leftOut.push(...this.#encoded.splice(0));
    this.#rewritten.length = 0;
  }
}

function spanOf(
  file: RecordedFile,
  shown: readonly FilePicture[],
  { untilMs }: Period,
): EncodedSpan {
  const inOrder = shown.toSorted((a, b) => a.shownTicks - b.shownTicks);
  const [first, last] = [inOrder[0]!, inOrder.at(-1)!];
  const endMs = file.wallMsOf(last.shownTicks + last.sample.durationTicks);
  return {
    fromMs: file.wallMsOf(first.shownTicks),
    untilMs: Math.min(endMs, untilMs),
    pictures: shown.length,
  };
}
