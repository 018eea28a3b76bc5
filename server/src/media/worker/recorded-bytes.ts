/**
 * Reads parts of recorded files: ranges of bytes, fragments, and packets of fragments after the initialisation
 * segment.
 */
import type { FileHandle } from 'node:fs/promises';
import { IOContext } from 'node-av/lib';
import { FormatSource } from '../sources/format-source.ts';

const ioBufferBytes = 64 * 1024;
/** A key frame of 8K is smaller. */
const maxFragmentBytes = 64 * 1024 * 1024;
/** Recorded bytes come from a camera and must not make FFmpeg open anything else. */
const options = { format_whitelist: 'mov,mp4', protocol_whitelist: 'none' };

/** `pieces`: the initialisation segment and fragments of one file. */
export function openRecorded(
  pieces: readonly Buffer[],
  { withSound = false } = {},
): Promise<FormatSource> {
  const bytes = Buffer.concat(pieces);
  let at = 0;
  const io = new IOContext();
  const read = (size: number): Buffer | null => {
    const piece = bytes.subarray(at, at + size);
    at += piece.length;
    return piece.length > 0 ? piece : null;
  };
  io.allocContextWithCallbacks(ioBufferBytes, 0, read, null, null);
  return FormatSource.open({
    url: '',
    io,
    format: 'mp4',
    withSound,
    options,
    stop: () => undefined,
    why: () => null,
  });
}

export async function bytesAt(file: FileHandle, offset: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, offset);
  if (bytesRead < length) throw new RangeError('the file ends before');
  return buffer;
}

/** The fragment that begins there: `moof` and the `mdat` after it. */
export async function fragmentAt(file: FileHandle, offset: number): Promise<Buffer | null> {
  const moof = await boxHead(file, offset, 'moof');
  const mdat = moof === null ? null : await boxHead(file, offset + moof, 'mdat');
  if (moof === null || mdat === null || moof + mdat > maxFragmentBytes) return null;
  return await bytesAt(file, offset, moof + mdat);
}

/** The length of the box; null when another kind of box is there. */
async function boxHead(file: FileHandle, offset: number, kind: string): Promise<number | null> {
  const head = await bytesAt(file, offset, 8);
  return head.toString('latin1', 4, 8) === kind ? head.readUInt32BE(0) : null;
}
