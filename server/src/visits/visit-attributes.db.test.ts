/** Attributes of a face: stored sealed with the picture of the visit, answered with it, and gone with it. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import type { FaceAttributes } from '@nazar/contract/attributes.ts';
import type { Scope } from '#http/scope.ts';
import { passersOf, newFace, unlike, type Passers } from '#testing/passers.ts';
import { aPicture, aVector, aVisit, aWorld, type World } from '#testing/world.ts';
import type { FaceEstimate } from '#vision/vision.ts';
import type { VisitPicture } from './visits.ts';

let world: World;
let admin: Scope;
let gate: string;
let see: Passers['see'];

before(async () => {
  world = await aWorld();
  admin = await world.actor('admin');
  gate = await world.camera(admin);
  ({ see } = passersOf(world, gate));
});
after(() => world[Symbol.asyncDispose]());

const estimate: FaceEstimate = {
  age: 34.2,
  man: 0.13,
  emotion: { looks: 'happy', certainty: 0.7 },
};
const answered: FaceAttributes = {
  age: { from: 29, to: 40 },
  gender: { looks_like: 'woman', certainty: 0.87 },
  emotion: { looks: 'happy', certainty: 0.7 },
};

const looking = (picture: VisitPicture): VisitPicture => ({ ...picture, attributes: estimate });
const read = async (id: string) => (await world.visits.details.read(admin, id)).attributes;
const stored = async (id: string): Promise<Buffer | null | undefined> => {
  const { rows } = await sql<{ attributes: Buffer | null }>`
    select attributes from visit_picture where visit_id = ${id}`.execute(world.database.db.read());
  return rows[0]?.attributes;
};

/** A visit of an enrolled person. */
async function visitOf(name: string, look = newFace()) {
  const person = await world.person(admin, name, look);
  const picture = looking(aPicture(look));
  const { visit } = await see({ picture, identityId: person.identityId });
  return { person, look, id: visit.id };
}

test('~SET-016 a visit says what its face looks like, in the log and alone; another says nothing', async () => {
  const { id, person } = await visitOf('Aygun');
  assert.deepEqual(await read(id), answered);
  const query = { person_id: person.id, page: 1, limit: 10 };
  const { results } = await world.visits.list(admin, query);
  assert.deepEqual(
    results.map(({ attributes }) => attributes),
    [answered],
  );
  assert.deepEqual((await world.visits.visitsOf(admin, person.id))[0]?.attributes, answered);
  const { visit } = await see({ picture: aPicture(newFace()) });
  assert.equal(await read(visit.id), null);
});

test('~SET-016 C-1003 it is sealed under the key of the identity, for its one place', async () => {
  const { id, person } = await visitOf('Banu');
  const sealed = await stored(id);
  assert.ok(sealed && !sealed.includes('happy'));
  const { visit } = await see({ picture: aPicture(newFace()), identityId: person.identityId });
  await sql`update visit_picture set attributes = ${sealed} where visit_id = ${visit.id}`.execute(
    world.database.db.write(),
  );
  assert.equal(await read(visit.id), null, 'not what was sealed for another visit');
});

test('~SET-016 it stays with the visit when a user says that it is not this person, and back', async () => {
  const look = newFace();
  const person = await world.person(admin, 'Ceyran', look);
  const picture = looking(unlike(look, 0.4));
  const { visit } = await see({ picture, identityId: person.identityId });
  await world.visits.notThisPerson(admin, visit.id);
  assert.deepEqual(await read(visit.id), answered);
  const back = await world.visits.thisPersonAfterAll(admin, visit.id);
  assert.deepEqual(back.attributes, answered);
});

test('C-1009 a user who does not see the visit does not see what its face looks like', async () => {
  const { id } = await visitOf('Dilber');
  const user = await world.actor('user');
  await assert.rejects(world.visits.details.read(user, id), { code: 'sighting_not_found' });
});

test('C-1003, C-1004 erased with the person: key, picture and attributes', async () => {
  const { id, person } = await visitOf('Elnara');
  const { db } = world.database;
  await db.transaction((tx) => world.visits.erasing.pictures(tx, [person.identityId], 10));
  assert.equal(await stored(id), undefined);
  assert.equal(await read(id), null, 'the visit stays, and says nothing');
  const stranger = await see({ picture: looking(aPicture(newFace())) });
  assert.deepEqual(await read(stranger.visit.id), answered);
  await db.transaction((tx) => world.faces.erasing.strangers(tx, [stranger.identityId]));
  assert.ok(await stored(stranger.visit.id), 'not cleaned yet');
  assert.equal(await read(stranger.visit.id), null, 'without its key nobody reads it');
});

test('C-1006 gone by age, with the picture of an unknown person and with the visit', async () => {
  const { db } = world.database;
  const old = world.clock.now();
  const { id } = await world.visits.write(
    aVisit(gate, old, { picture: looking({ ...aPicture(1), template: aVector(newFace()) }) }),
  );
  assert.deepEqual(await read(id), answered);
  const before = new Date(old + 60_000);
  await db.transaction((tx) => world.visits.erasing.strangerPicturesBefore(tx, before, 10_000));
  assert.equal(await stored(id), undefined);
  assert.equal(await read(id), null);
  const second = await visitOf('Fidan');
  const later = new Date(world.clock.now() + 30 * 24 * 60 * 60_000);
  await db.transaction((tx) => world.visits.erasing.before(tx, later, 10_000));
  assert.equal(await stored(second.id), undefined);
});

test('deleted with the visit: no answer has it any more', async () => {
  const { id } = await visitOf('Gulay');
  await world.visits.deleting.one(admin, id);
  await assert.rejects(read(id), { code: 'sighting_not_found' });
  const { results } = await world.visits.list(admin, { page: 1, limit: 100 });
  assert.ok(results.every((visit) => visit.id !== id));
});
