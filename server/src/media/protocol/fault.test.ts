import assert from 'node:assert/strict';
import { test } from 'node:test';
import { IngestFault, lineOf } from './fault.ts';

test('the log says in words why there is no video, and says it once', () => {
  assert.equal(lineOf(new IngestFault('address_refused')), 'no video: address refused');
  assert.equal(lineOf(new IngestFault('ended')), 'no video: ended');
  assert.equal(
    lineOf(new IngestFault('unreachable', 'no connection')),
    'no video: unreachable (no connection)',
  );
});
