/** Exports of films that a recorder wrote, by moments in seconds from the first picture. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { smallFilm, type FilmShape } from '@nazar/e2e/farm/film.ts';
import { writeExport } from '#media/export/write-export.ts';
import { samePicture } from '#media/mask/stream-part.ts';
import { readSegment } from '#media/mp4/segment-contents.ts';
import type { ExportAnswer, SourceFile } from '#media/protocol/worker-messages.ts';
import { recordConnections, type Connection } from './recorded-connections.ts';
import { recordFilms, type RecordedFilm } from './recorded-films.ts';

/** When the first picture is shown. */
export const start = Date.UTC(2026, 0, 15, 12);

export const shape = (seconds: number, more: Partial<FilmShape> = {}): FilmShape => ({
  ...smallFilm,
  pictures: seconds * smallFilm.fps,
  ...more,
});

export interface RecordedFilms extends Disposable {
  readonly sources: readonly SourceFile[];
  readonly target: string;
  /** Exports that period from the files in which it lies, as the server asks for it. */
  exported(from: number, until: number): Promise<ExportAnswer>;
}

export const recorded = (films: readonly RecordedFilm[]): Promise<RecordedFilms> =>
  recordedBy((folder) => recordFilms(folder, 'camera', start, films));

/** The same of a camera with sound. */
export const recordedWithSound = (connection: Connection): Promise<RecordedFilms> =>
  recordedBy((folder) => recordConnections(folder, 'camera', start, [connection]));

async function recordedBy(record: (folder: string) => Promise<void>): Promise<RecordedFilms> {
  const folder = mkdtempSync(join(tmpdir(), 'nazar-export-'));
  await record(folder);
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.mp4'))
    .toSorted()
    .map((name) => join(folder, name));
  const sources: SourceFile[] = [];
  for (const file of paths) {
    const { head, headBytes, durationMs, sha256 } = (await readSegment(file))!;
    const { id, startedAtMs, stream } = head;
    const endedAtMs = startedAtMs + durationMs;
    const places = { parts: [samePicture], turns: [0] } as const;
    sources.push({ id, file, headBytes, startedAtMs, endedAtMs, stream, sha256, ...places });
  }
  const target = join(folder, 'film.out');
  return {
    sources,
    target,
    exported: async (from, until) => {
      rmSync(target, { force: true });
      const range = {
        fromMs: start + Math.round(from * 1_000),
        untilMs: start + Math.round(until * 1_000),
      };
      const met = sources.filter(
        ({ startedAtMs, endedAtMs }) => startedAtMs < range.untilMs && endedAtMs > range.fromMs,
      );
      return writeExport({ target, ...range }, met);
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}
