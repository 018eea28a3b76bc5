/** Whatever is done to visits and their identities, the counts kept beside them are those of the visits. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import * as fc from 'fast-check';
import { sql } from 'kysely';
import { migrate, migrationNames } from '#db/migrations.ts';
import type { Scope } from '#http/scope.ts';
import { Problem } from '#lib/problem.ts';
import { testDatabase } from '#testing/database.ts';
import { passersOf, newFace, type Passers } from '#testing/passers.ts';
import { assertCountsAreExact } from '#testing/recount.ts';
import { aPicture, aWorld, type World } from '#testing/world.ts';
import { NamingCounts } from './naming/naming-counts.ts';

const dayMs = 24 * 60 * 60_000;
let world: World;
let admin: Scope;
let cameras: readonly string[];
let see: Passers['see'];
let later: Passers['later'];

before(async () => {
  world = await aWorld();
  admin = await world.actor('superadmin');
  cameras = [await world.camera(admin), await world.camera(admin)];
  ({ see, later } = passersOf(world, cameras[0]!));
});
after(() => world[Symbol.asyncDispose]());

const isExact = (said?: string): Promise<void> => assertCountsAreExact(world.database.db, said);

interface Row {
  readonly id: string;
  readonly identity_id: string;
  readonly person_id: string | null;
  readonly started_at: Date;
}
async function visits(): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select visit.id, identity_id, person_id, started_at
    from visit join identity on identity.id = identity_id
    where deleted_at is null order by visit.id`.execute(world.database.db.read());
  return rows;
}
const named = async (): Promise<Row[]> =>
  (await visits()).filter(({ person_id }) => person_id !== null);
async function recognized(): Promise<number> {
  const { rows } = await sql<{ sum: number }>`
    select coalesce(sum(recognized), 0)::integer as sum from visit_hour_now`.execute(
    world.database.db.read(),
  );
  return rows[0]!.sum;
}

test('LDO-012, C-1003 an erased person was there, and stays counted as recognized', async () => {
  const { id, identityId } = await world.person(admin, 'Erased', newFace());
  const before = await recognized();
  await see({ picture: aPicture(newFace()), identityId });
  assert.equal(await recognized(), before + 1);
  await world.faces.remove(admin, id);
  assert.equal(await recognized(), before + 1);
  await isExact();
});

test('LDO-012, C-1006 hours fall with the visits that age removes', async () => {
  await see({ picture: aPicture(newFace()) });
  await see({ picture: aPicture(newFace()), atMs: later() + 3 * dayMs });
  const { db } = world.database;
  const moment = new Date(later() + dayMs);
  await db.transaction((tx) => world.visits.erasing.before(tx, moment, 1_000));
  assert.equal((await visits()).length, 1);
  await isExact();
});

test('LDO-012, C-1006 a month that goes takes its counts along, but for what waits in the default partition', async () => {
  await see({ picture: aPicture(newFace()), atMs: Date.UTC(2025, 11, 3, 7, 50) });
  await see({ picture: aPicture(newFace()), atMs: Date.UTC(2026, 0, 30, 7, 50) });
  await see({ picture: aPicture(newFace()), atMs: Date.UTC(2026, 1, 3, 7, 50) });
  const gone = await world.visits.erasing.monthsBefore(new Date(Date.UTC(2026, 1, 2)));
  assert.deepEqual(gone, ['visit_2026_01']);
  assert.ok((await visits()).some(({ started_at }) => started_at.getUTCFullYear() === 2025));
  await isExact();
  await world.visits.preparePartitions();
});

test('LDO-012, LDP-006 people are named while their visits are written: none is counted twice or left out', async () => {
  const look = newFace();
  const { identityId } = await see({ picture: aPicture(look) });
  const work = Array.from({ length: 12 }, async (_, index) => {
    if (index === 5) return name(identityId);
    await see({ picture: aPicture(look, 0.5 + index / 100), camera: cameras[index % 2]! });
  });
  const moving = new NamingCounts({ db: world.database.db, visitBatch: 1 });
  const moved = async (): Promise<void> => {
    for (let n = 0; n < 12; n += 1) await moving.step();
  };
  await Promise.all([...work, moved()]);
  await isExact();
  const now = await world.visits.unknown.read(admin, identityId);
  await world.visits.unknown.undo(admin, identityId, now.correction!.id);
  const after = cameras.map((camera) => see({ picture: aPicture(look), camera }));
  await Promise.all([...after, moved()]);
  await isExact();
});

const name = async (strangerId: string): Promise<void> => {
  const [category] = await world.faces.categories.list();
  const as = { first_name: 'Named', last_name: 'Late', category: category!.id };
  await world.visits.unknown.identify(admin, strangerId, as);
};

/** Things that are done in this order, each to the visits that a number picks. */
const deeds = {
  see: async (at) => {
    const [visit] = pick(await visits(), at);
    const identityId = at % 3 === 0 && visit?.person_id ? visit.identity_id : null;
    const picture = aPicture(at % 2 === 0 ? 2_000 + (at % 7) : newFace());
    // Quarters of hours, of two days.
    const atMs = later() + (at % 97) * 15 * 60_000;
    await see({ picture, identityId, camera: cameras[at % 2]!, atMs });
  },
  name: async (at) => name(oneOf(await visits(), at).identity_id),
  nameAsOther: async (at) => {
    const face = oneOf(await named(), at).person_id!;
    const { identity_id } = oneOf(await visits(), at + 1);
    await world.visits.unknown.identify(admin, identity_id, { face });
  },
  undo: async (at) => {
    const { identity_id } = oneOf(await visits(), at);
    const { correction } = await world.visits.unknown.read(admin, identity_id);
    if (correction) await world.visits.unknown.undo(admin, identity_id, correction.id);
  },
  moveNamed: async (at) => {
    const counts = new NamingCounts({ db: world.database.db, visitBatch: 1 + (at % 4) });
    if (!(await counts.step())) throw new Problem('unknown_face_not_found');
  },
  merge: async (at) => {
    const all = await visits();
    const [one, other] = [oneOf(all, at).identity_id, oneOf(all, at + 1).identity_id];
    await world.visits.unknown.merge(admin, one, other);
  },
  split: async (at) => {
    const { id, identity_id } = oneOf(await visits(), at);
    await world.visits.unknown.split(admin, identity_id, [id]);
  },
  correct: async (at) => {
    const { id } = oneOf(await named(), at);
    await world.visits.notThisPerson(admin, id);
  },
  takeBack: async (at) => {
    const { id } = oneOf(await named(), at);
    await world.visits.notThisPerson(admin, id);
    await isExact('before it is taken back');
    await world.visits.thisPersonAfterAll(admin, id);
  },
  erase: async (at) => world.faces.remove(admin, oneOf(await named(), at).person_id!),
  withdraw: async (at) => {
    const { id, started_at } = oneOf(await visits(), at);
    await world.visits.withdraw({ id, startedAtMs: started_at.getTime() });
  },
  delete: async (at) => {
    const ids = pick(await visits(), at, 3).map(({ id }) => id);
    await sql`update visit set deleted_at = now() where id = any(${ids}::uuid[])`.execute(
      world.database.db.write(),
    );
  },
  age: async (at) => {
    const { started_at } = oneOf(await visits(), at % 3);
    await world.database.db.transaction((tx) => world.visits.erasing.before(tx, started_at, 100));
  },
  eraseVisits: async (at) => {
    const { identity_id } = oneOf(await visits(), at);
    await world.database.db.transaction((tx) => world.visits.erasing.visits(tx, [identity_id], 2));
  },
} satisfies Record<string, (at: number) => Promise<void>>;

