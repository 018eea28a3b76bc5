/** What is played: recordings that change what players do not like to see changed, made by the recorder itself. */
import { join } from 'node:path';
import type { FilmShape } from '../../e2e/farm/film.ts';
import { filesIn } from '../../server/src/testing/fragments.ts';
import {
  recordConnections,
  type Connection,
} from '../../server/src/testing/recorded-connections.ts';
import type { ToneShape } from '../../server/src/testing/tone.ts';

export interface RecordedCase {
  readonly name: string;
  readonly connections: readonly Connection[];
  readonly shortFiles: boolean;
}

/** What lies in the files: a player that shows and plays as much has lost nothing. */
export interface Recorded {
  readonly files: number;
  readonly pictures: number;
  readonly seconds: number;
  readonly soundSeconds: number;
  /** The longest silence between the first sound and the last, because nothing was recorded. */
  readonly silenceMs: number;
}

const fps = 25;
const small = (seconds: number): FilmShape => {
  return { width: 320, height: 184, fps, pictures: seconds * fps, gop: 10 };
};
const large = (seconds: number): FilmShape => ({ ...small(seconds), width: 640, height: 360 });
const aac = (rate: number): ToneShape => ({ codec: 'aac', rate });
const one = (sound: ToneShape | null, ...films: readonly FilmShape[]): Connection => {
  return { films, sound };
};

export const cases: readonly RecordedCase[] = [
  {
    name: '201 borders, AAC',
    connections: [one(aac(16_000), small(80.8))],
    shortFiles: true,
  },
  {
    // Files of a second: what G.711 is encoded by holds 0.4 s, by which a file's sound lies before its pictures.
    name: '20 borders, G.711',
    connections: [one({ codec: 'pcm_alaw', rate: 8_000 }, { ...small(21), gop: fps })],
    shortFiles: true,
  },
  {
    name: 'size changes',
    connections: [one(aac(16_000), small(8), large(8), small(8))],
    shortFiles: false,
  },
  {
    name: 'rate of sound changes',
    connections: [
      one(aac(16_000), small(8)),
      one(aac(48_000), small(8)),
      one(aac(44_100), small(8)),
    ],
    shortFiles: false,
  },
  {
    name: 'sound begins and ends',
    connections: [one(null, small(8)), one(aac(16_000), small(8)), one(null, small(8))],
    shortFiles: false,
  },
  {
    name: 'a gap of 10 s',
    connections: [one(aac(16_000), small(8)), { ...one(aac(16_000), small(8)), afterSeconds: 10 }],
    shortFiles: false,
  },
];

export async function record(
  root: string,
  cameraId: string,
  startMs: number,
  { connections, shortFiles }: RecordedCase,
): Promise<Recorded> {
  const folder = join(root, cameraId);
  await recordConnections(folder, cameraId, startMs, connections, { shortFiles });
  const files = filesIn(folder);
  const seconds = files.reduce((sum, { contents }) => sum + contents.durationMs / 1_000, 0);
  const pictures = files.reduce((sum, { contents }) => sum + contents.pictures, 0);
  return { files: files.length, pictures, seconds, ...soundOf(connections, files) };
}

/** Sound is counted in ticks of its own rate, which is that of its connection; streams are files that follow. */
function soundOf(
  connections: readonly Connection[],
  files: ReturnType<typeof filesIn>,
): Pick<Recorded, 'soundSeconds' | 'silenceMs'> {
  const streams = [...Map.groupBy(files, ({ contents }) => contents.head.stream).values()];
  const rates = connections.flatMap(({ films, sound }) => films.map(() => sound?.rate ?? 0));
  let [soundSeconds, silenceMs, begunAt, audibleUntil] = [0, 0, 0, -1];
  for (const [index, own] of streams.entries()) {
    const rate = rates[index] || 1;
    const samples = own.flatMap((file) => file.samples.filter(({ track }) => track === 2));
    for (const { at, duration } of samples) {
      const shown = begunAt + at / rate;
      if (audibleUntil >= 0) silenceMs = Math.max(silenceMs, (shown - audibleUntil) * 1_000);
      audibleUntil = shown + duration / rate;
      soundSeconds += duration / rate;
    }
    begunAt += own.reduce((sum, { contents }) => sum + contents.durationMs / 1_000, 0);
  }
  return { soundSeconds, silenceMs };
}
