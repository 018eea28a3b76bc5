import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Face } from '@nazar/contract/faces.ts';
import type { Warning } from '@nazar/contract/warnings.ts';
import { testServer, type SignedIn, type TestServer } from '#testing/server.ts';
import { aCameraForm, aPicture, aSeenFace, aVisit } from '#testing/world.ts';
import { until } from '#testing/until.ts';
import { FaceFields } from '@nazar/contract/faces.ts';
import { createScope, noGrants } from '#http/scope.ts';
import type { Standing } from '@nazar/contract/route.ts';

let world: TestServer;
let category: string;
let admin: SignedIn;

before(async () => {
  world = await testServer();
  admin = await world.signIn('admin');
  category = (await world.server.faces.categories.list())[0]!.id;
});
after(() => world[Symbol.asyncDispose]());

/** A person whose photo is `aVector(look)`; the photo itself needs no models. */
async function enrolled(who: SignedIn, standing: Standing, name: string, look: number) {
  const scope = createScope(
    { userId: who.id, email: who.email, sessionId: who.id, standing },
    noGrants,
  );
  const fields = FaceFields.parse({ first_name: name, last_name: 'Example', category });
  return world.server.faces.add(scope, fields, [], aSeenFace(look));
}

const similar = async (who: SignedIn, id: string): Promise<string[]> =>
  (await who.get(`/secure-api/faces/${id}/`)).json<Face>().similar.map(({ name }) => name);

const warned = async (): Promise<Warning[]> => {
  const { results } = (await admin.get('/secure-api/system/warnings/')).json<{
    results: Warning[];
  }>();
  return results.filter(({ kind }) => kind === 'person_matched');
};

test('~C-304 people who may be the same are shown as such to users who may open both, and to no one else', async () => {
  const user = await world.signIn('user', 'plain@example.org');
  const mine = await enrolled(user, 'user', 'Mine', 21);
  const theirs = await enrolled(admin, 'admin', 'Theirs', 21);
  await enrolled(admin, 'admin', 'Other', 22);
  assert.deepEqual(await similar(admin, theirs.id), ['Mine Example']);
  assert.deepEqual(await similar(admin, mine.id), ['Theirs Example']);
  assert.deepEqual(await similar(user, mine.id), []);
  const { results } = (await admin.get('/secure-api/faces/')).json<{ results: Face[] }>();
  const listed = Object.fromEntries(results.map((face) => [face.first_name, face.similar.length]));
  assert.deepEqual(listed, { Mine: 1, Theirs: 1, Other: 0 });
  const [{ probability } = { probability: 0 }] = theirs.similar;
  assert.ok(probability > 0.75 && probability <= 1);
  await user.send('DELETE', `/secure-api/faces/${mine.id}/`);
  assert.deepEqual(await similar(admin, theirs.id), []);
});

test('C-808 administrators are warned when an account adds a person like one of theirs, once for each account', async () => {
  const [first, second] = [
    await world.signIn('user', 'first@example.org'),
    await world.signIn('operator', 'second@example.org'),
  ];
  const victim = await enrolled(admin, 'admin', 'Victim', 31);
  await enrolled(first, 'user', 'Alone', 32);
  assert.deepEqual(await warned(), []);
  const fake = await enrolled(first, 'user', 'Fake', 31);
  await enrolled(first, 'user', 'Fake again', 31);
  await enrolled(second, 'operator', 'Fake', 32);
  await until(async () => (await warned())[0]?.count === 2);
  const [warning, ...others] = await warned();
  assert.deepEqual(others, [], 'a person of another user is none of an administrator’s');
  assert.equal(warning!.subject, first.email);
  assert.equal(warning!.details['user'], first.id);
  assert.equal(warning!.details['matches'], victim.id);
  assert.notEqual(warning!.details['face'], fake.id, 'the newest');
  const shown = await admin.get(`/secure-api/faces/?created_by=${first.id}`);
  const matches = shown.json<{ results: Face[] }>().results.map((face) => face.similar[0]?.name);
  assert.ok(matches.includes('Victim Example'));
});

test('APF-003 a person is made of JSON, too, with the face of a visit, and is the sender’s', async () => {
  const other = await world.signIn('user', 'another@example.org');
  const added = await admin.send('POST', '/secure-api/cameras/', aCameraForm());
  const { id: cameraId } = added.json<{ id: string }>();
  const visit = aVisit(cameraId, world.clock.now(), { picture: aPicture(31) });
  await world.server.visits.write(visit);
  const fields = { first_name: 'Nigar', last_name: 'Veli', category, email: 'n@example.org' };
  const sent = { ...fields, created_by: other.id, sighting: visit.id };
  const reply = await admin.send('POST', '/secure-api/faces/', sent);
  assert.equal(reply.status, 201, reply.text);
  const { id } = reply.json<Face>();
  const kept = (await admin.get(`/secure-api/faces/${id}/`)).json<Face>();
  assert.partialDeepStrictEqual(kept, { ...fields, created_by: admin.id, is_active: true });
  assert.equal(kept.images.length, 1);
  const bare = await admin.send('POST', '/secure-api/faces/', fields);
  assert.deepEqual([bare.status, Object.keys(bare.json())], [400, ['image']]);
});
