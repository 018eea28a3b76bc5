import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CameraHealth } from '@nazar/contract/cameras.ts';
import { offHealth } from '#media/protocol/health.ts';
import { doingOf, type CameraRecording } from './doing.ts';

const recorded: CameraRecording = {
  reason: 'continuous',
  state: 'recording',
  modes: ['continuous'],
  cause: null,
};
const statesOf = (health: Partial<CameraHealth>, recording = recorded) => {
  const { is_recording, recording_state, recording_cause } = doingOf(
    { ...offHealth, ...health },
    recording,
  );
  return [is_recording, recording_state, recording_cause];
};

test('CAM-015 nothing is recorded of a camera that sends nothing, even before all parts have noticed', () => {
  assert.deepEqual(statesOf({ state: 'live' }), [true, 'recording', null]);
  for (const state of ['off', 'connecting', 'stalled', 'offline', 'refused'] as const)
    assert.deepEqual(statesOf({ state }), [false, 'interrupted', 'camera'], state);
});

test('a substream that comes is recorded', () => {
  const sub = { ...offHealth, state: 'live' } as const;
  assert.deepEqual(statesOf({ state: 'offline', sub }), [true, 'recording', null]);
});

test('the cause that keeps it from being recorded stays', () => {
  const full = { ...recorded, state: 'disk_full', cause: 'disk' } as const;
  assert.deepEqual(statesOf({ state: 'offline' }, full), [false, 'disk_full', 'disk']);
});
