import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { FaceFields, type FaceImage } from '@nazar/contract/faces.ts';
import type { Scope } from '#http/scope.ts';
import { recorded } from '#testing/activity-chain.ts';
import { enrolmentRightsOf } from '#app/rights.ts';
import { twoPacks } from '#testing/packs.ts';
import { until } from '#testing/until.ts';
import { aSeenFace, aVector, aWorld, quietLog, testPackName, type World } from '#testing/world.ts';
import { Faces } from '../faces.ts';

let world: World;
let admin: Scope;
let other: Scope;
let user: Scope;
let category: string;

before(async () => {
  world = await aWorld();
  [admin, other] = [await world.actor('admin'), await world.actor('superadmin')];
  user = await world.actor('user');
  category = (await world.faces.categories.list())[0]!.id;
});
after(() => world[Symbol.asyncDispose]());

/** A person with one photo of each of these faces: `aVector(look)`. Photos of one look agree, others never do. */
async function enrolled(scope: Scope, name: string, ...faceNumbers: number[]): Promise<string> {
  const fields = FaceFields.parse({ first_name: name, last_name: 'Example', category });
  const [first, ...more] = faceNumbers as [number, ...number[]];
  const { id } = await world.faces.add(scope, fields, [], aSeenFace(first));
  if (more.length > 0) await addPhotos(id, ...more);
  return id;
}

async function addPhotos(id: string, ...faceNumbers: number[]): Promise<void> {
  const photos = faceNumbers.map((look) => aSeenFace(look).photo);
  await world.database.db.transaction((tx) => world.faces.photos.keep(tx, id, photos));
  await world.faces.reloadPerson(id);
}

const images = async (id: string, scope = admin): Promise<FaceImage[]> =>
  (await world.faces.read(scope, id)).images;
/** What is said of each photo, in the order in which they were added. */
async function said(id: string, scope = admin): Promise<(string | null)[]> {
  return (await images(id, scope)).map(({ doubt }) => {
    if (doubt === null) return null;
    const { reason, set_aside, name } = doubt;
    return `${set_aside ? 'aside' : 'look'}: ${reason}${name === null ? '' : ` ${name}`}`;
  });
}

const isNamed = (id: string, look: number): boolean =>
  world.faces
    .nearest(aVector(look), testPackName, 4)
    .some(({ personId, distance }) => personId === id && distance < 0.1);
const deeds = async (id: string): Promise<unknown[]> =>
  (await recorded(world.database.db))
    .filter(({ object_id, action }) => object_id === id && action.startsWith('face.image_'))
    .map(({ action, user_id, details }) => [action, user_id, details['reason']]);

test('a photo that disagrees with the others is set aside, names no one, stays stored, and one press uses it again', async () => {
  const id = await enrolled(admin, 'Aylin', 1, 1, 2);
  const reason = 'disagrees_with_others';
  assert.deepEqual(await said(id), [null, null, `aside: ${reason}`]);
  const { usable_images, images: all } = await world.faces.read(admin, id);
  assert.deepEqual([usable_images, all.map(({ usable }) => usable)], [2, [true, true, false]]);
  assert.deepEqual([isNamed(id, 1), isNamed(id, 2)], [true, false]);
  assert.ok((await world.faces.photos.read(admin, id, all[2]!.id, 'full')).length > 0);
  const face = await world.faces.photos.useAgain(admin, id, all[2]!.id);
  assert.deepEqual([face.usable_images, face.images[2]!.doubt], [3, null]);
  assert.ok(isNamed(id, 2));
  assert.deepEqual(await deeds(id), [
    ['face.image_set_aside', null, reason],
    ['face.image_used_again', admin.userId, reason],
  ]);
});

test('~ENT-014 the main photo of a person is none that was set aside', async () => {
  const { image, images: all } = await world.faces.read(
    admin,
    await enrolled(admin, 'Asli', 15, 16, 16),
  );
  assert.deepEqual([all[0]!.usable, image], [false, all[1]!.image]);
});

test('a photo that was put back stays so until the photos of the person change', async () => {
  const id = await enrolled(admin, 'Banu', 3, 3, 4);
  const wrong = (await images(id))[2]!.id;
  await world.faces.photos.useAgain(admin, id, wrong);
  await world.faces.change(admin, id, { is_active: false });
  await world.faces.change(admin, id, { is_active: true });
  await world.faces.refresh();
  assert.deepEqual(await said(id), [null, null, null]);
  await addPhotos(id, 3);
  assert.deepEqual(await said(id), [null, null, 'aside: disagrees_with_others', null]);
  const [first, second, , fourth] = await images(id);
  for (const { id: imageId } of [first!, second!]) {
    await world.faces.photos.remove(admin, id, imageId);
  }
  const look = 'look: disagrees_with_others';
  assert.deepEqual(await said(id), [look, look]);
  await world.faces.photos.remove(admin, id, fourth!.id);
  assert.deepEqual(await said(id), [null], 'the only photo is used');
  assert.ok(isNamed(id, 4));
});

