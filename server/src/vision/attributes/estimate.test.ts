import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FaceAttributes } from '@nazar/contract/attributes.ts';
import { ageRange, asAttributes, estimateOf } from './estimate.ts';

const answers = {
  age: Float32Array.of(34.2),
  gender: Float32Array.of(0.13, 0.87),
  expressions: Float32Array.of(0.1, 0.7, 0.1, 0.02, 0.03, 0.03, 0.02),
};

test('~SET-016 an age is a range, as wide as the network is off at that age, and never below 0', () => {
  assert.deepEqual(ageRange(34.2), { from: 29, to: 40 });
  assert.deepEqual(ageRange(2.6), { from: 1, to: 4 });
  assert.deepEqual(ageRange(6), { from: 3, to: 9 });
  assert.deepEqual(ageRange(85), { from: 75, to: 95 });
  assert.deepEqual(ageRange(-3), { from: 0, to: 0 });
});

test('~SET-016 an attribute that is not wanted is not kept, though its network gives it', () => {
  assert.deepEqual(estimateOf(answers, ['age']), { age: answers.age[0], man: null, emotion: null });
  assert.deepEqual(estimateOf(answers, ['emotion']).age, null);
  assert.deepEqual(estimateOf({}, ['age', 'gender', 'emotion']), {
    age: null,
    man: null,
    emotion: null,
  });
});

test('~SET-016 a word comes with how sure the network is of it', () => {
  const answer = asAttributes(estimateOf(answers, ['age', 'gender', 'emotion']));
  assert.deepEqual(FaceAttributes.parse(answer), answer);
  assert.equal(answer.gender?.looks_like, 'woman');
  assert.equal(answer.gender?.certainty.toFixed(2), '0.87');
  assert.equal(answer.emotion?.looks, 'happy');
  assert.equal(answer.emotion?.certainty.toFixed(2), '0.70');
  const sure = asAttributes({ age: null, man: 0, emotion: { looks: 'sad', certainty: 1 } });
  assert.deepEqual(sure.gender, { looks_like: 'woman', certainty: 0.99 }, 'nothing is a fact');
  assert.deepEqual(sure.emotion, { looks: 'sad', certainty: 0.99 });
  const man = asAttributes({ age: null, man: 0.6, emotion: null });
  assert.deepEqual(man, {
    age: null,
    gender: { looks_like: 'man', certainty: 0.6 },
    emotion: null,
  });
});
