/**
 * One picture out of the middle of a stream: decoded on demand from the key frame before it, so that a stream whose
 * pictures are not used all the time costs nothing until one of them is wanted.
 */
import { Frame, Rational } from 'node-av/lib';
import { packetOf } from '../../codec/coded.ts';
import type { CodedPicture, CodedStream } from './coded-stream.ts';
import { ticksPerSecond } from '../../codec/timeline.ts';

/**
 * Beyond so many pixels a picture is too far from its key frame: at the 2.7 to 5.4 ns that one took to decode on a busy
 * machine about a second of processor time. 120 pictures of 1920x1080, 30 of 3840x2160.
 */
const maxPixels = 250e6;
/** Cameras send the two streams of a moment so far apart at most; a face in it has hardly moved further. */
const maxApartMs = 250;

/** A picture of a stream, with those it may need. */
export interface Reach {
  readonly stream: CodedStream;
  readonly pictures: readonly CodedPicture[];
  readonly wanted: CodedPicture;
}

/**
 * The picture that was taken nearest to that time; null when there is none near, or too much to decode before it.
 * When a picture was taken is told by the stream's own even times, laid on the arrival of the least late one.
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

/** For the caller to free; null when it is damaged. */
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

/** Without it swscale's graphs refuse the picture. */
function timed(frame: Frame): Frame {
  frame.timeBase = new Rational(1, ticksPerSecond);
  return frame;
}
