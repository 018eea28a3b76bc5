/** JPEGs of a camera that changes the size and the format of its picture. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AV_PIX_FMT_YUV420P, AV_PIX_FMT_YUVJ420P, AV_PIX_FMT_YUVJ422P } from 'node-av/constants';
import type { Frame } from 'node-av/lib';
import sharp from 'sharp';
import { aClock } from '#testing/clock.ts';
import { StillMaker } from '../host/recorder/still-maker.ts';
import { MaskPainter } from '../mask/mask-painter.ts';
import { frameOf } from './frame-of.ts';
import { FrameScaler } from './frame-scaler.ts';
import { jpegOfFrame } from './jpeg.ts';

const formats = {
  yuv420p: { format: AV_PIX_FMT_YUV420P, chroma: 0.5 },
  yuvj420p: { format: AV_PIX_FMT_YUVJ420P, chroma: 0.5 },
  yuvj422p: { format: AV_PIX_FMT_YUVJ422P, chroma: 1 },
};

/** Its left half is dark, its right half bright. */
function halves(width: number, height: number, name: keyof typeof formats = 'yuv420p'): Frame {
  const { format, chroma } = formats[name];
  const pixels = Buffer.alloc(width * height * (1 + chroma), 128);
  for (let y = 0; y < height; y += 1) {
    pixels.fill(40, y * width, y * width + width / 2);
    pixels.fill(200, y * width + width / 2, (y + 1) * width);
  }
  const timeBase = { num: 1, den: 90_000 };
  return frameOf(pixels, { width, height, format, pts: 0n, timeBase });
}

/** The size, and how bright it is at the left, beside its middle and at the right. */
async function brightnessOf(jpeg: Buffer) {
  const { data, info } = await sharp(jpeg).greyscale().raw().toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  const at = (x: number): boolean =>
    data[(Math.floor(height / 2) * width + Math.floor(x * width)) * channels]! > 120;
  return [`${width}x${height}`, at(0.05), at(0.45), at(0.55), at(0.95)];
}

const whole = [false, false, true, true];

test('a frame of each size and format that a camera changes to is a JPEG of its whole picture', async () => {
  using scaler = new FrameScaler();
  const painter = new MaskPainter({ hides: [], shows: [] });
  const options = { scaler, rotation: 0, painter, maxSide: 320, quality: 80 } as const;
  const sizes: [number, number, keyof typeof formats, string][] = [
    [640, 360, 'yuv420p', '320x180'],
    [1280, 720, 'yuv420p', '320x180'],
    [1920, 1080, 'yuv420p', '320x180'],
    [640, 360, 'yuv420p', '320x180'],
    [1280, 720, 'yuvj422p', '320x180'],
    [1280, 720, 'yuvj420p', '320x180'],
    [320, 180, 'yuv420p', '320x180'],
    [640, 480, 'yuv420p', '320x240'],
    [1280, 960, 'yuv420p', '320x240'],
    [200, 100, 'yuv420p', '200x100'],
  ];
  for (const [width, height, format, expected] of sizes) {
    using frame = halves(width, height, format);
    const jpeg = await jpegOfFrame(frame, options);
    assert.deepEqual(
      await brightnessOf(jpeg),
      [expected, ...whole],
      `${width}x${height} ${format}`,
    );
  }
});

test('stills go on when a camera changes its size, and each shows the whole picture', async () => {
  const stills: Buffer[] = [];
  let wanted = 1;
  const failures: unknown[] = [];
  using maker = new StillMaker({
    recorder: {
      get stillWanted() {
        return wanted;
      },
      takeStill: (_number, jpeg) => {
        wanted += 1;
        stills.push(jpeg);
      },
    },
    nameOf: (stream) => stream,
    rotation: 0,
    clock: aClock(),
    failed: (error) => failures.push(error),
  });
  for (const [width, height] of [
    [640, 360],
    [1280, 720],
    [704, 576],
    [640, 360],
  ] as const) {
    using frame = halves(width, height);
    await maker.offer(frame, { stream: 'main', wallMs: 0 });
  }
  assert.deepEqual(failures, []);
  const shown = await Promise.all(stills.map(brightnessOf));
  assert.deepEqual(
    shown.map(([, ...halvesOf]) => halvesOf),
    [whole, whole, whole, whole],
  );
});
