/** Holds as administrators list them: by pages, of a camera, of some time, and with who made them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HoldQuery } from '@nazar/contract/recording-plans.ts';
import { sql } from 'kysely';
import { recordingWorld } from '#testing/recordings.ts';

const start = Date.UTC(2026, 0, 15, 12);
const iso = (seconds: number): string => new Date(start + seconds * 1_000).toISOString();

test('C-407 holds are found by camera and by a moment they cover, the newest first', async () => {
  await using it = await recordingWorld();
  const { holds } = it.recordings;
  const other = await it.world.camera(it.admin, { name: 'Yard' });
  const hold = async (camera: string, from: number, until: number, reason: string) => {
    it.world.clock.advance(1_000);
    return holds.add(it.admin, { camera, from: iso(from), until: iso(until), reason });
  };
  const made = await hold(it.cameraId, 0, 10, 'A break-in');
  await hold(it.cameraId, 20, 30, 'A fall');
  await hold(other, 0, 30, 'A fire');
  assert.deepEqual(made.created_by, { id: it.admin.userId, name: 'Test admin' });
  assert.equal(made.camera_name, 'Gate');
  const page = async (query: object) => {
    const { count, results } = await holds.list(HoldQuery.parse(query));
    return [count, ...results.map(({ reason }) => reason)];
  };
  assert.deepEqual(await page({}), [3, 'A fire', 'A fall', 'A break-in']);
  assert.deepEqual(await page({ page: '2', page_size: '2' }), [3, 'A break-in']);
  const of = (from: number, until: number) =>
    page({ camera: it.cameraId, from: iso(from), until: iso(until) });
  assert.deepEqual(await of(9, 21), [2, 'A fall', 'A break-in']);
  assert.deepEqual(await of(9, 20), [1, 'A break-in']);
  assert.deepEqual(await of(10, 20), [0], 'neither covers a moment of it');
  assert.deepEqual(await page({ from: iso(29) }), [2, 'A fire', 'A fall']);
});

test('a hold outlives the account that made it', async () => {
  await using it = await recordingWorld();
  const leaver = await it.world.actor('admin');
  const fields = { camera: it.cameraId, from: iso(0), until: iso(10), reason: 'A break-in' };
  await it.recordings.holds.add(leaver, fields);
  await sql`delete from app_user where id = ${leaver.userId}`.execute(it.world.database.db.write());
  const { results } = await it.recordings.holds.list(HoldQuery.parse({}));
  assert.deepEqual(
    results.map(({ reason, created_by }) => [reason, created_by]),
    [['A break-in', null]],
  );
});
