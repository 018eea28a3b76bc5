/** Strangers who get a name, and lose it again: what follows in the log, in recognition, in erasure. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import type { Identification } from '@nazar/contract/unknown-faces.ts';
import type { Scope } from '#http/scope.ts';
import { passersOf, newFace, unlike, type Passers } from '#testing/passers.ts';
import { recorded } from '#testing/activity-chain.ts';
import { until } from '#testing/until.ts';
import { aPicture, aVector, aWorld, quietLog, testPackName, type World } from '#testing/world.ts';
import { Visits } from './visits.ts';
import type { UnknownFaces } from './unknown-faces.ts';

let world: World;
let admin: Scope;
let gate: string;
let see: Passers['see'];
let later: Passers['later'];
let unknown: UnknownFaces;
let category: string;

before(async () => {
  world = await aWorld();
  admin = await world.actor('admin');
  gate = await world.camera(admin);
  ({ see, later } = passersOf(world, gate));
  ({ unknown } = world.visits);
  category = (await world.faces.categories.list())[0]!.id;
});
after(() => world[Symbol.asyncDispose]());

const named = (first_name: string): Identification => ({
  first_name,
  last_name: 'Example',
  category,
});
const count = async (table: string, where: ReturnType<typeof sql>): Promise<number> => {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from ${sql.table(table)} where ${where}`.execute(world.database.db.read());
  return rows[0]!.n;
};
/** The people at the gate at these visits, by the log. */
const namesOf = async (...ids: readonly string[]): Promise<string[]> => {
  const { results } = await world.visits.list(admin, { page: 1, limit: 1000 });
  return ids.map((id) => results.find((row) => row.id === id)!.person_name);
};
const recognised = (look: number): string | null => {
  const [near] = world.faces.nearest(aVector(look), testPackName, 1);
  return near && near.distance < 0.1 ? near.identityId : null;
};

test('APF-013 a name given to a stranger is that of their past and of what follows, and can be taken back', async () => {
  const look = newFace();
  const first = await see({ picture: unlike(look, 0.3, 0.5) });
  const second = await see({ picture: aPicture(look) });
  assert.equal(second.identityId, first.identityId);
  const face = await unknown.identify(admin, first.identityId, named('Anna'));
  assert.deepEqual([face.status, face.correction?.kind], ['identified', 'identify']);
  const person = await world.faces.read(admin, face.face!);
  assert.deepEqual([person.first_name, person.images.length, person.usable_images], ['Anna', 1, 1]);
  assert.equal(recognised(look), first.identityId, 'the best picture is what they are known by');
  const known = await see({ picture: aPicture(look), identityId: recognised(look) });
  const visits = [first, second, known].map(({ visit }) => visit.id);
  assert.deepEqual(await namesOf(...visits), ['Anna Example', 'Anna Example', 'Anna Example']);

  const back = await unknown.undo(admin, first.identityId, face.correction!.id);
  assert.deepEqual([back.status, back.face, back.correction], ['new', null, null]);
  assert.deepEqual([back.number, back.count], [face.number, 3]);
  assert.deepEqual(await namesOf(...visits), ['Unknown', 'Unknown', 'Unknown']);
  assert.equal(recognised(look), null);
  await assert.rejects(world.faces.read(admin, person.id), { code: 'face_not_found' });
  assert.equal(
    await count('erased_identity', sql`person_id = ${person.id}`),
    1,
    'to be cleaned up',
  );
  assert.equal((await see({ picture: aPicture(look) })).identityId, first.identityId);
  const deeds = (await recorded(world.database.db)).filter(
    ({ object_id }) => object_id === first.identityId,
  );
  assert.deepEqual(
    deeds.map(({ action, details }) => [action, details]),
    [
      ['face.unknown_identified', { face: person.id }],
      ['face.unknown_undone', { kind: 'identify' }],
    ],
  );
});

