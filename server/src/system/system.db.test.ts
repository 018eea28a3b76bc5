import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SystemHealth } from '@nazar/contract/system.ts';
import { aClock } from '#testing/clock.ts';
import { testDatabase } from '#testing/database.ts';
import { System } from './system.ts';

test('NSH-009, DASH-014 each part is asked now: working, partly, not', async () => {
  await using database = await testDatabase();
  const vision = { wanted: 2, answering: 2 };
  const cameras = { wanted: 0, live: 0 };
  using system = new System({
    db: database.db,
    clock: aClock(),
    isRecordBroken: async () => false,
    visionHosts: async () => vision,
    cameras: () => cameras,
  });
  const parts = async (): Promise<Pick<SystemHealth, 'face_recognition' | 'camera_system'>> => {
    const { face_recognition, camera_system, database: base } = await system.health();
    assert.equal(base.status, 'operational');
    return { face_recognition, camera_system };
  };
  const fine = { status: 'operational', detail: null };
  assert.deepEqual(await parts(), { face_recognition: fine, camera_system: fine });
  Object.assign(vision, { answering: 1 });
  Object.assign(cameras, { wanted: 3, live: 2 });
  assert.deepEqual(await parts(), {
    face_recognition: { status: 'degraded', detail: 'health.vision_partly' },
    camera_system: { status: 'degraded', detail: 'health.cameras_partly' },
  });
  Object.assign(vision, { answering: 0 });
  Object.assign(cameras, { live: 0 });
  assert.deepEqual(await parts(), {
    face_recognition: { status: 'down', detail: 'health.vision_down' },
    camera_system: { status: 'down', detail: 'health.cameras_down' },
  });
});

test('NSH-009 a database that does not answer is down, and the probe says so instead of failing', async () => {
  await using database = await testDatabase();
  using system = new System({
    db: { ping: () => Promise.reject(new Error('connection terminated')) },
    clock: aClock(),
    isRecordBroken: async () => false,
    visionHosts: async () => ({ wanted: 1, answering: 1 }),
    cameras: () => ({ wanted: 0, live: 0 }),
  });
  const { database: base } = await system.health();
  assert.deepEqual(base, { status: 'down', detail: 'health.database_down' });
  assert.ok((await database.db.ping()) >= 0);
});
