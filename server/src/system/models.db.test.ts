/**
 * Changing models while everything runs: nothing is missing at the switch, a kill loses nothing, and nothing is left
 * of erased people.
 */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { sql } from 'kysely';
import { consoleActor } from '#activity/activity.ts';
import { Problem } from '#lib/problem.ts';
import type { Scope } from '#http/scope.ts';
import { Visits } from '#visits/visits.ts';
import {
  aNewVector,
  newPack,
  newPackName,
  oldPack,
  twoPacks,
  type TwoPacks,
} from '#testing/packs.ts';
import { passersOf, newFace, type Passers } from '#testing/passers.ts';
import { aPrivacy } from '#testing/privacy.ts';
import { recorded } from '#testing/activity-chain.ts';
import { until } from '#testing/until.ts';
import { aPicture, aVector, aWorld, quietLog, testPackName, type World } from '#testing/world.ts';
import { madeAtSetUp } from '#vision/vision.ts';
import { ModelChange, type ModelChangeOptions } from './model-change.ts';
import { ModelFollower } from './model-follower.ts';
import { Models } from './models.ts';
import { ModelStore } from './model-store.ts';

const dayMs = 24 * 60 * 60_000;
let vision: TwoPacks;
let world: World;
let admin: Scope;
let see: Passers['see'];

beforeEach(async () => {
  vision = twoPacks();
  world = await aWorld(undefined, vision.vision);
  admin = await world.actor('admin');
  ({ see } = passersOf(world, await world.camera(admin)));
});
afterEach(() => world[Symbol.asyncDispose]());

/** The job as a process that has just started has it, on any node; `batch` chips a time. */
async function aJob(batch = 2, more: Partial<ModelChangeOptions> = {}): Promise<ModelChange> {
  const { database, activity, warnings, faces, visits, clock } = world;
  const store = new ModelStore(database.db);
  const chipSources = [faces.chipSource, visits.chipSource];
  const parts = { db: database.db, store, activity, vision, clock, log: quietLog, batch };
  return new ModelChange({
    ...parts,
    chipSources,
    photos: faces.chipSource,
    refused: faces.photos,
    warnings,
    ...more,
  });
}

/** Models of a node that does nothing by itself. */
async function idle(): Promise<Models> {
  const { database, activity, clock } = world;
  await new ModelStore(database.db).begin(testPackName);
  return new Models({ db: database.db, activity, vision, clock });
}

interface Kept {
  readonly pack_id: string;
  readonly other_pack: string | null;
  readonly has_other: boolean;
}
const tables = ['face_embedding', 'visit_picture', 'stranger_reference', 'negative'] as const;

async function rowsOf(table: (typeof tables)[number]): Promise<Kept[]> {
  const { rows } = await sql<Kept>`
    select pack_id, other_pack, other_vector is not null as has_other
    from ${sql.table(table)}`.execute(world.database.db.read());
  return rows;
}

/** Counts rows that the new pack does not compare. */
async function without(): Promise<Record<string, number>> {
  const missing: Record<string, number> = {};
  for (const table of tables) {
    const rows = await rowsOf(table);
    const of = rows.filter((row) => row.pack_id !== newPack.id && !row.has_other);
    missing[table] = of.length;
  }
  return missing;
}
const nothing = { face_embedding: 0, visit_picture: 0, stranger_reference: 0, negative: 0 };

const serving = async (): Promise<string> =>
  (await new ModelStore(world.database.db).read()).serving;

/** Adds three people, two of them seen, a stranger, and a visit that is not who it was taken for. */
async function inhabited(): Promise<void> {
  const people = [];
  for (const look of [1, 2, 3]) people.push(await world.person(admin, `Person${look}`, look));
  for (const [i, { identityId }] of people.entries()) {
    await see({ picture: aPicture(i + 1), identityId });
  }
  await see({ picture: aPicture(newFace()) });
  const mistaken = await see({ picture: aPicture(3), identityId: people[2]!.identityId });
  await world.visits.notThisPerson(admin, mistaken.visit.id);
}

const isKnown = (look: number, faces = world.faces): boolean =>
  faces.nearest(aNewVector(look), newPackName, 1).some(({ distance }) => distance < 0.1);
const personId = async (name: string): Promise<string> =>
  (await world.faces.named(admin, `${name} Example`))[0]!;
const usable = async (name: string): Promise<number | undefined> =>
  (await world.faces.read(admin, await personId(name))).usable_images;

