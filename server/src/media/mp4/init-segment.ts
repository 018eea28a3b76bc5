/** Makes the initialisation segment of a fragmented MP4 stream by FFmpeg's muxer: once for each stream. */
import { AV_CODEC_ID_HEVC } from 'node-av/constants';
import { CodecParameters, FormatContext, IOContext, Rational } from 'node-av/lib';
import { hvccOf } from '../codec/hvcc.ts';
import { ticksPerSecond } from '../codec/timeline.ts';

/** FFmpeg's own choice, `hev1`, is a name that Safari does not play. */
const hvc1 = Buffer.from('hvc1').readUInt32LE();

/** A track to announce. The time scale of pictures is 90 kHz, that of sound its sample rate. */
export interface HeadTrack {
  readonly kind: 'picture' | 'sound';
  readonly parameters: CodecParameters;
}

/** Null when a description cannot be written. Tracks are numbered from 1, in that order. */
export async function initSegment(tracks: readonly HeadTrack[]): Promise<Buffer | null> {
  const pieces: Buffer[] = [];
  const context = new FormatContext();
  if (context.allocOutputContext2(null, 'mp4', null) < 0) throw new Error('no mp4 muxer');
  const io = new IOContext();
  // Synchronous calls on a context with callbacks crash the process: only awaited ones are used.
  io.allocContextWithCallbacks(bufferBytes(tracks), 1, null, (bytes) => {
    pieces.push(Buffer.from(bytes));
    return bytes.length;
  });
  context.pb = io;
  try {
    if (!tracks.every((track) => addTrack(context, track))) return null;
    context.setOption('movflags', 'frag_custom+default_base_moof+empty_moov');
    const written = await context.writeHeader(null);
    await context.flush();
    return written < 0 ? null : Buffer.concat(pieces);
  } finally {
    context.pb = null;
    context.freeContext();
    await io[Symbol.asyncDispose]();
  }
}

/** FFmpeg goes back in its buffer to write the length of a box; without parameter sets a head takes 0.7 to 1.4 KiB. */
const emptyHeadBytes = 4 * 1024;

/**
 * The buffer is as small as it can be: node-av 6.1.1 does not free it. One context cannot be kept for all heads,
 * because it keeps its process alive.
 */
const bufferBytes = (tracks: readonly HeadTrack[]): number =>
  tracks.reduce(
    (sum, { parameters }) => sum + 2 * (parameters.extradata?.length ?? 0),
    emptyHeadBytes,
  );

/** Returns false when the parameter sets cannot be read. */
function addTrack(context: FormatContext, { kind, parameters: given }: HeadTrack): boolean {
  using parameters = new CodecParameters();
  parameters.alloc();
  given.copy(parameters);
  const isHevc = parameters.codecId === AV_CODEC_ID_HEVC;
  parameters.codecTag = isHevc ? hvc1 : 0;
  if (isHevc) {
    const described = hvccOf(given.extradata);
    if (!described) return false;
    parameters.extradata = described;
  }
  const stream = context.newStream(null);
  stream.codecpar = parameters;
  stream.timeBase = new Rational(1, kind === 'picture' ? ticksPerSecond : parameters.sampleRate);
  return true;
}
