import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nearestStream } from './recorded-stream.ts';

test('~REC-036 the stream nearest in height is recorded, the main one of two that are as near', () => {
  const of = (main: number | null, sub: number | null) =>
    [480, 720, 1080, 2160].map((height) => nearestStream({ main, sub }, height));
  assert.deepEqual(of(1080, 480), ['sub', 'sub', 'main', 'main']);
  assert.deepEqual(of(2160, 720), ['sub', 'sub', 'sub', 'main']);
  assert.deepEqual(of(1080, 360), ['sub', 'main', 'main', 'main'], '720 is as far from both');
  assert.deepEqual(
    of(720, 1080),
    ['main', 'main', 'sub', 'sub'],
    'whichever is called the main one',
  );
  assert.deepEqual(of(1080, null), ['main', 'main', 'main', 'main']);
  assert.deepEqual(of(null, 720), ['sub', 'sub', 'main', 'main'], 'one that is high enough');
});
