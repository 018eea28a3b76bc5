/** In which order exports are made; exports.media.test.ts checks what is in them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Scope } from '#http/scope.ts';
import { uuidv7 } from '#lib/ids.ts';
import { aWorld, quietLog } from '#testing/world.ts';
import { NoExport } from './export-maker.ts';
import { ExportStore, type ListedExport } from './export-store.ts';
import { ExportRunner } from './runner.ts';

test('accounts take turns: an export of one is not behind all those of another', async () => {
  await using world = await aWorld();
  const { clock } = world;
  const [many, few] = [await world.actor('admin'), await world.actor('operator')];
  const cameraId = await world.camera(many);
  const store = new ExportStore(world.database.db);
  const add = async ({ userId }: Scope): Promise<string> => {
    clock.advance(1);
    const at = new Date(clock.now());
    const id = uuidv7(clock.now());
    const times = { created_at: at, from_at: at, until_at: new Date(clock.now() + 1_000) };
    const row = { id, camera_id: cameraId, created_by: userId, is_masked: false, ...times };
    await store.transaction((tx) => store.add(tx, row));
    return id;
  };
  const ids: string[] = [];
  for (const scope of [many, many, many, many, few, few]) ids.push(await add(scope));
  const made: string[] = [];
  const maker = {
    make: async ({ id }: ListedExport) => {
      made.push(id);
      throw new NoExport('nothing_recorded');
    },
    stop: async () => undefined,
    sweep: async () => undefined,
    discard: async () => undefined,
  };
  await using runner = new ExportRunner({ store, maker, clock, log: quietLog });
  const finished = ids.map((id) => runner.finished(id));
  // What they ask for is recorded by then.
  clock.advance(10_000);
  runner.start();
  await Promise.all(finished);
  const order = made.map((id) => ids.indexOf(id));
  assert.deepEqual(order, [0, 4, 1, 5, 2, 3]);
});
