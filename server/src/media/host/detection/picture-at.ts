/**
 * Decodes one picture out of the middle of a stream on demand, from the key frame before it, so that a stream whose
 * frames nothing consumes costs nothing until one is wanted.
 */
import { Frame, Rational } from 'node-av/lib';
import { packetOf } from '../../codec/coded.ts';
import type { CodedPicture, CodedStream } from './coded-stream.ts';
import { ticksPerSecond } from '../../codec/timeline.ts';

/**
 * Beyond so many pixels a picture is too far from its key frame: a pixel took 2.7 to 5.4 ns to decode on a busy
 * machine, so that this is about a second of processor time. 120 pictures of 1920x1080, 30 of 3840x2160.
 */
const maxPixels = 250e6;
/** Cameras send the two streams of a moment at most so far apart; a face hardly moves in that time. */
const maxApartMs = 250;

/** A picture of a stream, with those that it may refer to. */
export interface Reach {
  readonly stream: CodedStream;
  readonly pictures: readonly CodedPicture[];
  readonly wanted: CodedPicture;
}

/**
 * The picture taken nearest to that time; null when there is none near, or too much to decode before it. The time at
 * which a picture was taken follows from the stream's own even times, aligned with the arrival of the least late one.
 */
export function reachOf(stream: CodedStream | null, atMs: number): Reach | null {
  const pictures = stream?.pictures.slice() ?? [];
  if (!stream || pictures.length === 0) return null;
  const offsetMs = Math.min(...pictures.map(({ at, wallMs }) => wallMs - at * 1000));
  const apartMs = pictures.map(({ at }) => Math.abs(at * 1000 + offsetMs - atMs));
  const least = Math.min(...apartMs);
  if (least > maxApartMs) return null;
  const index = apartMs.indexOf(least);
  if ((index + 1) * stream.width * stream.height > maxPixels) return null;
  return { stream, pictures, wanted: pictures[index]! };
}

/** The frame for the caller to free; null when it is damaged. */
export async function pictureAt({ stream, pictures, wanted }: Reach): Promise<Frame | null> {
  using context = stream.open();
  if (!context) return null;
  const frame = new Frame();
  frame.alloc();
  const pts = BigInt(ticksOf(wanted));
  const received = async (): Promise<boolean> => {
    while ((await context.receiveFrame(frame)) >= 0) {
      if (frame.pts === pts) return true;
      frame.unref();
    }
    return false;
  };
  for (const picture of pictures) {
    const data = picture.data();
    if (!data) continue;
    const at = ticksOf(picture);
    using packet = packetOf({ data, key: picture.key }, { pts: at, dts: at, duration: 0 });
    if ((await context.sendPacket(packet)) < 0) continue;
    if (await received()) return timed(frame);
  }
  await context.sendPacket(null);
  if (await received()) return timed(frame);
  frame.free();
  return null;
}

const ticksOf = ({ at }: CodedPicture): number => Math.round(at * ticksPerSecond);

/** swscale's graphs refuse a frame without a time base. */
function timed(frame: Frame): Frame {
  frame.timeBase = new Rational(1, ticksPerSecond);
  return frame;
}
