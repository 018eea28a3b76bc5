/**
 * Writes one segment. Pictures are handed to the operating system at once, so that they outlive this process, and
 * synced to the disk about each second, so that they outlive a power cut.
 */
import { createHash } from 'node:crypto';
import { mkdir, open, rm, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Clock } from '#lib/clock.ts';
import type { KeyFrame, WrittenSegment } from '../../protocol/segments.ts';

const syncEveryMs = 1_000;
/** The duration of a picture that no other follows or precedes, in ms: 25 a second. */
const usualStepMs = 40;

export interface Picture {
  readonly body: Buffer;
  readonly key: boolean;
  /** Seconds on the media timeline. */
  readonly at: number;
}

export class SegmentWriter {
  readonly #path: string;
  readonly #file: FileHandle;
  readonly #clock: Clock;
  readonly #hash = createHash('sha256');
  readonly #keyFrames: KeyFrame[] = [];
  #headBytes = 0;
  #bytes = 0;
  #pictures = 0;
  #firstAt = 0;
  #lastAt = 0;
  #stepMs = usualStepMs;
  #syncedAtMs: number;
  #syncing: Promise<void> | null = null;
  #syncFault: unknown = null;

  private constructor(path: string, file: FileHandle, clock: Clock) {
    this.#path = path;
    this.#file = file;
    this.#clock = clock;
    this.#syncedAtMs = clock.monotonicMs();
  }

  /** Makes the file and the folders above it. A file that exists already is never touched. */
  static async open(path: string, head: Buffer, clock: Clock): Promise<SegmentWriter> {
    const folder = dirname(path);
    const made = await mkdir(folder, { recursive: true, mode: 0o700 });
    const file = await open(path, 'wx', 0o600);
    const writer = new SegmentWriter(path, file, clock);
    try {
      await syncFolders(folder, made === undefined ? folder : dirname(made));
      await writer.#append(head);
      writer.#headBytes = head.length;
      return writer;
    } catch (error) {
      await writer.close(null);
      throw error;
    }
  }

  /** Resolves when all of them are written. Rejects when the disk is full or fails. */
  async write(pictures: readonly Picture[]): Promise<void> {
    if (this.#syncFault !== null) throw this.#syncFault;
    let offset = this.#bytes;
    const at0 = this.#pictures === 0 ? (pictures[0]?.at ?? 0) : this.#firstAt;
    const keys: KeyFrame[] = [];
    for (const { body, key, at } of pictures) {
      if (key) keys.push({ offset, atMs: Math.round((at - at0) * 1000) });
      offset += body.length;
    }
    await this.#append(
      pictures.length === 1 ? pictures[0]!.body : Buffer.concat(pictures.map(({ body }) => body)),
    );
    for (const { at } of pictures) this.#count(at);
    this.#keyFrames.push(...keys);
    this.#syncSoon();
  }

  /**
   * Truncates what a failed write left, appends the tail, and syncs the file. Null when it held no picture: the file is
   * removed.
   */
  async close(tail: Buffer | null): Promise<WrittenSegment | null> {
    await this.#syncing;
    try {
      if (this.#pictures === 0) {
        await rm(this.#path, { force: true });
        return null;
      }
      if (tail) await this.#append(tail);
      await this.#file.truncate(this.#bytes);
      await this.#file.sync();
    } finally {
      await this.#file.close();
    }
    return {
      headBytes: this.#headBytes,
      bytes: this.#bytes,
      keyFrames: this.#keyFrames,
      pictures: this.#pictures,
      durationMs: Math.round((this.#lastAt - this.#firstAt) * 1000 + this.#stepMs),
      sha256: this.#hash.digest('hex'),
    };
  }

  async #append(data: Buffer): Promise<void> {
    for (let at = 0; at < data.length;) {
      const left = data.length - at;
      const { bytesWritten } = await this.#file.write(data, at, left, this.#bytes + at);
      at += bytesWritten;
    }
    this.#hash.update(data);
    this.#bytes += data.length;
  }

  #count(at: number): void {
    if (this.#pictures === 0) this.#firstAt = at;
    else if (at > this.#lastAt) this.#stepMs = (at - this.#lastAt) * 1000;
    this.#lastAt = Math.max(this.#lastAt, at);
    this.#pictures += 1;
  }

  /** Syncs beside the writing: a slow disk must not keep the next picture in memory. */
  #syncSoon(): void {
    const nowMs = this.#clock.monotonicMs();
    if (this.#syncing || nowMs - this.#syncedAtMs < syncEveryMs) return;
    this.#syncedAtMs = nowMs;
    this.#syncing = this.#file
      .datasync()
      .catch((error: unknown) => (this.#syncFault = error))
      .then(() => void (this.#syncing = null));
  }
}

/** Syncs a file's folder, and new folders above it, so that the file has a name after a power cut, too. */
async function syncFolders(folder: string, highest: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
  if (folder !== highest) await syncFolders(dirname(folder), highest);
}
