/** The description of H.265 in MP4, beside FFmpeg's own, and of sets that are not what they should be. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { AV_CODEC_ID_HEVC, AVMEDIA_TYPE_VIDEO } from 'node-av/constants';
import { CodecParameters } from 'node-av/lib';
import { smallFilm } from '@nazar/e2e/farm/film.ts';
import { codedUnits, writeCodedFilm, type Coding } from '#testing/coded-film.ts';
import { initSegment } from '../mp4/init-segment.ts';
import { parameterSetsOf265, parameterSetsOfExtradata265 } from './h265.ts';
import { hvccOf } from './hvcc.ts';

/** What is in a box of that name that FFmpeg's muxer wrote. */
async function byFfmpeg(coding: Coding): Promise<Buffer> {
  const folder = mkdtempSync(join(tmpdir(), 'nazar-hvcc-'));
  try {
    const path = join(folder, 'film.mp4');
    await writeCodedFilm(path, coding);
    const film = readFileSync(path);
    const at = film.indexOf('hvcC');
    return film.subarray(at + 4, at - 4 + film.readUInt32BE(at - 4));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const described = 22;

for (const bFrames of [0, 2]) {
  test(`H.265 with ${bFrames} pictures held back is described as FFmpeg does, its sets the same`, async () => {
    const coding = { codec: 'hevc', bFrames, shape: smallFilm } as const;
    const [key] = await codedUnits(coding);
    const ours = hvccOf(parameterSetsOf265(key!, false));
    const theirs = await byFfmpeg({ ...coding, container: 'fragments' });
    assert.deepEqual(ours?.subarray(0, described), theirs.subarray(0, described));
    assert.ok(parameterSetsOfExtradata265(ours));
    assert.deepEqual(parameterSetsOfExtradata265(ours), parameterSetsOfExtradata265(theirs));
    assert.equal(hvccOf(theirs), theirs, 'what is described already stays as it is');
  });
}

/** As x265 makes them; one byte that kept a start code out of the set is another, so that all behind it is. */
const damaged = Buffer.from(
  '0000000140010c01ffbf01600000030090000003000003003cba0240' +
    '0000000142010101600000130090000003000003003ca002080c1f2e5ba4a4c2e6808000000300800000' +
    '0c84000000014401c073c189',
  'hex',
);

test(
  'R-05 a set with a wrong byte costs no time: FFmpeg read it for 50 s',
  { timeout: 20_000 },
  async () => {
    using parameters = new CodecParameters();
    parameters.alloc();
    const track = { codecType: AVMEDIA_TYPE_VIDEO, codecId: AV_CODEC_ID_HEVC };
    Object.assign(parameters, { ...track, width: 320, height: 184, extradata: damaged });
    assert.equal(hvccOf(damaged), null);
    assert.equal(await initSegment([{ kind: 'picture', parameters }]), null);
  },
);

test('R-05 sets that are cut off, missing or too long are not described', async () => {
  const [key] = await codedUnits({ codec: 'hevc', bFrames: 0, shape: smallFilm });
  const sets = parameterSetsOf265(key!, false)!;
  const whole = hvccOf(sets);
  assert.ok(whole);
  for (let length = 0; length < sets.length; length++) {
    const said = hvccOf(sets.subarray(0, length));
    assert.ok(said === null || said.subarray(0, described).equals(whole.subarray(0, described)));
  }
  const startCode = Buffer.from([0, 0, 0, 1]);
  const tooLong = Buffer.concat([startCode, Buffer.from([0x44, 1]), Buffer.alloc(70_000, 9)]);
  assert.equal(hvccOf(Buffer.concat([sets, tooLong])), null);
  assert.equal(hvccOf(Buffer.concat(Array.from({ length: 20 }, () => sets))), null);
  assert.equal(hvccOf(null), null);
});