test('whatever has a vector has one of the new pack before that is in use, and those of both find people', async () => {
  await inhabited();
  await (await idle()).use(admin, newPack.id, 0);
  const job = await aJob();
  while ((await serving()) === testPackName) assert.ok(await job.step());
  assert.deepEqual(await without(), nothing);
  await world.faces.refresh();
  for (const look of [1, 2]) {
    assert.ok(isKnown(look));
    const [old] = world.faces.nearest(aVector(look), testPackName, 1);
    assert.ok(old!.distance < 0.1, 'for hosts that have not changed yet');
  }
  assert.deepEqual(new Set(vision.shown.map(({ pack }) => pack)), new Set([testPackName]));
  const photos = vision.shown.filter(({ photo }) => photo !== null);
  assert.deepEqual(
    photos.map(({ photo }) => photo),
    photos.map(({ look }) => look),
    'photos of people are checked, not their chips alone',
  );
  assert.equal(photos.length, 3);
  const changed = (await recorded(world.database.db)).find(
    ({ action }) => action === 'system.model_changed',
  );
  assert.ok(changed);
});

test('photos come first, and how far it is can be read', async () => {
  await inhabited();
  const models = await idle();
  await models.use(admin, newPack.id, 0);
  const job = await aJob();
  vision.beforeBatch = () => {
    vision.beforeBatch = () => Promise.reject(new Error('killed'));
  };
  await assert.rejects(job.run(), /killed/);
  assert.deepEqual(await without(), { ...(await without()), face_embedding: 1 });
  const { change } = await models.read();
  assert.deepEqual(change && [change.total, change.done, change.failed], [8, 2, 0]);
  assert.equal(change?.started_by, 'Test admin');
});

test('a person enrolled or seen during the job is there when the new pack is in use', async () => {
  await inhabited();
  await (await idle()).use(admin, newPack.id, 0);
  const faceNumbers = [11, 12, 13, 14, 15];
  const more = [...faceNumbers];
  vision.beforeBatch = async () => {
    const look = more.pop();
    if (look === undefined) return;
    const { identityId } = await world.person(admin, `Person${look}`, look);
    await see({ picture: aPicture(look), identityId });
  };
  await (await aJob()).run();
  assert.deepEqual([more, await serving()], [[], newPackName]);
  assert.deepEqual(await without(), nothing);
  await world.faces.refresh();
  assert.ok(faceNumbers.every((look) => isKnown(look)));
});

test('a person enrolled between the last check and the switch puts it off', async () => {
  await inhabited();
  await (await idle()).use(admin, newPack.id, 0);
  const { chipSource } = world.faces;
  let late = 0;
  const job = await aJob(32, {
    photos: {
      isComplete: async (tx, pack) => {
        if (late === 0) await world.person(admin, 'Late', 20);
        late += 1;
        return chipSource.isComplete(tx, pack);
      },
      countLosses: (tx, pack) => chipSource.countLosses(tx, pack),
      serve: (tx, pack) => chipSource.serve(tx, pack),
    },
  });
  await job.run();
  assert.deepEqual([late, await serving()], [2, newPackName]);
  await world.faces.refresh();
  assert.ok(isKnown(20));
});

test('R-06 a kill at any step costs nothing: the next one goes on where it was', async () => {
  await inhabited();
  await (await idle()).use(admin, newPack.id, 0);
  let kills = 0;
  for (let steps = 1; (await serving()) === testPackName; steps += 1) {
    // Dies with the batch that follows `steps` of them, and with the switch once.
    let left = steps;
    vision.beforeBatch = () => {
      if ((left -= 1) < 0) throw new Error('killed');
    };
    const { chipSource } = world.faces;
    const serve: typeof chipSource.serve = async (tx, pack) => {
      await chipSource.serve(tx, pack);
      if (kills < 3) throw new Error('killed');
    };
    const job = await aJob(1, {
      photos: {
        isComplete: (tx, pack) => chipSource.isComplete(tx, pack),
        countLosses: (tx, pack) => chipSource.countLosses(tx, pack),
        serve,
      },
    });
    await job.run().catch(() => (kills += 1));
  }
  assert.ok(kills >= 3, `${kills} kills`);
  assert.deepEqual(await without(), nothing);
  const times = Map.groupBy(vision.shown, ({ look }) => look);
  assert.ok(
    [...times.values()].every(({ length }) => length <= 3),
    'nothing is done twice',
  );
});

