/** What the console says of a change of models, on a database; the job itself: system/models.db.test.ts. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { consoleActor } from '#activity/activity.ts';
import { ModelChange } from '#system/model-change.ts';
import { ModelStore } from '#system/model-store.ts';
import { Models } from '#system/models.ts';
import { newPack, oldPack, twoPacks } from '#testing/packs.ts';
import { aWorld, quietLog, testPackName, type World } from '#testing/world.ts';
import { follow } from './models-use.ts';
import type { TerminalText } from '#lib/terminal/terminal-text.ts';

const people = ['Anna', 'Bora', 'Cemil'];

async function begun(world: World, vision: ReturnType<typeof twoPacks>) {
  const { activity, warnings, clock, faces, visits } = world;
  const { db } = world.database;
  const admin = await world.actor('admin');
  for (const [i, name] of people.entries()) await world.person(admin, name, i + 1);
  const store = new ModelStore(db);
  await store.begin(testPackName);
  const models = new Models({ db, activity, vision, clock });
  const chipSources = [faces.chipSource, visits.chipSource];
  const parts = { db, store, activity, vision, clock, log: quietLog, batch: 1 };
  const job = new ModelChange({
    ...parts,
    chipSources,
    photos: faces.chipSource,
    refused: faces.photos,
    warnings,
  });
  await models.use(consoleActor, newPack.id, 0);
  return { models, job };
}

/** A clock by which one step of the job is done between two looks, and what was said. */
function watching(job: ModelChange, more: { readonly leaveAfter?: number } = {}) {
  const said: string[] = [];
  const leave = new AbortController();
  let checks = 0;
  const wait = async (): Promise<void> => {
    checks += 1;
    if (checks === more.leaveAfter) leave.abort();
    await job.step();
  };
  const say = ({ text }: TerminalText): unknown => said.push(text);
  return { said, clock: { wait }, say, signal: leave.signal };
}

test('a change of models reports its progress, and when they are in use', async () => {
  const vision = twoPacks();
  await using world = await aWorld(undefined, vision.vision);
  const { models, job } = await begun(world, vision);
  const watcher = watching(job);
  assert.equal(await follow(models, newPack.id, watcher), 0);
  assert.match(watcher.said[0]!, /being counted/);
  assert.match(watcher.said.at(-1)!, /^new-pack 3 serves\./);
  assert.ok(watcher.said.length >= people.length);
});

test('people who would be lost are named, with the words that agree to it', async () => {
  const vision = twoPacks();
  vision.unreadable.add(2);
  await using world = await aWorld(undefined, vision.vision);
  const { models, job } = await begun(world, vision);
  const watcher = watching(job);
  assert.equal(await follow(models, newPack.id, watcher), 1);
  assert.match(
    watcher.said.at(-1)!,
    /would not with new-pack: 1\..*:\n {2}Bora Example\n.*use new-pack --accept-losses 1\n/,
  );
  await models.use(consoleActor, newPack.id, 1);
  assert.equal(await follow(models, newPack.id, watching(job)), 0, 'agreed to: like any other');
});

test('leaving stops nothing, and a cancelled change is shown as such', async () => {
  const vision = twoPacks();
  await using world = await aWorld(undefined, vision.vision);
  const { models, job } = await begun(world, vision);
  const leaving = watching(job, { leaveAfter: 2 });
  assert.equal(await follow(models, newPack.id, leaving), 0);
  assert.match(leaving.said.at(-1)!, /goes on without you/);
  assert.notEqual((await models.read()).change, null);
  await models.cancel(consoleActor);
  const watcher = watching(job);
  assert.equal(await follow(models, newPack.id, watcher), 1);
  const { id, version } = oldPack;
  assert.deepEqual(watcher.said, [`The change was cancelled; ${id} ${version} serves.`]);
});
