/** "Not this person": what follows in the log and in recognition, on every node, and how long it is kept. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import type { Faces } from '#faces/faces.ts';
import type { Scope } from '#http/scope.ts';
import { passersOf, newFace, unlike, type Passers } from '#testing/passers.ts';
import { recorded } from '#testing/activity-chain.ts';
import { until } from '#testing/until.ts';
import { aPicture, aWorld, testPackName, type World } from '#testing/world.ts';
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

const negatives = async (visitId: string): Promise<number> => {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from negative where visit_id = ${visitId}`.execute(
    world.database.db.read(),
  );
  return rows[0]!.n;
};
/** Whether this picture is nearer to this person than any limit. */
const isTakenFor = (personId: string, { template }: VisitPicture, faces: Faces = world.faces) =>
  faces
    .nearest(template, testPackName, 3)
    .some((near) => near.personId === personId && near.distance < 0.5);
const erase = (id: string): Promise<void> =>
  world.database.db.transaction((tx) => world.faces.erasing.strangers(tx, [id]));

/** An enrolled person, and a visit that was taken for them and shows another. */
async function mistaken(name: string) {
  const look = newFace();
  const person = await world.person(admin, name, look);
  const picture = unlike(look, 0.4);
  const { visit } = await see({ picture, identityId: person.identityId });
  return { look, person, picture, visit };
}

test('a visit that is not this person is unknown, and what it shows is not taken for them again', async () => {
  const { look, person, picture, visit } = await mistaken('Anar');
  const node = await world.otherNode();
  assert.ok(isTakenFor(person.id, picture) && isTakenFor(person.id, picture, node));
  const row = await world.visits.notThisPerson(admin, visit.id);
  assert.deepEqual(
    [row.person_name, row.person_id, row.is_recognized, row.is_corrected],
    ['Unknown', null, false, true],
  );
  assert.ok(!isTakenFor(person.id, picture), 'at once');
  assert.ok(!isTakenFor(person.id, unlike(look, 0.45)), 'nor what is like it');
  assert.ok(isTakenFor(person.id, aPicture(look)), 'they themselves are known as before');
  await until(() => !isTakenFor(person.id, picture, node));
  const restarted = await world.otherNode();
  assert.ok(!isTakenFor(person.id, picture, restarted));
  const stranger = await see({ picture });
  const face = await world.visits.unknown.read(admin, stranger.identityId);
  assert.equal(face.count, 2, 'they are a stranger who came again');
  assert.deepEqual(await world.visits.picture(admin, visit.id), picture.chip, 'sealed again');
  const deeds = (await recorded(world.database.db)).filter(
    ({ action, object_id }) => action === 'face.not_this_person' && object_id === person.id,
  );
  assert.deepEqual(
    deeds.map(({ details }) => details),
    [{ visit: visit.id }],
  );
});

test('taken back, the visit is theirs as it was', async () => {
  const { person, picture, visit } = await mistaken('Bahar');
  const said = await world.visits.notThisPerson(admin, visit.id);
  assert.equal(said.confidence, null, 'the unknown person was matched with no one');
  const row = await world.visits.thisPersonAfterAll(admin, visit.id);
  assert.deepEqual(
    [row.person_id, row.confidence?.toFixed(2), row.is_corrected],
    [person.id, '0.80', false],
  );
  assert.ok(isTakenFor(person.id, picture));
  assert.deepEqual(await world.visits.picture(admin, visit.id), picture.chip);
  assert.equal(await negatives(visit.id), 0);
  await assert.rejects(world.visits.thisPersonAfterAll(admin, visit.id), {
    code: 'correction_not_newest',
  });
});

test('a visit that got another name meanwhile is not given back', async () => {
  const { visit } = await mistaken('Cavid');
  await world.visits.notThisPerson(admin, visit.id);
  const { rows } = await sql<{ identity_id: string }>`
    select identity_id from visit where id = ${visit.id}`.execute(world.database.db.read());
  const [category] = await world.faces.categories.list();
  const name = { first_name: 'Deniz', last_name: 'Example', category: category!.id };
  await world.visits.unknown.identify(admin, rows[0]!.identity_id, name);
  await assert.rejects(world.visits.thisPersonAfterAll(admin, visit.id), {
    code: 'correction_not_newest',
  });
});

test('ROL-011, C-304 only who may see the visit and change the person says so', async () => {
  const { visit } = await mistaken('Emin');
  const user = await world.actor('user');
  await assert.rejects(world.visits.notThisPerson(user, visit.id), {
    code: 'sighting_not_found',
  });
  const own = await world.camera(user);
  const theirs = await world.person(admin, 'Fidan', newFace());
  const seen = await see({ picture: aPicture(1), identityId: theirs.identityId, camera: own });
  await assert.rejects(world.visits.notThisPerson(user, seen.visit.id), {
    code: 'face_update_forbidden',
  });
  await world.visits.notThisPerson(admin, seen.visit.id);
  await assert.rejects(world.visits.thisPersonAfterAll(user, seen.visit.id), {
    code: 'face_update_forbidden',
  });
  const unknownVisit = await see({ picture: aPicture(newFace()) });
  await assert.rejects(world.visits.notThisPerson(admin, unknownVisit.visit.id), {
    code: 'sighting_unnamed',
  });
});