test('a cancelled change leaves nothing behind, and the pack in use stays', async () => {
  await inhabited();
  const models = await idle();
  await models.use(admin, newPack.id, 0);
  vision.beforeBatch = async () => {
    if (vision.shown.length > 0) await models.cancel(admin);
    vision.beforeBatch = async () => models.cancel(admin);
  };
  await (await aJob()).run();
  assert.equal(await serving(), testPackName);
  for (const table of tables) {
    assert.ok(
      (await rowsOf(table)).every((row) => row.other_pack === null),
      table,
    );
  }
  assert.equal((await models.read()).change, null);
});

test('two nodes: one does the work, both compare by the new pack before their hosts make vectors of it', async () => {
  await inhabited();
  const seeing = [vision, twoPacks()];
  const nodes = [world.faces, await world.otherNode(seeing[1]!.vision)];
  const knewWhenUsed: boolean[] = [];
  const { database, activity, warnings, clock } = world;
  await using running = new AsyncDisposableStack();
  for (const [i, faces] of nodes.entries()) {
    seeing[i]!.beforeUse = () => knewWhenUsed.push(isKnown(1, faces));
    const parts = { db: database.db, activity, warnings, faces, clock, log: quietLog };
    const visits = new Visits({ ...parts, cameras: world.cameras });
    running.use(await ModelFollower.open({ ...parts, visits, vision: seeing[i]! }));
  }
  const models = await idle();
  await models.use(admin, newPack.id, 0);
  await until(() => seeing.every(({ pack }) => pack.id === newPack.id));
  assert.deepEqual(knewWhenUsed, [true, true]);
  assert.deepEqual(await without(), nothing);
  assert.equal((await models.read()).serving.is_loaded, true);
});

test('C-1003 a person who is erased during the job leaves vectors of neither pack', async () => {
  await inhabited();
  const privacy = aPrivacy(world);
  await (await idle()).use(admin, newPack.id, 0);
  const gone = await personId('Person2');
  vision.beforeBatch = async () => {
    if (vision.shown.length < 4) return;
    vision.beforeBatch = () => undefined;
    await world.faces.remove(admin, gone);
  };
  await (await aJob()).run();
  await using running = privacy.start();
  await running.runErasures();
  const { rows } = await sql<{ table: string }>`
    select 'photo' as table from face_embedding join identity on identity.id = identity_id
      where data_key is null
    union all select 'picture' from visit_picture join identity on identity.id = identity_id
      where data_key is null`.execute(world.database.db.read());
  assert.deepEqual(rows, []);
  assert.equal(await serving(), newPackName);
  await world.faces.refresh();
  assert.deepEqual([isKnown(1), isKnown(2)], [true, false]);
  privacy[Symbol.dispose]();
});

test('C-1006 a visit removed by age during the job is gone, with the vector that was being made of it', async () => {
  await inhabited();
  const privacy = aPrivacy(world);
  const old = await see({ picture: aPicture(40), atMs: world.clock.now() - 400 * dayMs });
  await (await idle()).use(admin, newPack.id, 0);
  await using running = privacy.start();
  let removed = 0;
  vision.beforeBatch = async () => {
    // This falls between reading the chip and storing its vector.
    if (vision.shown.length < 3 || removed > 0) return;
    removed = (await running.removeOldNow(admin)).unknown_faces;
  };
  await (await aJob(32)).run();
  assert.deepEqual([removed, await serving()], [1, newPackName]);
  assert.deepEqual(await without(), nothing);
  const { rows } = await sql`
    select from visit_picture where visit_id = ${old.visit.id}
    union all select from stranger_reference where visit_id = ${old.visit.id}`.execute(
    world.database.db.read(),
  );
  assert.deepEqual(rows, []);
  privacy[Symbol.dispose]();
});

test('a photo whose chip is not usable is checked again; what is lost is named and agreed to first', async () => {
  await inhabited();
  const models = await idle();
  vision.badlyCropped.add(1);
  vision.unreadable.add(2);
  await models.use(admin, newPack.id, 0);
  await (await aJob()).run();
  assert.equal(await serving(), testPackName);
  const { change } = await models.read();
  assert.deepEqual(change!.losses, {
    photos: 1,
    people: [{ id: await personId('Person2'), name: 'Person2 Example' }],
  });
  assert.equal(await usable('Person2'), 1, 'it is usable as long as the old pack is in use');
  await models.use(admin, newPack.id, 1);
  await (await aJob()).run();
  assert.equal(await serving(), newPackName);
  await world.faces.refresh();
  assert.deepEqual([isKnown(1), isKnown(2)], [true, false]);
  assert.deepEqual([await usable('Person1'), await usable('Person2')], [1, 0]);
});

