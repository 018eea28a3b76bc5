/** A small JPEG of one key frame of a recorded file, read by its offset and decoded alone. Runs in a media worker. */
import { open, type FileHandle } from 'node:fs/promises';
import { AV_LOG_QUIET } from 'node-av/constants';
import { IOContext, Log } from 'node-av/lib';
import { jpegOf } from '../coding/snapshot.ts';
import { Painter, veilsOf } from '../coding/veil.ts';
import { rotationOf } from '../live/boxes.ts';
import { FormatSource } from '../sources/format-source.ts';
import type { AskThumbnail } from './worker-messages.ts';

const ioBufferBytes = 64 * 1024;
/** A key frame of 8K is smaller. */
const maxFragmentBytes = 64 * 1024 * 1024;
const options = { format_whitelist: 'mov,mp4', protocol_whitelist: 'none' };

/** Null when there is no picture that can be decoded. */
export async function thumbnail(ask: AskThumbnail): Promise<Buffer | null> {
  Log.setLevel(AV_LOG_QUIET);
  const file = await open(ask.file, 'r');
  try {
    const head = await bytesAt(file, 0, ask.headBytes);
    const fragment = await fragmentAt(file, ask.offset);
    if (!fragment) return null;
    await using source = await openBytes(Buffer.concat([head, fragment]));
    const picture = await source.read();
    const painter = new Painter(veilsOf(ask.zones).seen);
    return picture && (await jpegOf(source.track, picture, rotationOf(head), painter, ask.width));
  } finally {
    await file.close();
  }
}

function openBytes(bytes: Buffer): Promise<FormatSource> {
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
    options,
    stop: () => undefined,
    why: () => null,
  });
}

/** The fragment that begins there: `moof` and the `mdat` behind it. */
async function fragmentAt(file: FileHandle, offset: number): Promise<Buffer | null> {
  const moof = await boxHead(file, offset, 'moof');
  const mdat = moof === null ? null : await boxHead(file, offset + moof, 'mdat');
  if (moof === null || mdat === null || moof + mdat > maxFragmentBytes) return null;
  return await bytesAt(file, offset, moof + mdat);
}

/** How many bytes the box has; null when another one is there. */
async function boxHead(file: FileHandle, offset: number, kind: string): Promise<number | null> {
  const head = await bytesAt(file, offset, 8);
  return head.toString('latin1', 4, 8) === kind ? head.readUInt32BE(0) : null;
}

async function bytesAt(file: FileHandle, offset: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, offset);
  if (bytesRead < length) throw new RangeError('the file ends before');
  return buffer;
}
