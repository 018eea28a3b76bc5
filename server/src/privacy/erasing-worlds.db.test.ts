/** Erasing and naming where a few come most of the time, each interrupted by the other, by visits, and by a kill. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import * as fc from 'fast-check';
import { sql } from 'kysely';
import { AlertErasing } from '#alerts/alerts.ts';
import type { Database } from '#db/database.ts';
import type { Scope } from '#http/scope.ts';
import { Problem } from '#lib/problem.ts';
import { FaceErasing } from '#faces/faces.ts';
import { VisitErasing } from '#visits/visits.ts';
import { NamingCounts } from '#visits/naming/naming-counts.ts';
import { Killed, killedAt } from '#testing/lost-database.ts';
import { passersOf, newFace, type Passers } from '#testing/passers.ts';
import { aPrivacy, type TestPrivacy } from '#testing/privacy.ts';
import { assertCountsAreExact } from '#testing/recount.ts';
import { aPicture, aWorld, quietLog, type World } from '#testing/world.ts';
import { Erasures } from './erasures.ts';

const passers = 6;
let world: World;
let privacy: TestPrivacy;
let admin: Scope;
let cameras: readonly string[];
let see: Passers['see'];
let later: Passers['later'];

before(async () => {
  world = await aWorld();
  privacy = aPrivacy(world);
  admin = await world.actor('superadmin');
  cameras = [await world.camera(admin), await world.camera(admin)];
  ({ see, later } = passersOf(world, cameras[0]!));
});
after(async () => {
  privacy[Symbol.dispose]();
  await world[Symbol.asyncDispose]();
});

/** One who passes, and the identity that they had last. */
interface Passer {
  readonly look: number;
  identityId: string | null;
}

const rowsOf = async <R>(query: ReturnType<typeof sql<R>>): Promise<R[]> =>
  (await query.execute(world.database.db.read())).rows;
const personOf = async ({ identityId }: Passer): Promise<string | null> => {
  const [row] = await rowsOf(
    sql<{ person_id: string | null }>`select person_id from identity where id = ${identityId}`,
  );
  return row?.person_id ?? null;
};
const isUnderWay = async (table: string, is: ReturnType<typeof sql>): Promise<boolean> =>
  (await rowsOf(sql`select from ${sql.table(table)} where ${is}`)).length > 0;
const isErasing = (): Promise<boolean> => isUnderWay('erasure', sql`removed_at is null`);

function erasuresOf(db: Database): Erasures {
  const { activity, accounts, clock } = world;
  const ofVisits = { visits: new VisitErasing(db), alerts: new AlertErasing() };
  const parts = { faces: new FaceErasing(db, clock), ...ofVisits };
  const { folder } = privacy;
  const more = { db, activity, ended: accounts.ended, folder, clock, log: quietLog };
  return new Erasures({ ...parts, ...more, rowBatch: 3 });
}
const namingOf = (db: Database): NamingCounts => new NamingCounts({ db, visitBatch: 2 });

/** Killed at some moments of it, else done. */
async function killed(at: number, step: (db: Database) => Promise<unknown>): Promise<void> {
  const { db } = world.database;
  await step(at % 3 === 0 ? killedAt(db, at % 4) : db).catch((error: unknown) => {
    if (!(error instanceof Killed)) throw error;
  });
}

