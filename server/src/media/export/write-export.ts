/**
 * Writes an export by its plan from beginning to end: the tables first, so that it plays while it is sent. Runs in a
 * worker.
 */
import { createHash, type Hash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import type { ExportAnswer, SourceFile } from '../protocol/worker-messages.ts';
import { RecordedFiles, type SourceFiles } from './source-files.ts';
import { partsOf, writtenOf, type Part } from './export-bytes.ts';
import { ExportFault } from './export-fault.ts';
import { ExportPlan } from './export-plan.ts';
import { Planning } from './planning.ts';

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
  const plan = new ExportPlan({ fromMs, untilMs }, (file, range) => files.again(file, range));
  const output = await open(target, 'wx', 0o600);
  const hash = createHash('sha256');
  try {
    if (!(await planAll(plan, sources, files, target))) return { fault: 'cancelled' };
    const head = plan.head();
    await write(output, hash, [head]);
    if (!(await copyAll(output, hash, plan, files, target))) return { fault: 'cancelled' };
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

/** False: the target is gone. */
async function planAll(
  plan: ExportPlan,
  sources: readonly SourceFile[],
  files: SourceFiles,
  target: string,
): Promise<boolean> {
  await using planning = new Planning(plan);
  for (const source of sources) {
    if (!existsSync(target)) return false;
    const file = await files.first(source);
    if (file) await planning.add(file);
  }
  await planning.done();
  return true;
}

/** False: the target is gone. */
async function copyAll(
  output: FileHandle,
  hash: Hash,
  { bytes }: ExportPlan,
  files: SourceFiles,
  target: string,
): Promise<boolean> {
  const parts = bytes.values().flatMap((file) => partsOf(file));
  let next = readNext(parts, files);
  for (let read = await next; read; read = await next) {
    if (!existsSync(target)) return false;
    next = readNext(parts, files);
    // It is awaited in the next round, unless this one fails.
    next.catch(() => undefined);
    await write(output, hash, writtenOf(read.part, read.data));
  }
  return existsSync(target);
}

/** Null after the last part. */
async function readNext(
  parts: Iterator<Part, unknown>,
  files: SourceFiles,
): Promise<{ part: Part; data: Buffer } | null> {
  const { done, value: part } = parts.next();
  if (done) return null;
  return { part, data: part.range ? await files.again(part.file, part.range) : Buffer.alloc(0) };
}

/** Hashes them while they are written. */
async function write(output: FileHandle, hash: Hash, pieces: readonly Buffer[]): Promise<void> {
  const writing = output.writev([...pieces]);
  for (const piece of pieces) hash.update(piece);
  const wanted = pieces.reduce((sum, { length }) => sum + length, 0);
  const { bytesWritten } = await writing;
  if (bytesWritten < wanted) await output.writeFile(Buffer.concat(pieces).subarray(bytesWritten));
}

/** The disk is full or failing, or a source is gone: the operating system gives a code. */
const isOfDisk = (error: unknown): boolean =>
  error instanceof Error && typeof (error as NodeJS.ErrnoException).code === 'string';
