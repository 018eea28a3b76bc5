/**
 * What the cameras of this benchmark show, made by Debian's ffmpeg: 720p30 at 3 Mbit/s with a key frame a second and
 * no B-frames, and its sub-stream, 640x360 at 10 a second. No person is in view and nothing moves but the sensor's
 * noise.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const fps = 30;
const seconds = 20;

interface Shape {
  readonly file: string;
  readonly size: string;
  readonly fps: number;
  readonly kbits: number;
}

/** Named as the RTSP server requires. */
const shapes: readonly Shape[] = [
  { file: 'faces720.h264', size: '1280x720', fps, kbits: 3_000 },
  { file: 'faces360.h264', size: '640x360', fps: 10, kbits: 400 },
];

export interface Streams extends Disposable {
  readonly folder: string;
}

export function makeStreams(): Streams {
  const folder = mkdtempSync(join(tmpdir(), 'nazar-streams-'));
  for (const shape of shapes) make(join(folder, shape.file), shape);
  return { folder, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) };
}

function make(path: string, { size, fps: rate, kbits }: Shape): void {
  const picture = `smptehdbars=size=${size}:rate=${rate},noise=alls=10:allf=t,format=yuv420p`;
  const bits = [`-b:v`, `${kbits}k`, '-maxrate', `${kbits}k`, '-bufsize', `${kbits}k`];
  const gop = ['-g', String(rate), '-keyint_min', String(rate), '-sc_threshold', '0', '-bf', '0'];
  const coding = [
    '-c:v',
    'libx264',
    '-preset',
    'ultrafast',
    '-tune',
    'zerolatency',
    ...bits,
    ...gop,
  ];
  const words = [
    '-v',
    'error',
    '-f',
    'lavfi',
    '-i',
    picture,
    '-t',
    String(seconds),
    ...coding,
    path,
  ];
  const made = spawnSync('ffmpeg', words, { encoding: 'utf8' });
  if (made.status !== 0) throw new Error(`ffmpeg: ${made.error?.message ?? made.stderr}`);
}
