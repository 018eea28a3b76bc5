import assert from 'node:assert/strict';
import { crc32, deflateSync } from 'node:zlib';
import { test } from 'node:test';
import sharp from 'sharp';
import { systemClock, type Clock } from '#lib/clock.ts';
import { ownWork } from '#lib/limits/turns.ts';
import { createLog } from '#lib/log.ts';
import { Problem } from '#lib/problem.ts';
import { aClock } from '#testing/clock.ts';
import { Images } from './images.ts';
import type { ProcessUse } from './process-use.ts';

const own = { account: ownWork };

const log = createLog('silent');
const start = (clock: Clock = systemClock): Images => new Images({ clock, log });

async function codeOf(images: Images, bytes: Buffer): Promise<string> {
  const outcome = await images.clean(bytes, own).catch((error: unknown) => error);
  return outcome instanceof Problem ? outcome.code : `no problem: ${String(outcome)}`;
}

const blank = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: { r: 200, g: 30, b: 30 } } });

test('C-522 an upload keeps its pixels and loses everything else', async () => {
  await using images = start();
  // Orientation 6: the left column of the file is the top of the picture.
  const left = await blank(300, 1200).png().toBuffer();
  const upload = await sharp({
    create: { width: 2400, height: 1200, channels: 3, background: { r: 0, g: 0, b: 255 } },
  })
    .composite([{ input: left, left: 0, top: 0 }])
    .withExif({ IFD0: { Artist: 'Somebody Secret', Orientation: '6' } })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer();
  const hidden = Buffer.concat([upload, Buffer.from('<script>alert(1)</script>PK\x03\x04')]);
  const { jpeg, thumbnail, rgb, width, height } = await images.clean(hidden, own);
  assert.deepEqual([width, height], [800, 1600]);
  assert.equal(rgb.length, width * height * 3);
  assert.ok(rgb[(20 * width + 400) * 3]! > 150, 'the red column is on top');
  assert.ok(rgb[(1500 * width + 400) * 3 + 2]! > 200, 'the rest is blue');
  for (const made of [jpeg, thumbnail]) {
    const metadata = await sharp(made).metadata();
    assert.equal(metadata.format, made === jpeg ? 'jpeg' : 'webp');
    const { exif, icc, xmp, iptc, orientation } = metadata;
    assert.ok([exif, icc, xmp, iptc, orientation].every((it) => it === undefined));
    assert.ok(!made.includes('Secret') && !made.includes('script'));
  }
  assert.equal((await sharp(thumbnail).metadata()).height, 320);
});

test('C-520 grey, transparent, PNG and WebP pictures become RGB', async () => {
  await using images = start();
  const grey = await blank(64, 48).greyscale().png().toBuffer();
  const clear = await sharp({
    create: { width: 64, height: 48, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } },
  })
    .webp()
    .toBuffer();
  for (const upload of [grey, clear]) {
    const { rgb, width, height } = await images.clean(upload, own);
    assert.deepEqual([width, height, rgb.length], [64, 48, 64 * 48 * 3]);
  }
});

test('C-522 a harmless picture is not refused for the memory that earlier ones took', async () => {
  const seen = new Set<number | undefined>();
  let isUsedUp = false;
  const usageOf = async (pid: number | undefined): Promise<ProcessUse> => {
    seen.add(pid);
    return { rssBytes: isUsedUp && pid === [...seen][0] ? Infinity : 1, cpuMs: 0 };
  };
  await using images = new Images({ clock: systemClock, log, usageOf });
  const harmless = await blank(640, 480).jpeg().toBuffer();
  await images.clean(harmless, own);
  isUsedUp = true;
  assert.equal((await images.clean(harmless, own)).width, 640);
  assert.deepEqual([seen.size, images.processes], [2, 1]);
});

