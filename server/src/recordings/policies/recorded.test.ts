import assert from 'node:assert/strict';
import { test } from 'node:test';
import { offHealth, offStream } from '#media/protocol/health.ts';
import { recordedOf } from './recorded.ts';

const main = { state: 'live', width: 1920, height: 1080, sound: 'aac' } as const;
const sub = { ...offStream, state: 'live', width: 640, height: 480 } as const;

test('~REC-036 ~REC-031 the settings say which stream is recorded, and its size', () => {
  const both = { ...offHealth, ...main, sub };
  const small = { stream: 'sub', width: 640, height: 480, sound: false };
  const large = { stream: 'main', width: 1920, height: 1080, sound: true };
  assert.deepEqual(
    (['low', 'medium', 'high', 'ultra'] as const).map((quality) => recordedOf(both, quality)),
    [small, small, large, large],
  );
  assert.deepEqual(recordedOf({ ...both, sub: { ...sub, state: 'offline' } }, 'low'), large);
  assert.deepEqual(recordedOf({ ...both, sound: null, sub: null }, 'low'), {
    ...large,
    sound: false,
  });
  assert.equal(recordedOf(offHealth, 'low'), null);
});
