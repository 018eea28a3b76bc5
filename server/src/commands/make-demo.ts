/**
 * Makes the demo camera's video at set-up: `node server/src/commands/make-demo.ts`, slow pans over the sample photos
 * that come with face-api, and one photo of each person to enrol. Does nothing when nothing has changed.
 * A process of its own, because FFmpeg has no place in the server.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import { demoFiles, demoFolder, stampName, type DemoFiles } from '#app/demo-files.ts';
import type { FilmShape } from './demo-film/film.ts';
import type { Aim, Planes } from './demo-film/pan.ts';
import { print } from '#lib/terminal/output.ts';
import { shown } from '#lib/terminal/terminal-text.ts';

export interface Scene {
  /** Which of the sample photos. */
  readonly photo: 3 | 4 | 5 | 6;
  readonly from: Aim;
  readonly to: Aim;
  /** Seen best at the end; the number of an enrolled person, null for an unknown one. */
  readonly person: 1 | 2 | 3 | null;
}

/**
 * Six people, three of them enrolled: heads and shoulders, as a camera over a desk sees them. Those who are
 * enrolled are at least 0.65 from everyone else in the video. Their scenes show no other face,
 * and no person is in two scenes.
 */
export const scenes: readonly Scene[] = [
  {
    photo: 3,
    from: { x: 1130, y: 400, width: 660 },
    to: { x: 1150, y: 385, width: 610 },
    person: 1,
  },
  {
    photo: 4,
    from: { x: 870, y: 290, width: 840 },
    to: { x: 890, y: 262, width: 740 },
    person: null,
  },
  {
    photo: 6,
    from: { x: 830, y: 540, width: 720 },
    to: { x: 800, y: 515, width: 630 },
    person: 2,
  },
  {
    photo: 5,
    from: { x: 1560, y: 560, width: 720 },
    to: { x: 1600, y: 555, width: 600 },
    person: null,
  },
  {
    photo: 6,
    from: { x: 1650, y: 480, width: 540 },
    to: { x: 1660, y: 445, width: 520 },
    person: 3,
  },
  {
    photo: 4,
    from: { x: 1560, y: 340, width: 720 },
    to: { x: 1510, y: 325, width: 600 },
    person: null,
  },
];

export const shape: FilmShape = { width: 1280, height: 720, fps: 30 };
/** Whole seconds, so that each scene begins with a key frame. */
export const sceneSeconds = 5;

/** Where the people to enrol are in their photos: the crop of a portrait, square. */
const portraits = [
  { photo: 3, left: 967, top: 165, side: 440 },
  { photo: 6, left: 551, top: 270, side: 460 },
  { photo: 6, left: 1370, top: 210, side: 440 },
] as const;

/** Returns whether it had to be made. What is under the right name is whole: it gets it last. */
export async function makeDemo(folder: string = demoFolder): Promise<boolean> {
  const stamp = stampOf();
  const stampFile = join(folder, stampName);
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return false;
  const unfinished = `${folder}.${process.pid}.tmp`;
  mkdirSync(unfinished, { recursive: true });
  try {
    await fill(demoFiles(unfinished));
    writeFileSync(join(unfinished, stampName), stamp, { flush: true });
    rmSync(folder, { recursive: true, force: true });
    renameSync(unfinished, folder);
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
  return true;
}

async function fill({ film, photos }: DemoFiles): Promise<void> {
  // Loaded only now: a set-up that has nothing to do should not wait for two native libraries.
  const [{ default: sharp }, { writeFilm }] = await Promise.all([
    import('sharp'),
    import('./demo-film/film.ts'),
  ]);
  for (const [i, { photo, left, top, side }] of portraits.entries()) {
    const area = { left, top, width: side, height: side };
    await sharp(samplePath(photo)).extract(area).jpeg({ quality: 92 }).toFile(photos[i]!);
  }
  await writeFilm(film, shape, await pictures());
}

async function pictures(): Promise<Iterable<Buffer>> {
  const { between, look } = await import('./demo-film/pan.ts');
  const photos = new Map<number, Planes>();
  for (const { photo } of scenes) photos.set(photo, photos.get(photo) ?? (await planesOf(photo)));
  const perScene = sceneSeconds * shape.fps;
  return (function* () {
    for (const { photo, from, to } of scenes) {
      for (let i = 0; i < perScene; i++) {
        yield look(photos.get(photo)!, between(from, to, i / (perScene - 1)), shape);
      }
    }
  })();
}

/** A sample photo as films are made of. */
export async function planesOf(photo: number): Promise<Planes> {
  const [{ default: sharp }, { AV_PIX_FMT_RGB24 }, { Scaler }, { frameOf }] = await Promise.all([
    import('sharp'),
    import('node-av/constants'),
    import('node-av/api'),
    import('#media/codec/frame-of.ts'),
  ]);
  const { data, info } = await sharp(samplePath(photo)).removeAlpha().raw().toBuffer({
    resolveWithObject: true,
  });
  const { width, height } = info;
  using rgb = frameOf(data, {
    width,
    height,
    format: AV_PIX_FMT_RGB24,
    pts: 0n,
    timeBase: { num: 1, den: 1 },
  });
  using scaler = new Scaler();
  const even = { width: width & ~1, height: height & ~1 };
  return { ...even, data: await scaler.toBuffer(rgb, { resize: even, format: 'yuv420p' }) };
}

function samplePath(photo: number): string {
  const name = `@vladmandic/face-api/demo/sample${photo}.jpg`;
  // The package's `exports` hide these files from require.resolve, so they are searched for by hand.
  const folders = createRequire(import.meta.url).resolve.paths(name) ?? [];
  const found = folders.map((folder) => join(folder, name)).find((file) => existsSync(file));
  if (found === undefined) throw new Error(`${name} is not installed`);
  return found;
}

/** Changes with the photos and with the code that makes the film of them. */
function stampOf(): string {
  const hash = createHash('sha256');
  const code = ['make-demo.ts', 'demo-film/film.ts', 'demo-film/pan.ts'];
  for (const file of code) hash.update(readFileSync(join(import.meta.dirname, file)));
  for (const photo of [3, 4, 5, 6]) hash.update(readFileSync(samplePath(photo)));
  return hash.digest('hex');
}

if (import.meta.main) {
  setPriority(10);
  const startedAt = performance.now();
  if (await makeDemo()) {
    const seconds = (performance.now() - startedAt) / 1000;
    print(shown`demo film ${seconds.toFixed(1)} s\n`);
  }
}
