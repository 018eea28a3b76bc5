/**
 * Everyone comes along: an installation whose models were not chosen changes to the preferred ones by itself, no one is
 * unrecognized meanwhile, and administrators get a warning. The job of a change: models.db.test.ts.
 */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import type { Warning } from '@nazar/contract/warnings.ts';
import { consoleActor, type Warnings } from '#activity/activity.ts';
import type { Scope } from '#http/scope.ts';
import { aNewVector, newPack, newPackName, oldPack, twoPacks } from '#testing/packs.ts';
import { passersOf, newFace } from '#testing/passers.ts';
import { recorded } from '#testing/activity-chain.ts';
import { until } from '#testing/until.ts';
import { aPicture, aVector, aWorld, quietLog, testPackName, type World } from '#testing/world.ts';
import { ModelFollower } from './model-follower.ts';
import { Models } from './models.ts';
import { ModelStore } from './model-store.ts';

const weekMs = 7 * 24 * 60 * 60_000;
const faceNumbers = [1, 2, 3];
let vision: ReturnType<typeof twoPacks>;
let world: World;
let admin: Scope;
let store: ModelStore;
let models: Models;

/** An installation of before: three people, who were seen, a stranger, and the old pack. */
beforeEach(async () => {
  vision = twoPacks();
  world = await aWorld(undefined, vision.vision);
  admin = await world.actor('admin');
  store = new ModelStore(world.database.db);
  await store.begin(testPackName);
  const { activity, clock, database } = world;
  models = new Models({ db: database.db, activity, vision, preferredPackId: newPack.id, clock });
  const { see } = passersOf(world, await world.camera(admin));
  for (const look of faceNumbers) {
    const { identityId } = await world.person(admin, `Person${look}`, look);
    await see({ picture: aPicture(look), identityId });
  }
  await see({ picture: aPicture(newFace()) });
});
afterEach(() => world[Symbol.asyncDispose]());

/** A node of this version, as it starts. */
async function start(
  more: { readonly warnings?: Warnings; readonly node?: typeof vision } = {},
): Promise<ModelFollower> {
  const { database, activity, faces, visits, clock } = world;
  return ModelFollower.open({
    db: database.db,
    activity,
    vision: more.node ?? vision,
    faces,
    visits,
    warnings: more.warnings ?? world.warnings,
    preferredPackId: newPack.id,
    clock,
    log: quietLog,
  });
}

const changed = (): Promise<void> =>
  until(async () => (await store.read()).serving === newPackName && vision.pack.id === newPack.id);
const warningOf = async (kind: Warning['kind']): Promise<Warning | undefined> =>
  (await world.warnings.list()).find((warning) => warning.kind === kind);
const begun = async (): Promise<number> =>
  (await recorded(world.database.db)).filter(({ action }) => action === 'system.model_change_begun')
    .length;

/** Whether everybody is found by vectors of the pack that this node sees with. */
function areAllKnown(): boolean {
  const isOld = vision.pack.id === oldPack.id;
  return faceNumbers.every((look) =>
    world.faces
      .nearest(isOld ? aVector(look) : aNewVector(look), isOld ? testPackName : newPackName, 1)
      .some(({ distance }) => distance < 0.1),
  );
}

/** Runs a node until there is nothing left to begin or to do. */
async function startAndStop(): Promise<void> {
  await using _ = await start();
  const { db } = world.database;
  await db.transaction((tx) => store.announce(tx));
}

test('an installation with the old models changes by itself, and no one is unrecognized meanwhile', async () => {
  const known: boolean[] = [];
  vision.beforeBatch = () => void known.push(areAllKnown());
  vision.beforeUse = () => known.push(areAllKnown());
  {
    await using _ = await start();
    await changed();
    known.push(areAllKnown());
    await until(async () => (await warningOf('models_changed')) !== undefined);
  }
  assert.ok(known.length >= 3, `${known.length} looks`);
  assert.ok(known.every(Boolean), 'at each batch, at the switch and after it');
  const entry = (await recorded(world.database.db)).find(
    ({ action }) => action === 'system.model_change_begun',
  );
  assert.equal(entry?.source, 'system');
  const { previous, serving } = await models.read();
  assert.deepEqual([previous?.id, serving.id], [oldPack.id, newPack.id]);
  const warning = await warningOf('models_changed');
  const back = new Date(world.clock.now() + weekMs).toISOString();
  assert.deepEqual(warning?.details, { from: testPackName, to: newPackName, until: back });
  assert.deepEqual([warning.count, warning.severity], [1, 'warning']);
  await startAndStop();
  assert.deepEqual(
    [await begun(), (await warningOf('models_changed'))?.count],
    [1, 1],
    'told once',
  );
  await world.warnings.acknowledge(admin, warning.id);
  assert.equal(await warningOf('models_changed'), undefined);
});

test('two nodes that start at once begin one change', async () => {
  const other = twoPacks();
  const nodes = await Promise.all([start(), start({ node: other })]);
  await changed();
  await until(() => other.pack.id === newPack.id);
  await Promise.all(nodes.map((node) => node[Symbol.asyncDispose]()));
  assert.equal(await begun(), 1);
});

