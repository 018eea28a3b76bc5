/** Opens video that FFmpeg's demuxers read from bytes we hand them, wherever those come from. */
import { IOContext } from 'node-av/lib';
import type { IngestFault } from '../protocol/fault.ts';
import { FormatSource } from './format-source.ts';

const ioBufferBytes = 32 * 1024;
/** The list holds no demuxer that opens further addresses by itself (playlists, references). */
const options = {
  format_whitelist: 'mpegts,mov,mp4,flv,matroska,webm,h264,hevc,mpeg,avi',
  protocol_whitelist: 'none',
  fflags: 'nobuffer',
  analyzeduration: 500_000,
  probesize: 500_000,
};

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