test('APF-013 a picture that was the best and is gone once the stranger is locked becomes no photo', async () => {
  const look = newFace();
  const { identityId } = await see({ picture: unlike(look, 0.3, 0.5) });
  const best = await see({ picture: aPicture(look) });
  const { database, faces, cameras, activity, clock } = world;
  let isGone = false;
  const db = new Proxy(database.db, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      if (name !== 'transaction') return value.bind(target) as unknown;
      return async (work: Parameters<typeof target.transaction>[0]): Promise<unknown> => {
        await world.visits.withdraw(best.visit);
        isGone = true;
        return target.transaction(work);
      };
    },
  });
  const late = new Visits({ db, faces, cameras, activity, clock, log: quietLog });
  const face = await late.unknown.identify(admin, identityId, named('Late'));
  assert.ok(isGone);
  const { images } = await faces.read(admin, face.face!);
  assert.equal(images.length, 1, 'of the picture that is left');
  const [near] = faces.nearest(unlike(look, 0.3).template, testPackName, 1);
  assert.ok(near!.distance < 0.01, `${near!.distance}`);
});

test('NSH-022 an enrolled person gets the past of a stranger, and keeps their own when it is taken back', async () => {
  const [own, look] = [newFace(), newFace()];
  const person = await world.person(admin, 'Berta', own);
  const before = await see({ picture: aPicture(own), identityId: person.identityId });
  const stranger = await see({ picture: aPicture(look) });
  const face = await unknown.identify(admin, stranger.identityId, { face: person.id });
  assert.equal(face.face, person.id);
  assert.deepEqual(
    [recognised(own), recognised(look)],
    [person.identityId, stranger.identityId],
    'known by both looks',
  );
  const both = world.faces.nearest(aVector(look), testPackName, 2);
  assert.equal(
    both.filter(({ personId }) => personId === person.id).length,
    1,
    'and is one person',
  );
  await unknown.undo(admin, stranger.identityId, face.correction!.id);
  assert.deepEqual([recognised(own), recognised(look)], [person.identityId, null]);
  assert.deepEqual(await namesOf(before.visit.id, stranger.visit.id), ['Berta Example', 'Unknown']);
  assert.equal((await world.faces.read(admin, person.id)).images.length, 1);
});

test('taking back a name leaves a person who got something of their own meanwhile', async () => {
  const look = newFace();
  const one = await see({ picture: aPicture(look) });
  const face = await unknown.identify(admin, one.identityId, named('Cemil'));
  const other = await see({ picture: aPicture(newFace()) });
  const again = await unknown.identify(admin, other.identityId, { face: face.face! });
  await unknown.undo(admin, one.identityId, face.correction!.id);
  const person = await world.faces.read(admin, face.face!);
  assert.equal(person.images.length, 1);
  assert.deepEqual(await namesOf(one.visit.id, other.visit.id), ['Unknown', 'Cemil Example']);
  await unknown.undo(admin, other.identityId, again.correction!.id);
  assert.equal(
    (await world.faces.read(admin, person.id)).images.length,
    0,
    'they were there before',
  );
  await world.faces.remove(admin, person.id);
  assert.equal(await count('erased_identity', sql`person_id = ${person.id}`), 1);
});

test('two tabs identify at once: one names the person, the other reads that it is done', async () => {
  for (let round = 0; round < 5; round += 1) {
    const { identityId, visit } = await see({ picture: aPicture(newFace()) });
    const tabs = await Promise.allSettled([
      unknown.identify(admin, identityId, named('First')),
      unknown.identify(admin, identityId, named('Second')),
    ]);
    const failed = tabs.filter(({ status }) => status === 'rejected');
    assert.equal(failed.length, 1);
    assert.equal((failed[0] as PromiseRejectedResult).reason.code, 'unknown_face_named');
    const winner = tabs[0].status === 'fulfilled' ? 'First' : 'Second';
    assert.deepEqual(await namesOf(visit.id), [`${winner} Example`]);
    assert.equal(await count('identity', sql`id = ${identityId} and person_id is not null`), 1);
  }
  assert.equal(
    await count('person', sql`first_name in ('First', 'Second')`),
    5,
    'nobody is added for nothing',
  );
});

