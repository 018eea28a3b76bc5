/**
 * What detection in a picture costs: processor time of the vision host as it reports it itself (wall time says more
 * about other processes), and its memory. Promise: at most 20 ms per analyzed 640x360 picture.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { systemClock } from '../../server/src/lib/clock.ts';
import { createLog } from '../../server/src/lib/log.ts';
import { Engine } from '../../server/src/vision/engine.ts';
import { VisionClient } from '../../server/src/vision/client.ts';
import { makeModels } from '../../server/src/vision/setup/make-models.ts';
import type { StatsReply } from '../../server/src/vision/messages.ts';
import { packKey } from '../../server/src/vision/packs/pack.ts';
import type { Picture } from '../../server/src/vision/picture.ts';
import { imageSourceOf } from '../../server/src/vision/image-source.ts';
import { Vision } from '../../server/src/vision/vision.ts';
import { table } from '../table.ts';
import type { ImageSource } from '../../server/src/lib/image-source.ts';
import { measuredPack } from './measured-pack.ts';

const rounds = 100;
const samples = join(import.meta.dirname, '../../node_modules/@vladmandic/face-api/demo');

/** One face, 60 px between the eyes, out of a sample photo, placed in a grey frame of that size. */
async function frame(face: Buffer, width: number, height: number): Promise<Picture> {
  const rgb = await sharp({ create: { width, height, channels: 3, background: '#6c7078' } })
    .composite([{ input: face, left: Math.round(width / 3), top: Math.round(height / 5) }])
    .removeAlpha()
    .raw()
    .toBuffer();
  return { width, height, rgb };
}

async function oneFace(): Promise<Buffer> {
  const photo = sharp(readFileSync(join(samples, 'sample1.jpg')));
  const { data, info } = await photo.removeAlpha().raw().toBuffer({ resolveWithObject: true });
  await using engine = await Engine.load();
  const picture = { width: info.width, height: info.height, rgb: data };
  const { faces } = await engine.detect(picture);
  const { x, y, width } = faces[0]!.box;
  const extract = { left: x - width / 2, top: y - width / 2, width: 2 * width, height: 2 * width };
  const whole = Object.fromEntries(Object.entries(extract).map(([k, v]) => [k, Math.round(v)]));
  return photo
    .extract(whole as typeof extract)
    .resize(200)
    .png()
    .toBuffer();
}

/** Milliseconds of the host's processor time per call. */
async function cost(vision: Vision, call: () => Promise<unknown>): Promise<number> {
  const cpuMs = async (): Promise<number> => (await stats(vision)).cpuMs;
  for (let i = 0; i < 20; i++) await call();
  const before = await cpuMs();
  for (let i = 0; i < rounds; i++) await call();
  return ((await cpuMs()) - before) / rounds;
}

async function stats(vision: Vision): Promise<StatsReply> {
  const [health] = await vision.health();
  if (!health?.stats) throw new Error('the vision host is gone');
  return health.stats;
}

const mib = (bytes: number | null): string => (bytes === null ? '-' : (bytes / 2 ** 20).toFixed(0));

export async function detectionCost(): Promise<void> {
  makeModels();
  const dir = mkdtempSync(join(tmpdir(), 'nazar-bench-'));
  try {
    const options = { runDir: dir, logsDir: dir, version: 'bench', clock: systemClock };
    const served = { hosts: 1, packId: measuredPack.id };
    await using vision = await Vision.open({ ...options, ...served, log: createLog('silent') });
    await using client = new VisionClient(vision.sockets, systemClock);
    // The client and the owner of the host reach it independently.
    while (client.reachable === 0 || !(await vision.health())[0]?.stats) await systemClock.wait(20);
    const atRest = await stats(vision);
    const face = await oneFace();
    const rows: string[][] = [];
    const add = (name: string, ms: number): void => void rows.push([name, ms.toFixed(1)]);
    let chip: Buffer = Buffer.alloc(0);
    // Each picture is the only one of its scene: no false positives are known, and no person is new.
    const detect = (view: ImageSource) => client.detect(view, null);
    for (const [width, height] of [
      [640, 360],
      [1280, 720],
    ] as const) {
      const size = `${width}x${height}`;
      const picture = await frame(face, width, height);
      const empty = { ...picture, rgb: new Uint8Array(picture.rgb.length).fill(110) };
      const seen = await detect(imageSourceOf(picture));
      if (seen.reply.faces.length !== 1) throw new Error(`${seen.reply.faces.length} faces`);
      chip = seen.chips;
      const { box } = seen.reply.faces[0]!;
      const person = {
        x: box.x - 30,
        y: box.y - 30,
        width: box.width + 60,
        height: height - box.y,
      };
      const nowhere = [{ x: width - 200, y: height - 150, width: 100, height: 140 }];
      add(`${size}, whole, one face`, await cost(vision, () => detect(imageSourceOf(picture))));
      add(
        `${size}, moving person`,
        await cost(vision, () => detect(imageSourceOf(picture, [person]))),
      );
      add(
        `${size}, moving tree, no face`,
        await cost(vision, () => detect(imageSourceOf(empty, nowhere))),
      );
    }
    const embed = (): Promise<unknown> => vision.embed(chip, 1, packKey(vision.pack));
    add('embed one chip, flipped too, with JPEG', await cost(vision, embed));
    console.log(table(['vision host', 'CPU ms'], rows));
    const now = await stats(vision);
    const memory = [
      ['after start', mib(atRest.rssBytes), mib(atRest.pssBytes)],
      ['after all of the above', mib(now.rssBytes), mib(now.pssBytes)],
    ];
    console.log(`\n${table(['vision host, MiB', 'RSS', 'PSS'], memory)}`);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
