import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SystemHealth } from '@nazar/contract/system.ts';
import { createScope, noGrants } from '#http/scope.ts';
import { aClock } from '#testing/clock.ts';
import { System, type SystemOptions } from './system.ts';

const fine = { status: 'operational', detail: null };

const actor = { userId: 'u', email: 'u@example.org', sessionId: 's', standing: 'user' } as const;
const reader = createScope(actor, noGrants);

const aSystem = (more: Partial<SystemOptions> = {}): System =>
  new System({
    db: { ping: async () => 3 },
    clock: aClock(),
    isRecordBroken: async () => false,
    models: async () => 'served',
    visionHosts: async () => ({ wanted: 1, answering: 1 }),
    pictures: () => ({ wanted: [], live: [] }),
    visible: async (_, ids) => new Set(ids),
    fit: async () => null,
    ...more,
  });

test('~NSH-009, ~DASH-014 each part is asked now: working, partly, not', async () => {
  let answering = 2;
  let live = ['a', 'b', 'c'];
  using system = aSystem({
    visionHosts: async () => ({ wanted: 2, answering }),
    pictures: () => ({ wanted: ['a', 'b', 'c'], live }),
  });
  const parts = async (): Promise<Pick<SystemHealth, 'face_recognition' | 'camera_system'>> => {
    const { face_recognition, camera_system } = await system.health(reader);
    return { face_recognition, camera_system };
  };
  assert.deepEqual(await parts(), { face_recognition: fine, camera_system: fine });
  [answering, live] = [1, ['a', 'c']];
  assert.deepEqual(await parts(), {
    face_recognition: { status: 'degraded', detail: 'health.vision_partly' },
    camera_system: { status: 'degraded', detail: 'health.cameras_partly' },
  });
  [answering, live] = [0, []];
  assert.deepEqual(await parts(), {
    face_recognition: { status: 'down', detail: 'health.vision_down' },
    camera_system: { status: 'down', detail: 'health.cameras_down' },
  });
});

test('~C-304 cameras that the reader may not see are counted neither as missing nor as there', async () => {
  const part = async (visible: string[], live: string[]): Promise<string> => {
    using system = aSystem({
      pictures: () => ({ wanted: ['a', 'b', 'c'], live }),
      visible: async () => new Set(visible),
    });
    return (await system.health(reader)).camera_system.status;
  };
  assert.equal(await part([], ['a']), 'operational');
  assert.equal(await part(['a'], ['a']), 'operational');
  assert.equal(await part(['b'], ['a', 'c']), 'down');
  assert.equal(await part(['a', 'b'], ['a', 'c']), 'degraded');
});

test('~DASH-014 the objects a user may see cannot be asked while the database is away, and the answer says so', async () => {
  const gone = () => Promise.reject(new Error('connection terminated'));
  using system = aSystem({
    db: { ping: gone },
    pictures: () => ({ wanted: ['a'], live: [] }),
    visible: gone,
  });
  const { camera_system, database } = await system.health(reader);
  assert.deepEqual([camera_system, database.status], [fine, 'down']);
});

test('models that faces are compared by and that are not installed, or not loaded, are reported', async () => {
  const states = { served: fine, loading: 'degraded', missing: 'down' } as const;
  for (const [state, status] of Object.entries(states)) {
    using system = aSystem({ models: async () => state as keyof typeof states });
    const part = (await system.health(reader)).face_recognition;
    assert.deepEqual(
      part,
      state === 'served' ? fine : { status, detail: `health.models_${state}` },
    );
  }
});

test('while better models cannot be had the check says so, and what is in use works', async () => {
  const part = async (answering: number) => {
    const visionHosts = async () => ({ wanted: 2, answering });
    using system = aSystem({ models: async () => 'older', visionHosts });
    return (await system.health(reader)).face_recognition;
  };
  assert.deepEqual(await part(2), { status: 'operational', detail: 'health.models_older' });
  assert.equal((await part(1)).detail, 'health.vision_partly', 'what is worse is said');
});

test('models that cannot be asked about, as while the database is away, are not called in use', async () => {
  const part = async (answering: number) => {
    using system = aSystem({
      models: () => Promise.reject(new Error('connection terminated')),
      visionHosts: async () => ({ wanted: 1, answering }),
    });
    return (await system.health(reader)).face_recognition;
  };
  assert.deepEqual(await part(1), { status: 'degraded', detail: 'health.models_unknown' });
  // What is known to be worse is said.
  assert.deepEqual(await part(0), { status: 'down', detail: 'health.vision_down' });
});

test('~DASH-014 where no picture is wanted, none is missing', async () => {
  using system = aSystem();
  assert.deepEqual((await system.health(reader)).camera_system, fine);
});

test('~NSH-009 a database that is slow or away is reported, and the probe does not fail', async () => {
  const base = async (ping: () => Promise<number>): Promise<SystemHealth['database']> => {
    using system = aSystem({ db: { ping } });
    return (await system.health(reader)).database;
  };
  assert.deepEqual(await base(async () => 250), fine);
  assert.deepEqual(await base(async () => 251), {
    status: 'degraded',
    detail: 'health.database_slow',
  });
  assert.deepEqual(await base(() => Promise.reject(new Error('connection terminated'))), {
    status: 'down',
    detail: 'health.database_down',
  });
});

test('C-803 a changed chain is reported, and one that cannot be checked is not called whole', async () => {
  const record = async (isRecordBroken: () => Promise<boolean>) => {
    using system = aSystem({ isRecordBroken });
    return (await system.health(reader)).audit_record;
  };
  assert.deepEqual(await record(async () => false), fine);
  assert.equal((await record(async () => true)).detail, 'health.record_broken');
  assert.deepEqual(await record(() => Promise.reject(new Error('connection terminated'))), {
    status: 'degraded',
    detail: 'health.record_unknown',
  });
});

test('C-304 how many days of recordings fit is for users who see all cameras', async () => {
  const fit = { kept_days: 0.6, wanted_days: 30, short_cameras: 2 };
  using system = aSystem({ fit: async () => fit });
  const admin = createScope({ ...actor, standing: 'admin' }, noGrants);
  assert.deepEqual((await system.health(admin)).storage_fit, fit);
  assert.equal((await system.health(reader)).storage_fit, null);
});
