/** What happens to the people of an account that ended, and to users who ask to be erased. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { ActivityQuery } from '@nazar/contract/activity.ts';
import { uuidv7 } from '#lib/ids.ts';
import { ActivityLog } from '#activity/activity.ts';
import { aPrivacy, type TestPrivacy } from '#testing/privacy.ts';
import { recorded } from '#testing/activity-chain.ts';
import { aPicture, aVector, aVisit, aWorld, testPackName, type World } from '#testing/world.ts';
import type { Scope } from '#http/scope.ts';
import type { VisitPicture } from '#visits/visits.ts';
import { ErasedList } from './erased-list.ts';
import { replayErasures } from './privacy.ts';

const password = 'correct-horse-7-staple';
const dayMs = 24 * 60 * 60_000;
let world: World;
let privacy: TestPrivacy;
let admin: Scope;
let lastFace = 0;

before(async () => {
  world = await aWorld();
  privacy = aPrivacy(world);
  admin = await world.actor('superadmin');
});
after(async () => {
  privacy[Symbol.dispose]();
  await world[Symbol.asyncDispose]();
});

const count = async (table: string, where = sql`true`): Promise<number> => {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from ${sql.table(table)} where ${where}`.execute(world.database.db.read());
  return rows[0]!.n;
};
const isRecognised = (look: number): boolean =>
  world.faces.nearest(aVector(look), testPackName, 1).some(({ distance }) => distance < 0.1);

/** A person enrolled and seen once; a stranger seen beside them. */
async function seen(owner: Scope, cameraId: string) {
  const look = (lastFace += 1);
  const person = await world.person(owner, `Person${look}`, look);
  const picture = aPicture(look);
  const { identityId } = person;
  await world.visits.write(aVisit(cameraId, world.clock.now(), { identityId, picture }));
  return { ...person, look };
}

const activityQuery = (user: string) => ActivityQuery.parse({ user, action: 'view' });

async function runOut(): Promise<void> {
  await using running = privacy.start();
  await running.runErasures();
}

async function endAccount(owner: Scope): Promise<void> {
  await world.accounts.own.delete({ ...owner, ip: '' }, { password }, null);
}

test('SES-041, CFL-011, H-22 people of an ended account are erased within a day, their visits too', async () => {
  const owner = await world.actor('admin');
  const camera = await world.camera(owner);
  const others = await world.camera(admin);
  const [mine, again] = [await seen(owner, camera), await seen(owner, others)];
  const theirs = await seen(admin, camera);
  const stranger = await world.visits.write(aVisit(camera, world.clock.now()));
  await endAccount(owner);
  await runOut();
  assert.ok(await count('person', sql`id = ${mine.id}`), 'somebody may still take them over');
  world.clock.advance(dayMs);
  await runOut();
  for (const { id, identityId, look } of [mine, again]) {
    assert.equal(await count('person', sql`id = ${id}`), 0);
    for (const table of ['face_image', 'face_embedding', 'visit_picture', 'visit']) {
      assert.equal(await count(table, sql`identity_id = ${identityId}`), 0, table);
    }
    assert.equal(await count('visit_day', sql`identity_id = ${identityId}`), 0);
    assert.equal(await count('identity', sql`id = ${identityId} and data_key is not null`), 0);
    assert.ok(!isRecognised(look));
  }
  assert.equal(await count('visit', sql`identity_id = ${stranger.identityId}`), 0);
  assert.ok(isRecognised(theirs.look), 'who was enrolled by others stays');
  assert.equal(await count('visit', sql`identity_id = ${theirs.identityId}`), 1);
});

test('SES-041 only what cameras of an ended account saw of a stranger goes, if others saw them too', async () => {
  const owner = await world.actor('admin');
  const [theirs, others] = [await world.camera(owner), await world.camera(admin)];
  const record = (camera: string, picture: VisitPicture) => {
    world.clock.advance(60_000);
    return world.visits.write(aVisit(camera, world.clock.now(), { picture }));
  };
  const look = (lastFace += 1);
  const { identityId } = await record(theirs, aPicture(look));
  await record(others, { ...aPicture(look), template: aVector(look).map((x) => x * 1.3) });
  await record(theirs, aPicture(look));
  await endAccount(owner);
  world.clock.advance(dayMs);
  await runOut();
  for (const table of ['visit', 'visit_picture', 'stranger_reference']) {
    assert.equal(await count(table, sql`identity_id = ${identityId}`), 1, table);
  }
  const { rows } = await sql<{ certificate: { pictures: number; visits: number } }>`
    select certificate from erasure where subject_id = ${owner.userId}`.execute(
    world.database.db.read(),
  );
  assert.deepEqual([rows[0]?.certificate.pictures, rows[0]?.certificate.visits], [2, 2]);
  const { identityId: again } = await record(others, aPicture(look));
  assert.equal(again, identityId, 'they are known by what others saw');
});

