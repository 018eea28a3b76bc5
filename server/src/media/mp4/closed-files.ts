/** Changes recorded files for players, whose open groups are closed on the way (`closed-file.ts`). */
import { Readable } from 'node:stream';
import type { Patch } from './sample-in-place.ts';

/** Sends the bytes that begin at that place of a file, changed for a player. */
export type Through = (pieces: Readable, at: number) => Readable;

export interface RecordedCoding {
  /** FFmpeg's name. */
  readonly codec: string;
  readonly bytes: number;
}

/** Some hundred files with CABAC, whose patches are headers; without it, patches are as long as files. */
const maxKeptBytes = 32 * 1024 * 1024;
/** What a patch takes beside its bytes. */
const patchBytes = 200;

/**
 * Changes recorded files for players. What a file takes to be closed is kept, because a player asks for it range by range,
 * two seconds each, and closing one takes up to 0.1 s of a core (`closing-question.ts`).
 */
export class ClosedFiles {
  readonly #kept = new Map<string, readonly Patch[]>();
  readonly #asked = new Map<string, Promise<readonly Patch[]>>();
  readonly #maxBytes: number;
  #bytes = 0;

  constructor(maxBytes = maxKeptBytes) {
    this.#maxBytes = maxBytes;
  }

  /**
   * Returns how its bytes are changed; null where they are sent as they are. `id`: of the file, which only grows. `ask`:
   * returns what closes it. Throws what that throws.
   */
  async open(
    id: string,
    { codec, bytes }: RecordedCoding,
    ask: () => Promise<readonly Patch[]>,
  ): Promise<Through | null> {
    if (codec !== 'h264') return null;
    const key = `${id} ${bytes}`;
    const patches = this.#kept.get(key) ?? (await this.#ask(key, ask));
    this.#keep(key, patches);
    if (patches.length === 0) return null;
    return (pieces, at) => Readable.from(patched(pieces, at, patches), { objectMode: false });
  }

  /** A caller that asks meanwhile waits for the same answer. */
  async #ask(key: string, ask: () => Promise<readonly Patch[]>): Promise<readonly Patch[]> {
    const asked = this.#asked.get(key) ?? ask();
    this.#asked.set(key, asked);
    try {
      return await asked;
    } finally {
      this.#asked.delete(key);
    }
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
