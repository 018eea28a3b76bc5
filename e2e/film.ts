/** The film of known people and the cameras that play it, by the tools that NAZAR_TEST_TOOLS names. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Scene } from './film-camera.ts';

const tools = process.env['NAZAR_TEST_TOOLS'];
const faces = process.env['NAZAR_TEST_FACES'];

/** Why tests that need the film are left out, or null. */
export const filmMissing =
  tools && faces && existsSync(join(tools, 'face-video.py'))
    ? null
    : 'NAZAR_TEST_TOOLS and NAZAR_TEST_FACES name no tools and faces';

export interface Film extends Disposable {
  readonly folder: string;
  readonly lengthS: number;
  readonly cast: readonly Scene[];
  /** Photo to enrol by identity. */
  readonly photos: ReadonlyMap<string, Buffer>;
}

export function makeFilm(): Film {
  const folder = mkdtempSync(join(tmpdir(), 'nazar-film-'));
  const made = spawnSync('python3', [join(tools!, 'face-video.py'), faces!, folder], {
    encoding: 'utf8',
  });
  if (made.status !== 0) throw new Error(made.stderr);
  const { length, cast } = JSON.parse(readFileSync(join(folder, 'truth.json'), 'utf8')) as {
    length: number;
    cast: Film['cast'];
  };
  const enrol = join(folder, 'enrol');
  const photos = new Map(
    readdirSync(enrol).map((name) => [name.replace(/\.\w+$/, ''), readFileSync(join(enrol, name))]),
  );
  return {
    folder,
    lengthS: length,
    cast,
    photos,
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** A real RTSP server (gst-rtsp-server) that plays the film at `/cam0`. */
export class RtspServer {
  readonly port: number;
  readonly #words: readonly string[];
  #child: ChildProcess | null = null;

  constructor(folder: string, port: number, more: readonly string[] = []) {
    this.port = port;
    const script = join(tools!, 'rtsp-server.py');
    this.#words = [script, '--media', folder, '--cams', '2', '--port', String(port), ...more];
  }

  async start(): Promise<void> {
    const child = spawn('/usr/bin/python3', this.#words, { stdio: ['ignore', 'pipe', 'inherit'] });
    this.#child = child;
    await new Promise<void>((resolve, reject) => {
      child.once('exit', (code) => reject(new Error(`rtsp server ended with ${code}`)));
      child.stdout.on('data', (chunk: Buffer) => {
        if (chunk.toString().includes('rtsp://')) resolve();
      });
    });
  }

  async stop(): Promise<void> {
    const child = this.#child;
    if (!child || child.exitCode !== null) return;
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await gone;
    this.#child = null;
  }
}
