import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import type { FaceQuery } from '@nazar/contract/faces.ts';
import { problemSentence } from '#http/sentences.ts';
import type { Scope } from '#http/scope.ts';
import { SealBroken } from '#lib/secrets.ts';
import { recorded } from '#testing/activity-chain.ts';
import { until } from '#testing/until.ts';
import { aPicture, aVector, aWorld, testPackName, type World } from '#testing/world.ts';

let world: World;
let admin: Scope;
let user: Scope;

before(async () => {
  world = await aWorld();
  [admin, user] = [await world.actor('admin'), await world.actor('user')];
});
after(() => world[Symbol.asyncDispose]());

const query = (more: Partial<FaceQuery> = {}): FaceQuery => ({
  ordering: '-created_at',
  page: 1,
  page_size: 1000,
  ...more,
});
const found = (look: number, faces = world.faces) =>
  faces.nearest(aVector(look), testPackName, 1).find(({ distance }) => distance < 0.1);

test('APF-001, APF-002, ROL-006 everyone reads the people they added, administrators all', async () => {
  const mine = await world.person(user, 'Mine', 1);
  const theirs = await world.person(admin, 'Theirs', 2);
  const ids = async (scope: Scope, more: Partial<FaceQuery> = {}): Promise<string[]> =>
    (await world.faces.list(scope, query(more))).results.map(({ id }) => id);
  assert.deepEqual(await ids(user), [mine.id]);
  assert.deepEqual((await ids(admin)).sort(), [mine.id, theirs.id].sort());
  assert.deepEqual(await ids(user, { created_by: admin.userId }), [], 'a filter widens nothing');
  await assert.rejects(world.faces.read(user, theirs.id), { code: 'face_not_found' });
  for (const search of ['%', '_', 'm_ne', '\\']) {
    assert.deepEqual(await ids(admin, { search }), [], `C-713 ${search} is plain text`);
  }
  assert.deepEqual(await ids(admin, { search: 'mine ex' }), [mine.id]);
  const { count, results } = await world.faces.list(admin, query({ page_size: 1, page: 2 }));
  assert.deepEqual([count, results.length], [2, 1]);
});

test('ROL-011, ROL-012, ROL-013 only who added a person, or an administrator, changes them', async () => {
  const { id } = await world.person(admin, 'Guarded', 3);
  const { faces } = world;
  await assert.rejects(faces.change(user, id, { notes: 'x' }), { code: 'face_update_forbidden' });
  await assert.rejects(faces.photos.add(user, id, []), { code: 'face_update_forbidden' });
  await assert.rejects(faces.photos.remove(user, id, id), { code: 'face_update_forbidden' });
  await assert.rejects(faces.remove(user, id), { code: 'face_delete_forbidden' });
  await assert.rejects(faces.remove(user, user.userId), { code: 'face_not_found' });
  const sentence = (code: string): string => problemSentence('en', code, {});
  assert.deepEqual(
    [sentence('face_update_forbidden'), sentence('face_delete_forbidden')],
    [
      'Permission denied: You can only update your own faces',
      'Permission denied: You can only delete your own faces',
    ],
  );
  const own = await world.person(user, 'Own', 4);
  assert.equal((await faces.change(admin, own.id, { notes: 'seen' })).notes, 'seen');
});

test('C-601 photo, chip and vector are sealed, and open in no other row', async () => {
  const { id } = await world.person(admin, 'Sealed', 5);
  const { rows } = await sql<{ photo: Buffer; thumbnail: Buffer; chip: Buffer; vector: Buffer }>`
    select photo, thumbnail, chip, vector from face_image
    join face_embedding on face_embedding.image_id = face_image.id where person_id = ${id}
  `.execute(world.database.db.read());
  const row = rows[0]!;
  const { chip } = aPicture(5);
  for (const sealed of [row.photo, row.thumbnail, row.chip]) assert.ok(!sealed.includes(chip));
  assert.ok(!row.vector.includes(Buffer.from(aVector(5).buffer)));
  const face = await world.faces.read(admin, id);
  const image = face.images[0]!.id;
  assert.deepEqual(await world.faces.photos.read(admin, id, image, 'full'), chip);
  await sql`update face_image set photo = thumbnail where id = ${image}`.execute(
    world.database.db.write(),
  );
  await assert.rejects(world.faces.photos.read(admin, id, image, 'full'), SealBroken);
});

