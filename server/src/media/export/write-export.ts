/**
 * Writes an export by its plan from beginning to end: the tables first, so that it plays while it is sent. Runs in a
 * worker.
 */
import { createHash, type Hash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import type { ExportAnswer, SourceFile } from '../protocol/worker-messages.ts';
import { RecordedFiles, type SourceFiles } from './source-files.ts';
import { ExportFault, ExportPlan, type FileBytes } from './export-plan.ts';

/** So many pieces the operating system takes in one call. */
const maxPieces = 1_000;

interface Asked {
  readonly target: string;
  readonly fromMs: number;
  readonly untilMs: number;
}

/** `files` reads the sources; the caller disposes of it. */
export async function writeExport(
  { target, fromMs, untilMs }: Asked,
  sources: readonly SourceFile[],
  files: SourceFiles = new RecordedFiles(),
): Promise<ExportAnswer> {
  const plan = new ExportPlan(fromMs, untilMs);
  const output = await open(target, 'wx', 0o600);
  const hash = createHash('sha256');
  try {
    for (const source of sources) {
      if (!existsSync(target)) return { fault: 'cancelled' };
      const { data, ...planned } = await files.first(source);
      await plan.add({ ...source, ...planned }, data);
    }
    const head = plan.head();
    await write(output, hash, [head]);
    for (const fileBytes of plan.bytes) {
      if (!existsSync(target)) return { fault: 'cancelled' };
      await copy(output, hash, fileBytes, await files.again(fileBytes.file));
    }
    // The target may be longer: a masked export reports its progress by its length (`worker/masked/masked-files.ts`).
    await output.truncate(head.length + plan.dataBytes);
    await output.sync();
    const bytes = head.length + plan.dataBytes;
    const { pieces, seconds, pictures, spans } = plan;
    const sha256 = hash.digest('hex');
    return { fault: null, bytes, sha256, seconds, pictures, pieces, ...spans };
  } catch (error) {
    if (error instanceof ExportFault) return { fault: error.fault };
    if (isOfDisk(error)) return { fault: 'disk' };
    throw error;
  } finally {
    await output.close();
  }
}

async function copy(
  output: FileHandle,
  hash: Hash,
  { pieces }: FileBytes,
  data: Buffer,
): Promise<void> {
  for (let at = 0; at < pieces.length; at += maxPieces) {
    const buffers = pieces
      .slice(at, at + maxPieces)
      .map((piece) =>
        Buffer.isBuffer(piece) ? piece : data.subarray(piece[0], piece[0] + piece[1]),
      );
    await write(output, hash, buffers);
  }
}

async function write(output: FileHandle, hash: Hash, pieces: readonly Buffer[]): Promise<void> {
  for (const piece of pieces) hash.update(piece);
  const wanted = pieces.reduce((sum, { length }) => sum + length, 0);
  const { bytesWritten } = await output.writev([...pieces]);
  if (bytesWritten < wanted) await output.writeFile(Buffer.concat(pieces).subarray(bytesWritten));
}

/** The disk is full or failing, or a source is gone: the operating system gives a code. */
const isOfDisk = (error: unknown): boolean =>
  error instanceof Error && typeof (error as NodeJS.ErrnoException).code === 'string';
