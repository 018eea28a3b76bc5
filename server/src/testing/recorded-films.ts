/** What a recorder makes of films: real files of real pictures, without cameras and hosts, in no time. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { turned } from '#media/mp4/boxes.ts';
import { Passthrough } from '#media/host/live/passthrough.ts';
import { Recorder } from '#media/host/recorder/recorder.ts';
import { StageMeter } from '#media/host/stage-meter.ts';
import { ofMain } from '#media/protocol/stream-pair.ts';
import { FormatSource } from '#media/sources/format-source.ts';
import { aClock, type StoppedClock } from './clock.ts';
import { writeCodedFilm, type Coding } from './coded-film.ts';

export type RecordedFilm = Coding & {
  readonly rotation?: 0 | 90 | 180 | 270;
  /** Which of the camera's pictures it shows (`stream-pair.ts`); the main one when left out. */
  readonly shows?: string;
  /** Nothing is recorded for this long before it. */
  readonly afterSeconds?: number;
};

/** Records one after the other, as from a camera that changes what it sends. */
export async function recordFilms(
  folder: string,
  cameraId: string,
  startMs: number,
  films: readonly RecordedFilm[],
): Promise<void> {
  const scratch = mkdtempSync(join(tmpdir(), 'nazar-films-'));
  const clock = aClock(startMs);
  const log = {
    failed: (task: string, cause: unknown) => {
      throw new Error(task, { cause });
    },
  };
  const meter = new StageMeter(clock);
  const tell = (): void => undefined;
  await using recorder = new Recorder({ cameraId, rotation: 0, clock, meter, log, tell });
  recorder.setPlan({ folder, type: 'continuous', recordedUntilMs: 0, height: 2160 });
  try {
    for (const film of films) {
      clock.advance((film.afterSeconds ?? 0) * 1_000);
      const path = join(scratch, 'film.mp4');
      await writeCodedFilm(path, film);
      await play(path, film, recorder, clock);
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

async function play(
  path: string,
  { rotation = 0, shows = ofMain }: RecordedFilm,
  recorder: Recorder,
  clock: StoppedClock,
): Promise<void> {
  const input = { url: path, options: {}, stop: () => undefined, why: () => null };
  await using source = await FormatSource.open(input);
  recorder.setCodec(source.track.codec, () => shows);
  using copy = new Passthrough(source.track, recorder, (init) => ({
    ...init,
    body: turned(init.body, rotation),
  }));
  for (let picture = await source.read(); picture; picture = await source.read()) {
    await copy.push(picture, clock.now(), null);
    clock.advance(1_000 / source.track.fps);
  }
  await recorder.settled();
}
