/**
 * A synthetic film for scripted cameras: a moving bar over a gradient, with the number of the picture as a
 * 16-bit bar code in its top rows. Made on the spot with the encoders inside node-av, so that nothing binary
 * is committed and every test knows which picture it reads.
 */
import { AV_PIX_FMT_YUV420P, FF_ENCODER_LIBX264, SWS_BILINEAR } from 'node-av/constants';
import { Scaler } from 'node-av/api';
import { Codec, CodecContext, Frame, Packet, Rational } from 'node-av/lib';
import { unitsOf } from './rtp.ts';
import { isSequenceSet, withoutUsage } from './sequence-set.ts';

export interface FilmShape {
  readonly width: number;
  readonly height: number;
  readonly fps: number;
  readonly pictures: number;
  /** Pictures from one key frame to the next. */
  readonly gop: number;
}

export interface Film extends FilmShape {
  /** One access unit per picture, Annex B, parameter sets before every key frame. */
  readonly units: readonly Buffer[];
  readonly isKey: (index: number) => boolean;
  /** In which place each is shown, where they come in another order. */
  readonly shownAs?: readonly number[];
}

export const smallFilm: FilmShape = { width: 320, height: 184, fps: 25, pictures: 50, gop: 25 };

const codeBits = 16;
const codeRows = 16;

/** YUV 4:2:0 planes of one picture. `still` keeps the bar in place. */
export function paint(shape: FilmShape, index: number, still = false): Buffer {
  const { width, height } = shape;
  const planes = Buffer.alloc((width * height * 3) / 2, 128);
  for (let y = codeRows; y < height; y++) planes.fill(60 + (y & 63), y * width, (y + 1) * width);
  const bit = Math.floor(width / codeBits);
  const row = Buffer.alloc(width, 16);
  for (let place = 0; place < codeBits; place++) {
    if ((index >> (codeBits - 1 - place)) & 1) row.fill(235, place * bit, (place + 1) * bit);
  }
  if (!still) for (let y = 0; y < codeRows; y++) row.copy(planes, y * width);
  const barWidth = Math.floor(width / 8);
  const x = still ? 0 : (index * 5) % (width - barWidth);
  for (let y = codeRows * 2; y < height; y++)
    planes.fill(230, y * width + x, y * width + x + barWidth);
  return planes;
}

/** The number in the bar code of a picture (RGB, 3 bytes a pixel). */
export function numberIn(rgb: Buffer, width: number): number {
  const bit = Math.floor(width / codeBits);
  let number = 0;
  for (let place = 0; place < codeBits; place++) {
    const x = place * bit + (bit >> 1);
    const bright = (rgb[((codeRows >> 1) * width + x) * 3] ?? 0) > 128;
    number = (number << 1) | (bright ? 1 : 0);
  }
  return number;
}

/** node-av copies no pixels, whatever it says: they live as long as their frame. */
const pixelsOf = new WeakMap<Frame, Buffer>();

function frameOf(
  shape: FilmShape,
  index: number,
  still: boolean,
  paints = (nth: number) => paint(shape, nth, still),
): Frame {
  const pixels = paints(index);
  const frame = Frame.fromVideoBuffer(pixels, {
    width: shape.width,
    height: shape.height,
    format: AV_PIX_FMT_YUV420P,
    pts: BigInt(index),
    timeBase: { num: 1, den: shape.fps },
  });
  pixelsOf.set(frame, pixels);
  return frame;
}

export interface FilmCoding {
  /** Pictures in a row that refer to a later one. */
  readonly bFrames?: number;
  /** Pictures before a key picture refer to it and to those before it. */
  readonly openGop?: boolean;
  /** The parameter set does not say how far pictures are reordered. */
  readonly withoutDepth?: boolean;
  /** Paints each picture (YUV 4:2:0 planes) in place of the film with the bar. */
  readonly paints?: (index: number) => Buffer;
}

/** H.264, without B-frames and with closed groups of pictures when `coding` says nothing. */
export function makeFilm(
  shape: FilmShape = smallFilm,
  still = false,
  coding: FilmCoding = {},
): Film {
  using context = openEncoder(shape, coding);
  const coded: { unit: Buffer; shownAs: number }[] = [];
  const take = (): void => {
    using packet = new Packet();
    packet.alloc();
    while (context.receivePacketSync(packet) >= 0) {
      if (!packet.data) throw new Error('no packet');
      const unit = Buffer.from(packet.data);
      coded.push({
        unit: coding.withoutDepth ? withoutUsage(unit) : unit,
        shownAs: Number(packet.pts),
      });
    }
  };
  for (let index = 0; index < shape.pictures; index++) {
    using frame = frameOf(shape, index, still, coding.paints);
    context.sendFrameSync(frame);
    take();
  }
  context.sendFrameSync(null);
  take();
  return {
    ...shape,
    units: coded.map(({ unit }) => unit),
    isKey: (index) => unitsOf(coded[index]?.unit ?? Buffer.alloc(0)).some(isSequenceSet),
    shownAs: coded.map(({ shownAs }) => shownAs),
  };
}

function openEncoder(shape: FilmShape, { bFrames = 0, openGop = false }: FilmCoding): CodecContext {
  const codec = Codec.findEncoderByName(FF_ENCODER_LIBX264);
  if (!codec) throw new Error('no H.264 encoder');
  const context = new CodecContext();
  context.allocContext3(codec);
  context.width = shape.width;
  context.height = shape.height;
  context.pixelFormat = AV_PIX_FMT_YUV420P;
  context.timeBase = new Rational(1, shape.fps);
  context.framerate = new Rational(shape.fps, 1);
  context.gopSize = shape.gop;
  context.maxBFrames = bFrames;
  context.threadCount = 1;
  // Not by a Dictionary: open2 frees it, and the second free ends the process.
  context.setOption('preset', 'ultrafast');
  if (bFrames === 0) context.setOption('tune', 'zerolatency');
  const open = openGop ? ':open-gop=1:b-adapt=0' : '';
  context.setOption('x264-params', `scenecut=0:log=-1${open}`);
  if (context.open2Sync(codec, null) < 0) throw new Error('the H.264 encoder does not open');
  return context;
}

/** The same pictures as JPEGs. */
export async function makeJpegs(shape: FilmShape = smallFilm): Promise<Buffer[]> {
  using scaler = new Scaler({ flags: SWS_BILINEAR });
  const pictures: Buffer[] = [];
  for (let index = 0; index < shape.pictures; index++) {
    using frame = frameOf(shape, index, false);
    pictures.push(await scaler.toJpeg(frame, { quality: 80 }));
  }
  return pictures;
}