test('ROL-011, C-304 one visit says which unknown person it shows, and whether its reader may correct it', async () => {
  const own = await world.actor('user');
  const camera = await world.camera(own);
  const read = (scope: Scope, id: string) => world.visits.details.read(scope, id);
  const seeAt = async (person: { readonly identityId: string } | null) =>
    (await see({ picture: aPicture(newFace()), camera, identityId: person?.identityId ?? null }))
      .visit.id;
  const foreign = await seeAt(await world.person(admin, 'Gulnar', newFace()));
  const theirs = await seeAt(await world.person(own, 'Hikmet', newFace()));
  const unknownVisit = await seeAt(null);
  const of = async (scope: Scope, id: string) => {
    const { may_correct, unknown, person_name } = await read(scope, id);
    return [person_name, unknown === null, may_correct];
  };
  assert.deepEqual(await of(own, foreign), ['Known person', true, false]);
  assert.deepEqual(await of(own, theirs), ['Hikmet Example', true, true]);
  assert.deepEqual(await of(own, unknownVisit), ['Unknown', false, false]);
  const { unknown } = await read(own, unknownVisit);
  assert.equal((await world.visits.unknown.read(own, unknown!.id)).number, unknown!.number);
  await world.visits.notThisPerson(admin, foreign);
  await world.visits.notThisPerson(own, theirs);
  assert.deepEqual(await of(own, foreign), ['Unknown', false, false], 'another one’s word');
  assert.deepEqual(await of(admin, foreign), ['Unknown', false, true]);
  assert.deepEqual(await of(own, theirs), ['Unknown', false, true]);
  const other = await world.actor('user');
  await assert.rejects(read(other, theirs), { code: 'sighting_not_found' });
});

test('two tabs say so at once: the second reads that no one is named any more', async () => {
  const { visit } = await mistaken('Gülnar');
  const tabs = await Promise.allSettled(
    [1, 2].map(() => world.visits.notThisPerson(admin, visit.id)),
  );
  const failed = tabs.filter((tab) => tab.status === 'rejected');
  assert.deepEqual(
    failed.map(({ reason }) => reason.code),
    ['sighting_unnamed'],
  );
  assert.equal(await negatives(visit.id), 1);
});

test('a decision from before a user ruled the person out is not written any more', async () => {
  const { person, picture, visit } = await mistaken('Həmid');
  const said = await world.visits.notThisPerson(admin, visit.id);
  assert.equal(said.person_id, null);
  const now = await world.visits.reassign(
    { ...visit, picture },
    'somebody else',
    person.identityId,
  );
  assert.equal(world.visits.personOf(now), null);
  const { results } = await world.visits.list(admin, { page: 1, limit: 1000 });
  assert.equal(results.find(({ id }) => id === visit.id)?.person_id, null);
});

test('C-601 it is sealed under the key of the visit’s identity, and moves with it', async () => {
  const { person, picture, visit } = await mistaken('Ibrahim');
  await world.visits.notThisPerson(admin, visit.id);
  const { rows } = await sql<{ vector: Buffer; identity_id: string }>`
    select vector, identity_id from negative where visit_id = ${visit.id}`.execute(
    world.database.db.read(),
  );
  assert.ok(!rows[0]!.vector.includes(Buffer.from(picture.template.buffer)));
  const { identityId } = await see({ picture });
  assert.equal(identityId, rows[0]!.identity_id);
  const made = await world.visits.unknown.split(admin, identityId, [visit.id]);
  await erase(identityId);
  const restarted = await world.otherNode();
  assert.ok(!isTakenFor(person.id, picture, restarted), 'the split-off visit has taken it along');
  assert.equal(await negatives(visit.id), 1);
  assert.notEqual(made.id, identityId);
});

test('C-1003, C-1006 it goes with its identity, by age, and with the person; every node forgets it', async () => {
  const node = await world.otherNode();
  const erased = await mistaken('Jalə');
  await world.visits.notThisPerson(admin, erased.visit.id);
  await until(() => !isTakenFor(erased.person.id, erased.picture, node));
  const { rows } = await sql<{ identity_id: string }>`
    select identity_id from negative where visit_id = ${erased.visit.id}`.execute(
    world.database.db.read(),
  );
  await erase(rows[0]!.identity_id);
  assert.equal(await negatives(erased.visit.id), 0);
  await until(() => isTakenFor(erased.person.id, erased.picture, node));

  const old = await mistaken('Kamran');
  await world.visits.notThisPerson(admin, old.visit.id);
  await until(() => !isTakenFor(old.person.id, old.picture, node));
  const young = new Date(old.visit.startedAtMs + 1);
  await world.database.db.transaction((tx) => world.faces.erasing.referencesBefore(tx, young));
  assert.equal(await negatives(old.visit.id), 0);
  await until(() => isTakenFor(old.person.id, old.picture, node));

  const gone = await mistaken('Lalə');
  await world.visits.notThisPerson(admin, gone.visit.id);
  await world.faces.remove(admin, gone.person.id);
  assert.equal(await negatives(gone.visit.id), 0);

  const withdrawn = await mistaken('Murad');
  await world.visits.notThisPerson(admin, withdrawn.visit.id);
  await world.visits.withdraw(withdrawn.visit);
  assert.equal(await negatives(withdrawn.visit.id), 0);
  await until(() => isTakenFor(withdrawn.person.id, withdrawn.picture));
});

test('a picture that is gone rules out nothing: there is no vector left to compare', async () => {
  const { visit } = await mistaken('Nigar');
  await sql`delete from visit_picture where visit_id = ${visit.id}`.execute(
    world.database.db.write(),
  );
  await assert.rejects(world.visits.notThisPerson(admin, visit.id), {
    code: 'sighting_has_no_picture',
  });
});
