/** Consent and the export of one person, through the routes. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { AlertPage } from '@nazar/contract/alerts.ts';
import type { Consent, UnknownCompared, UnknownMatches } from '@nazar/contract/privacy.ts';
import type { Visit } from '@nazar/contract/visits.ts';
import { FaceFields } from '@nazar/contract/faces.ts';
import { createScope, noGrants } from '#http/scope.ts';
import { recorded } from '#testing/activity-chain.ts';
import { testPassword, testServer, type SignedIn, type TestServer } from '#testing/server.ts';
import { until } from '#testing/until.ts';
import { aCameraForm, aPicture, aSeenFace, aVector, aVisit, testPackName } from '#testing/world.ts';

const settings = '/secure-api/settings/update_system_settings/';
let world: TestServer;
let admin: SignedIn;
let user: SignedIn;
let lastFace = 0;

before(async () => {
  world = await testServer();
  admin = await world.signIn('superadmin');
  user = await world.signIn('user');
});
after(() => world[Symbol.asyncDispose]());

const scopeOf = ({ id, email }: SignedIn) =>
  createScope({ userId: id, email, sessionId: id, standing: 'superadmin' }, noGrants);

async function aPerson(owner: SignedIn) {
  const look = (lastFace += 1);
  const { faces } = world.server;
  const [category] = await faces.categories.list();
  const name = { first_name: `Name${look}`, last_name: 'Example', category: category!.id };
  const fields = FaceFields.parse({ ...name, notes: 'Prefers tea' });
  const { id, images } = await faces.add(scopeOf(owner), fields, [], aSeenFace(look));
  return { id, look, imageId: images[0]!.id, path: `/secure-api/privacy/people/${id}/` };
}

const isRecognised = (look: number): boolean =>
  world.server.faces.nearest(aVector(look), testPackName, 1).some(({ distance }) => distance < 0.1);
const consentOf = async (who: SignedIn, path: string): Promise<Consent> =>
  (await who.get(`${path}consent/`)).json<Consent>();
const dayAhead = (days: number): string =>
  new Date(world.clock.now() + days * 86_400_000).toISOString().slice(0, 10);

test('C-1001 nothing recorded says so; what is recorded has who did it and when', async () => {
  const { path, id } = await aPerson(user);
  const before = await consentOf(user, path);
  assert.deepEqual(
    [before.basis, before.recorded_by, before.allows_recognition],
    ['not_recorded', null, true],
  );
  const form = { basis: 'consent', obtained_at: dayAhead(-1), expires_at: dayAhead(30) };
  const saved = await user.send('PUT', `${path}consent/`, { ...form, document: 'Folder 7' });
  assert.equal(saved.status, 200, saved.text);
  const { recorded_by, recorded_by_name, document, allows_recognition } = saved.json<Consent>();
  assert.deepEqual(
    [recorded_by, recorded_by_name, document, allows_recognition],
    [user.id, 'Test user', 'Folder 7', true],
  );
  const entry = (await recorded(world.database.db)).findLast(({ object_id }) => object_id === id)!;
  assert.equal(entry.action, 'privacy.consent_changed');
  assert.ok(!JSON.stringify(entry.details).includes('Folder'), 'the activity log cannot forget');
  const wrong = { ...form, expires_at: form.obtained_at };
  assert.equal((await user.send('PUT', `${path}consent/`, wrong)).status, 400);
  const other = await world.signIn('user', 'other@example.org');
  for (const [obtained_at, expires_at] of [
    [null, dayAhead(0)],
    [null, '1970-01-01'],
    ['0000-01-01', null],
  ]) {
    const refused = await user.send('PUT', `${path}consent/`, { ...form, obtained_at, expires_at });
    assert.equal(refused.status, 400, `${obtained_at} to ${expires_at}`);
  }
  assert.equal((await other.get(`${path}consent/`)).status, 404);
  assert.equal((await other.send('PUT', `${path}consent/`, form)).status, 403);
});

test('C-1001 where a basis is required no one is recognized without one, however they were added', async () => {
  const known = await aPerson(admin);
  assert.ok(isRecognised(known.look));
  const policy = (requireConsent: boolean) =>
    admin.send('PATCH', settings, { privacy: { requireConsent } });
  assert.equal((await policy(true)).status, 200);
  await until(() => !isRecognised(known.look));
  const added = await aPerson(admin);
  assert.ok(!isRecognised(added.look));
  assert.equal((await consentOf(admin, added.path)).allows_recognition, false);
  const basis = { basis: 'contract', obtained_at: null, expires_at: null };
  await admin.send('PUT', `${added.path}consent/`, basis);
  assert.ok(isRecognised(added.look));
  await admin.send('PUT', `${added.path}consent/`, { ...basis, basis: 'not_recorded' });
  assert.ok(!isRecognised(added.look), 'taken back');
  await policy(false);
  await until(() => isRecognised(known.look) && isRecognised(added.look));
});

test('C-1007 a user who may see a person, and proves who they are, gets everything of that person', async () => {
  const person = await aPerson(admin);
  const { visits, cameras, faces } = world.server;
  const { id: camera } = await cameras.add(scopeOf(admin), aCameraForm());
  const [nearest] = faces.nearest(aVector(person.look), testPackName, 1);
  const { identityId } = nearest!;
  const picture = { ...aPicture(person.look), attributes: { age: 40, man: null, emotion: null } };
  const visit = aVisit(camera, world.clock.now(), { identityId, picture });
  await visits.write(visit);
  await visits.write(aVisit(camera, world.clock.now()));
  // From before they were added: too badly seen to be distinguished from others.
  const early = aVisit(camera, world.clock.now() - 60_000, { picture: aPicture(person.look, 0.2) });
  await visits.write(early);
  const url = `${person.path}export/`;
  assert.equal((await admin.send('POST', url, { password: 'wrong' })).status, 400);
  assert.equal((await user.send('POST', url, { password: testPassword })).status, 404);
  const found = (await admin.get(`${person.path}unknown/`)).json<UnknownMatches>();
  const unknown = found.results.map(({ id }) => id);
  assert.equal(unknown.length, 1);
  assert.equal((await user.get(`${person.path}unknown/`)).status, 404);
  const withUnknown = { password: testPassword, unknown, unknown_version: found.version };
  const outdated = { ...withUnknown, unknown_version: 'other' };
  assert.equal((await admin.send('POST', url, outdated)).status, 409);
  const answer = await world.app.inject({
    method: 'POST',
    url,
    headers: { host: 'localhost', authorization: `Bearer ${admin.access}` },
    payload: withUnknown,
  });
  assert.deepEqual([answer.statusCode, answer.headers['content-type']], [200, 'application/x-tar']);
  const folder = mkdtempSync(join(tmpdir(), 'nazar-export-'));
  const unpacked = spawnSync('tar', ['-x', '-C', folder], { input: answer.rawPayload });
  assert.equal(unpacked.status, 0, String(unpacked.stderr));
  const read = (name: string): string => readFileSync(join(folder, name), 'utf8');
  const { first_name, notes, consent } = JSON.parse(read('person.json')) as Record<string, unknown>;
  assert.deepEqual([first_name, notes], [`Name${person.look}`, 'Prefers tea']);
  assert.equal((consent as Consent).basis, 'not_recorded');
  const listed = JSON.parse(read('visits.json')) as (Pick<Visit, 'id' | 'attributes'> & {
    picture: string;
  })[];
  const age = { from: 35, to: 45 };
  assert.deepEqual(
    listed.map(({ id, picture, attributes }) => [id, picture, attributes]),
    [[visit.id, `visits/${visit.id}.jpg`, { age, gender: null, emotion: null }]],
  );
  const before = JSON.parse(read('unknown-visits.json')) as {
    searched: UnknownCompared;
    visits: { id: string; picture: string }[];
  };
  const { found: offered, taken } = before.searched;
  assert.deepEqual(
    [offered, taken, before.visits.map(({ id, picture: of }) => [id, of])],
    [1, 1, [[early.id, `visits/${early.id}.jpg`]]],
  );
  const { chip } = aPicture(person.look);
  assert.deepEqual(readFileSync(join(folder, 'visits', `${early.id}.jpg`)), chip);
  assert.deepEqual(readFileSync(join(folder, 'visits', `${visit.id}.jpg`)), chip);
  assert.deepEqual(readdirSync(join(folder, 'photos')), [`${person.imageId}.jpg`]);
  const vector = Buffer.from(aVector(person.look).buffer);
  assert.ok(!answer.rawPayload.includes(vector), 'C-1002 no vector leaves');
  rmSync(folder, { recursive: true });
  const actions = (await recorded(world.database.db)).filter((e) => e.object_id === person.id);
  assert.equal(actions.filter(({ action }) => action === 'privacy.exported').length, 1);
});

interface ExportedAlert {
  readonly id: string;
  readonly kind: string;
  readonly visits: number;
}

/** The file of alerts in what the caller gets of that person. */
async function exportedAlerts(
  who: SignedIn,
  path: string,
  more: { readonly unknown?: readonly string[]; readonly unknown_version?: string } = {},
): Promise<ExportedAlert[]> {
  const answer = await world.app.inject({
    method: 'POST',
    url: `${path}export/`,
    headers: { host: 'localhost', authorization: `Bearer ${who.access}` },
    payload: { password: testPassword, ...more },
  });
  assert.equal(answer.statusCode, 200);
  const { stdout } = spawnSync('tar', ['-xO', 'alerts.json'], { input: answer.rawPayload });
  return JSON.parse(String(stdout)) as ExportedAlert[];
}

