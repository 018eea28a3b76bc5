/**
 * Makes a JPEG of one key frame. The key frame is decoded on demand, so that a snapshot that is not requested costs
 * nothing.
 */
import { Frame, Rational } from 'node-av/lib';
import { packetOf, type Coded } from './coded.ts';
import { openDecoder } from './decoder.ts';
import { FrameScaler } from './frame-scaler.ts';
import { jpegOfFrame } from './jpeg.ts';
import type { MediaCamera } from '../protocol/messages.ts';
import type { MaskPainter } from '../mask/mask-painter.ts';
import { ticksPerSecond } from './timeline.ts';
import type { Track } from '../protocol/track.ts';

const jpegQuality = 85;

/** The decoded frame, for the caller to dispose of; null when the picture cannot be decoded. */
async function decoded(track: Track, picture: Coded): Promise<Frame | null> {
  using packet = packetOf(picture, { pts: 0, dts: 0, duration: 0 });
  using context = openDecoder(track, false);
  const frame = new Frame();
  frame.alloc();
  if ((await context.sendPacket(packet)) >= 0) {
    await context.sendPacket(null);
    if ((await context.receiveFrame(frame)) >= 0) return frame;
  }
  frame.free();
  return null;
}

/** The size of the pictures that begin with this key frame, whatever the track announced. */
export async function sizeOf(
  track: Track,
  picture: Coded,
): Promise<{ width: number; height: number } | null> {
  using frame = await decoded(track, picture);
  return frame && { width: frame.width, height: frame.height };
}

export interface SmallerJpeg {
  /** Bounds the longer side; proportions stay. */
  readonly maxSide?: number;
  /** 1 to 100. */
  readonly quality?: number;
  /** Pixels painted around masks; 1 when left out. */
  readonly margin?: number;
}

/** Null when the picture cannot be decoded. */
export async function jpegOf(
  track: Track,
  picture: Coded,
  rotation: MediaCamera['rotation'],
  painter: MaskPainter,
  { maxSide = Infinity, quality = jpegQuality, margin = 1 }: SmallerJpeg = {},
): Promise<Buffer | null> {
  using frame = await decoded(track, picture);
  if (!frame) return null;
  frame.timeBase = new Rational(1, ticksPerSecond);
  using scaler = new FrameScaler();
  return await jpegOfFrame(frame, { scaler, rotation, painter, maxSide, quality, margin });
}
