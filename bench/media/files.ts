/** What is in recorded files, as Debian's ffprobe reads them. */
import { spawnSync } from 'node:child_process';
import { globSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fps } from './streams.ts';

/** Pictures of a file, whether it was ended or torn; 0 when it does not play. */
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

/** The product's of one camera, the oldest first: their names say when they began. */
export function recordedFiles(data: string, cameraId: string): RecordedFile[] {
  return globSync(join(data, 'recordings', cameraId, '**/*.mp4'))
    .map((path) => ({ path, startedAtMs: startOf(basename(path)) }))
    .toSorted((a, b) => a.startedAtMs - b.startedAtMs);
}

/** Of `20261122T025207208Z-<id>.mp4`. */
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
 * Pictures missing from files that follow one another, the newest left out as it is still written. A picture that
 * came a little early or late counts as half of one at most, so whole numbers are true.
 */
export function missing(files: readonly RecordedFile[]): { wanted: number; missing: number } {
  const [first] = files;
  const last = files.at(-1);
  if (!first || !last || files.length < 2) return { wanted: 0, missing: 0 };
  const wanted = Math.round(((last.startedAtMs - first.startedAtMs) * fps) / 1000);
  const there = files.slice(0, -1).reduce((sum, { path }) => sum + picturesIn(path), 0);
  return { wanted, missing: Math.max(0, wanted - there) };
}
