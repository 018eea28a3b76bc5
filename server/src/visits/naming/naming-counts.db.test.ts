/** A stranger who was seen very often is named at once for every reader; the counts of their visits follow in batches. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { countKeys } from '@nazar/contract/visit-counts.ts';
import { Database } from '#db/database.ts';
import type { Scope } from '#http/scope.ts';
import { Visits } from '#visits/visits.ts';
import { granting } from '#testing/grants.ts';
import { Killed, killedAt, watched } from '#testing/lost-database.ts';
import { passersOf, newFace, type Passers } from '#testing/passers.ts';
import { assertCountsAreExact } from '#testing/recount.ts';
import { aPicture, aWorld, quietLog, type World } from '#testing/world.ts';
import { NamingCounts } from './naming-counts.ts';
import { NamingFollower } from './naming-follower.ts';

const visitBatch = 2;
const theirVisits = 36;
const hourMs = 60 * 60_000;
let world: World;
let admin: Scope;
let guard: Scope;
let cameras: readonly string[];
let see: Passers['see'];
let later: Passers['later'];

before(async () => {
  world = await aWorld();
  admin = await world.actor('superadmin');
  cameras = [await world.camera(admin), await world.camera(admin)];
  const user = await world.actor('user');
  guard = { ...user, grants: granting(cameras[0]!, ['live', 'people']) };
  ({ see, later } = passersOf(world, cameras[0]!));
});
after(() => world[Symbol.asyncDispose]());

const namingCountsOf = (db: Database): NamingCounts => new NamingCounts({ db, visitBatch });
const isExact = (said?: string): Promise<void> => assertCountsAreExact(world.database.db, said);

async function underWay(): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::integer as n from visit_naming`.execute(world.database.db.read());
  return rows[0]!.n;
}

const partOf = (camera: string): number =>
  Buffer.from(camera.replaceAll('-', ''), 'hex').at(-1)! % 4;

/** A camera whose visits share no row of counts with those at `others`: their hours are counted by part of the cameras. */
async function apartFrom(others: readonly string[]): Promise<string> {
  for (;;) {
    const camera = await world.camera(admin);
    if (!others.some((other) => partOf(other) === partOf(camera))) return camera;
  }
}

async function finish(): Promise<void> {
  while (await namingCountsOf(world.database.db).step());
  assert.equal(await underWay(), 0);
}

/** A stranger with visits of two weeks at two cameras. */
async function seenOften(): Promise<string> {
  const picture = aPicture(newFace());
  let id = '';
  for (let n = 0; n < theirVisits; n += 1) {
    const atMs = later() + n * 8 * hourMs;
    ({ identityId: id } = await see({ picture, atMs, camera: cameras[n % 2]! }));
  }
  return id;
}

const name = async (strangerId: string): Promise<void> => {
  const [category] = await world.faces.categories.list();
  const as = { first_name: 'Named', last_name: 'Late', category: category!.id };
  await world.visits.unknown.identify(admin, strangerId, as);
};

async function takeBack(strangerId: string): Promise<void> {
  const { correction } = await world.visits.unknown.read(admin, strangerId);
  await world.visits.unknown.undo(admin, strangerId, correction!.id);
}

/** A reader of each kind sees what is counted in every way, and how long lists are. */
async function shown(): Promise<unknown[]> {
  const { counting } = world.visits;
  const period = { start_date: '2026-01-01', end_date: '2026-12-31' } as const;
  const all: unknown[] = [];
  for (const scope of [admin, guard]) {
    for (const zone of ['UTC', 'Asia/Kathmandu']) {
      for (const by of countKeys) all.push(await counting.grouped(scope, { ...period, by }, zone));
      all.push(await counting.stats(scope, period, zone));
      all.push(await counting.byPerson(scope, period, zone));
      all.push(await counting.daily(scope, { ...period, page: 1, limit: 1_000 }, zone));
    }
    for (const is_recognized of [true, false]) {
      const query = { ...period, is_recognized, limit: 10 };
      for (const page of [1, 3]) all.push(await world.visits.list(scope, { ...query, page }));
    }
  }
  return all;
}

