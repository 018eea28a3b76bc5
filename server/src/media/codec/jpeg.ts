/** Makes an upright JPEG of a decoded frame, with masks painted over it. */
import { AV_PIX_FMT_RGB24 } from 'node-av/constants';
import type { Frame } from 'node-av/lib';
import { frameOf } from './frame-of.ts';
import type { FrameScaler } from './frame-scaler.ts';
import { rotated } from './rotate.ts';
import { ticksPerSecond } from './timeline.ts';
import type { MediaCamera } from '../protocol/messages.ts';
import type { MaskPainter } from '../mask/mask-painter.ts';

export interface JpegOptions {
  readonly scaler: Pick<FrameScaler, 'toBuffer' | 'toJpeg'>;
  /** By how much the frame is turned clockwise. */
  readonly rotation: MediaCamera['rotation'];
  readonly painter: MaskPainter;
  /** How many more pixels are painted on every side of a mask; 1 when left out. */
  readonly margin?: number;
  /** The longer side is made no longer than this; proportions stay. */
  readonly maxSide: number;
  /** 1 to 100. */
  readonly quality: number;
}

/** The frame must have a time base. */
export async function jpegOfFrame(
  frame: Frame,
  { scaler, rotation, painter, margin = 1, maxSide, quality }: JpegOptions,
): Promise<Buffer> {
  const scale = Math.min(1, maxSide / Math.max(frame.width, frame.height));
  const isSmaller = scale < 1;
  const { width, height } = isSmaller
    ? { width: even(frame.width * scale), height: even(frame.height * scale) }
    : frame;
  const resize = isSmaller ? { resize: { width, height } } : {};
  if (rotation === 0 && painter.hidesNothing) {
    return await scaler.toJpeg(frame, { ...resize, quality });
  }
  const data = await scaler.toBuffer(frame, { ...resize, format: 'rgb' });
  const upright = rotated({ width, height, data }, rotation, 3);
  painter.paint(upright, 3, { x: 0, y: 0, width: 1, height: 1, margin });
  using turned = frameOf(upright.data, {
    width: upright.width,
    height: upright.height,
    format: AV_PIX_FMT_RGB24,
    pts: 0n,
    timeBase: { num: 1, den: ticksPerSecond },
  });
  return await scaler.toJpeg(turned, { quality });
}

/** JPEG keeps colours for pairs of pixels, so that both sides must be even. */
const even = (length: number): number => Math.max(2, 2 * Math.round(length / 2));
