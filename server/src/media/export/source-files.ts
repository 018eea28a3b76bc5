/**
 * The files that an export is made of. Each is read twice, piece by piece: a file is as long as its camera sends no key
 * frame, and may be larger than what Node reads at once (2 GiB).
 */
import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { ExportFault } from './export-fault.ts';
import { RecordedFile } from './recorded-file.ts';
import type { SourceFile } from '../protocol/worker-messages.ts';

/** Where bytes are in a file. */
export interface ByteRange {
  readonly offset: number;
  readonly bytes: number;
}

export interface SourceFiles extends AsyncDisposable {
  /** What a file holds, to plan with; null: no picture. Throws ExportFault. */
  first(source: SourceFile): Promise<RecordedFile | null>;
  /** Reads bytes of it again, by its path. Throws ExportFault. */
  again(file: string, range: ByteRange): Promise<Buffer>;
}

/** A file of ten seconds of most cameras is one piece. */
const usualPieceBytes = 4 * 1024 * 1024;

/** The files as they were recorded. */
export class RecordedFiles implements SourceFiles {
  readonly #pieceBytes: number;

  constructor({ pieceBytes = usualPieceBytes } = {}) {
    this.#pieceBytes = pieceBytes;
  }

  first(source: SourceFile): Promise<RecordedFile | null> {
    return RecordedFile.read(source, this.pieces(source));
  }

  /**
   * All bytes of the file. Throws ExportFault after the last one when they are not those that were recorded: evidence
   * whose hash is not the one noted at recording must not be passed on as evidence.
   */
  async *pieces({ file, sha256 }: SourceFile): AsyncGenerator<Buffer> {
    const hash = createHash('sha256');
    await using handle = await open(file);
    const { size } = await handle.stat();
    for (let at = 0; ;) {
      // One more than there should be: the end is where nothing is read, not where it is said to be.
      const length = Math.min(this.#pieceBytes, Math.max(0, size - at) + 1);
      const bytes = Buffer.allocUnsafeSlow(length);
      const { bytesRead } = await handle.read(bytes, 0, length, null);
      if (bytesRead === 0) break;
      const piece = bytes.subarray(0, bytesRead);
      hash.update(piece);
      yield piece;
      at += bytesRead;
    }
    if (hash.digest('hex') !== sha256) throw new ExportFault('file_changed');
  }

  async again(file: string, { offset, bytes }: ByteRange): Promise<Buffer> {
    const data = Buffer.allocUnsafeSlow(bytes);
    await using handle = await open(file);
    for (let at = 0; at < bytes;) {
      const { bytesRead } = await handle.read(data, at, bytes - at, offset + at);
      // It was longer when it was read first.
      if (bytesRead === 0) throw new ExportFault('file_changed');
      at += bytesRead;
    }
    return data;
  }

  async [Symbol.asyncDispose](): Promise<void> {}
}