test('a server that dies between the change and its warning warns at the next start', async () => {
  let isDead = true;
  const raise: Warnings['raise'] = async (raised) => {
    if (isDead && raised.kind === 'models_changed') throw new Error('killed');
    return world.warnings.raise(raised);
  };
  const { warnings } = world;
  const dying = {
    raise,
    end: (...of: Parameters<Warnings['end']>) => warnings.end(...of),
    isLiving: (kind: Warning['kind']) => warnings.isLiving(kind),
  } as Warnings;
  {
    await using _ = await start({ warnings: dying });
    await changed();
  }
  assert.equal(await warningOf('models_changed'), undefined);
  isDead = false;
  await using _ = await start();
  await until(async () => (await warningOf('models_changed')) !== undefined);
});

const choices: Record<string, () => Promise<unknown>> = {
  'who chose the pack before': async () => {
    await models.use(consoleActor, newPack.id, 0);
    await run();
    await models.use(admin, oldPack.id, 0);
    await run();
  },
  'who cancelled a change of their own': async () => {
    await models.use(admin, newPack.id, 0);
    await models.cancel(admin);
  },
  'who cancelled the change that began by itself': async () => {
    vision.unreadable.add(2);
    await using _ = await start();
    await until(async () => (await store.read()).is_waiting);
    await models.cancel(admin);
    vision.unreadable.clear();
  },
  'who went back from what it changed to by itself': async () => {
    await run();
    await models.use(admin, oldPack.id, 0);
    await run();
    assert.equal(await warningOf('models_changed'), undefined, 'it is in use no more');
  },
};

/** Runs a node until the change under way is over. */
async function run(): Promise<void> {
  await using _ = await start();
  await until(async () => (await store.read()).preparing === null);
  const { serving } = await store.read();
  await until(() => `${vision.pack.id}@${vision.pack.version}` === serving);
  await until(async () => !(await store.read()).is_automatic);
}

for (const [who, choose] of Object.entries(choices)) {
  test(`${who} is left alone, also over restarts`, async () => {
    await choose();
    const before = await begun();
    for (let starts = 0; starts < 2; starts += 1) await startAndStop();
    assert.equal(await begun(), before);
    assert.deepEqual(
      [(await store.read()).serving, (await store.read()).preparing],
      [testPackName, null],
    );
  });
}

test('a new version of chosen models is no reason to change to others', async () => {
  await models.use(admin, newPack.id, 0);
  await models.cancel(admin);
  const next = { ...oldPack, version: '2' };
  vision.packs = [newPack, next];
  {
    await using _ = await start();
    await until(async () => (await store.read()).serving === `${next.id}@2`);
  }
  await startAndStop();
  assert.equal(await warningOf('models_changed'), undefined, 'an update of Nazar is no news');
});

test('with a damaged file nothing begins; whole, it does at the next start', async () => {
  vision.damaged.add(newPack.id);
  await startAndStop();
  assert.deepEqual([await begun(), vision.pack.id], [0, oldPack.id]);
  vision.damaged.clear();
  await using _ = await start();
  await changed();
});

test('models that could not be downloaded are awaited, and begin when they are there', async () => {
  vision.packs = [oldPack];
  await startAndStop();
  assert.deepEqual([await begun(), await models.state()], [0, 'older']);
  assert.equal((await models.read()).awaited, newPack.id);
  vision.packs = [oldPack, newPack];
  assert.deepEqual([await models.state(), (await models.read()).awaited], ['served', null]);
  await using _ = await start();
  await changed();
});

test('an installation with chosen models does not await others', async () => {
  await models.use(admin, newPack.id, 0);
  await models.cancel(admin);
  vision.packs = [oldPack];
  assert.deepEqual([await models.state(), (await models.read()).awaited], ['served', null]);
});

test('a change that would cost photos waits, which administrators are warned of once, until one agrees', async () => {
  vision.unreadable.add(2);
  {
    await using _ = await start();
    await until(async () => (await warningOf('models_waiting')) !== undefined);
  }
  const waiting = (await warningOf('models_waiting'))!;
  assert.deepEqual(waiting.details, { from: testPackName, to: newPackName });
  await startAndStop();
  assert.equal((await warningOf('models_waiting'))!.count, 1);
  assert.equal(vision.pack.id, oldPack.id);
  assert.ok(areAllKnown());
  await world.warnings.acknowledge(admin, waiting.id);
  await startAndStop();
  assert.equal(await warningOf('models_waiting'), undefined, 'acknowledged, it is not told again');
  assert.ok(await world.warnings.isLiving('models_waiting'), 'though it lasts');
  await using _ = await start();
  await models.use(admin, newPack.id, 1);
  await changed();
  await until(async () => !(await world.warnings.isLiving('models_waiting')));
  await until(async () => (await warningOf('models_changed')) !== undefined);
});

test('the warning of a change that waits ends when it is cancelled', async () => {
  vision.unreadable.add(2);
  await using _ = await start();
  await until(async () => (await warningOf('models_waiting')) !== undefined);
  await models.cancel(admin);
  await until(async () => (await warningOf('models_waiting')) === undefined);
  assert.equal(await warningOf('models_changed'), undefined);
});
