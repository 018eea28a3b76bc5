/**
 * Makes a frame over pixels of ours. node-av says that `fromVideoBuffer` copies them, and it does not: once they are
 * collected as garbage the frame shows whatever lies there (one picture in ten of a busy test). This file keeps the
 * pixels alive as long as their frame.
 */
import type { AVPixelFormat } from 'node-av/constants';
import { Frame } from 'node-av/lib';

export interface FrameShape {
  readonly width: number;
  readonly height: number;
  readonly format: AVPixelFormat;
  readonly pts: bigint;
  readonly timeBase: { readonly num: number; readonly den: number };
}

const pixelsOf = new WeakMap<Frame, Buffer>();

/** `pixels` must not change while the frame is used. */
export function frameOf(pixels: Buffer, shape: FrameShape): Frame {
  const frame = Frame.fromVideoBuffer(pixels, shape);
  pixelsOf.set(frame, pixels);
  return frame;
}
