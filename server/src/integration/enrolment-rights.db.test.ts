/** What an account enrols counts on the cameras it may see, by whatever way that came about, and never against more rights. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Scope } from '#http/scope.ts';
import { until } from '#testing/until.ts';
import { aVector, aWorld, testPackName, type World } from '#testing/world.ts';

let world: World;
let admin: Scope;

before(async () => {
  world = await aWorld();
  admin = await world.actor('admin');
});
after(() => world[Symbol.asyncDispose]());

/** Ids of the people who may be the face at a camera, by tier; nearer than any limit. */
const mayBe = (cameraId: string, look: number): string[][] =>
  world.faces
    .candidates(cameraId, aVector(look), testPackName)
    .map(({ nearest }) => nearest.filter(({ distance }) => distance < 0.1).map(({ who }) => who));

/** Rights are asked anew every two seconds. */
async function later(isSo: () => boolean): Promise<void> {
  await until(() => {
    world.clock.advance(2_000);
    return isSo();
  });
}

test('C-304 each tier has the people of its accounts, and the numbers of those before it', async () => {
  const camera = await world.camera(admin);
  const [operator, user] = [await world.actor('operator'), await world.actor('user')];
  for (const scope of [operator, user]) {
    await world.cameras.access.give(admin, {
      to: { type: 'user', id: scope.userId },
      of: { type: 'camera', id: camera },
      capabilities: ['live'],
      categories: [],
    });
  }
  const people: string[] = [];
  for (const scope of [admin, operator, user])
    people.push((await world.person(scope, 'Ana', 11)).id);
  assert.deepEqual(
    mayBe(camera, 11),
    people.map((id) => [id]),
  );
  const sizes = world.faces
    .candidates(camera, aVector(11), testPackName)
    .map(({ gallerySize }) => gallerySize);
  assert.deepEqual(sizes, [1, 2, 3]);
  const elsewhere = await world.camera(admin);
  assert.deepEqual(mayBe(elsewhere, 11), [[people[0]], [], []], 'nobody granted that camera');
});

test('C-207, C-304 a grant, a group, a role and their end change what counts within two seconds', async () => {
  const [camera, user] = [await world.camera(admin), await world.actor('user')];
  const { id } = await world.person(user, 'Eva', 12);
  const counts = (): boolean => mayBe(camera, 12).flat().includes(id);
  assert.equal(counts(), false);
  const { access, groups } = world.cameras;
  const given = { capabilities: ['live' as const], categories: [] };
  const toUser = { type: 'user', id: user.userId } as const;

  const grant = await access.give(admin, {
    to: toUser,
    of: { type: 'camera', id: camera },
    ...given,
  });
  await later(counts);
  await access.take(admin, grant.id);
  await later(() => !counts());

  const yard = await groups.add(admin, {
    name: 'Yard',
    description: '',
    cameras: [camera],
  });
  const guards = await world.accounts.groups.add(admin, {
    name: 'Guards',
    description: '',
    members: [user.userId],
  });
  const toGuards = { type: 'user_group', id: guards.id } as const;
  await access.give(admin, { to: toGuards, of: { type: 'camera_group', id: yard.id }, ...given });
  await later(counts);
  await groups.remove(admin, yard.id);
  await later(() => !counts());

  const superadmin = await world.actor('superadmin');
  await world.accounts.administration.change(superadmin, user.userId, { role: 'admin' });
  await later(() => mayBe(camera, 12)[0]!.includes(id));
});

test('SES-041 the people of an administrator who left are known until they are erased or taken over', async () => {
  const [camera, leaver] = [await world.camera(admin), await world.actor('admin')];
  const { id } = await world.person(leaver, 'Ida', 13);
  assert.deepEqual(mayBe(camera, 13), [[id], [], []]);
  await world.accounts.own.delete(leaver, { password: 'correct-horse-7-staple' }, null);
  world.clock.advance(2_000);
  await world.faces.refresh();
  assert.deepEqual(mayBe(camera, 13), [[id], [], []]);
});

test('C-304 a person enrolled twice is one face with two entries, the older first, whatever is changed', async () => {
  const camera = await world.camera(admin);
  const other = await world.actor('superadmin');
  const first = await world.person(admin, 'Una', 14);
  world.clock.advance(1_000);
  const second = await world.person(other, 'Una', 14);
  const [nearest] = world.faces.candidates(camera, aVector(14), testPackName);
  const near = nearest!.nearest.filter(({ distance }) => distance < 0.1);
  const said = Object.fromEntries(
    near.map(({ who, earlier, later: after }) => [who, { earlier, after }]),
  );
  assert.deepEqual(said, {
    [first.id]: { earlier: [], after: [second.id] },
    [second.id]: { earlier: [first.id], after: [] },
  });
});
