/** Wherever a name is compared its capitals do not matter, in the letters of every language. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { FaceFields } from '@nazar/contract/faces.ts';
import { createScope, noGrants, type Scope } from '#http/scope.ts';
import { testPassword, testServer, type SignedIn, type TestServer } from '#testing/server.ts';
import { aCameraForm, aSeenFace, aVisit } from '#testing/world.ts';

/** First and last name; in all capitals and in none, as their languages write them, and as those of others would. */
const names = [
  { first: 'Elvin', last: 'Əliyev', spelled: ['ELVİN ƏLİYEV', 'elvin əliyev', 'ELVIN ƏLIYEV'] },
  { first: 'İlqar', last: 'Işıqlı', spelled: ['İLQAR IŞIQLI', 'ilqar ışıqlı', 'ilqar işiqli'] },
  { first: 'Иван', last: 'Щукин', spelled: ['ИВАН ЩУКИН', 'иван щукин'] },
] as const;

let world: TestServer;
let who: SignedIn;
let scope: Scope;

before(async () => {
  world = await testServer();
  who = await world.signIn('superadmin');
  const { id: userId, email } = who;
  scope = createScope({ userId, email, sessionId: userId, standing: 'superadmin' }, noGrants);
  const { accounts, faces, cameras, visits } = world.server;
  const [category] = await faces.categories.list();
  for (const [look, { first, last }] of names.entries()) {
    const fields = { first_name: first, last_name: last, category: category!.id };
    const person = FaceFields.parse(fields);
    await faces.add(scope, person, [], aSeenFace(look + 1));
    const user = {
      email: `user${look}@example.org`,
      password: testPassword,
      role: 'user',
    } as const;
    await accounts.createUser({ ...user, firstName: first, lastName: last });
    const { id: cameraId } = await cameras.add(scope, aCameraForm({ name: `${first} ${last}` }));
    const atMs = world.clock.now() - 3_600_000 * (look + 1);
    await visits.write(aVisit(cameraId, atMs, { identityId: await identityOf(first) }));
  }
});
after(() => world[Symbol.asyncDispose]());

async function identityOf(firstName: string): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    select identity.id from identity join person on person.id = person_id
    where first_name = ${firstName}`.execute(world.database.db.read());
  return rows[0]!.id;
}

const logs = '/secure-api/activity-log/';

interface Counted {
  readonly total_detections: number;
}

/** Lists and figures that take a name, and how many of it they find. */
const places: Readonly<Record<string, (name: string) => Promise<number>>> = {
  'people of the Face Database': (name) => countOf(`/secure-api/faces/?search=${name}`),
  'face log': (name) => countOf(`${logs}face-logs/?person_name=${name}`),
  'figures of face logs': async (name) =>
    (await read<{ total: number }>(`${logs}face-logs/stats/?person_name=${name}`)).total,
  'figures by hour': async (name) =>
    (await read<{ total: number }>(`${logs}face-logs/counts/?by=hour&person_name=${name}`)).total,
  'panel of people': (name) => sumOf(`${logs}face-logs/by-person/?person_name=${name}`),
  'panel of cameras': (name) => sumOf(`${logs}face-logs/by-date/?person_name=${name}`),
  'daily table': (name) => countOf(`${logs}daily-face-logs/?person_name=${name}`),
  cameras: (name) => countOf(`/secure-api/cameras/?search=${name}`),
  users: (name) => countOf(`/secure-api/accounts/users/?search=${name}`),
  // The camera that has the name was added.
  'activity log': (name) => countOf(`${logs}activity-logs/?search=${name}&content_type=camera`),
};

async function read<T>(url: string): Promise<T> {
  const reply = await who.get(encodeURI(url));
  assert.equal(reply.status, 200, `${url}: ${reply.text}`);
  return reply.json<T>();
}
const countOf = async (url: string): Promise<number> => (await read<{ count: number }>(url)).count;

const sumOf = async (url: string): Promise<number> => {
  const reply = await read<Counted[] | { results: Counted[] }>(url);
  const rows = Array.isArray(reply) ? reply : reply.results;
  return rows.reduce((sum, { total_detections }) => sum + total_detections, 0);
};

test('~LDD-001, ~APL-008 capitals of a name do not matter wherever it is compared, and another name is not found', async () => {
  for (const [place, find] of Object.entries(places)) {
    for (const { first, last, spelled } of names) {
      for (const name of [`${first} ${last}`, ...spelled]) {
        assert.equal(await find(name), 1, `${place}: ${name}`);
      }
    }
    assert.equal(await find('Elvin Eliyev'), 0, `${place} takes another name for this one`);
  }
});

test('names of groups and categories differ in more than capitals', async () => {
  const faces = await read<{ results: { id: string }[] }>('/secure-api/cameras/');
  const cameras = faces.results.map(({ id }) => id);
  const adding: Readonly<Record<string, object>> = {
    '/secure-api/faces/categories/': { color: '#2563eb' },
    '/secure-api/accounts/groups/': { description: '', members: [] },
    '/secure-api/cameras/groups/': { description: '', cameras },
  };
  for (const [url, rest] of Object.entries(adding)) {
    for (const { last, spelled } of names) {
      const first = await who.send('POST', url, { ...rest, name: last });
      assert.equal(first.status, 201, `${url}: ${first.text}`);
      for (const name of spelled) {
        const second = await who.send('POST', url, { ...rest, name: name.split(' ')[1] });
        assert.deepEqual([second.status, Object.keys(second.json())], [409, ['name']], name);
      }
    }
  }
});

test('APD-007 a person is deleted by the name in other capitals, unless another has exactly this one', async () => {
  const url = '/secure-api/face_detector/face/recognition/';
  const remove = (name: string) => who.send('POST', url, { action: 'delete_face', name });
  const { faces } = world.server;
  const [category] = await faces.categories.list();
  const twin = { first_name: 'ИВАН', last_name: 'ЩУКИН', category: category!.id };
  await faces.add(scope, FaceFields.parse(twin), [], aSeenFace(names.length + 1));
  assert.equal((await remove('иван щукин')).status, 409, 'two have it');
  assert.equal((await remove('Иван Щукин')).status, 200, 'one has exactly this one');
  assert.deepEqual(await namesLeft(), ['Elvin Əliyev', 'İlqar Işıqlı', 'ИВАН ЩУКИН'].toSorted());
  for (const name of ['иван щукин', 'ELVIN ƏLIYEV', 'ilqar ışıqlı']) {
    assert.equal((await remove(name)).status, 200, name);
  }
  assert.deepEqual(await namesLeft(), []);
});

async function namesLeft(): Promise<string[]> {
  const { results } = await read<{ results: { first_name: string; last_name: string }[] }>(
    '/secure-api/faces/',
  );
  return results.map(({ first_name, last_name }) => `${first_name} ${last_name}`).toSorted();
}
