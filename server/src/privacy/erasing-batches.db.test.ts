/** A person who was seen very often is gone at once, and what is left of them goes a batch at a time. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import type { DetailedVisit } from '@nazar/contract/visits.ts';
import { AlertErasing } from '#alerts/alerts.ts';
import { Database } from '#db/database.ts';
import type { Scope } from '#http/scope.ts';
import { FaceErasing } from '#faces/faces.ts';
import { VisitErasing, Visits } from '#visits/visits.ts';
import { Killed, killedAt, watched } from '#testing/lost-database.ts';
import { passersOf, newFace, type Passers } from '#testing/passers.ts';
import { aPrivacy, type TestPrivacy } from '#testing/privacy.ts';
import { assertCountsAreExact } from '#testing/recount.ts';
import { aPicture, aWorld, quietLog, type World } from '#testing/world.ts';
import { Erasures } from './erasures.ts';

const rowBatch = 5;
const theirVisits = 17;
let world: World;
let privacy: TestPrivacy;
let admin: Scope;
let gate: string;
let see: Passers['see'];

before(async () => {
  world = await aWorld();
  privacy = aPrivacy(world);
  admin = await world.actor('superadmin');
  gate = await world.camera(admin);
  ({ see } = passersOf(world, gate));
});
after(async () => {
  privacy[Symbol.dispose]();
  await world[Symbol.asyncDispose]();
});

const count = async (table: string, where: ReturnType<typeof sql>): Promise<number> => {
  const { rows } = await sql<{ n: number }>`
    select count(*)::integer as n from ${sql.table(table)} where ${where}`.execute(
    world.database.db.read(),
  );
  return rows[0]!.n;
};

/** Another process's, with few rows in a batch. */
function erasuresOf(db: Database): Erasures {
  const { activity, accounts, clock } = world;
  return new Erasures({
    db,
    activity,
    ended: accounts.ended,
    faces: new FaceErasing(db, clock),
    visits: new VisitErasing(db),
    alerts: new AlertErasing(),
    folder: privacy.folder,
    clock,
    log: quietLog,
    rowBatch,
  });
}

interface Erased {
  readonly personId: string;
  readonly identityId: string;
  readonly visitIds: readonly string[];
}

/** Seen many times; of one visit a user said that it is another person. */
async function seenOften(): Promise<Erased> {
  const look = newFace();
  const { id: personId, identityId } = await world.person(admin, 'Often', look);
  const visitIds = [];
  for (let n = 0; n < theirVisits; n += 1) {
    const { visit } = await see({ picture: aPicture(look), identityId });
    visitIds.push(visit.id);
  }
  await world.visits.notThisPerson(admin, visitIds[0]!);
  return { personId, identityId, visitIds };
}

const ask = ({ personId }: Erased): Promise<void> =>
  world.database.db.transaction((tx) => erasuresOf(world.database.db).ask(tx, personId, 'asked'));
const isRemoved = async ({ personId }: Erased): Promise<boolean> =>
  (await count('erasure', sql`subject_id = ${personId} and removed_at is not null`)) === 1;
const isGone = async ({ personId }: Erased): Promise<boolean> =>
  (await count('person', sql`id = ${personId}`)) === 0;

async function finish(erased: Erased): Promise<void> {
  while (!(await isRemoved(erased))) await erasuresOf(world.database.db).step();
}

/** What every reader is shown of their visits. */
async function shown({ visitIds }: Erased): Promise<DetailedVisit[]> {
  const visits = [];
  for (const id of visitIds) visits.push(await world.visits.details.read(admin, id));
  return visits;
}

async function nothingIsLeft({ personId, identityId }: Erased): Promise<void> {
  assert.equal(await count('visit_picture', sql`identity_id = ${identityId}`), 0);
  assert.equal(await count('visit', sql`recognized_as = ${personId}`), 0);
  assert.equal(
    await count('visit', sql`identity_id = ${identityId} and recognized_as = identity_id`),
    theirVisits - 1,
  );
  const { rows } = await sql<{ certificate: { images: number; pictures: number; people: number } }>`
    select certificate from erasure where subject_id = ${personId}`.execute(
    world.database.db.read(),
  );
  const { images, pictures, people } = rows[0]!.certificate;
  assert.deepEqual([images, pictures, people], [1, theirVisits - 1, 1], 'each counted once');
  await assertCountsAreExact(world.database.db);
}

test('C-1003, C-1004 killed at any of 20 moments an erasure goes on, and counts each row once', async () => {
  for (let moment = 0; moment < 20; moment += 1) {
    const erased = await seenOften();
    await ask(erased);
    const dying = erasuresOf(killedAt(world.database.db, moment));
    await assert.rejects(async () => {
      while (!(await isRemoved(erased))) await dying.step();
    }, Killed);
    assert.equal(await isGone(erased), moment > 0, `moment ${moment}`);
    await assertCountsAreExact(world.database.db, `killed at moment ${moment}`);
    await finish(erased);
    await nothingIsLeft(erased);
  }
});

test('C-1003 from the first moment on every reader is shown of an erased person what they are shown at the end', async () => {
  const erased = await seenOften();
  await ask(erased);
  await erasuresOf(killedAt(world.database.db, 1))
    .step()
    .catch(() => undefined);
  assert.ok(await isGone(erased));
  const pictures = sql`identity_id = ${erased.identityId}`;
  assert.equal(await count('visit_picture', pictures), theirVisits - 1, 'the rows are there');
  const first = await shown(erased);
  assert.ok(!JSON.stringify(first).includes('Often'));
  assert.deepEqual(
    first.filter(({ face_image_url }) => face_image_url !== null).map(({ id }) => id),
    [erased.visitIds[0]],
    'only of whom it is said that they are somebody else',
  );
  await finish(erased);
  assert.deepEqual(await shown(erased), first);
});

test('C-1003 while rows are removed others’ visits are written, and no one waits for a lock', async () => {
  const erased = await seenOften();
  await ask(erased);
  await erasuresOf(killedAt(world.database.db, 1))
    .step()
    .catch(() => undefined);
  const known = await world.person(admin, 'Other', newFace());
  let written = 0;
  const { activity, cameras, clock, database, faces } = world;
  const target = { ...database.target, lock_timeout: 1_000 };
  await using others = new Database(target, clock, quietLog);
  const visits = new Visits({ db: others, faces, cameras, activity, clock, log: quietLog });
  const db = watched(database.db, {
    beforeCommit: async () => {
      await see({ picture: aPicture(newFace()), identityId: known.identityId }, visits);
      await see({ picture: aPicture(newFace()) }, visits);
      written += 2;
    },
  });
  while (!(await isRemoved(erased))) await erasuresOf(db).step();
  assert.ok(written >= 16, `${written} visits`);
  await nothingIsLeft(erased);
});
