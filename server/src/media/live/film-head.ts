/** The initialisation segment of a film in fragments, by FFmpeg's muxer: once for each stream. */
import { AV_CODEC_ID_HEVC } from 'node-av/constants';
import { CodecParameters, FormatContext, IOContext, Rational } from 'node-av/lib';
import { ticksPerSecond } from '../timeline.ts';

const ioBufferBytes = 64 * 1024;
/** FFmpeg's own choice, `hev1`, is a name that Safari does not play. */
const hvc1 = Buffer.from('hvc1').readUInt32LE();

/** What is told of a track; pictures count in ticks of 90 kHz, sound in its samples. */
export interface HeadTrack {
  readonly kind: 'picture' | 'sound';
  readonly parameters: CodecParameters;
}

/** Null when FFmpeg finds a description that it cannot write. Tracks are numbered from 1, in that order. */
export async function filmHead(tracks: readonly HeadTrack[]): Promise<Buffer | null> {
  const pieces: Buffer[] = [];
  const context = new FormatContext();
  if (context.allocOutputContext2(null, 'mp4', null) < 0) throw new Error('no mp4 muxer');
  const io = new IOContext();
  // Synchronous calls on a context with callbacks crash the process: only awaited ones are used.
  io.allocContextWithCallbacks(ioBufferBytes, 1, null, (bytes) => {
    pieces.push(Buffer.from(bytes));
    return bytes.length;
  });
  context.pb = io;
  try {
    for (const track of tracks) addTrack(context, track);
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

function addTrack(context: FormatContext, { kind, parameters: given }: HeadTrack): void {
  using parameters = new CodecParameters();
  parameters.alloc();
  given.copy(parameters);
  parameters.codecTag = parameters.codecId === AV_CODEC_ID_HEVC ? hvc1 : 0;
  const stream = context.newStream(null);
  stream.codecpar = parameters;
  stream.timeBase = new Rational(1, kind === 'picture' ? ticksPerSecond : parameters.sampleRate);
}
