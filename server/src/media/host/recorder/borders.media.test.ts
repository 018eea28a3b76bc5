/** Where a recorded file ends and the next begins: nothing is missing, nothing comes twice, nothing is moved. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { smallFilm } from '@nazar/e2e/farm/film.ts';
import { filesIn, type TimedFile } from '#testing/fragments.ts';
import { recordConnections, type Connection } from '#testing/recorded-connections.ts';
import type { ToneShape } from '#testing/tone.ts';

const timeout = 60_000;
const film = { ...smallFilm, gop: 10, pictures: 250 };
const larger = { ...film, width: 640, height: 360 };

async function recorded(connections: readonly Connection[]): Promise<TimedFile[]> {
  const folder = mkdtempSync(join(tmpdir(), 'nazar-borders-'));
  try {
    const start = Date.UTC(2026, 0, 15, 12);
    await recordConnections(folder, 'camera', start, connections, { shortFiles: true });
    return filesIn(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const soundIn = (files: readonly TimedFile[]) =>
  files.flatMap(({ samples }) => samples.filter(({ track }) => track === 2));
const picturesIn = (files: readonly TimedFile[]) =>
  files.flatMap(({ samples }) => samples.filter(({ track }) => track === 1));

/** The largest distance between the end of one and the beginning of the next, in ticks of the track. */
const largestHole = (samples: ReturnType<typeof soundIn>): number =>
  samples.reduce((most, { at }, index) => {
    const before = samples[index - 1];
    return before ? Math.max(most, Math.abs(at - before.at - before.duration)) : most;
  }, 0);

/** `held`: seconds of sound that are not there yet when the last picture comes; what G.711 is encoded by holds three frames. */
const tones: readonly (ToneShape & { readonly held: number })[] = [
  { codec: 'aac', rate: 16_000, held: 0.14 },
  { codec: 'aac', rate: 44_100, held: 0.1 },
  { codec: 'pcm_alaw', rate: 8_000, held: 0.42 },
];

for (const { held, ...sound } of tones) {
  const name = `${sound.codec} at ${sound.rate} Hz`;
  test(`${name} goes on over the borders of files, every frame once`, { timeout }, async () => {
    const files = await recorded([{ films: [film], sound }]);
    assert.equal(files.length, film.pictures / film.gop);
    assert.equal(largestHole(picturesIn(files)), 0);
    const audio = soundIn(files);
    assert.ok(largestHole(audio) <= 1, `${largestHole(audio)} samples`);
    const seconds = audio.reduce((sum, { duration }) => sum + duration, 0) / sound.rate;
    assert.ok(seconds >= 10 - held && seconds <= 10, `${seconds} s of 10`);
    for (const { samples } of files.slice(1)) {
      const [first] = samples;
      const begins = samples.find(({ track }) => track === 2);
      const apart = begins!.at / sound.rate - first!.at / 90_000;
      assert.ok(
        apart <= 0 && apart >= -held,
        `a file's sound begins ${apart} s after its pictures`,
      );
    }
  });
}

test(
  'sound goes on when the size changes, and lacks no more than a picture',
  { timeout },
  async () => {
    const sound = { codec: 'aac', rate: 16_000 } as const;
    const files = await recorded([{ films: [film, larger, film], sound }]);
    const streams = Map.groupBy(files, ({ contents }) => contents.head.stream);
    assert.equal(streams.size, 3);
    for (const own of streams.values()) {
      const audio = soundIn(own);
      assert.ok(largestHole(audio) <= 1);
      const seconds = audio.reduce((sum, { duration }) => sum + duration, 0) / sound.rate;
      assert.ok(seconds >= 10 - 2 * 0.064 - 0.04, `${seconds} s of 10`);
    }
  },
);