type Deed = (passer: Passer, at: number) => Promise<void>;
const deeds = {
  pass: async (passer, at) => {
    const identityId = (await personOf(passer)) ? passer.identityId : null;
    const [camera, atMs] = [cameras[at % 2]!, later() + (at % 200) * 3_600_000];
    const seen = await see({ picture: aPicture(passer.look), identityId, camera, atMs });
    passer.identityId = seen.identityId;
  },
  name: async ({ identityId }) => {
    const [category] = await world.faces.categories.list();
    const as = { first_name: 'Named', last_name: 'Late', category: category!.id };
    await world.visits.unknown.identify(admin, known(identityId), as);
  },
  takeBack: async ({ identityId }) => {
    const { correction } = await world.visits.unknown.read(admin, known(identityId));
    await world.visits.unknown.undo(admin, known(identityId), known(correction?.id));
  },
  moveNamed: async (_, at) => {
    if (!(await isUnderWay('visit_naming', sql`true`))) throw new Problem('sighting_not_found');
    await killed(at, (db) => namingOf(db).step());
  },
  erase: async (passer) => {
    const personId = known(await personOf(passer));
    if (await isUnderWay('visit_naming', sql`identity_id = ${passer.identityId}`)) {
      done.add('erase whose naming goes on');
    }
    await world.database.db.transaction((tx) =>
      erasuresOf(world.database.db).ask(tx, personId, 'asked'),
    );
    erased.push(known(passer.identityId));
  },
  erasingStep: async (_, at) => {
    if (!(await isErasing())) throw new Problem('face_not_found');
    await killed(at, (db) => erasuresOf(db).step());
  },
} satisfies Record<string, Deed>;

const done = new Set<string>();
let erased: string[] = [];
function known<T>(value: T | null | undefined): T {
  if (value === null || value === undefined) throw new Problem('sighting_not_found');
  return value;
}

async function doOne(name: keyof typeof deeds, passer: Passer, at: number): Promise<void> {
  try {
    await deeds[name](passer, at);
    done.add(name);
  } catch (error) {
    // Refused as it would be to a user.
    if (!(error instanceof Problem)) throw error;
  }
  await assertCountsAreExact(world.database.db, `after ${name} ${at}`);
}

async function nothingIsLeft(): Promise<void> {
  // A person who was added by a name that was taken back is erased with it.
  await erasuresOf(world.database.db).collect();
  while (await isErasing()) await erasuresOf(world.database.db).step();
  while (await namingOf(world.database.db).step());
  await assertCountsAreExact(world.database.db, 'at the end');
  for (const id of erased) {
    assert.ok(!(await isUnderWay('visit_picture', sql`identity_id = ${id}`)), 'pictures');
    assert.ok(!(await isUnderWay('identity', sql`id = ${id} and data_key is not null`)), 'keys');
  }
  const named = sql`recognized_as not in (select id from person union all select id from identity)`;
  assert.ok(!(await isUnderWay('visit', named)), 'what recognition said');
  erased = [];
}

test('C-1003, LDO-012, LDF-003 however erasing, naming and visits fall together, counts are those of the visits and nothing is left', async () => {
  const name = fc.oneof(
    { weight: 10, arbitrary: fc.constant('pass' as const) },
    { weight: 4, arbitrary: fc.constantFrom('moveNamed' as const, 'erasingStep') },
    { weight: 4, arbitrary: fc.constantFrom('name' as const, 'takeBack', 'erase') },
  );
  // Shares fall with the square: the first comes most.
  const who = fc.nat(999).map((n) => Math.floor(passers * (n / 1_000) ** 2));
  const steps = fc.array(fc.record({ name, who, at: fc.nat(10_000) }), {
    minLength: 30,
    maxLength: 50,
  });
  await fc.assert(
    fc.asyncProperty(steps, async (story) => {
      const all: Passer[] = Array.from({ length: passers }, () => ({
        look: newFace(),
        identityId: null,
      }));
      // The second and the third are enrolled.
      for (const passer of all.slice(1, 3)) {
        passer.identityId = (await world.person(admin, 'Enrolled', passer.look)).identityId;
      }
      for (const step of story) await doOne(step.name, all[step.who]!, step.at);
      await nothingIsLeft();
    }),
    { numRuns: 6, seed: 41, endOnFailure: true },
  );
  const all = [...Object.keys(deeds), 'erase whose naming goes on'];
  assert.deepEqual([...done].toSorted(), all.toSorted(), 'each was done');
});
