import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AV_PIX_FMT_YUV420P } from 'node-av/constants';
import type { Frame } from 'node-av/lib';
import { frameOf } from '../../codec/frame-of.ts';
import { MaskPainter } from '../../mask/mask-painter.ts';
import { FrameView, onFrame } from './frame-view.ts';
import { rotated } from '../../codec/rotate.ts';
import { ViewScaler } from './view-scaler.ts';

const painter = new MaskPainter({ hides: [], shows: [] });
const rotations = [0, 90, 180, 270] as const;

/** Grey that says where it is: brighter to the right, in steps downwards. */
function aFrame(width: number, height: number): Frame {
  const luma = Buffer.alloc(width * height);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      luma[y * width + x] = 30 + Math.floor((x * 160) / width) + 10 * Math.floor((y * 4) / height);
  const data = Buffer.concat([luma, Buffer.alloc((width * height) / 2, 128)]);
  const timeBase = { num: 1, den: 90_000 };
  return frameOf(data, {
    width,
    height,
    format: AV_PIX_FMT_YUV420P,
    pts: 0n,
    timeBase,
  });
}

test('a part of a view is the same pixels as that part of the whole view, however the camera hangs', async () => {
  using frame = aFrame(320, 180);
  await using scaler = new ViewScaler();
  for (const rotation of rotations) {
    await using view = new FrameView(frame, {
      scaler,
      rotation,
      painter,
      regions: [],
      quickScan: false,
    });
    const sideways = rotation === 90 || rotation === 270;
    assert.deepEqual([view.width, view.height], sideways ? [180, 320] : [320, 180]);
    const { width, height } = view;
    const whole = await view.take({ x: 0, y: 0, width, height }, width, height);
    const part = { x: 60, y: 40, width: 48, height: 64 };
    const pixels = await view.take(part, part.width, part.height);
    for (const [x, y] of [
      [0, 0],
      [47, 0],
      [20, 33],
      [47, 63],
    ] as const) {
      const there = ((part.y + y) * width + part.x + x) * 3;
      assert.ok(
        Math.abs(pixels[(y * part.width + x) * 3]! - whole[there]!) <= 2,
        `${rotation}: ${x}, ${y}`,
      );
    }
  }
});

test('a camera with more pixels than the view gives them where they are asked for', async () => {
  using frame = aFrame(2560, 1440);
  await using scaler = new ViewScaler();
  await using view = new FrameView(frame, {
    scaler,
    rotation: 0,
    painter,
    regions: [],
    quickScan: false,
  });
  assert.deepEqual([view.width, view.height, view.detail], [1280, 720, 2]);
  const fine = await view.take({ x: 640, y: 0, width: 100, height: 40 }, 200, 80);
  assert.equal(fine.length, 200 * 80 * 3);
  // 100 of 1280 pixels are 12.5 of 160 steps of grey, spread over 200 pixels (limited range: x 255/219).
  const rise = fine[199 * 3]! - fine[0]!;
  assert.ok(rise >= 12 && rise <= 17, `${rise}`);
});

test('parts at every edge lie within the frame and begin at even pixels', () => {
  for (const rotation of rotations) {
    const sideways = rotation === 90 || rotation === 270;
    const view = sideways ? { width: 720, height: 1280 } : { width: 1280, height: 720 };
    for (const part of [
      { x: 0, y: 0, width: 1, height: 1 },
      { x: view.width - 1, y: view.height - 1, width: 1, height: 1 },
      { x: 0, y: 0, width: view.width, height: view.height },
    ]) {
      const { x, y, width, height } = onFrame(part, view, { width: 1920, height: 1080 }, rotation);
      assert.ok(x % 2 === 0 && y % 2 === 0);
      assert.ok(width >= 2 && height >= 2);
      assert.ok(x + width <= 1920 && y + height <= 1080);
    }
  }
});

test('turning a part back finds where turning the picture put it', () => {
  const frame = { width: 8, height: 4 };
  const data = Buffer.from(Array.from({ length: 32 }, (_, i) => i));
  for (const rotation of rotations) {
    const upright = rotated({ ...frame, data }, rotation, 1);
    const part = { x: 2, y: 2, width: 2, height: 2 };
    const { x, y } = onFrame(part, upright, frame, rotation);
    const cropped = Buffer.from(
      [0, 1].flatMap((j) => [0, 1].map((i) => data[(y + j) * 8 + x + i]!)),
    );
    const back = rotated({ width: 2, height: 2, data: cropped }, rotation, 1).data;
    const there = [0, 1].flatMap((j) =>
      [0, 1].map((i) => upright.data[(2 + j) * upright.width + 2 + i]!),
    );
    assert.deepEqual([...back], there);
  }
});

test('parts that are asked for at once are what they are when asked for one by one', async () => {
  using frame = aFrame(1280, 720);
  await using scaler = new ViewScaler();
  const parts = Array.from({ length: 24 }, (_, i) => {
    const side = 64 + 8 * ((i * 7) % 23);
    return { part: { x: 20 * i, y: 10 * i, width: side, height: side }, side: 16 + 2 * i };
  });
  for (let round = 0; round < 10; round++) {
    await using view = new FrameView(frame, {
      scaler,
      rotation: 0,
      painter,
      regions: [],
      quickScan: false,
    });
    const alone: Uint8Array[] = [];
    for (const { part, side } of parts) alone.push(await view.take(part, side, side));
    const together = await Promise.all(parts.map(({ part, side }) => view.take(part, side, side)));
    assert.deepEqual(together, alone);
  }
});

test('a view, and the scaler after it, that are released while a part is taken wait for it', async () => {
  using frame = aFrame(1280, 720);
  let taken: Promise<Uint8Array> | null = null;
  {
    await using scaler = new ViewScaler();
    await using view = new FrameView(frame, {
      scaler,
      rotation: 0,
      painter,
      regions: [],
      quickScan: false,
    });
    taken = view.take({ x: 0, y: 0, width: 1280, height: 720 }, 640, 360);
  }
  assert.equal((await taken).length, 640 * 360 * 3);
});

test('plans computed for a size are not kept for ever: a thousand sizes take no more memory than some', async () => {
  using frame = aFrame(1280, 720);
  await using scaler = new ViewScaler();
  await using view = new FrameView(frame, {
    scaler,
    rotation: 0,
    painter,
    regions: [],
    quickScan: false,
  });
  const take = async (from: number, until: number): Promise<void> => {
    for (let i = from; i < until; i++) {
      const part = { x: 0, y: 0, width: 300 + (i % 900), height: 300 + (i % 400) };
      await view.take(part, 128, 128);
    }
  };
  await take(0, 100);
  const before = process.memoryUsage.rss();
  await take(100, 1_000);
  const grownMib = (process.memoryUsage.rss() - before) / 2 ** 20;
  assert.ok(grownMib < 60, `${grownMib.toFixed(0)} MiB more`);
});
