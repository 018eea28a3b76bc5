/**
 * A film of people, some of them enrolled, through engine, tracker and votes as they are: who is named, how soon, and
 * what a picture costs. A tool that some machines lack makes the film of the labelled photos; without it this part is
 * left out. `bench -- camera` measures what decoding and motion save or cost.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, parse } from 'node:path';
import { Gallery } from '../../server/src/faces/gallery/gallery.ts';
import type { Picture } from '../../server/src/vision/picture.ts';
import { subjectOf } from './contestant.ts';
import type { Ours } from './ours.ts';
import type { Peer } from './peers/peer.ts';
import { readPhoto } from './photos.ts';
import { judge, type Part, type Verdict } from './verdict.ts';
import { watch } from './watch.ts';

const tool = join(process.env['NAZAR_TEST_TOOLS'] ?? '', 'face-video.py');
/** The sets that the tool takes by default. */
const usualSets = ['lfw10', 'deepface'];
const frame = { width: 640, height: 360 } as const;
const everyMs = 200;
/** Other engines get one picture of this many: they have no memory of the ones before. */
const theirStep = 15;

export interface Film {
  readonly pictures: number;
  /** Processor milliseconds of a picture, by engine. */
  readonly cpuMs: Readonly<Record<string, number>>;
  readonly verdict: Verdict;
}

/** Why there is no film, or null when there can be one. */
export function filmMissing(): string | null {
  return existsSync(tool) ? null : 'NAZAR_TEST_TOOLS names no folder with face-video.py';
}

export async function film(
  folder: string,
  sets: readonly string[],
  ours: Ours,
  peers: readonly Peer[],
): Promise<Film> {
  const out = mkdtempSync(join(tmpdir(), 'nazar-bench-film-'));
  try {
    const chosen = usualSets.every((set) => sets.includes(set)) ? usualSets : sets;
    run('python3', [tool, folder, out, '--set', chosen.join(',')]);
    const truth = JSON.parse(readFileSync(join(out, 'truth.json'), 'utf8')) as { cast: Part[] };
    const pictures = decoded(join(out, 'faces720.mp4'));
    const gallery = await enrolled(join(out, 'enrol'), ours);
    const { names, cpuMs } = await watch(ours.engine, pictures, everyMs, gallery);
    const costs: Record<string, number> = { [ours.name]: cpuMs };
    for (const peer of peers) costs[peer.name] = await theirCost(peer, pictures);
    return { pictures: pictures.length, cpuMs: costs, verdict: judge(truth.cast, names) };
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
}

async function theirCost(peer: Peer, pictures: readonly Picture[]): Promise<number> {
  const shown = pictures.filter((_, i) => i % theirStep === 0);
  let sum = 0;
  for (const picture of shown) {
    sum += (await peer.cost({ kind: 'cost', picture, times: 1 })).cpuMs;
  }
  return sum / shown.length;
}

/** One photo of each, as users enrol them. */
async function enrolled(folder: string, ours: Ours): Promise<Gallery> {
  const gallery = new Gallery();
  for (const file of readdirSync(folder)) {
    const picture = await readPhoto({ set: '', identity: '', path: join(folder, file) });
    const face = subjectOf(await ours.detect(picture), picture);
    if (face) gallery.replace(parse(file).name, [{ pack: ours.pack, vector: face.vector }]);
  }
  return gallery;
}

function decoded(path: string): Picture[] {
  const { width, height } = frame;
  const filter = `fps=${1000 / everyMs},scale=${width}:${height}`;
  const words = ['-v', 'error', '-i', path, '-vf', filter, '-f', 'rawvideo', '-pix_fmt', 'rgb24'];
  const bytes = run('ffmpeg', [...words, '-']);
  const size = width * height * 3;
  return Array.from({ length: Math.floor(bytes.length / size) }, (_, i) => ({
    width,
    height,
    rgb: bytes.subarray(i * size, (i + 1) * size),
  }));
}

function run(program: string, words: string[]): Buffer {
  const { status, stdout, stderr } = spawnSync(program, words, { maxBuffer: 2 ** 30 });
  if (status !== 0) throw new Error(`${program}: ${stderr?.toString() ?? 'not found'}`);
  return stdout;
}