test('FACE-052 a deactivated person is not recognized, and is again when active', async () => {
  const { id, identityId } = await world.person(admin, 'Paused', 6);
  await world.faces.change(admin, id, { is_active: false });
  assert.deepEqual([found(6), world.faces.personOf(identityId)], [undefined, null]);
  await world.faces.change(admin, id, { is_active: true });
  assert.equal(found(6)?.identityId, identityId);
  assert.equal(world.faces.personOf(identityId)?.name, 'Paused Example');
});

test('APF-009 once the last photo is gone, it identifies no one', async () => {
  const { id } = await world.person(admin, 'Bare', 7);
  const [image] = (await world.faces.read(admin, id)).images;
  const face = await world.faces.photos.remove(admin, id, image!.id);
  assert.deepEqual([face.image, face.images, face.usable_images], [null, [], 0]);
  assert.equal(found(7), undefined);
  await assert.rejects(world.faces.photos.remove(admin, id, image!.id), {
    code: 'image_not_found',
  });
});

test('C-1003 removal destroys the key at once, on every node, and matching stops', async () => {
  const node = await world.otherNode();
  const { id, identityId } = await world.person(admin, 'Erased', 8);
  await until(() => found(8, node) !== undefined);
  await node.keyOf(identityId); // the key is open in the memory of that node
  await world.faces.remove(admin, id);
  assert.equal(found(8), undefined);
  await assert.rejects(world.faces.keyOf(identityId), SealBroken);
  await until(() => found(8, node) === undefined);
  await assert.rejects(node.keyOf(identityId), SealBroken);
  const { rows } = await sql<{ data_key: Buffer | null; left: number }>`
    select data_key, (select count(*) from face_embedding where identity_id = identity.id) as left
    from identity where id = ${identityId}
  `.execute(world.database.db.read());
  assert.deepEqual(rows, [{ data_key: null, left: 0 }]);
});

test('C-1003 changes and a removal at the same time leave no one in the gallery', async () => {
  const { id } = await world.person(admin, 'Hurried', 9);
  const settled = Array.from({ length: 6 }, (_, n) =>
    world.faces.change(admin, id, { notes: `${n}` }).catch(() => undefined),
  );
  await world.faces.remove(admin, id);
  await Promise.all(settled);
  assert.equal(found(9), undefined);
});

test('FACE-006, FACE-007 the list is narrowed to a category, to who is active and who is not, and to both', async () => {
  const categories = await world.faces.categories.list();
  const [employee, vip] = ['employee', 'vip'].map(
    (wanted) => categories.find(({ name }) => name === wanted)!.id,
  );
  const made: Record<string, string> = {};
  for (const [name, category, is_active] of [
    ['Active employee', employee, true],
    ['Employee on leave', employee, false],
    ['Active guest', vip, true],
    ['Guest on leave', vip, false],
  ] as const) {
    const { id } = await world.person(admin, name, 60 + Object.keys(made).length);
    await world.faces.change(admin, id, { category: category!, is_active });
    made[id] = name;
  }
  const names = async (more: Partial<FaceQuery>): Promise<string[]> => {
    const { results } = await world.faces.list(admin, query(more));
    return results.flatMap(({ id }) => made[id] ?? []).toSorted();
  };
  assert.deepEqual(await names({ category: vip! }), ['Active guest', 'Guest on leave']);
  assert.deepEqual(await names({ is_active: true }), ['Active employee', 'Active guest']);
  assert.deepEqual(await names({ is_active: false }), ['Employee on leave', 'Guest on leave']);
  assert.deepEqual(await names({ category: vip!, is_active: false }), ['Guest on leave']);
  assert.equal((await names({})).length, 4);
});

test('FACE-063, FACE-064, ~ENT-016, C-120 categories: three to begin with, names once', async () => {
  const names = async (): Promise<string[]> =>
    (await world.faces.categories.list()).map(({ name }) => name).sort();
  assert.deepEqual(await names(), ['employee', 'vip', 'visitor']);
  const added = await world.faces.categories.add(admin, { name: 'courier', color: '#2563eb' });
  assert.equal(added.color, '#2563eb');
  const again = world.faces.categories.add(admin, { name: 'COURIER', color: '#000000' });
  await assert.rejects(again, { code: 'category_exists' });
  assert.equal((await names()).length, 4);
  const entries = await recorded(world.database.db);
  const made = entries.filter(({ action }) => action === 'face.category_added');
  assert.deepEqual(
    made.map(({ user_id, object_id }) => [user_id, object_id]),
    [[admin.userId, added.id]],
  );
  const nowhere = world.faces.change(admin, (await world.person(admin, 'Lost', 10)).id, {
    category: user.userId,
  });
  await assert.rejects(nowhere, { code: 'category_not_found' });
});
