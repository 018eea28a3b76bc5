/** How bright the pictures of a film are, and where. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { Frame, Rational } from 'node-av/lib';
import { momentOf, packetOf } from '#media/codec/coded.ts';
import { openDecoder } from '#media/codec/decoder.ts';
import { FrameScaler } from '#media/codec/frame-scaler.ts';
import { FormatSource } from '#media/sources/format-source.ts';

export interface Grey {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

export const rectangle = (
  x: number,
  y: number,
  width: number,
  height: number,
): [number, number][] => [
  [x, y],
  [x + width, y],
  [x + width, y + height],
  [x, y + height],
];

/** By fractions of the picture. */
export const brightness = ({ width, height, data }: Grey, x: number, y: number): number =>
  data[Math.floor(y * height) * width + Math.floor(x * width)]!;

/** Every picture of a film, grey, as it is coded and not as it is turned. */
export async function picturesOf(path: string): Promise<Grey[]> {
  const input = {
    url: path,
    options: { protocol_whitelist: 'file' },
    stop: () => undefined,
    why: () => null,
  };
  await using source = await FormatSource.open(input);
  using decoder = openDecoder(source.track, false, false);
  using scaler = new FrameScaler();
  using frame = new Frame();
  frame.alloc();
  const pictures: Grey[] = [];
  const take = async (): Promise<void> => {
    while ((await decoder.receiveFrame(frame)) >= 0) {
      frame.timeBase = new Rational(1, 90_000);
      const { width, height } = frame;
      pictures.push({ width, height, data: await scaler.toBuffer(frame, { format: 'gray' }) });
      frame.unref();
    }
  };
  for (let next = await source.read(); next; next = await source.read()) {
    using packet = packetOf(next, momentOf(next));
    await decoder.sendPacket(packet);
    await take();
  }
  await decoder.sendPacket(null);
  await take();
  return pictures;
}

export async function greyOfJpeg(jpeg: Buffer): Promise<Grey> {
  const { data, info } = await sharp(jpeg).greyscale().raw().toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, data };
}

/** The same of bytes, by a file in that folder. */
export async function picturesIn(folder: string, ...bytes: readonly Buffer[]): Promise<Grey[]> {
  const path = join(folder, `grey-${process.hrtime.bigint()}.mp4`);
  writeFileSync(path, Buffer.concat(bytes));
  return await picturesOf(path);
}

/** What the farm's films are covered with by default here: they are nowhere dark below their bar code. */
export const centreMask = rectangle(0.25, 0.5, 0.5, 0.4);

/** Under that mask all is dark, beside it nothing. */
export function isMasked(grey: Grey): void {
  for (const [x, y] of [
    [0.26, 0.51],
    [0.5, 0.7],
    [0.74, 0.89],
  ] as const) {
    assert.ok(brightness(grey, x, y) < 40, `${x}, ${y}: ${brightness(grey, x, y)}`);
  }
  assert.ok(brightness(grey, 0.1, 0.7) > 45 && brightness(grey, 0.9, 0.7) > 45);
}
