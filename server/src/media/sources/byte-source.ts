/** Opens video that FFmpeg's demuxers read from bytes we hand them, wherever those come from. */
import { AVSEEK_SIZE } from 'node-av/constants';
import { IOContext } from 'node-av/lib';
import type { IngestFault } from '../protocol/fault.ts';
import { FormatSource } from './format-source.ts';

const ioBufferBytes = 32 * 1024;
/** The list holds no demuxer that opens further addresses by itself (playlists, references). */
const options = {
  format_whitelist: 'mpegts,mov,mp4,flv,matroska,webm,h264,hevc,mpeg,avi',
  protocol_whitelist: 'none',
  analyzeduration: 500_000,
  probesize: 500_000,
};

/** Bytes from wherever the demuxer wants to read them. */
export interface SeekableBytes {
  readonly length: number;
  /** The next bytes, `size` at most; null at the end. */
  read(size: number): Promise<Buffer | null>;
  /** Reading goes on there. */
  seek(position: number): void;
  readonly position: number;
}

export interface ByteInput {
  readonly chunks: AsyncIterator<Buffer>;
  readonly withSound: boolean;
  /** Ends a pending read of the chunks. */
  readonly stop: () => void;
  /** Why the chunks ended, where that is known. */
  readonly why: () => IngestFault | null;
}

export async function openBytes({
  chunks,
  withSound,
  stop,
  why,
}: ByteInput): Promise<FormatSource> {
  let rest: Buffer = Buffer.alloc(0);
  const read = async (size: number): Promise<Buffer | null> => {
    while (rest.length === 0) {
      const next = await chunks.next().catch(() => null);
      if (!next || next.done) return null;
      rest = next.value;
    }
    const piece = rest.subarray(0, size);
    rest = rest.subarray(piece.length);
    return piece;
  };
  const io = new IOContext();
  io.allocContextWithCallbacks(ioBufferBytes, 0, read, null, null);
  return await FormatSource.open({ url: '', io, withSound, options, stop, why });
}

/** The same of bytes that can be read in any order. */
export async function openSeekable(
  bytes: SeekableBytes,
  { withSound, stop, why }: Omit<ByteInput, 'chunks'>,
): Promise<FormatSource> {
  const read = (size: number): Promise<Buffer | null> => bytes.read(size).catch(() => null);
  const seek = (offset: bigint, whence: number): bigint => {
    if (whence === AVSEEK_SIZE) return BigInt(bytes.length);
    const bases = [0, bytes.position, bytes.length];
    bytes.seek(Number(offset) + (bases[whence] ?? 0));
    return BigInt(bytes.position);
  };
  const io = new IOContext();
  io.allocContextWithCallbacks(ioBufferBytes, 0, read, null, seek);
  return await FormatSource.open({ url: '', io, withSound, options, stop, why });
}
