/** Pictures without sound get a track of silence that any player takes for one that was recorded. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { smallFilm } from '@nazar/e2e/farm/film.ts';
import { contentsOf } from '#testing/film.ts';
import { filesIn, samplesIn } from '#testing/fragments.ts';
import { recordConnections } from '#testing/recorded-connections.ts';
import { soundIn } from '#testing/sound.ts';
import { silentTrackOf, withSilence, withSilentTrack } from './silence.ts';

const films = [{ ...smallFilm, gop: 10 }];
const rates = [8_000, 16_000, 44_100, 48_000];

for (const rate of rates) {
  for (const channels of [1, 2] as const) {
    test(`pictures play with silence at ${rate} Hz in ${channels} channels`, async () => {
      const folder = mkdtempSync(join(tmpdir(), 'nazar-silence-'));
      try {
        const sound = { codec: 'aac', rate, channels } as const;
        const connections = [
          { films, sound: null },
          { films, sound },
        ];
        const start = Date.UTC(2026, 0, 15, 12);
        await recordConnections(folder, 'camera', start, connections, { shortFiles: true });
        const files = filesIn(folder);
        const headOf = ({ path, contents }: (typeof files)[number]) =>
          readFileSync(path).subarray(0, contents.headBytes);
        const silent = files.slice(0, files.length / 2);
        assert.equal(silentTrackOf(headOf(silent[0]!)), null, 'there is no sound to take as one');
        const track = silentTrackOf(headOf(files.at(-1)!))!;
        assert.equal(track.rate, rate);
        const bodies = silent.map(({ path, contents }) =>
          withSilence(readFileSync(path).subarray(contents.headBytes), track),
        );
        const made = join(folder, 'made.mp4');
        writeFileSync(made, Buffer.concat([withSilentTrack(headOf(silent[0]!), track), ...bodies]));
        const pictures = await contentsOf(made);
        assert.deepEqual(pictures.numbers, [...Array(smallFilm.pictures).keys()]);
        const decoded = await soundIn(made);
        assert.equal(decoded?.rate, rate);
        assert.ok(decoded.gapless, 'over the borders of files, too');
        assert.equal(decoded.level, 0);
        assert.ok(Math.abs(decoded.seconds - 2) <= 2_048 / rate, `${decoded.seconds} s beside 2`);
        const first = samplesIn(bodies[1]!).find(({ track: id }) => id === 2)!;
        assert.ok(
          Math.abs(first.at / rate - 0.4) <= 1_024 / rate,
          'it lies where its pictures lie',
        );
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    });
  }
}
