/** What a recorder writes of a camera whose clock is wrong, beside one whose clock is right. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { smallFilm } from '@nazar/e2e/farm/film.ts';
import { filesIn, type TimedFile } from '#testing/fragments.ts';
import { recordConnections } from '#testing/recorded-connections.ts';

const seconds = 60;
const film = { ...smallFilm, fps: 10, gop: 20, pictures: 10 * seconds };
const tone = { codec: 'pcm_alaw', rate: 8_000 } as const;

async function recorded(clockAt: (seconds: number) => number): Promise<TimedFile[]> {
  const folder = mkdtempSync(join(tmpdir(), 'nazar-clock-'));
  try {
    const startMs = Date.UTC(2026, 0, 15, 12);
    await recordConnections(folder, 'camera', startMs, [{ films: [film], sound: tone, clockAt }]);
    return filesIn(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Decode times of a track, 1: pictures, 2: sound. */
const timesOf = (files: readonly TimedFile[], wanted: number): number[] =>
  files.flatMap(({ samples }) =>
    samples.filter(({ track }) => track === wanted).map(({ at }) => at),
  );
const spanOf = (times: readonly number[], ticksPerSecond: number): number =>
  (times.at(-1)! - times[0]!) / ticksPerSecond;

const clocks: Readonly<Record<string, (seconds: number) => number>> = {
  'is right': (at) => at,
  'runs 1.4 times too slow': (at) => at / 1.4,
  'runs at half the rate': (at) => at / 2,
  'counts milliseconds as 90 kHz': (at) => at / 90,
  'says one time for ten pictures': (at) => Math.floor(at),
};

for (const [what, clockAt] of Object.entries(clocks)) {
  test(
    `a minute of a camera whose clock ${what} is a film of a minute that never goes back, with its sound`,
    { timeout: 60_000 },
    async () => {
      const files = await recorded(clockAt);
      const pictures = timesOf(files, 1);
      assert.equal(pictures.length, film.pictures);
      assert.ok(pictures.slice(1).every((at, index) => at > pictures[index]!));
      const filmed = spanOf(pictures, 90_000);
      assert.ok(Math.abs(filmed - seconds) <= seconds / 100, `${filmed} s`);
      const first = spanOf(pictures.slice(0, 10 * film.fps + 1), 90_000);
      assert.ok(Math.abs(first - 10) <= 0.1, `${first} s of the first ten`);
      const sound = timesOf(files, 2);
      assert.ok(sound.slice(1).every((at, index) => at > sound[index]!));
      const soundSeconds = spanOf(sound, tone.rate);
      assert.ok(Math.abs(soundSeconds - seconds) <= 1.5, `${soundSeconds} s of sound`);
    },
  );
}
