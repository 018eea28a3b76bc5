/**
 * One picture out of the middle of a stream of H.264: decoded on demand from the key frame before it, so that a
 * stream whose pictures nobody looks at all the time costs nothing until somebody wants one.
 */
import { AV_CODEC_ID_H264, AVMEDIA_TYPE_VIDEO } from 'node-av/constants';
import { CodecParameters, Frame, Packet, Rational } from 'node-av/lib';
import { boxAt, h264ConfigurationOf } from '../live/boxes.ts';
import type { Fragment, LiveStream } from '../live/live-stream.ts';
import type { Init } from '../live/remuxer.ts';
import { openDecoder } from './decoder.ts';
import { ticksPerSecond } from '../timeline.ts';

/**
 * Beyond so many pixels a picture is too far from its key frame: at the 2.7 to 5.4 ns that one took to decode on a busy
 * machine about a second of processor time. 120 pictures of 1920x1080, 30 of 3840x2160.
 */
const maxPixels = 250e6;
/** Cameras send the two streams of a moment so far apart at most; a face in it has hardly moved further. */
const maxApartMs = 250;

/** A picture of a stream, with those it cannot be decoded without before it. */
export interface Reach {
  readonly init: Init;
  readonly fragments: readonly Fragment[];
  readonly wanted: Fragment;
}

/**
 * The picture that was taken nearest to that time; null when there is none near, or too much to decode before it.
 * When a picture was taken is told by the stream's own even times, laid on the arrival of the least late one.
 */
export function reachOf(
  { init, gop }: Pick<LiveStream, 'init' | 'gop'>,
  atMs: number,
): Reach | null {
  if (!init || gop.length === 0) return null;
  const offsetMs = Math.min(...gop.map(({ at, wallMs }) => wallMs - at * 1000));
  const apartMs = gop.map(({ at }) => Math.abs(at * 1000 + offsetMs - atMs));
  const least = Math.min(...apartMs);
  if (least > maxApartMs) return null;
  const index = apartMs.indexOf(least);
  if ((index + 1) * init.width * init.height > maxPixels) return null;
  return { init, fragments: gop.slice(), wanted: gop[index]! };
}

/** For the caller to free; null when it is damaged. */
export async function pictureAt({ init, fragments, wanted }: Reach): Promise<Frame | null> {
  using context = open(init);
  if (!context) return null;
  const frame = new Frame();
  frame.alloc();
  const pts = ticksOf(wanted);
  const received = async (): Promise<boolean> => {
    while ((await context.receiveFrame(frame)) >= 0) {
      if (frame.pts === pts) return true;
      frame.unref();
    }
    return false;
  };
  for (const fragment of fragments) {
    using packet = packetOf(fragment);
    if (!packet || (await context.sendPacket(packet)) < 0) continue;
    if (await received()) return timed(frame);
  }
  await context.sendPacket(null);
  if (await received()) return timed(frame);
  frame.free();
  return null;
}

const ticksOf = ({ at }: Fragment): bigint => BigInt(Math.round(at * ticksPerSecond));

/** Without it swscale's graphs refuse the picture. */
function timed(frame: Frame): Frame {
  frame.timeBase = new Rational(1, ticksPerSecond);
  return frame;
}

/** With the deblocking filter: without it a picture far from its key frame is smeared. */
function open({ body, width, height }: Init): ReturnType<typeof openDecoder> | null {
  const configuration = h264ConfigurationOf(body);
  if (!configuration) return null;
  using parameters = new CodecParameters();
  parameters.alloc();
  parameters.codecType = AVMEDIA_TYPE_VIDEO;
  parameters.codecId = AV_CODEC_ID_H264;
  parameters.extradata = Buffer.from(configuration);
  parameters.width = width;
  parameters.height = height;
  return openDecoder({ parameters, codec: 'h264' }, false);
}

/** What is in it, as the muxer wrote it: one picture. */
function packetOf(fragment: Fragment): Packet | null {
  const data = boxAt(fragment.body, ['mdat']);
  if (!data) return null;
  const packet = new Packet();
  packet.alloc();
  packet.data = data;
  packet.isKeyframe = fragment.key;
  packet.pts = ticksOf(fragment);
  packet.dts = packet.pts;
  return packet;
}
