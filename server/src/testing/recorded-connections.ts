/**
 * What a recorder makes of a camera with sound that changes what it sends: real files by the same code that a media
 * host runs for a connection, without a camera and in no time.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FilmShape } from '@nazar/e2e/farm/film.ts';
import { CameraStream } from '#media/host/camera-stream.ts';
import { LiveStream } from '#media/host/live/live-stream.ts';
import { Recorder } from '#media/host/recorder/recorder.ts';
import { StreamChoice } from '#media/host/recorder/stream-choice.ts';
import { StageMeter } from '#media/host/stage-meter.ts';
import { CameraPainters } from '#media/mask/camera-painters.ts';
import { FormatSource } from '#media/sources/format-source.ts';
import { ticksPerSecond } from '#media/codec/timeline.ts';
import { aClock, type StoppedClock } from './clock.ts';
import { writeCodedFilm } from './coded-film.ts';
import { Tone, type ToneShape } from './tone.ts';

/** One connection to a camera. */
export interface Connection {
  /** Films in H.264 that it sends one after the other. */
  readonly films: readonly FilmShape[];
  /** Null: it sends no sound. */
  readonly sound: ToneShape | null;
  /** Nothing is recorded for this long before it. */
  readonly afterSeconds?: number;
  /** What the camera's clock says, in seconds, at each moment of its films; else the truth. */
  readonly clockAt?: (seconds: number) => number;
}

export interface RecordingOptions {
  /** Each group of pictures is a file of its own, instead of ten seconds. */
  readonly shortFiles?: boolean;
}

interface Recording {
  readonly recorder: Recorder;
  readonly clock: StoppedClock;
  readonly keyPicture: () => void;
}

const truth = (seconds: number): number => seconds;
const noViewers = { init: () => undefined, fragment: () => undefined };
/** Pictures that may wait to be written; more than 32 MiB would be a gap. */
const settleEvery = 50;

/** Records one connection after the other into that camera's folder. */
export async function recordConnections(
  folder: string,
  cameraId: string,
  startMs: number,
  connections: readonly Connection[],
  { shortFiles = false }: RecordingOptions = {},
): Promise<void> {
  const clock = aClock(startMs);
  const log = {
    failed: (task: string, cause: unknown) => {
      throw new Error(task, { cause });
    },
  };
  const meter = new StageMeter(clock);
  const tell = (): void => undefined;
  await using recorder = new Recorder({ cameraId, rotation: 0, clock, meter, log, tell });
  let plans = 0;
  // Another plan takes effect at the next key picture, with a file of its own.
  const plan = (): void => {
    const type = shortFiles && plans++ % 2 === 1 ? 'scheduled' : 'continuous';
    recorder.setPlan({ folder, type, recordedUntilMs: 0, height: 2160 });
  };
  plan();
  for (const connection of connections) {
    clock.advance((connection.afterSeconds ?? 0) * 1_000);
    await play(connection, { recorder, clock, keyPicture: plan });
  }
}

async function play(
  { films, sound, clockAt = truth }: Connection,
  recording: Recording,
): Promise<void> {
  const scratch = mkdtempSync(join(tmpdir(), 'nazar-connection-'));
  using tone = sound && new Tone(sound);
  await using stack = new AsyncDisposableStack();
  stack.defer(() => rmSync(scratch, { recursive: true, force: true }));
  let stream: CameraStream | null = null;
  let seconds = 0;
  try {
    for (const [index, shape] of films.entries()) {
      const path = join(scratch, `${index}.ts`);
      await writeCodedFilm(path, { codec: 'h264', bFrames: 0, shape, container: 'mpegts' });
      const source = stack.use(await FormatSource.open(inputOf(path)));
      stream ??= streamOf(source, tone, recording.recorder);
      await playFilm(source, shape, seconds, stream, tone, { ...recording, clockAt });
      seconds += shape.pictures / shape.fps;
    }
  } finally {
    await stream?.[Symbol.asyncDispose]();
    await recording.recorder.settled();
  }
}

const inputOf = (url: string) => ({ url, options: {}, stop: () => undefined, why: () => null });

function streamOf(source: FormatSource, tone: Tone | null, recorder: Recorder): CameraStream {
  return new CameraStream({
    stream: 'main',
    track: source.track,
    sound: tone?.track ?? null,
    live: new LiveStream(noViewers),
    audio: new LiveStream(noViewers),
    rotation: 0,
    consumers: () => null,
    measurement: null,
    sized: () => undefined,
    painters: new CameraPainters(0, []),
    meter: new StageMeter(aClock()),
    recorder: new StreamChoice(recorder, (stream) => stream).main,
    isKept: false,
  });
}

/** A camera's clock runs on from one film to the next; a packet of sound comes when it is complete. */
async function playFilm(
  source: FormatSource,
  { fps }: FilmShape,
  fromSeconds: number,
  stream: CameraStream,
  tone: Tone | null,
  { recorder, clock, clockAt, keyPicture }: Recording & Required<Pick<Connection, 'clockAt'>>,
): Promise<void> {
  let pictures = 0;
  for (let picture = await source.read(); picture; picture = await source.read()) {
    const seconds = fromSeconds + pictures / fps;
    for (const packet of (await tone?.until(seconds)) ?? []) {
      await stream.pushSound(packet, clock.now());
    }
    if (picture.key && pictures > 0) keyPicture();
    const at = Math.round(clockAt(seconds) * ticksPerSecond);
    await stream.push({ ...picture, pts: at, dts: at }, clock.now(), clock.monotonicMs());
    clock.advance(1_000 / fps);
    pictures += 1;
    if (pictures % settleEvery === 0) await recorder.settled();
  }
}
