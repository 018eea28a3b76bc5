/** The sound of a film on disk: read and decoded packet by packet. */
import { AVMEDIA_TYPE_AUDIO } from 'node-av/constants';
import { avGetCodecName, Codec, CodecContext, FormatContext, Frame, Packet } from 'node-av/lib';

export interface SoundContents {
  readonly codec: string;
  readonly rate: number;
  readonly seconds: number;
  /** Each packet begins where the one before ends. */
  readonly gapless: boolean;
  /** Root mean square of all samples, 0 to 1. */
  readonly level: number;
}

/** Null when there is none. */
export async function soundIn(path: string): Promise<SoundContents | null> {
  const film = new FormatContext();
  film.allocContext();
  if ((await film.openInput(path, null, null)) < 0) throw new Error(`${path} does not open`);
  await film.findStreamInfo(null);
  const index = film.findBestStream(AVMEDIA_TYPE_AUDIO);
  const stream = film.streams[index];
  if (index < 0 || !stream) {
    await film.closeInput();
    return null;
  }
  const { codecpar: parameters, timeBase } = stream;
  const codec = Codec.findDecoder(parameters.codecId);
  if (!codec) throw new Error('no decoder');
  using decoder = new CodecContext();
  decoder.allocContext3(codec);
  decoder.parametersToContext(parameters);
  decoder.open2Sync(codec, null);
  using packet = new Packet();
  packet.alloc();
  using frame = new Frame();
  frame.alloc();
  let [first, next, gapless] = [-1n, -1n, true];
  let [squares, samples] = [0, 0];
  while ((await film.readFrame(packet)) >= 0) {
    if (packet.streamIndex === index) {
      if (next >= 0n && packet.pts !== next) gapless = false;
      if (first < 0n) first = packet.pts;
      next = packet.pts + packet.duration;
      await decoder.sendPacket(packet);
      while ((await decoder.receiveFrame(frame)) >= 0) {
        squares += squaresIn(frame);
        samples += frame.nbSamples;
        frame.unref();
      }
    }
    packet.unref();
  }
  const contents = {
    codec: avGetCodecName(parameters.codecId) ?? '',
    rate: parameters.sampleRate,
    seconds: (Number(next - first) * timeBase.num) / timeBase.den,
    gapless,
    level: Math.sqrt(squares / samples),
  };
  await film.closeInput();
  return contents;
}

/** The sum of squares of one channel of 32-bit floats. */
function squaresIn({ data, nbSamples }: Frame): number {
  let sum = 0;
  for (let at = 0; at < nbSamples; at++) sum += (data?.[0]?.readFloatLE(at * 4) ?? 0) ** 2;
  return sum;
}
