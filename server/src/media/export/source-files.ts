/** The files that an export is made of. Each is read twice, so that two of them at most are in memory at a time. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { ExportFault } from './export-fault.ts';
import type { SourceFile } from '../protocol/worker-messages.ts';

export interface PlannedFile {
  readonly data: Buffer;
  /** The length of its initialisation segment. */
  readonly headBytes: number;
  /** When the first of its pictures was shown. */
  readonly startedAtMs: number;
}

export interface SourceFiles extends AsyncDisposable {
  /** The bytes to plan with. Throws ExportFault. */
  first(source: SourceFile): Promise<PlannedFile>;
  /** The same bytes again, by the path of the file. */
  again(file: string): Promise<Buffer>;
}

/** The files as they were recorded. */
export class RecordedFiles implements SourceFiles {
  async first({ file, headBytes, startedAtMs, sha256 }: SourceFile): Promise<PlannedFile> {
    const data = await readFile(file);
    // Evidence whose hash is not the one noted at recording must not be passed on as evidence.
    if (sha256Of(data) !== sha256) throw new ExportFault('file_changed');
    return { data, headBytes, startedAtMs };
  }

  again(file: string): Promise<Buffer> {
    return readFile(file);
  }

  async [Symbol.asyncDispose](): Promise<void> {}
}

const sha256Of = (data: Buffer): string => createHash('sha256').update(data).digest('hex');
