import assert from 'node:assert/strict';
import { test } from 'node:test';
import { claimsOf } from './said.ts';

test('a sentence of a camera that sends is two claims', () => {
  assert.deepEqual(claimsOf('Live · Recording continuously'), [
    { kind: 'stream', state: 'live', cause: null, since: null },
    { kind: 'recording', state: 'recording', reason: 'continuous' },
  ]);
});

test('a broken one says why, since when and when it is tried again', () => {
  const said = "Offline since 14:03: the camera can't be reached. Next try in 5 sec";
  assert.deepEqual(claimsOf(`${said} · Nothing is recorded`), [
    { kind: 'stream', state: 'offline', cause: 'unreachable', since: '14:03' },
    { kind: 'retry', inS: 5 },
    { kind: 'recording', state: 'interrupted', reason: null },
  ]);
});

test('a sentence about an unknown present is a claim about the past', () => {
  assert.deepEqual(claimsOf('Not known now. At 14:03: Live · Recording motion'), [
    {
      kind: 'stale',
      time: '14:03',
      claims: claimsOf('Live · Recording motion'),
    },
  ]);
  const [first] = claimsOf('Not known now. At 14:03: Connecting: opening the stream');
  assert.equal(first?.kind === 'stale' && first.time, '14:03');
});

test('the state of a viewer is read with its age', () => {
  assert.deepEqual(claimsOf('No new picture for 3 min'), [{ kind: 'view', of: 'late', ageS: 180 }]);
  assert.deepEqual(claimsOf('The connection to Nazar was lost. Reconnecting in 4 sec'), [
    { kind: 'view', of: 'lost', ageS: null },
  ]);
});

test('a substream says what the main stream does', () => {
  const [first, second] = claimsOf(
    "Only the substream is live. Main stream: Stalled: the camera isn't sending anything",
  );
  assert.deepEqual(first, { kind: 'sub' });
  assert.equal(second?.kind, 'stream');
});

test('an unknown sentence is named', () => {
  assert.deepEqual(claimsOf('All is fine'), [{ kind: 'unread', text: 'All is fine' }]);
});