test('photos that the pack before refused are checked again by themselves, whatever ends the work', async () => {
  const models = await idle();
  const { id } = await world.person(admin, 'Turned', 1);
  for (const look of [40, 41]) vision.turned.add(look);
  vision.refusedBy.add(oldPack.id);
  await world.faces.photos.add(
    admin,
    id,
    [40, 41].map((look) => ({ bytes: aPicture(look).chip })),
  );
  assert.deepEqual([await usable('Turned'), vision.photos], [1, [40, 41]]);
  // The new pack can use the first photo, and the second as little as the old one could.
  vision.turned.delete(40);
  vision.refusedBy.add(newPack.id);
  await models.use(admin, newPack.id, 0);
  await (await aJob()).run();
  assert.equal(await serving(), newPackName);
  assert.equal(vision.photos.length, 2, 'not by a node that sees with the pack before');
  await vision.use(newPack.id);
  let photos = 0;
  vision.beforePhoto = () => {
    photos += 1;
    if (photos === 2) throw new Problem('busy');
    if (photos === 3) throw new Problem('unavailable');
  };
  await assert.rejects((await aJob()).run(), { code: 'busy' });
  assert.equal(await usable('Turned'), 2, 'what is done stays');
  await assert.rejects((await aJob()).run(), { code: 'unavailable' });
  await (await aJob()).run();
  await (await aJob()).run();
  assert.deepEqual(vision.photos.slice(2), [40, 41], 'each is checked once');
  const { images } = await world.faces.read(admin, id);
  assert.deepEqual(
    images.map(({ fault }) => fault),
    [null, null, 'turned'],
  );
  await world.faces.refresh();
  assert.ok(isKnown(40));
  const entries = await recorded(world.database.db);
  assert.ok(entries.some(({ action }) => action === 'face.processed'));
});

test('corrections while it is prepared, and after, are compared by the new pack', async () => {
  const models = await idle();
  const [one, other] = [await world.person(admin, 'One', 1), await world.person(admin, 'Other', 2)];
  const taken = await see({ picture: aPicture(1), identityId: one.identityId });
  await world.visits.notThisPerson(admin, taken.visit.id);
  vision.unreadable.add(2);
  await models.use(admin, newPack.id, 0);
  await (await aJob()).run();
  // All is prepared and nothing has changed yet: a visit moved now takes both vectors with it.
  const { rows } = await sql<{ identity_id: string }>`
    select identity_id from negative`.execute(world.database.db.read());
  await world.visits.unknown.identify(admin, rows[0]!.identity_id, { face: other.id });
  await world.visits.notThisPerson(admin, taken.visit.id);
  await models.use(admin, newPack.id, 1);
  await (await aJob()).run();
  await vision.use(newPack.id);
  await world.faces.refresh();
  assert.equal(await serving(), newPackName);
  assert.deepEqual(world.faces.nearest(aNewVector(1), newPackName, 2), [], 'it is neither of them');
  const later = await see({ picture: aPicture(1), identityId: one.identityId });
  await (await aJob()).run();
  const explained = await world.visits.explain(admin, later.visit.id);
  assert.equal(explained.pack, newPackName);
});

test('while it waits for agreement it warns once, and not again with each check', async () => {
  await inhabited();
  vision.unreadable.add(2);
  await (await idle()).use(admin, newPack.id, 0);
  const { db } = world.database;
  const notices: (string | null)[] = [];
  using _ = db.listen('models_changed', (news) => notices.push(news));
  await until(() => notices.length === 1);
  for (let look = 0; look < 3; look += 1) await (await aJob()).run();
  await db.transaction((tx) => db.notify(tx, 'models_changed', 'last'));
  await until(() => notices.includes('last'));
  assert.deepEqual(notices, [null, '', 'last']);
});

test('one goes back at once within a week, and what was lost is usable again', async () => {
  await inhabited();
  const models = await idle();
  vision.unreadable.add(2);
  await models.use(admin, newPack.id, 1);
  await (await aJob()).run();
  assert.equal((await models.read()).previous?.id, oldPack.id);
  const shown = vision.shown.length;
  await models.use(admin, oldPack.id, 0);
  await (await aJob()).run();
  assert.deepEqual([await serving(), vision.shown.length], [testPackName, shown]);
  assert.equal(await usable('Person2'), 1);
});