const pick = <T>(rows: readonly T[], at: number, count = 1): T[] =>
  rows.length === 0 ? [] : [...rows, ...rows].slice(at % rows.length, (at % rows.length) + count);
function oneOf<T>(rows: readonly T[], at: number): T {
  const [row] = pick(rows, at);
  if (row === undefined) throw new Problem('sighting_not_found');
  return row;
}

test('LDO-012, LDF-003, ENT-025 naming in batches, undo, merge, split, correction, erasure, deletion, age: counts are those of the visits', async () => {
  const done = new Set<string>();
  const kind = fc.oneof(
    { weight: 6, arbitrary: fc.constant('see' as const) },
    { weight: 2, arbitrary: fc.constantFrom('name' as const, 'correct', 'takeBack') },
    { weight: 2, arbitrary: fc.constant('moveNamed' as const) },
    { weight: 5, arbitrary: fc.constantFrom(...(Object.keys(deeds) as (keyof typeof deeds)[])) },
  );
  const steps = fc.array(fc.record({ kind, at: fc.nat(10_000) }), { minLength: 10, maxLength: 25 });
  await fc.assert(
    fc.asyncProperty(steps, async (story) => {
      for (const { kind, at } of story) {
        const isDone = await deeds[kind](at).then(
          () => true,
          // Refused as it would be to a user.
          (error: unknown) => {
            if (error instanceof Problem) return false;
            throw error;
          },
        );
        if (isDone) done.add(kind);
        await isExact(`after ${kind} ${at}`);
      }
    }),
    { numRuns: 20, seed: 19 },
  );
  assert.deepEqual([...done].sort(), Object.keys(deeds).sort(), 'each was done');
});