test('both photos that disagree are used and marked, until one fits an enrolled person', async () => {
  const id = await enrolled(admin, 'Cansu', 5, 6);
  const look = 'look: disagrees_with_others';
  assert.deepEqual(await said(id), [look, look]);
  assert.deepEqual([isNamed(id, 5), isNamed(id, 6)], [true, true]);
  const theirs = await enrolled(other, 'Derya', 6);
  await until(async () => (await said(id))[1] === 'aside: fits_other_person Derya Example');
  assert.deepEqual((await said(id))[0], look);
  // The gallery reads it anew just after it is said.
  await until(() => Promise.resolve(!isNamed(id, 6)));
  assert.deepEqual([isNamed(id, 6), isNamed(theirs, 6)], [false, true]);
  await world.faces.remove(other, theirs);
  await until(async () => (await said(id))[1] === look);
  await until(() => Promise.resolve(isNamed(id, 6)));
});

test('photos that a newcomer reaches are compared when recognition knows the newcomer, not before', async () => {
  await using own = await aWorld();
  const [{ id: category } = assert.fail('no category')] = await own.faces.categories.list();
  own.faces[Symbol.dispose]();
  const boss = await own.actor('admin');
  let known = Promise.resolve(new Set<string>());
  const { database, activity, accounts, cameras, clock, master } = own;
  using faces = await Faces.open({
    db: database.db,
    activity,
    key: master.derive('identities'),
    vision: twoPacks().vision,
    enrolmentRightsOf: enrolmentRightsOf(accounts, cameras),
    withheld: () => known,
    clock,
    log: quietLog,
  });
  const add = (first_name: string, look: number) => {
    const fields = FaceFields.parse({ first_name, last_name: 'Example', category });
    return faces.add(boss, fields, [], aSeenFace(look));
  };
  const { id } = await add('Cansu', 5);
  await database.db.transaction((tx) => faces.photos.keep(tx, id, [aSeenFace(6).photo]));
  await faces.reloadPerson(id);
  const compared = async (name: string): Promise<string | undefined> => {
    const read = database.db.read<{ person: { first_name: string; comparison: string } }>();
    const row = read.selectFrom('person').select('comparison').where('first_name', '=', name);
    return (await row.executeTakeFirst())?.comparison;
  };
  assert.equal(await compared('Cansu'), 'done');
  // Recognition learns of no one until this resolves.
  const learning = Promise.withResolvers<Set<string>>();
  known = learning.promise;
  const adding = add('Derya', 6);
  await until(async () => (await compared('Derya')) !== undefined);
  const checking = faces.photos.recheck();
  await until(async () => (await compared('Derya')) === 'done');
  for (let i = 0; i < 20; i += 1) assert.equal(await compared('Cansu'), 'others');
  learning.resolve(new Set());
  await Promise.all([adding, checking]);
  const doubts = async () => (await faces.read(boss, id)).images.map(({ doubt }) => doubt?.reason);
  await until(async () => (await doubts())[1] === 'fits_other_person');
});

test('~C-304 an entry of an account with fewer rights takes no photo away, and reveals no person the reader may not open', async () => {
  const theirs = await enrolled(admin, 'Elif', 7, 8);
  await enrolled(user, 'Fake', 8);
  const look = 'look: disagrees_with_others';
  assert.deepEqual(await said(theirs), [look, look]);
  const mine = await enrolled(user, 'Mine', 9, 10);
  await enrolled(admin, 'Hidden', 10);
  assert.deepEqual(await said(mine, user), [look, look]);
  const own = await enrolled(user, 'Own', 10);
  await until(async () => (await said(mine, user))[1] === 'aside: fits_other_person Own Example');
  await assert.rejects(world.faces.photos.useAgain(user, theirs, own), {
    code: 'face_update_forbidden',
  });
  await assert.rejects(world.faces.photos.useAgain(admin, theirs, own), {
    code: 'image_not_found',
  });
});

test('photos that came on another way, and those of before this was known, are compared in the background', async () => {
  const id = await enrolled(admin, 'Gul', 11, 11);
  const photos = [aSeenFace(12).photo];
  await world.database.db.transaction((tx) => world.faces.photos.keep(tx, id, photos));
  await until(async () => (await said(id))[2] === 'aside: disagrees_with_others');
  await until(() => Promise.resolve(!isNamed(id, 12)));
});

test('after a change of models the job compares the photos of everyone by the pack in use, once', async () => {
  const { db } = world.database;
  const id = await enrolled(admin, 'Hande', 13, 13, 14);
  await sql`
    update face_image set doubt = null, is_aside = false where person_id = ${id}`.execute(
    db.write(),
  );
  // Last: people who were compared by another pack may be compared at any moment.
  await sql`update person set compared_by = 'before@1'`.execute(db.write());
  assert.equal(await world.faces.photos.recheck(), true);
  assert.deepEqual(await said(id), [null, null, 'aside: disagrees_with_others']);
  assert.equal(await world.faces.photos.recheck(), false);
});