test('two tabs that take back at once take back one thing', async () => {
  const { identityId } = await see({ picture: aPicture(newFace()) });
  const { correction } = await unknown.identify(admin, identityId, named('Once'));
  const tabs = await Promise.allSettled(
    [1, 2].map(() => unknown.undo(admin, identityId, correction!.id)),
  );
  assert.deepEqual(tabs.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected']);
  const failed = tabs.find((tab) => tab.status === 'rejected') as PromiseRejectedResult;
  assert.equal(failed.reason.code, 'correction_not_newest');
});

test('a person who was in view with another is not them', async () => {
  const [own, look, atMs] = [newFace(), newFace(), later()];
  const person = await world.person(admin, 'Derya', own);
  await see({ picture: aPicture(own), identityId: person.identityId, atMs });
  const stranger = await see({ picture: aPicture(look), atMs: atMs + 500 });
  await assert.rejects(unknown.identify(admin, stranger.identityId, { face: person.id }), {
    code: 'seen_together',
  });
  assert.equal(recognised(look), null);
  assert.equal((await unknown.identify(admin, stranger.identityId, named('Ela'))).count, 1);
});

test('C-304, ROL-011 names are given to whom one may see all of, and of people that are one’s own', async () => {
  const user = await world.actor('user');
  const own = await world.camera(user);
  const look = newFace();
  const stranger = await see({ picture: aPicture(look), camera: own });
  const theirs = await world.person(admin, 'Farid', newFace());
  await assert.rejects(unknown.identify(user, stranger.identityId, { face: theirs.id }), {
    code: 'face_update_forbidden',
  });
  const other = await world.actor('user');
  await assert.rejects(unknown.identify(other, stranger.identityId, named('Gül')), {
    code: 'unknown_face_not_found',
  });
  const face = await unknown.identify(admin, stranger.identityId, { face: theirs.id });
  // A person whose name they may not read is no unknown person of theirs any more (C-1009).
  await assert.rejects(unknown.undo(user, stranger.identityId, face.correction!.id), {
    code: 'unknown_face_not_found',
  });
  assert.equal(recognised(look), stranger.identityId, 'nothing was taken back');
  await unknown.undo(admin, stranger.identityId, face.correction!.id);
  await see({ picture: aPicture(look) });
  await assert.rejects(unknown.identify(user, stranger.identityId, named('Gül')), {
    code: 'unknown_face_seen_elsewhere',
  });
});

test('C-1003 erasing a person takes what was kept of the strangers they were', async () => {
  const look = newFace();
  const person = await world.person(admin, 'Hicran', newFace());
  const stranger = await see({ picture: aPicture(look) });
  await unknown.identify(admin, stranger.identityId, { face: person.id });
  await world.faces.remove(admin, person.id);
  for (const table of ['stranger_reference', 'face_embedding', 'face_image']) {
    assert.equal(await count(table, sql`identity_id = ${stranger.identityId}`), 0, table);
  }
  const erased = sql`id = ${stranger.identityId} and data_key is null and person_id is null`;
  assert.equal(await count('identity', erased), 1);
  assert.equal(await count('correction', sql`person_id = ${person.id}`), 0);
  await assert.rejects(world.visits.picture(admin, stranger.visit.id), {
    code: 'sighting_has_no_picture',
  });
  await assert.rejects(unknown.read(admin, stranger.identityId), {
    code: 'unknown_face_not_found',
  });
  assert.notEqual((await see({ picture: aPicture(look) })).identityId, stranger.identityId);
});

test('erased while they are identified: one of both happens, and nothing of an erased person is left', async () => {
  for (let round = 0; round < 5; round += 1) {
    const person = await world.person(admin, 'Ilham', newFace());
    const look = newFace();
    const { identityId } = await see({ picture: aPicture(look) });
    const [, identified] = await Promise.allSettled([
      world.faces.remove(admin, person.id),
      unknown.identify(admin, identityId, { face: person.id }),
    ]);
    if (identified.status === 'rejected') {
      // The person did not exist yet when the stranger was to be named, or not any more when the answer was read.
      assert.match(identified.reason.code, /^(unknown_)?face_not_found$/);
    } else {
      assert.equal(await count('identity', sql`id = ${identityId} and data_key is null`), 1);
    }
    assert.equal(await count('identity', sql`person_id = ${person.id}`), 0);
    assert.equal(recognised(look), null);
  }
});

test('another node recognises whom this one named, and forgets them when it is taken back', async () => {
  const { database, activity, clock } = world;
  const faces = await world.otherNode();
  const { cameras } = world;
  const node = new Visits({ db: database.db, faces, cameras, activity, clock, log: quietLog });
  const look = newFace();
  const { identityId } = await see({ picture: aPicture(look) });
  const { correction } = await unknown.identify(admin, identityId, named('Jale'));
  await until(() => node.personOf(identityId) !== null);
  await unknown.undo(admin, identityId, correction!.id);
  await until(() => node.personOf(identityId) === null);
  assert.equal((await see({ picture: aPicture(look) }, node)).identityId, identityId);
});
