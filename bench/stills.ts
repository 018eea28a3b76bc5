/**
 * What stills cost the recorder and the server. Of the recorder: processor time for one still of each ten seconds, made
 * of a frame that is decoded anyway, and of the key frame that begins a segment where nothing is; films of noise, which
 * decodes slowest, and what decoding all of their pictures takes beside it. Of the server: asking over HTTP for a moment
 * and for 60 and 200 stills of a day, as they are and with a mask over them.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { Decoder } from '../server/src/media/codec/decoder.ts';
import type { Coded } from '../server/src/media/codec/coded.ts';
import { StillMaker } from '../server/src/media/host/recorder/still-maker.ts';
import { FormatSource } from '../server/src/media/sources/format-source.ts';
import { systemClock } from '../server/src/lib/clock.ts';
import { writeCodedFilm } from '../server/src/testing/coded-film.ts';
import { aSegmentHead, segmentBytes, writeSegment } from '../server/src/testing/segments.ts';
import { signInEach, testServer } from '../server/src/testing/server.ts';
import { aCameraForm } from '../server/src/testing/world.ts';
import { stillBox } from '../server/src/media/mp4/segment-file.ts';
import { spreadOf, tenth } from './rig/numbers.ts';
import { table } from './table.ts';

const calls = 40;
/** Four hours of the server's part. */
const segments = 1_440;
const segmentMs = 10_000;
const stills = 60;
const rows: string[][] = [];

interface Cost {
  readonly cpuMs: number;
  readonly bytes: number;
}

const cpuMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};

/** Decodes so many key frames, and makes stills of them where `makes` says so. */
async function cost(source: FormatSource, keys: readonly Coded[], makes: boolean): Promise<Cost> {
  let wanted: number | null = null;
  let bytes = 0;
  let shown = Promise.withResolvers<void>();
  const recorder = {
    get stillWanted() {
      return wanted;
    },
    takeStill: (_number: number, jpeg: Buffer) => {
      bytes += jpeg.length;
      wanted = null;
    },
  };
  const failed = (error: unknown) => shown.reject(error);
  using maker = new StillMaker({
    recorder,
    nameOf: () => 'main',
    rotation: 0,
    clock: systemClock,
    failed,
  });
  await using decoder = new Decoder(source.track, async (frame, _at, wallMs) => {
    if (makes) await maker.offer(frame, { stream: 'main', wallMs });
    shown.resolve();
  });
  const make = async (number: number): Promise<void> => {
    wanted = number;
    shown = Promise.withResolvers();
    const at = number * segmentMs * 90;
    decoder.push(keys[number % keys.length]!, { pts: at, dts: at, duration: 0 }, Date.now());
    await shown.promise;
  };
  for (let number = 0; number < 10; number++) await make(number);
  bytes = 0;
  const before = cpuMs();
  for (let number = 10; number < 10 + stills; number++) await make(number);
  return { cpuMs: (cpuMs() - before) / stills, bytes: bytes / stills };
}

const folder = mkdtempSync(join(tmpdir(), 'nazar-bench-stills-'));
try {
  for (const [width, height, bitsPerSecond] of [
    [640, 360, 500_000],
    [1280, 720, 3_000_000],
    [1920, 1080, 4_000_000],
  ] as const) {
    const path = join(folder, `${width}.mp4`);
    const shape = { width, height, fps: 25, pictures: 150, gop: 25 };
    await writeCodedFilm(path, { codec: 'h264', bFrames: 0, shape, bitsPerSecond });
    const input = { url: path, options: {}, stop: () => undefined, why: () => null };
    await using source = await FormatSource.open(input);
    const keys: Coded[] = [];
    for (let picture = await source.read(); picture; picture = await source.read()) {
      if (picture.key) keys.push({ ...picture, data: Buffer.from(picture.data) });
    }
    const decoded = await cost(source, keys, false);
    const whole = await cost(source, keys, true);
    const share = (ms: number): string => `${((ms / segmentMs) * 100).toFixed(3)} %`;
    rows.push([
      `${width}x${height}`,
      tenth(whole.cpuMs - decoded.cpuMs),
      share(whole.cpuMs - decoded.cpuMs),
      tenth(whole.cpuMs),
      share(whole.cpuMs),
      whole.bytes.toFixed(0),
      `${((whole.bytes / ((bitsPerSecond / 8) * 10)) * 100).toFixed(2)} %`,
    ]);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
console.log(
  table(
    [
      'what is decoded',
      'ms, of a frame',
      'of a core',
      'ms, of a key frame',
      'of a core',
      'bytes',
      'of the video',
    ],
    rows,
  ),
);

await using world = await testServer();
const { admin, user } = await signInEach(world);
const form = aCameraForm({ name: 'Camera', status: 'active', url: 'rtsp://192.168.0.9/a' });
const added = await admin.send('POST', '/secure-api/cameras/', form);
const { id: camera } = added.json<{ id: string }>();
await admin.send('PUT', '/secure-api/cameras/grants/', {
  to: { type: 'user', id: user.id },
  of: { type: 'camera', id: camera },
  capabilities: ['live', 'recordings'],
  categories: [],
});
const startMs = world.clock.now() - segments * segmentMs;
const noise = { width: 320, height: 180, channels: 3, background: '#000' } as const;
const gaussian = { type: 'gaussian', mean: 128, sigma: 12 } as const;
const jpeg = await sharp({ create: { ...noise, noise: gaussian } })
  .blur(2)
  .jpeg({ quality: 40 })
  .toBuffer();
for (let index = 0; index < segments; index++) {
  const head = aSegmentHead(camera, startMs + index * segmentMs);
  const bytes = Buffer.concat([
    segmentBytes(head, 250),
    stillBox({ atMs: 0, jpeg, shows: 'main' }),
  ]);
  writeSegment(join(world.recordingFolder, camera), head, bytes);
}
await world.server.recordings.recover();
await world.server.recordings.recover();

const served: string[][] = [];
const iso = (ms: number): string => new Date(startMs + ms).toISOString();

/** `path` of the nth call. */
async function ask(what: string, who: typeof admin, path: (call: number) => string): Promise<void> {
  const times: number[] = [];
  let bytes = 0;
  for (let call = 0; call < calls + 3; call++) {
    const startedAtMs = performance.now();
    const { status, text } = await who.get(`/secure-api/cameras/${camera}/${path(call)}`);
    if (status !== 200) throw new Error(text);
    bytes = text.length;
    if (call >= 3) times.push(performance.now() - startedAtMs);
  }
  const { p50, p95 } = spreadOf(times);
  served.push([what, tenth(p50), tenth(p95), (bytes / 1024).toFixed(0)]);
}

const moment = (call: number): string => `still/?at=${iso(call * 7 * segmentMs)}`;
const over = (count: number) => (call: number) =>
  `stills/?from=${iso(call * segmentMs)}&until=${iso((segments - 100 + call) * segmentMs)}&count=${count}`;
await ask('a moment', admin, moment);
await ask('60 stills', admin, over(60));
await ask('200 stills', admin, over(200));
const points = [
  [0, 0],
  [0.5, 0],
  [0.5, 1],
  [0, 1],
];
const zones = [{ kind: 'privacy', name: '', points }];
await admin.send('PUT', `/secure-api/cameras/${camera}/zones/`, { zones });
await ask('a moment, masked', user, moment);
await ask('60 stills, masked', user, over(60));
await ask('200 stills, masked', user, over(200));
console.log(table(['what is asked', 'ms, median', 'ms, 95th', 'KiB'], served));
console.log(`${calls} calls each, of ${segments} segments; a still of ${jpeg.length} bytes.`);