test('C-1007 the export names the alerts that the person was in, with how often, and nothing of the others in them', async () => {
  const { visits, cameras, faces, alerts } = world.server;
  const [one, other] = [await aPerson(admin), await aPerson(admin)];
  const categories = (await faces.categories.list()).map(({ id }) => id);
  const rule = { kind: 'watched_person', level: 'critical', categories };
  assert.equal((await admin.send('POST', '/secure-api/alerts/rules/', rule)).status, 201);
  const { id: camera } = await cameras.add(scopeOf(admin), aCameraForm());
  const identityOf = ({ look }: { look: number }): string =>
    faces.nearest(aVector(look), testPackName, 1)[0]!.identityId;
  for (const [person, times] of [
    [one, 2],
    [other, 3],
  ] as const) {
    const identityId = identityOf(person);
    for (let n = 0; n < times; n += 1) {
      world.clock.advance(60_000);
      const picture = aPicture(person.look);
      await visits.write(aVisit(camera, world.clock.now(), { identityId, picture }));
    }
  }
  // Both were in view before they were known: one alert of unknown people, with a third.
  const early = aPicture(one.look, 0.2);
  for (const picture of [early, aPicture(other.look, 0.2), aPicture(900)]) {
    world.clock.advance(60_000);
    await visits.write(aVisit(camera, world.clock.now(), { picture }));
  }
  world.clock.advance(60_000);
  await alerts.evaluate();
  const raised = (await admin.get('/secure-api/alerts/?page_size=100')).json<AlertPage>().results;
  const ofUnknown = raised.find(({ kind }) => kind === 'unknown_person')!;
  assert.equal(ofUnknown.people, 3);
  const alone = await exportedAlerts(admin, one.path);
  assert.deepEqual(
    alone.map(({ kind, visits }) => [kind, visits]),
    [['watched_person', 2]],
  );
  const { results, version } = (await admin.get(`${one.path}unknown/`)).json<UnknownMatches>();
  const unknown = results.filter(({ is_same }) => is_same).map(({ id }) => id);
  const confirmed = { unknown, unknown_version: version };
  const both = await exportedAlerts(admin, one.path, confirmed);
  assert.deepEqual(
    both.map(({ id, kind, visits }) => [id, kind, visits]),
    [
      [ofUnknown.id, 'unknown_person', 1],
      [alone[0]!.id, 'watched_person', 2],
    ],
  );
  assert.deepEqual(
    Object.keys(both[0]!).toSorted(),
    ['camera', 'camera_name', 'created_at', 'id', 'kind', 'level', 'visits'],
    'neither how many were in it nor what users noted',
  );
  const ofOther = await exportedAlerts(admin, other.path);
  assert.deepEqual(
    ofOther.map(({ kind, visits }) => [kind, visits]),
    [['watched_person', 3]],
  );
  assert.ok(!ofOther.some(({ id }) => alone.some((own) => own.id === id)));
});

test('C-1001 a consent that ended stops recognition on that day, without any action', async () => {
  const { path, look, id } = await aPerson(admin);
  const form = { basis: 'consent', obtained_at: dayAhead(-1), expires_at: dayAhead(2) };
  await admin.send('PUT', `${path}consent/`, form);
  assert.ok(isRecognised(look));
  // From noon to the last hour of the day before, then an hour into the day.
  world.clock.advance(35 * 60 * 60_000);
  const hasEnded = async () => (await world.server.privacy.consent(scopeOf(admin), id)).has_ended;
  assert.equal(await hasEnded(), false);
  assert.ok(isRecognised(look));
  world.clock.advance(60 * 60_000);
  await until(() => !isRecognised(look));
  assert.equal(await hasEnded(), true);
  const renewed = { ...form, basis: 'consent', expires_at: dayAhead(30), document: '' } as const;
  await world.server.privacy.recordConsent(scopeOf(admin), id, renewed);
  assert.ok(isRecognised(look), 'renewed');
});
