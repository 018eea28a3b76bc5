/** The files that an export is made of. Each is read twice, so that only one of them is in memory at a time. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { ExportFault } from './export-plan.ts';
import type { SourceFile } from '../protocol/worker-messages.ts';

export interface SourceFiles extends AsyncDisposable {
  /** The bytes to plan with, and the length of their initialisation segment. Throws ExportFault. */
  first(source: SourceFile): Promise<{ readonly data: Buffer; readonly headBytes: number }>;
  /** The same bytes again, by the path of the file. */
  again(file: string): Promise<Buffer>;
}

/** The files as they were recorded. */
export class RecordedFiles implements SourceFiles {
  async first({
    file,
    headBytes,
    sha256,
  }: SourceFile): Promise<{ data: Buffer; headBytes: number }> {
    const data = await readFile(file);
    // Evidence whose hash is not the one noted at recording must not be passed on as evidence.
    if (sha256Of(data) !== sha256) throw new ExportFault('file_changed');
    return { data, headBytes };
  }

  again(file: string): Promise<Buffer> {
    return readFile(file);
  }

  async [Symbol.asyncDispose](): Promise<void> {}
}

const sha256Of = (data: Buffer): string => createHash('sha256').update(data).digest('hex');