test('LDO-012, LDF-003 killed at any of 20 moments naming goes on, and its counts are exact at each', async () => {
  for (let moment = 0; moment < 20; moment += 1) {
    const strangerId = await seenOften();
    const isBack = moment % 4 > 1;
    await name(strangerId);
    if (isBack) {
      await finish();
      await takeBack(strangerId);
    }
    await isExact(`before moment ${moment}`);
    const dying = namingCountsOf(killedAt(world.database.db, moment));
    await assert.rejects(async () => {
      while (await dying.step());
    }, Killed);
    assert.equal(await underWay(), 1, `moment ${moment}`);
    await isExact(`killed at moment ${moment}`);
    await finish();
    await isExact(`after moment ${moment}`);
  }
});

test('LDO-012, LDF-003 from the first moment on every reader is shown the counts of the end', async () => {
  const strangerId = await seenOften();
  for (const change of [name, takeBack]) {
    const before = await shown();
    await change(strangerId);
    const first = await shown();
    assert.notDeepEqual(first, before, 'there was something to change');
    await namingCountsOf(world.database.db).step();
    assert.equal(await underWay(), 1);
    assert.deepEqual(await shown(), first, 'with some of it moved');
    await finish();
    assert.deepEqual(await shown(), first, 'with all of it moved');
  }
});

test('LDP-006, LDF-003 while counts of a naming move visits are written, and no one waits for a lock', async () => {
  const strangerId = await seenOften();
  const known = await world.person(admin, 'Other', newFace());
  const camera = await apartFrom(cameras.slice(0, 2));
  const { activity, cameras: its, clock, database, faces } = world;
  const target = { ...database.target, lock_timeout: 1_000 };
  await using others = new Database(target, clock, quietLog);
  const visits = new Visits({
    db: others,
    faces,
    cameras: its,
    activity,
    clock,
    log: quietLog,
  });
  for (const change of [name, takeBack]) {
    await change(strangerId);
    let written = 0;
    const db = watched(database.db, {
      beforeCommit: async () => {
        const picture = aPicture(newFace());
        await see({ picture, camera, identityId: known.identityId }, visits);
        await see({ picture, camera }, visits);
        written += 2;
      },
    });
    while (await namingCountsOf(db).step()) {
      // Their own, and others' of the same day at the same camera, wait for a batch.
      await see({ picture: aPicture(newFace()), identityId: strangerId }, visits);
    }
    assert.ok(written >= 12, `${written} visits`);
    await isExact();
  }
});

test('LDO-012, LDF-003 a name that is taken back halfway, and given again, is counted once', async () => {
  const strangerId = await seenOften();
  for (const change of [name, takeBack, name, name, takeBack]) {
    await change(strangerId).catch(() => undefined);
    for (let n = 0; n < 3; n += 1) {
      await namingCountsOf(world.database.db).step();
      await isExact(`${change.name}, ${n}`);
    }
  }
  await finish();
  await isExact();
});

test('LDO-012, C-1003 a person who is erased while their name is being counted stays recognized', async () => {
  const strangerId = await seenOften();
  await name(strangerId);
  await namingCountsOf(world.database.db).step();
  const { face } = await world.visits.unknown.read(admin, strangerId);
  await world.faces.remove(admin, face!);
  await isExact('erased');
  await finish();
  await isExact('moved');
});

test('LDO-012 counts that are made anew in the middle of a naming are exact, and it goes on', async () => {
  const strangerId = await seenOften();
  for (const change of [name, takeBack]) {
    await change(strangerId);
    await namingCountsOf(world.database.db).step();
    await sql`select visit_recount('infinity')`.execute(world.database.db.write());
    await isExact('made anew');
    await finish();
    await isExact('moved');
  }
});

test('LDO-012, LDF-003 a server goes on with the naming that another left, and with each that comes', async () => {
  const strangerId = await seenOften();
  await name(strangerId);
  await namingCountsOf(killedAt(world.database.db, 1))
    .step()
    .catch(() => undefined);
  const isDone = async (): Promise<void> => {
    while ((await underWay()) > 0) await new Promise((resolve) => setTimeout(resolve, 10));
  };
  await using follower = new NamingFollower({ db: world.database.db, log: quietLog });
  await isDone();
  await takeBack(strangerId);
  await isDone();
  await follower.run();
  await isExact();
});
