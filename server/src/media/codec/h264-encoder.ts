/**
 * Opens the encoder of live and masked views: H.264 that every browser plays, in small and cheap pictures, without
 * B-frames. What exports encode is in `own-size-encoder.ts`.
 */
import {
  AV_CODEC_FLAG_GLOBAL_HEADER,
  AV_PIX_FMT_YUV420P,
  FF_ENCODER_LIBX264,
} from 'node-av/constants';
import { Codec, CodecContext, Rational } from 'node-av/lib';
import type { Size } from '#lib/geometry.ts';
import { IngestFault } from '../protocol/fault.ts';
import { ticksPerSecond } from './timeline.ts';
import { fit } from './fit.ts';

export const maxEncodedFps = 15;
/** A key frame every two seconds: a new viewer gets the pictures since the last one. */
const gop = 30;
/** The constant rate factor of x264, 0 to 51: on a camera's JPEGs no difference is seen at this value. */
const crf = 25;

/** The size at which a picture is encoded: at most 1280x720, with even sides. */
export const encodedSize = (given: Size): Size => fit(given, 1280, 720);

/**
 * `globalHeader`: parameter sets are in the extradata alone, and the same for every encoder of that size, so that the
 * output of several encoders is one stream.
 */
export function openH264Encoder(size: Size, globalHeader = false): CodecContext {
  const codec = Codec.findEncoderByName(FF_ENCODER_LIBX264);
  if (!codec) throw new IngestFault('unsupported_codec', 'no H.264 encoder');
  const context = new CodecContext();
  context.allocContext3(codec);
  context.width = size.width;
  context.height = size.height;
  context.pixelFormat = AV_PIX_FMT_YUV420P;
  context.timeBase = new Rational(1, ticksPerSecond);
  context.framerate = new Rational(maxEncodedFps, 1);
  context.gopSize = gop;
  context.maxBFrames = 0;
  context.threadCount = 1;
  if (globalHeader) context.setFlags(AV_CODEC_FLAG_GLOBAL_HEADER);
  // A Dictionary cannot be used here: open2 frees it, and the second free ends the process.
  context.setOption('preset', 'ultrafast');
  context.setOption('tune', 'zerolatency');
  // protocol/encoded-codec.ts announces this profile and level.
  context.setOption('profile', 'baseline');
  context.setOption('level', '3.1');
  context.setOption('crf', crf);
  if (context.open2Sync(codec, null) < 0) throw new IngestFault('unsupported_codec');
  return context;
}
