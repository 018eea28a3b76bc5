/** The contents of recorded files, as Debian's ffprobe reads them. */
import { spawnSync } from 'node:child_process';
import { globSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fps } from './streams.ts';

/** The pictures of a file, whether it was ended or torn; 0 when it does not play. */
export function picturesIn(path: string): number {
  const shown = ['-v', 'error', '-select_streams', 'v', '-count_packets'];
  const wanted = ['-show_entries', 'stream=nb_read_packets', '-of', 'csv=p=0'];
  const { stdout } = spawnSync('ffprobe', [...shown, ...wanted, path], { encoding: 'utf8' });
  return Number.parseInt(stdout, 10) || 0;
}

export interface RecordedFile {
  readonly path: string;
  /** Wall time of its first picture. */
  readonly startedAtMs: number;
}

/** The product's files of one camera, the oldest first: their names tell when they began. */
export function recordedFiles(data: string, cameraId: string): RecordedFile[] {
  return globSync(join(data, 'recordings', cameraId, '**/*.mp4'))
    .map((path) => ({ path, startedAtMs: startOf(basename(path)) }))
    .toSorted((a, b) => a.startedAtMs - b.startedAtMs);
}

/** The time in `20261122T025207208Z-<id>.mp4`. */
function startOf(name: string): number {
  const [, date, h, m, s, ms] = /^(\d{8})T(\d{2})(\d{2})(\d{2})(\d{3})Z/.exec(name) ?? [];
  if (date === undefined) throw new Error(`${name} does not say when it began`);
  const day = `${date.slice(0, 4)}-${date.slice(4, 6)}-${date.slice(6)}`;
  return Date.parse(`${day}T${h}:${m}:${s}.${ms}Z`);
}

/** Files of another program begin when they are made. */
export const filesIn = (folder: string): RecordedFile[] =>
  globSync(join(folder, '*.mp4'))
    .map((path) => ({ path, startedAtMs: statSync(path).birthtimeMs }))
    .toSorted((a, b) => a.startedAtMs - b.startedAtMs);

/**
 * Pictures missing from files that follow one another, without the newest, which is still being written: by the times
 * that the camera gave its pictures, which go on from file to file. When they arrived does not matter.
 */
export function missing(files: readonly RecordedFile[]): { wanted: number; missing: number } {
  const times = files.slice(0, -1).flatMap(({ path }) => pictureTimes(path));
  const [first, last] = [times[0], times.at(-1)];
  if (first === undefined || last === undefined) return { wanted: 0, missing: 0 };
  const wanted = Math.round((last - first) * fps) + 1;
  return { wanted, missing: wanted - times.length };
}

/** Seconds on the stream's timeline, in the order they are decoded. */
function pictureTimes(path: string): number[] {
  const shown = ['-v', 'error', '-select_streams', 'v', '-show_entries', 'packet=dts_time'];
  const { stdout } = spawnSync('ffprobe', [...shown, '-of', 'csv=p=0', path], { encoding: 'utf8' });
  return stdout.split('\n').map(Number.parseFloat).filter(Number.isFinite);
}
