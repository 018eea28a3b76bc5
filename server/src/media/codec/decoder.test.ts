/** Bounds what a camera can make a host decode. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AV_CODEC_ID_H264, AV_CODEC_ID_HEVC, AVMEDIA_TYPE_VIDEO } from 'node-av/constants';
import { CodecParameters } from 'node-av/lib';
import { codedUnits } from '#testing/coded-film.ts';
import { sizeOf } from './snapshot.ts';

const codings = [
  ['h264', AV_CODEC_ID_H264],
  ['hevc', AV_CODEC_ID_HEVC],
] as const;

/** The decoded size of a stream that was announced as 320x184, by what its next key frame says. */
async function sizeBecoming(
  [codec, codecId]: (typeof codings)[number],
  width: number,
  height: number,
) {
  const shape = { width, height, fps: 10, gop: 1, pictures: 1 };
  const [data] = await codedUnits({ codec, bFrames: 0, shape });
  using parameters = new CodecParameters();
  parameters.alloc();
  Object.assign(parameters, { codecType: AVMEDIA_TYPE_VIDEO, codecId, width: 320, height: 184 });
  const picture = { kind: 'picture', key: true, pts: 0, dts: 0, duration: 1 } as const;
  return await sizeOf(
    { parameters, codec, width: 320, height: 184, fps: 10 },
    { ...picture, data: data! },
  );
}

for (const coding of codings) {
  test(`R-05 C-515 ${coding[0]} that becomes larger than any camera's picture is not decoded`, async () => {
    assert.deepEqual(await sizeBecoming(coding, 640, 368), { width: 640, height: 368 });
    assert.equal(await sizeBecoming(coding, 8192, 4352), null);
  });
}
