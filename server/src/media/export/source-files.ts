/** The files that a film is put together from, each of which is read twice, so that one of them is in memory. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { ExportFault } from './export-plan.ts';
import type { SourceFile } from '../protocol/worker-messages.ts';

export interface SourceFiles extends AsyncDisposable {
  /** What is planned with, and how long its initialisation segment is. Throws FilmFault. */
  first(source: SourceFile): Promise<{ readonly data: Buffer; readonly headBytes: number }>;
  /** The same bytes once more, by the path of the file. */
  again(file: string): Promise<Buffer>;
}

/** As they were recorded. */
export class RecordedFiles implements SourceFiles {
  async first({
    file,
    headBytes,
    sha256,
  }: SourceFile): Promise<{ data: Buffer; headBytes: number }> {
    const data = await readFile(file);
    // Evidence that is not what was written down when it was recorded is not passed on as such.
    if (sha256Of(data) !== sha256) throw new ExportFault('file_changed');
    return { data, headBytes };
  }

  again(file: string): Promise<Buffer> {
    return readFile(file);
  }

  async [Symbol.asyncDispose](): Promise<void> {}
}

const sha256Of = (data: Buffer): string => createHash('sha256').update(data).digest('hex');