test('after a week the old vectors go, and the chips still say which pack made them', async () => {
  await inhabited();
  const models = await idle();
  await models.use(admin, newPack.id, 0);
  await (await aJob()).run();
  const areOld = async (): Promise<boolean> =>
    (await rowsOf('face_embedding')).every((row) => row.pack_id === oldPack.id);
  assert.ok(await areOld());
  world.clock.advance(8 * dayMs);
  await (await aJob()).run();
  assert.ok(await areOld(), 'not by a node that could not load the new pack');
  await vision.use(newPack.id);
  await (await aJob()).run();
  for (const table of tables) {
    const rows = await rowsOf(table);
    assert.ok(rows.length > 0, table);
    assert.ok(
      rows.every((row) => row.pack_id === newPack.id && row.other_pack === null),
      table,
    );
  }
  assert.equal((await models.read()).previous, null);
  await world.faces.refresh();
  assert.ok(isKnown(1));
  assert.deepEqual(world.faces.nearest(aVector(1), testPackName, 1), []);
  vision.shown.length = 0;
  await models.use(admin, oldPack.id, 0);
  await (await aJob()).run();
  assert.ok(vision.shown.length > 0);
  assert.ok(vision.shown.every(({ pack }) => pack === testPackName));
});

test('a visit that a node wrote with the old pack after the switch gets its vector, too', async () => {
  await inhabited();
  await (await idle()).use(admin, newPack.id, 0);
  await (await aJob()).run();
  await world.person(admin, 'Late', 30);
  await see({ picture: aPicture(newFace()) });
  await (await aJob()).run();
  assert.deepEqual(await without(), nothing);
  await until(() => isKnown(30));
});

test('where the pack in use is not installed the answer says so, and another one can be prepared', async () => {
  await inhabited();
  await idle();
  // As on a machine that a backup was restored to: another pack is installed there.
  await vision.use(newPack.id);
  vision.packs = [newPack];
  const models = await idle();
  assert.equal(await models.state(), 'missing');
  assert.equal((await models.read()).serving.is_installed, false);
  await models.use(consoleActor, newPack.id, 0);
  await (await aJob()).run();
  assert.deepEqual([await serving(), await models.state()], [newPackName, 'served']);
});

test('while recognition is off, photos alone are waited for, and no one is asked about losses', async () => {
  await inhabited();
  const models = await idle();
  await vision.use(newPack.id);
  vision.packs = [newPack];
  vision.unreadable.add(2);
  await models.use(admin, newPack.id, 0);
  const job = await aJob();
  while ((await serving()) === testPackName) assert.ok(await job.step());
  const missing = await without();
  assert.equal(missing['face_embedding'], 1, 'the one that cannot be read');
  assert.ok(missing['visit_picture']! > 1, 'visits come after');
  await job.run();
  const read = (await rowsOf('visit_picture')).filter(({ other_pack }) => other_pack !== null);
  assert.equal(read.length, missing['visit_picture']);
});

test('a new version of the pack in use takes its place by itself, when the old one is gone', async () => {
  await inhabited();
  await idle();
  const next = { ...oldPack, version: '2' };
  vision.packs = [newPack, next];
  const { database, activity, warnings, faces, visits, clock } = world;
  const parts = { db: database.db, activity, warnings, faces, visits, clock, log: quietLog };
  await using _ = await ModelFollower.open({ ...parts, vision });
  await until(async () => (await serving()) === `${next.id}@2`);
  const begun = (await recorded(database.db)).find(
    ({ action }) => action === 'system.model_change_begun',
  );
  assert.equal(begun?.source, 'system');
});

test('an impossible request is refused', async () => {
  const models = await idle();
  const refuses = (code: string, work: Promise<unknown>): Promise<void> =>
    assert.rejects(work, (error) => error instanceof Problem && error.code === code);
  await refuses('model_pack_not_found', models.use(admin, 'no-such-pack', 0));
  vision.damaged.add(newPack.id);
  await refuses('model_pack_damaged', models.use(admin, newPack.id, 0));
  vision.damaged.clear();
  await refuses('model_serves_already', models.use(admin, oldPack.id, 0));
  await refuses('model_change_none', models.cancel(admin));
  vision.packs = [oldPack, newPack, { ...newPack, id: 'third' }];
  await models.use(admin, newPack.id, 0);
  await refuses('model_change_running', models.use(admin, 'third', 0));
});

test('models that set-up makes and that are not there are named', async () => {
  const models = await idle();
  const [, downloaded] = madeAtSetUp;
  assert.equal(oldPack.id, madeAtSetUp[0], 'this one is there');
  assert.deepEqual((await models.read()).unavailable, [downloaded]);
  vision.packs = [oldPack, { ...newPack, id: downloaded! }];
  assert.deepEqual((await models.read()).unavailable, []);
});
