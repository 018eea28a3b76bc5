/**
 * A vision host: detects faces in frames, computes vectors from chips, and infers attributes of faces, one request at a
 * time. It holds no state between requests, so that any host may die and any other may answer. No network, no
 * database.
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import sharp from 'sharp';
import { runHost } from '#lib/host-process.ts';
import { vectorBytes } from '#lib/vectors.ts';
import { systemClock } from '#lib/clock.ts';
import type { Answer, Message } from '#lib/ipc.ts';
import { AttributeReader } from '#vision/attributes/attribute-reader.ts';
import { Engine } from '#vision/engine.ts';
import { readPack } from '#vision/packs/installed-packs.ts';
import type {
  AttributesReply,
  AttributesRequest,
  DescribeRequest,
  DetectReply,
  DetectRequest,
  EmbedReply,
  EmbedRequest,
  FindReply,
  FindRequest,
  LimitsReply,
  Metered,
  PhotoReply,
  StatsReply,
  VisionRequest,
} from '#vision/messages.ts';
import { packKey, type PackKey } from '#vision/packs/pack.ts';
import type { Found } from '#vision/detector/find-faces.ts';
import type { Size } from '#lib/geometry.ts';

// Each host may use one core: libvips must not use more for a 150 px JPEG.
sharp.concurrency(1);
sharp.cache(false);

const { values: words } = parseArgs({ options: { pack: { type: 'string' } }, strict: false });
const engine = await Engine.load(await readPack(String(words.pack)));
const attributes = new AttributeReader(systemClock);
let pictures = 0;
let chips = 0;

/** The body of a request holds their pixels one after another. */
function withPixels<T extends Size>(sizes: readonly T[], body: Buffer): (T & { rgb: Buffer })[] {
  const whole = sizes.reduce((sum, { width, height }) => sum + width * height * 3, 0);
  if (body.length !== whole) throw new Error(`${body.length} bytes for ${whole} of pixels`);
  let end = 0;
  return sizes.map((it) => {
    const start = end;
    end += it.width * it.height * 3;
    return { ...it, rgb: body.subarray(start, end) };
  });
}

async function find({ tiles }: FindRequest, body: Buffer): Promise<Answer> {
  pictures += 1;
  const reply: FindReply = { found: await engine.find(withPixels(tiles, body)) };
  return { head: reply };
}

async function describe({ cuttings }: DescribeRequest, body: Buffer): Promise<Answer> {
  return answerOf(await engine.describe(withPixels(cuttings, body)));
}

async function detect({ width, height, turn }: DetectRequest, body: Buffer): Promise<Answer> {
  if (turn === 0) pictures += 1;
  const [asSent] = withPixels([{ width, height }], body);
  const { found, uprightness } = await engine.detectPhoto(asSent!, turn);
  const reply: PhotoReply = { faces: found.faces, uprightness };
  return { head: reply, body: found.chips };
}

function answerOf({ faces, chips }: Found): Answer {
  const reply: DetectReply = { faces };
  return { head: reply, body: chips };
}

async function embed({ count, pack }: EmbedRequest, body: Buffer): Promise<Answer> {
  const { id, version, embedder } = engine.pack;
  mustServe(pack);
  const { chipBytes } = engine;
  if (body.length !== count * chipBytes) throw new Error(`${body.length} bytes for ${count} chips`);
  chips += count;
  const vectors = await engine.embed(body, count);
  const jpegs: Buffer[] = [];
  for (let i = 0; i < count; i++) {
    const chip = body.subarray(i * chipBytes, (i + 1) * chipBytes);
    const raw = { width: embedder.side, height: embedder.side, channels: 3 } as const;
    jpegs.push(await sharp(chip, { raw }).jpeg({ quality: 90 }).toBuffer());
  }
  const reply: EmbedReply = {
    pack: { id, version },
    dimensions: embedder.dimensions,
    jpegBytes: jpegs.map((jpeg) => jpeg.length),
  };
  return { head: reply, body: Buffer.concat([...vectors.map(vectorBytes), ...jpegs]) };
}

async function readAttributes({ wanted, pack }: AttributesRequest, body: Buffer): Promise<Answer> {
  mustServe(pack);
  const { data, info } = await sharp(body)
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  const chip = { width: info.width, height: info.height, rgb: data };
  const reply: AttributesReply = await attributes.read(chip, engine.template, wanted);
  return { head: reply };
}

function mustServe(pack: PackKey): void {
  if (pack !== packKey(engine.pack)) throw new Error(`chips of ${pack}, which does not serve here`);
}

// Frames are garbage as soon as they are analyzed, but V8 lets 64 MiB of them accumulate outside its heap before it
// collects them. Collecting the young ones after every 8 MiB costs 1 ms and keeps the process small.
setFlagsFromString('--expose-gc');
const collectYoung = runInNewContext('gc') as (options: { type: 'minor' }) => void;
const collectAfterBytes = 8 * 1024 * 1024;
let uncollectedBytes = 0;

function collect(bytes: number): void {
  uncollectedBytes += bytes;
  if (uncollectedBytes < collectAfterBytes) return;
  uncollectedBytes = 0;
  collectYoung({ type: 'minor' });
}

function detectorLimits(): LimitsReply {
  const { limits, chipWidth, pack } = engine;
  return { limits, chipWidth, confirmsNew: pack.detector.confirmsNew === true };
}

function stats(): StatsReply {
  const { user, system } = process.cpuUsage();
  const rssBytes = process.memoryUsage.rss();
  return { cpuMs: (user + system) / 1000, rssBytes, pssBytes: pssBytes(), pictures, chips };
}

/** The memory of this process alone, plus its share of shared memory; null if the system does not report it. */
function pssBytes(): number | null {
  try {
    const [, kib] = /^Pss:\s*(\d+) kB/m.exec(readFileSync('/proc/self/smaps_rollup', 'utf8')) ?? [];
    return kib === undefined ? null : Number(kib) * 1024;
  } catch {
    return null;
  }
}

/** Requests are answered one at a time, so the process's usage meanwhile is the usage of this request. */
async function metered(work: () => Promise<Answer>): Promise<Answer> {
  const before = process.cpuUsage();
  const answer = await work();
  const { user, system } = process.cpuUsage(before);
  const head: Metered<object> = { ...(answer.head as object), cpuMs: (user + system) / 1000 };
  return { ...answer, head };
}

function answer({ head, body }: Message): Promise<Answer> | Answer {
  const request = head as VisionRequest;
  if (request.kind === 'find') return metered(() => find(request, body));
  if (request.kind === 'describe') return metered(() => describe(request, body));
  if (request.kind === 'detect') return detect(request, body);
  if (request.kind === 'limits') return { head: detectorLimits() };
  if (request.kind === 'embed') return metered(() => embed(request, body));
  if (request.kind === 'attributes') return metered(() => readAttributes(request, body));
  return { head: stats() };
}

/** The engine's buffers serve one call at a time; callers keep the queue short. */
let last: Promise<unknown> = Promise.resolve();

runHost({
  asked: (message) => {
    const mine = last.then(() => answer(message));
    void mine.then(() => collect(message.body.length)).catch(() => undefined);
    last = mine.catch(() => undefined);
    return mine;
  },
  close: async () => {
    await attributes[Symbol.asyncDispose]();
    await engine[Symbol.asyncDispose]();
  },
});
