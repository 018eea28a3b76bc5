/**
 * Recorded files for a film, encoded anew with masks burnt in. What was made lies in a file without a name until the
 * film is written: whoever makes it may die at any moment, and nothing stays on the disk.
 */
import { existsSync } from 'node:fs';
import { open, rm, truncate, type FileHandle } from 'node:fs/promises';
import { RecordedFiles, type SourceFiles } from '../../export/source-files.ts';
import { ExportFault } from '../../export/export-plan.ts';
import { bytesAt } from '../recorded-bytes.ts';
import { IngestFault } from '../../protocol/fault.ts';
import { maskedCopy } from './masked-copy.ts';
import type { SourceFile, Masks } from '../../protocol/worker-messages.ts';

interface Made {
  readonly offset: number;
  readonly bytes: number;
}

export class MaskedFiles implements SourceFiles {
  readonly #recorded = new RecordedFiles();
  readonly #target: string;
  readonly #masks: Masks;
  readonly #made = new Map<string, Made>();
  #scratch: FileHandle | null = null;
  #bytes = 0;
  #recordedBytes = 0;

  constructor(target: string, masks: Masks) {
    this.#target = target;
    this.#masks = masks;
  }

  async first(source: SourceFile): Promise<{ data: Buffer; headBytes: number }> {
    const { data, headBytes } = await this.#recorded.first(source);
    const [head, body] = [data.subarray(0, headBytes), data.subarray(headBytes)];
    const whenever = new AbortController().signal;
    const copy = await maskedCopy(head, body, this.#masks, whenever).catch((error: unknown) => {
      throw error instanceof IngestFault ? new ExportFault('unreadable') : error;
    });
    const whole = Buffer.concat([copy.init, copy.body]);
    this.#scratch ??= await this.#openScratch();
    await this.#scratch.write(whole, 0, whole.length, this.#bytes);
    await this.#tell(data.length);
    this.#made.set(source.file, { offset: this.#bytes, bytes: whole.length });
    this.#bytes += whole.length;
    return { data: whole, headBytes: copy.init.length };
  }

  async again(file: string): Promise<Buffer> {
    const { offset, bytes } = this.#made.get(file)!;
    return await bytesAt(this.#scratch!, offset, bytes);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#scratch?.close();
  }

  /** Beside the film, on a disk with room for it. */
  async #openScratch(): Promise<FileHandle> {
    const path = `${this.#target}.masked`;
    const scratch = await open(path, 'w+', 0o600);
    await rm(path);
    return scratch;
  }

  /** How far a film is told by how long its file is: nothing is written in it yet, and nothing takes room. */
  async #tell(bytes: number): Promise<void> {
    this.#recordedBytes += bytes;
    const isWanted = existsSync(this.#target);
    if (isWanted) await truncate(this.#target, this.#recordedBytes);
  }
}
