/** Encodes single pictures in H.265, as the tiles of HEIC files are. */
import {
  AV_LOG_QUIET,
  AV_PIX_FMT_YUV420P,
  AVCOL_RANGE_JPEG,
  AVCOL_SPC_SMPTE170M,
  FF_ENCODER_LIBX265,
} from 'node-av/constants';
import { Codec, CodecContext, Log, Packet, Rational } from 'node-av/lib';
import type { Sharp } from 'sharp';
import { frameOf } from '#media/codec/frame-of.ts';
import type { CodedTile } from './heif.ts';

const timeBase = { num: 1, den: 25 };

/** A key frame with its parameter sets, in full range and by the matrix of BT.601, as phones write them. */
export async function key265(image: Sharp): Promise<CodedTile> {
  Log.setLevel(AV_LOG_QUIET);
  const { data, info } = await image
    .clone()
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  const codec = Codec.findEncoderByName(FF_ENCODER_LIBX265)!;
  using context = new CodecContext();
  context.allocContext3(codec);
  Object.assign(context, { width, height });
  context.pixelFormat = AV_PIX_FMT_YUV420P;
  context.colorRange = AVCOL_RANGE_JPEG;
  context.colorSpace = AVCOL_SPC_SMPTE170M;
  context.timeBase = new Rational(timeBase.num, timeBase.den);
  context.setOption('preset', 'ultrafast');
  context.setOption(
    'x265-params',
    'log-level=none:info=0:keyint=1:qp=12:range=full:colormatrix=smpte170m',
  );
  if (context.open2Sync(codec, null) < 0) throw new Error('no encoder for H.265');
  const shape = { width, height, format: AV_PIX_FMT_YUV420P, pts: 0n, timeBase };
  using frame = frameOf(planesOf(data, width, height), shape);
  await context.sendFrame(frame);
  await context.sendFrame(null);
  const units: Buffer[] = [];
  using packet = new Packet();
  packet.alloc();
  while ((await context.receivePacket(packet)) >= 0) {
    units.push(Buffer.from(packet.data!));
    packet.unref();
  }
  return { annexB: Buffer.concat(units), width, height };
}

/** Y, Cb and Cr in full range by BT.601, of every second pixel in both directions for the colours. */
function planesOf(rgb: Buffer, width: number, height: number): Buffer {
  const [halfWidth, halfHeight] = [width / 2, height / 2];
  const planes = Buffer.alloc(width * height * 1.5);
  for (let at = 0; at < width * height; at++) {
    const [r, g, b] = rgb.subarray(at * 3, at * 3 + 3) as unknown as [number, number, number];
    planes[at] = Math.round(0.299 * r + 0.587 * g + 0.114 * b);
    const [x, y] = [at % width, Math.floor(at / width)];
    if (x % 2 === 1 || y % 2 === 1) continue;
    const colour = width * height + (y / 2) * halfWidth + x / 2;
    planes[colour] = clamped(128 - 0.168_736 * r - 0.331_264 * g + 0.5 * b);
    planes[colour + halfWidth * halfHeight] = clamped(
      128 + 0.5 * r - 0.418_688 * g - 0.081_312 * b,
    );
  }
  return planes;
}

const clamped = (value: number): number => Math.min(255, Math.max(0, Math.round(value)));