test('C-520 C-521 a file that is not a picture, or not the one it claims to be, is refused with its reason', async () => {
  await using images = start();
  const jpeg = await blank(400, 400).jpeg().toBuffer();
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>';
  const frames = Buffer.alloc(4 * 8 * 3, 120).fill(20, 4 * 4 * 3);
  const animated = await sharp(frames, { raw: { width: 4, height: 8, channels: 3, pageHeight: 4 } })
    .webp({ loop: 0, delay: [100, 100] })
    .toBuffer();
  const cases: [string, Buffer, string][] = [
    ['GIF', await blank(8, 8).gif().toBuffer(), 'image_type'],
    ['TIFF', await blank(8, 8).tiff().toBuffer(), 'image_type'],
    ['SVG', Buffer.from(svg), 'image_type'],
    ['SVG behind the first bytes of a JPEG', concat([0xff, 0xd8, 0xff], svg), 'image_unreadable'],
    ['GIF with a JPEG behind', concat([], 'GIF89a', jpeg), 'image_type'],
    ['animation', animated, 'image_type'],
    ['half a JPEG', jpeg.subarray(0, jpeg.length / 2), 'image_unreadable'],
    ['only the first bytes', jpeg.subarray(0, 20), 'image_unreadable'],
    ['too wide', await blank(8_200, 10).png().toBuffer(), 'image_too_many_pixels'],
    ['too many pixels', await blank(8_000, 5_100).png().toBuffer(), 'image_too_many_pixels'],
    ['a bomb', pngHeader(60_000, 60_000), 'image_too_many_pixels'],
  ];
  for (const [name, bytes, code] of cases) assert.equal(await codeOf(images, bytes), code, name);
  assert.equal((await images.clean(jpeg, own)).width, 400, 'the next one is read as ever');
});

test('more uploads than processes wait their turn', async () => {
  await using images = start();
  const jpeg = await blank(200, 200).jpeg().toBuffer();
  const results = await Promise.all(
    Array.from({ length: 6 }, () => images.clean(jpeg, own).then(({ width }) => width)),
  );
  assert.deepEqual(results, Array(6).fill(200));
  assert.ok(images.processes <= 2);
});

test('C-521 C-523 a process that outgrows its memory costs only its picture', async () => {
  const jpeg = await blank(200, 200).jpeg().toBuffer();
  await using small = new Images({ clock: systemClock, log, limits: { rssBytes: 1024 } });
  assert.equal(await codeOf(small, jpeg), 'image_too_many_pixels');
  assert.equal(small.processes, 0);
});

test('C-523 as the product runs them, a process has 256 MiB for a picture and not a byte more', async () => {
  const jpeg = await blank(200, 200).jpeg().toBuffer();
  const taking = (rssBytes: number) =>
    new Images({ clock: systemClock, log, usageOf: async () => ({ rssBytes, cpuMs: 0 }) });
  await using within = taking(256 * 1024 * 1024);
  assert.equal((await within.clean(jpeg, own)).width, 200);
  await using beyond = taking(256 * 1024 * 1024 + 1);
  assert.equal(await codeOf(beyond, jpeg), 'image_too_many_pixels');
});

test('C-523 a host that exceeds a limit is gone, and the picture is blamed only where it is to blame', async () => {
  const jpeg = await blank(200, 200).jpeg().toBuffer();
  for (const [code, perLookMs] of [
    ['image_too_slow', 6_000],
    ['busy', 0],
  ] as const) {
    let pid: number | undefined;
    let cpuMs = 0;
    let isHung = false;
    const usageOf = async (of: number | undefined): Promise<ProcessUse> => {
      pid = of;
      return { rssBytes: 1, cpuMs: isHung ? (cpuMs += perLookMs) : (cpuMs += 1) };
    };
    await using images = new Images({ clock: systemClock, log, usageOf, limits: { stallMs: 100 } });
    assert.equal((await images.clean(jpeg, own)).width, 200);
    process.kill(pid!, 'SIGSTOP');
    isHung = true;
    assert.equal(await codeOf(images, jpeg), code);
    assert.equal(images.processes, 0);
    assert.throws(() => process.kill(pid!, 0), /ESRCH/, 'it is gone, not only forgotten');
    isHung = false;
    assert.equal(
      (await images.clean(jpeg, own)).width,
      200,
      'the next picture has another process',
    );
  }
});

