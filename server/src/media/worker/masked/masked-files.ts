/**
 * Recorded files for an export, encoded anew with masks burnt in. They lie in a file without a name until the export is
 * written: the worker may die at any moment, and nothing stays on the disk.
 */
import { existsSync } from 'node:fs';
import { open, rm, truncate, type FileHandle } from 'node:fs/promises';
import { RecordedFile, type Period } from '../../export/recorded-file.ts';
import { samplesOf } from '../../export/samples.ts';
import { RecordedFiles, type ByteRange, type SourceFiles } from '../../export/source-files.ts';
import { ExportFault } from '../../export/export-fault.ts';
import { bytesAt } from '../recorded-bytes.ts';
import { IngestFault } from '../../protocol/fault.ts';
import { maskedCopy } from './masked-copy.ts';
import type { ZoneMasks, SourceFile } from '../../protocol/worker-messages.ts';

export class MaskedFiles implements SourceFiles {
  readonly #recorded = new RecordedFiles();
  readonly #target: string;
  readonly #masks: ZoneMasks;
  readonly #period: Period;
  /** Where each file begins in the scratch file. */
  readonly #begins = new Map<string, number>();
  #scratch: FileHandle | null = null;
  #bytes = 0;
  #recordedBytes = 0;

  /** What lies outside the period is not encoded. */
  constructor(target: string, masks: ZoneMasks, period: Period) {
    this.#target = target;
    this.#masks = masks;
    this.#period = period;
  }

  async first(source: SourceFile): Promise<RecordedFile | null> {
    const pieces: Buffer[] = [];
    for await (const piece of this.#recorded.pieces(source)) pieces.push(piece);
    const data = Buffer.concat(pieces);
    const { headBytes } = source;
    const recorded = await RecordedFile.read(source, [data]);
    const isWanted = (shownTicks: number): boolean =>
      recorded?.sideOf({ shownTicks }, this.#period) === 'within';
    const [head, body] = [data.subarray(0, headBytes), data.subarray(headBytes)];
    const whenever = new AbortController().signal;
    const masks = { ...this.#masks, parts: source.parts, turns: source.turns };
    const copy = await maskedCopy(head, body, masks, whenever, isWanted).catch((error: unknown) => {
      throw error instanceof IngestFault ? new ExportFault('unreadable') : error;
    });
    const whole = Buffer.concat([copy.init, copy.body]);
    this.#scratch ??= await this.#openScratch();
    await this.#scratch.write(whole, 0, whole.length, this.#bytes);
    await this.#reportProgress(data.length);
    this.#begins.set(source.file, this.#bytes);
    this.#bytes += whole.length;
    const begin = samplesOf(copy.body, 0)[0]?.decodeTicks;
    const startedAtMs = begin === undefined ? undefined : recorded?.wallMsOf(begin);
    const encoded = { headBytes: copy.init.length, startedAtMs: startedAtMs ?? source.startedAtMs };
    return await RecordedFile.read({ ...source, ...encoded }, [whole]);
  }

  async again(file: string, { offset, bytes }: ByteRange): Promise<Buffer> {
    return await bytesAt(this.#scratch!, this.#begins.get(file)! + offset, bytes);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#scratch?.close();
  }

  /** Opens the scratch file beside the export, on a disk with room for it. */
  async #openScratch(): Promise<FileHandle> {
    const path = `${this.#target}.masked`;
    const scratch = await open(path, 'w+', 0o600);
    await rm(path);
    return scratch;
  }

  /** The length of the target shows the progress of an export: it is empty yet, and takes no space. */
  async #reportProgress(bytes: number): Promise<void> {
    this.#recordedBytes += bytes;
    const isWanted = existsSync(this.#target);
    if (isWanted) await truncate(this.#target, this.#recordedBytes);
  }
}
