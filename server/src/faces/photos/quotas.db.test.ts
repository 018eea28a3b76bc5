import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { FaceFields, type Face } from '@nazar/contract/faces.ts';
import type { RecognitionSettings } from '@nazar/contract/settings.ts';
import type { Scope } from '#http/scope.ts';
import { passersOf, newFace } from '#testing/passers.ts';
import { testServer } from '#testing/server.ts';
import {
  aPicture,
  aSeenFace,
  aVisit,
  aWorld,
  noVision,
  quietLog,
  type World,
} from '#testing/world.ts';
import { Faces } from '../faces.ts';

let world: World;
let admin: Scope;
let category: string;

before(async () => {
  world = await aWorld();
  admin = await world.actor('admin');
  category = (await world.faces.categories.list())[0]!.id;
});
after(() => world[Symbol.asyncDispose]());

const set = (recognition: Partial<RecognitionSettings>): Promise<void> =>
  world.settings.change(admin, { recognition }, { confirmed: false });

let lastFace = 0;
const add = (scope: Scope, faces = world.faces): Promise<Face> => {
  const fields = FaceFields.parse({ first_name: 'Some', last_name: 'Body', category });
  return faces.add(scope, fields, [], aSeenFace((lastFace += 1)));
};
const count = async (scope: Scope): Promise<number> =>
  (await world.faces.list(scope, { ordering: 'created_at', page: 1, page_size: 1 })).count;

test('C-524 fifty who add people at once stay within the bound of their account', async () => {
  const [user, other] = [await world.actor('user'), await world.actor('operator')];
  await set({ peoplePerAccount: 10 });
  const tried = await Promise.allSettled(Array.from({ length: 50 }, () => add(user)));
  const refused = tried.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
  assert.equal(refused.length, 40);
  for (const { code, params } of refused) {
    assert.deepEqual([code, params], ['people_too_many', { max: 10 }]);
  }
  assert.equal(await count(user), 10);
  await add(other);
  assert.equal(await count(other), 1, 'the bound is of each account');
  for (let i = 0; i < 11; i += 1) await add(admin);
});

test('C-524 a user who deletes a person has room again, and a lower bound removes no one', async () => {
  const user = await world.actor('user');
  await set({ peoplePerAccount: 2 });
  const { id } = await add(user);
  await add(user);
  await assert.rejects(add(user), { code: 'people_too_many' });
  await world.faces.remove(user, id);
  await add(user);
  await set({ peoplePerAccount: 1 });
  assert.equal(await count(user), 2);
  const [kept] = (await world.faces.list(user, { ordering: 'created_at', page: 1, page_size: 1 }))
    .results;
  await world.faces.change(user, kept!.id, { notes: 'still theirs to change' });
  await set({ peoplePerAccount: 1_000 });
});

test('C-524 photos of all people of an account count together, and fifty at once do not exceed them', async () => {
  const user = await world.actor('user');
  await set({ photosPerAccount: 5 });
  const tried = await Promise.allSettled(Array.from({ length: 50 }, () => add(user)));
  assert.equal(tried.filter(({ status }) => status === 'fulfilled').length, 5);
  await assert.rejects(add(user), { code: 'photos_too_many', params: { max: 5 } });
  const [face] = (await world.faces.list(user, { ordering: 'created_at', page: 1, page_size: 1 }))
    .results;
  const photo = Buffer.from('none is checked');
  await assert.rejects(world.faces.photos.add(user, face!.id, [{ bytes: photo }]), {
    code: 'photos_too_many',
  });
  await set({ photosPerAccount: 5_000 });
});

test('C-524 the space of an account’s photos is bounded', async () => {
  const user = await world.actor('user');
  const size = aPicture(1).chip.length;
  const { activity, clock, database, master } = world;
  await using vision = noVision(clock);
  // Room for one photo with its thumbnail and what seals them, and for a second one that is no larger.
  const room = { peoplePerAccount: 100, photosPerAccount: 100 };
  using faces = await Faces.open({
    db: database.db,
    activity,
    key: master.derive('identities'),
    vision,
    enrolmentRightsOf: async () => new Map(),
    limits: async () => ({ ...room, photoGiBPerAccount: (6 * size + 200) / 1024 ** 3 }),
    clock,
    log: quietLog,
  });
  const tried = await Promise.allSettled(Array.from({ length: 20 }, () => add(user, faces)));
  const refused = tried.flatMap((one) => (one.status === 'rejected' ? [one.reason.code] : []));
  assert.ok(refused.length > 15 && refused.length < 20, `${20 - refused.length} had room`);
  assert.deepEqual([...new Set(refused)], ['photo_storage_full']);
  await add(admin, faces);
});

test('C-524 a stranger becomes a new person within the bound, and their picture is kept where there is room', async () => {
  const { unknown } = world.visits;
  const user = await world.actor('operator');
  const { see } = passersOf(world, await world.camera(user));
  const first = await see({ picture: aPicture(newFace()) });
  const second = await see({ picture: aPicture(newFace()) });
  await set({ peoplePerAccount: 1 });
  const name = { first_name: 'New', last_name: 'Body', category };
  const { face } = await unknown.identify(user, first.identityId, name);
  await assert.rejects(unknown.identify(user, second.identityId, name), {
    code: 'people_too_many',
  });
  await set({ peoplePerAccount: 1_000, photosPerAccount: 1 });
  await assert.rejects(unknown.identify(user, second.identityId, name), {
    code: 'photos_too_many',
  });
  const named = await unknown.identify(user, second.identityId, { face: face! });
  assert.equal(named.face, face);
  assert.equal((await world.faces.read(user, face!)).images.length, 1, 'without another photo');
  await set({ photosPerAccount: 5_000 });
});

test('C-524, SET-016 an administrator sets the bound, and a user who meets it reads what to do', async () => {
  await using server = await testServer();
  const [boss, user] = [await server.signIn('admin'), await server.signIn('user')];
  const cameras = '/secure-api/cameras/';
  const { id: camera } = (
    await boss.send('POST', cameras, { name: 'Gate', location: 'Yard' })
  ).json<{ id: string }>();
  const to = { type: 'user', id: user.id };
  const of = { type: 'camera', id: camera };
  await boss.send('PUT', `${cameras}grants/`, { to, of, capabilities: ['live'], categories: [] });
  const patch = (recognition: object) =>
    boss.send('PATCH', '/secure-api/settings/update_system_settings/', { recognition });
  assert.equal((await patch({ peoplePerAccount: 0 })).status, 400);
  assert.equal((await patch({ peoplePerAccount: 1 })).status, 200);
  const enrol = async (look: number) => {
    const visit = aVisit(camera, server.clock.now() + look, { picture: aPicture(look) });
    await server.server.visits.write(visit);
    return user.send('POST', '/secure-api/faces/', {
      first_name: 'Some',
      last_name: 'Body',
      category,
      sighting: visit.id,
    });
  };
  assert.equal((await enrol(1)).status, 201);
  const reply = await enrol(2);
  assert.equal(reply.status, 409, reply.text);
  assert.match(reply.text, /at most 1 people\. Delete people .*administrator/);
});
