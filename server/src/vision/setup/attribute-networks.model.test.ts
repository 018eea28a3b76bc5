/** What set-up makes of face-api's weights answers as face-api does. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { openFaceApi } from '#testing/face-api.ts';
import { needModels } from '#testing/vision.ts';
import { attributePath } from '../attributes/attribute-files.ts';
import { planes } from '../embed.ts';
import { Network } from '../network.ts';

before(needModels);

const side = 112;
const shape = [1, 3, side, side];

/** Waves with a little noise: the networks answer each of them differently. */
const crops = [0, 1, 2, 3].map((look) =>
  Uint8Array.from(
    { length: side * side * 3 },
    (_, i) => 128 + 100 * Math.sin(i / (50 + 7 * look)) + ((i * 7919) % 23),
  ),
);

function inputOf(crop: Uint8Array): Float32Array {
  const input = new Float32Array(crop.length);
  planes(crop, false, input);
  return input;
}

test('~SET-016 age, gender and expression are what face-api says, to a hundred-thousandth', async () => {
  const faceApi = await openFaceApi();
  await using ageGender = await Network.load(await attributePath('age-gender'));
  await using expression = await Network.load(await attributePath('expression'));
  for (const crop of crops) {
    const theirs = faceApi.tf.tensor3d(crop, [side, side, 3], 'int32');
    const { age, gender, genderProbability } = await faceApi.predictAgeAndGender(theirs);
    const faces = await faceApi.recognizeFaceExpressions(theirs);
    theirs.dispose();

    const ours = await ageGender.run(inputOf(crop), shape);
    near(ours['age']![0], age, 1e-3);
    near(ours['gender']![gender === 'male' ? 0 : 1], genderProbability, 1e-5);
    const { expressions } = await expression.run(inputOf(crop), shape);
    const words = ['neutral', 'happy', 'sad', 'angry', 'fearful', 'disgusted', 'surprised'];
    for (const [i, word] of words.entries()) near(expressions![i], faces[word]!, 1e-5);
  }
});

function near(found: number | undefined, expected: number, within: number): void {
  assert.ok(Math.abs(found! - expected) < within, `${found} instead of ${expected}`);
}