test('C-1004 the activity log has a certificate without a word of whom, and it holds in the chain', async () => {
  const owner = await world.actor('user');
  const camera = await world.camera(admin);
  const person = await seen(owner, camera);
  await endAccount(owner);
  world.clock.advance(dayMs);
  await runOut();
  const entries = (await recorded(world.database.db)).filter((e) => e.action === 'privacy.erased');
  const digest = createHash('sha256').update(person.id).digest('hex');
  const entry = entries.find(({ details }) => details['subject_digest'] === digest)!;
  assert.deepEqual([entry.source, entry.user_id, entry.object_type], ['system', null, 'erasure']);
  const { images, vectors, pictures, visits, tables_clean } = entry.details;
  assert.deepEqual([images, vectors, pictures, visits, tables_clean], [1, 1, 1, 1, true]);
  const text = JSON.stringify(entry);
  for (const secret of [person.id, person.identityId, owner.userId, 'Person']) {
    assert.ok(!text.includes(secret), secret);
  }
  await using running = privacy.start();
  const { results } = await running.list(admin, { page: 1, page_size: 100 });
  const listed = results.find(({ certificate }) => certificate?.subject_digest === digest)!;
  assert.deepEqual([listed.state, listed.reason], ['done', 'account_ended']);
  const limitMs = Date.parse(listed.due_at) - Date.parse(listed.requested_at);
  assert.equal(limitMs, 30 * dayMs);
  assert.ok(Date.parse(listed.cleaned_at!) - Date.parse(listed.requested_at) <= dayMs);
});

test('SES-041 a user who takes the people over keeps them, and what is left of the account goes', async () => {
  const [owner, heir] = [await world.actor('user'), await world.actor('operator')];
  const camera = await world.camera(admin);
  const person = await seen(owner, camera);
  await endAccount(owner);
  await using running = privacy.start();
  const waiting = await running.endedAccounts(admin);
  assert.deepEqual(
    waiting.map(({ user_id, people }) => [user_id, people]),
    [[owner.userId, 1]],
  );
  await assert.rejects(running.handOver(admin, owner.userId, owner.userId), {
    code: 'user_not_found',
  });
  assert.equal(await running.handOver(admin, owner.userId, heir.userId), 1);
  assert.deepEqual(await running.endedAccounts(admin), []);
  world.clock.advance(dayMs);
  await runOut();
  assert.equal((await world.faces.read(heir, person.id)).created_by, heir.userId);
  assert.ok(isRecognised(person.look));
});

test('C-1003 an account’s notes go with it, even when another takes its people over', async () => {
  const { activity, clock, database } = world;
  const log = new ActivityLog({ db: database.db, activity, clock, development: false });
  const [owner, heir] = [await world.actor('user'), await world.actor('operator')];
  const camera = await world.camera(owner);
  const { identityId } = await world.visits.write(aVisit(camera, clock.now()));
  for (const id of ['n-1', undefined]) {
    await log.add(owner, { id, action: 'view', description: 'Looked at Canary' }, 'en');
  }
  const line = (): Promise<string> =>
    log
      .list(admin, activityQuery(owner.userId), 'en')
      .then(({ results }) => results[0]!.description);
  assert.equal(await line(), 'Looked at Canary');
  await endAccount(owner);
  await using running = privacy.start();
  await running.handOver(admin, owner.userId, heir.userId);
  await runOut();
  assert.notEqual(await line(), 'Looked at Canary');
  assert.equal(await count('activity_note', sql`user_id = ${owner.userId}`), 0);
  const done = sql`subject_id = ${owner.userId} and cleaned_at is not null`;
  assert.equal(await count('erasure', done), 1);
  assert.equal(await count('visit', sql`identity_id = ${identityId}`), 1, 'visits stay');
});