test('C-523 a process that dies by itself has its picture read by another', async () => {
  const pids = new Set<number | undefined>();
  const usageOf = async (pid: number | undefined): Promise<ProcessUse> => {
    pids.add(pid);
    return { rssBytes: 1, cpuMs: 0 };
  };
  await using images = new Images({ clock: systemClock, log, usageOf });
  const jpeg = await blank(200, 200).jpeg().toBuffer();
  await images.clean(jpeg, own);
  const [first] = pids;
  process.kill(first!, 'SIGSTOP');
  const read = images.clean(jpeg, own);
  process.kill(first!, 'SIGKILL');
  assert.equal((await read).width, 200);
  assert.equal(pids.size, 2);
});

test('uploads beyond those that may wait are asked to come again, and so are those that waited too long', async () => {
  const clock = aClock();
  const usageOf = async (pid: number | undefined): Promise<ProcessUse> => {
    process.kill(pid!, 'SIGSTOP');
    return { rssBytes: 1, cpuMs: 0 };
  };
  await using images = new Images({ clock, log, usageOf });
  const jpeg = await blank(20, 20).jpeg().toBuffer();
  const waiting = Array.from({ length: 27 }, () => codeOf(images, jpeg));
  assert.equal(await waiting[2], 'busy', 'the newest has the place of the oldest that waits');
  clock.advance(30_000);
  assert.deepEqual(await Promise.all(waiting.slice(3)), Array(24).fill('busy'));
});

test('an account with all waiting places blocks no one: the next turn is another account’s', async () => {
  const stopped = new Set<number>();
  let isHeld = true;
  const usageOf = async (pid: number | undefined): Promise<ProcessUse> => {
    if (isHeld && stopped.size < stopped.add(pid!).size) process.kill(pid!, 'SIGSTOP');
    return { rssBytes: 1, cpuMs: 0 };
  };
  await using images = new Images({ clock: systemClock, log, usageOf });
  const jpeg = await blank(20, 20).jpeg().toBuffer();
  const order: string[] = [];
  const reading = async (account: string): Promise<void> => {
    const outcome = await images.clean(jpeg, { account }).catch((error: Problem) => error.code);
    order.push(typeof outcome === 'string' ? `${account} ${outcome}` : account);
  };
  const readings = [...Array<string>(26).fill('many'), 'one'].map(reading);
  while (stopped.size < 2) await new Promise((resolve) => setImmediate(resolve));
  isHeld = false;
  for (const pid of stopped) process.kill(pid, 'SIGCONT');
  await Promise.all(readings);
  assert.deepEqual(
    order.filter((one) => one !== 'many'),
    ['many busy', 'one'],
  );
  assert.ok(order.indexOf('one') < 10, order.join(', '));
});

test('an idle image host ends', async () => {
  const idle = Promise.withResolvers<void>();
  const clock: Clock = {
    ...systemClock,
    wait: (ms, signal) => (ms === 30_000 ? idle.promise : systemClock.wait(ms, signal)),
  };
  await using images = start(clock);
  const jpeg = await blank(20, 20).jpeg().toBuffer();
  await images.clean(jpeg, own);
  assert.equal(images.processes, 1);
  idle.resolve();
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(images.processes, 0);
});

function concat(start: readonly number[], ...rest: (string | Buffer)[]): Buffer {
  return Buffer.concat([Buffer.from(start), ...rest.map((it) => Buffer.from(it as string))]);
}

/** A PNG that claims a size and holds next to nothing. */
function pngHeader(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
  const data = deflateSync(Buffer.alloc(1000));
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', data),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(data.length, 0);
  ends.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
}
