/** Answers the question for one part of a recorded file with masks burnt in. Runs in a media worker. */
import { open, type FileHandle } from 'node:fs/promises';
import type { Answer } from '#lib/ipc.ts';
import { bytesAt, fragmentAt } from '../recorded-bytes.ts';
import { IngestFault } from '../../protocol/fault.ts';
import type { AskMasked, MaskedAnswer } from '../../protocol/worker-messages.ts';
import { maskedCopy, maskedHead } from './masked-copy.ts';

/** Ten seconds of JPEGs in 8K are less; a wrong row of the index must not fill the memory. */
const maxPartBytes = 256 * 1024 * 1024;

export async function maskedPart(
  { file: path, headBytes, from, until, masks }: AskMasked,
  signal: AbortSignal,
): Promise<Answer> {
  try {
    await using file = await open(path, 'r');
    if (until - from > maxPartBytes) return failed('unreadable');
    const head = await bytesAt(file, 0, headBytes);
    if (!masks) return await headOf(file, head, from);
    const recorded = await bytesAt(file, from, until - from);
    const { init, body, pictures } = await maskedCopy(head, recorded, masks, signal);
    if (pictures === 0) return failed('unreadable');
    const answer: MaskedAnswer = { fault: null, initBytes: init.length };
    return { head: answer, body: Buffer.concat([init, body]) };
  } catch (error) {
    if (signal.aborted) return failed('cancelled');
    if (isUnreadable(error)) return failed('unreadable');
    throw error;
  }
}

async function headOf(file: FileHandle, head: Buffer, from: number): Promise<Answer> {
  const fragment = await fragmentAt(file, from);
  if (!fragment) return failed('unreadable');
  const init = await maskedHead(head, fragment);
  return { head: { fault: null, initBytes: init.length } satisfies MaskedAnswer, body: init };
}

const failed = (fault: 'unreadable' | 'cancelled'): Answer => ({
  head: { fault } satisfies MaskedAnswer,
});

/** The file is gone, too short, or no MP4: FFmpeg and the operating system say so. */
const isUnreadable = (error: unknown): boolean =>
  error instanceof IngestFault ||
  error instanceof RangeError ||
  (error instanceof Error && typeof (error as NodeJS.ErrnoException).code === 'string');