test('LDO-012 a database of the version before gets exact counts, by quarters of hours and of known people', async () => {
  await using old = await testDatabase();
  const { db, target } = old;
  await sql`drop schema public cascade`.execute(db.write());
  await sql`create schema public`.execute(db.write());
  const names = migrationNames();
  const before = names[names.indexOf('0058-sighting-counts') - 1]!;
  await migrate(target, undefined, before);
  await addCamera(db.write());
  await fillOld(db.write());
  await sql`
    insert into sighting_hour (hour, camera_id, visits)
    values ('2020-01-01', '00000000-0000-4000-8000-00000000000a', 7)`.execute(db.write());
  await migrate(target);
  await assertCountsAreExact(db);
  const { rows } = await sql<Record<string, number>>`
    select sum(visits)::integer as visits, sum(recognized)::integer as recognized,
           (select count(*)::integer from visit_day_known) as days,
           (select count(*)::integer from visit_stranger) as strangers,
           (select count(*)::integer from visit_stranger_camera) as "atCameras"
    from visit_hour`.execute(db.read());
  const counted = { visits: 290, recognized: 90, days: 5, strangers: 2, atCameras: 3 };
  assert.deepEqual(rows[0], counted);
});

test('LDO-012, C-1003 people who were erased by the version before count as recognized again', async () => {
  await using old = await testDatabase();
  const { db, target } = old;
  await sql`drop schema public cascade`.execute(db.write());
  await sql`create schema public`.execute(db.write());
  const names = migrationNames();
  await migrate(target, undefined, names[names.indexOf('0068-erased-people') - 1]);
  await addCamera(db.write());
  await fillOld(db.write());
  await sql`
    with gone as (
      update identity set person_id = null, data_key = null where person_id is not null returning id
    )
    insert into erased_identity (identity_id, person_id, erased_at, images, embeddings)
    select id, '00000000-0000-4000-8000-0000000000aa', now(), 0, 0 from gone`.execute(db.write());
  const { rows: before } = await recognizedIn(db, 'sighting_hour');
  await migrate(target);
  await assertCountsAreExact(db);
  const { rows: now } = await recognizedIn(db, 'visit_hour');
  assert.deepEqual([before[0]!.sum, now[0]!.sum], [0, 90]);
});

const recognizedIn = (db: World['database']['db'], table: string) =>
  sql<{ sum: number }>`
    select sum(recognized)::integer as sum from ${sql.table(table)}`.execute(db.read());

const addCamera = (db: ReturnType<World['database']['db']['write']>) =>
  sql`
    insert into camera (id, name, location, type, status, resolution, fps, rotation,
                        enable_face_recognition, created_at, updated_at)
    values ('00000000-0000-4000-8000-00000000000a', 'Gate', 'Yard', 'rtsp', 'inactive', '1280x720',
            25, 0, true, now(), now())`.execute(db);

/** 300 visits, each third one of a known person; ten were deleted. */
async function fillOld(db: ReturnType<World['database']['db']['write']>): Promise<void> {
  const id = (prefix: string) => sql`(${prefix} || lpad(to_hex(n), 11, '0'))::uuid`;
  await sql`
    insert into person (id, first_name, last_name, category_id, created_by, created_at, updated_at)
    select '00000000-0000-4000-8000-0000000000aa', 'Known', '', id, gen_random_uuid(), now(), now()
    from face_category limit 1`.execute(db);
  await sql`
    insert into identity (id, person_id, number, data_key, created_at)
    select ${id('00000000-0000-4000-8000-1')}, case when n % 3 = 0 then
             '00000000-0000-4000-8000-0000000000aa'::uuid end, n + 1,
           -- One of them cannot be read any more.
           case when n < 2 then '\\x00'::bytea end, now()
    from generate_series(0, 2) n`.execute(db);
  await sql`
    insert into sighting (id, camera_id, identity_id, started_at, ended_at, confidence, quality, deleted_at)
    select ${id('00000000-0000-4000-8000-2')}, '00000000-0000-4000-8000-00000000000a',
           ('00000000-0000-4000-8000-1' || lpad(to_hex(n % 3), 11, '0'))::uuid,
           timestamptz '2026-01-10 00:00Z' + n * interval '23 minutes',
           timestamptz '2026-01-10 00:00Z' + n * interval '23 minutes', 0.5, 0.5,
           case when n % 30 = 0 then now() end
    from generate_series(0, 299) n`.execute(db);
}