test('C-1004 ended after any step, by a process that never comes back, it is finished by the next', async () => {
  const owner = await world.actor('user');
  const camera = await world.camera(admin);
  const people = [await seen(owner, camera), await seen(owner, camera), await seen(owner, camera)];
  await endAccount(owner);
  world.clock.advance(dayMs);
  let steps = 0;
  for (let more = true; more; steps += 1) {
    // Each step by a process of its own, which never answers again.
    await privacy.start().erasures.collect();
    more = await privacy.start().erasures.step();
  }
  assert.ok(steps >= 5, `${steps} steps`);
  for (const { id, identityId, look } of people) {
    assert.equal(await count('person', sql`id = ${id}`), 0);
    assert.equal(await count('visit', sql`identity_id = ${identityId}`), 0);
    assert.ok(!isRecognised(look));
  }
  assert.equal(await count('erasure', sql`cleaned_at is null`), 0);
  const digests = (await recorded(world.database.db))
    .filter(({ action }) => action === 'privacy.erased')
    .map(({ details }) => details['subject_digest']);
  assert.equal(new Set(digests).size, digests.length, 'one certificate each');
});

test('C-1003 two nodes at once: one erases, nothing is done twice', async () => {
  const owner = await world.actor('user');
  const camera = await world.camera(admin);
  for (let i = 0; i < 5; i += 1) await seen(owner, camera);
  await endAccount(owner);
  world.clock.advance(dayMs);
  await Promise.all([runOut(), runOut(), runOut()]);
  await runOut();
  const erased = await count(
    'erasure',
    sql`subject_id = ${owner.userId} and cleaned_at is not null`,
  );
  assert.equal(erased, 1);
  const { rows } = await sql<{ certificate: { people: number } }>`
    select certificate from erasure where subject_id = ${owner.userId}`.execute(
    world.database.db.read(),
  );
  assert.equal(rows[0]?.certificate.people, 5);
});

test('C-1003 a deleted person is cleaned up after as well; their visits stay, of an erased person', async () => {
  const camera = await world.camera(admin);
  const person = await seen(admin, camera);
  await world.faces.remove(admin, person.id);
  await runOut();
  assert.equal(await count('visit_picture', sql`identity_id = ${person.identityId}`), 0);
  const { results } = await world.visits.list(admin, {
    page: 1,
    limit: 1000,
    camera_id: camera,
  });
  assert.deepEqual(
    results.map(({ person_name, face_image_url }) => [person_name, face_image_url]),
    [['Erased person', null]],
  );
  const done = sql`subject_id = ${person.id} and reason = 'deleted' and cleaned_at is not null`;
  assert.equal(await count('erasure', done), 1);
});

test('C-1005 a restored backup forgets again whom was erased since, from the list outside of it', async () => {
  const camera = await world.camera(admin);
  const person = await seen(admin, camera);
  const { folder } = privacy;
  const ids = { personId: person.id, identityIds: [person.identityId], unknownIds: [] };
  assert.ok(isRecognised(person.look));
  // The database is older than the list: nothing of this erasure is in it.
  await new ErasedList(folder).append([ids]);
  const { db } = world.database;
  const { clock } = world;
  assert.equal(await replayErasures({ db, folder, clock }), 1);
  assert.equal(await replayErasures({ db, folder, clock }), 0, 'repeating changes nothing');
  const node = await world.otherNode();
  const near = node.nearest(aVector(person.look), testPackName, 1);
  assert.ok(near.every(({ distance }) => distance > 0.1));
  assert.equal(await count('person', sql`id = ${person.id}`), 0);
  await runOut();
  const replayed = sql`subject_id = ${person.id} and reason = 'replayed' and cleaned_at is not null`;
  assert.equal(await count('erasure', replayed), 1);
});

test('C-1005 after a line that was cut off the list goes on', async () => {
  const before = (await new ErasedList(privacy.folder).read()).length;
  appendFileSync(join(privacy.folder, 'erased.list'), '0190f7c1-0000-7000-8000-0000000000');
  const list = new ErasedList(privacy.folder);
  assert.equal((await list.read()).length, before);
  const ids = { personId: uuidv7(1), identityIds: [uuidv7(2)], unknownIds: [uuidv7(3)] };
  await list.append([ids]);
  await list.append([ids]);
  assert.deepEqual((await new ErasedList(privacy.folder).read()).slice(before), [ids]);
});
