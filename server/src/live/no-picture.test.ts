import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CameraHealth } from '@nazar/contract/cameras.ts';
import { offHealth } from '#media/protocol/health.ts';
import { mustBeLive } from './no-picture.ts';

const refusal = (health: CameraHealth, masked: boolean): string | null => {
  try {
    mustBeLive(health, masked);
    return null;
  } catch (error) {
    return (error as { code: string }).code;
  }
};

test('C-401 a user who may not see behind masks learns that their place is unknown on the only stream that comes', () => {
  const { sub: _, aligned: __, ...off } = offHealth;
  const live = { ...off, state: 'live' } as const;
  const onlySub = { ...off, sub: live, aligned: false };
  assert.equal(refusal({ ...live, sub: live, aligned: false }, true), null);
  assert.equal(refusal(onlySub, true), 'camera_not_aligned');
  assert.equal(refusal(onlySub, false), 'camera_not_live');
  assert.equal(refusal({ ...onlySub, aligned: true }, true), 'camera_not_live');
  assert.equal(refusal({ ...onlySub, sub: off }, true), 'camera_not_live');
});
