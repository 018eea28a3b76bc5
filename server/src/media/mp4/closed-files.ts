/** Changes recorded files for players, whose open groups are closed on the way (`closed-file.ts`). */
import { Readable } from 'node:stream';
import { closingPatches, type OpenFile } from './closed-file.ts';
import type { Patch } from './sample-in-place.ts';

/** Sends the bytes that begin at that place of a file, changed for a player. */
export type Through = (pieces: Readable, at: number) => Readable;

export interface RecordedCoding {
  readonly codec: string;
  /** Those before the first fragment. */
  readonly headBytes: number;
  readonly bytes: number;
}

/** Some hundred files with CABAC, whose patches are headers; without it, patches are as long as files. */
const maxKeptBytes = 32 * 1024 * 1024;
/** What a patch takes beside its bytes. */
const patchBytes = 200;

/**
 * Changes recorded files for players. What a file takes to be closed is kept, because a player asks for it range by range,
 * two seconds each, and closing one takes up to 0.1 s of a core.
 */
export class ClosedFiles {
  readonly #kept = new Map<string, readonly Patch[]>();
  readonly #maxBytes: number;
  #bytes = 0;

  constructor(maxBytes = maxKeptBytes) {
    this.#maxBytes = maxBytes;
  }

  /** Returns how its bytes are changed; null where they are sent as they are. `id`: of the file, which only grows. */
  async open(id: string, file: OpenFile, coding: RecordedCoding): Promise<Through | null> {
    const { codec, headBytes, bytes } = coding;
    if (codec !== 'h264') return null;
    const key = `${id} ${bytes}`;
    const known = this.#kept.get(key);
    this.#forget(key);
    const patches = known ?? (await closingPatches(file, headBytes, bytes));
    this.#keep(key, patches);
    if (patches.length === 0) return null;
    return (pieces, at) => Readable.from(patched(pieces, at, patches), { objectMode: false });
  }

  /** The one that was asked for last is the last to go. */
  #keep(key: string, patches: readonly Patch[]): void {
    this.#forget(key);
    this.#kept.set(key, patches);
    this.#bytes += weightOf(patches);
    for (const oldest of this.#kept.keys()) {
      if (this.#bytes <= this.#maxBytes) return;
      this.#forget(oldest);
    }
  }

  #forget(key: string): void {
    this.#bytes -= weightOf(this.#kept.get(key) ?? null);
    this.#kept.delete(key);
  }
}

const weightOf = (patches: readonly Patch[] | null): number =>
  patches?.reduce((sum, { bytes }) => sum + patchBytes + bytes.length, patchBytes) ?? 0;

/** The bytes that begin at `at` in the file, with the patches written over them. */
async function* patched(
  pieces: AsyncIterable<Buffer>,
  at: number,
  patches: readonly Patch[],
): AsyncGenerator<Buffer> {
  let begin = at;
  for await (const piece of pieces) {
    const end = begin + piece.length;
    for (const patch of patches) {
      const first = Math.max(patch.at, begin);
      const last = Math.min(patch.at + patch.bytes.length, end);
      if (first < last) patch.bytes.copy(piece, first - begin, first - patch.at, last - patch.at);
    }
    begin = end;
    yield piece;
  }
}
