/** A person who was unknown before they were enrolled: found by their face, shown, and erased or exported with them. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import type { UnknownMatches } from '@nazar/contract/privacy.ts';
import type { Scope } from '#http/scope.ts';
import { Problem } from '#lib/problem.ts';
import type { VisitPicture } from '#visits/visits.ts';
import { granting } from '#testing/grants.ts';
import { passersOf, newFace, unlike, type Passers } from '#testing/passers.ts';
import { aPrivacy, type TestPrivacy } from '#testing/privacy.ts';
import { assertCountsAreExact } from '#testing/recount.ts';
import { until } from '#testing/until.ts';
import { aPicture, aVector, aWorld, testPackName, type World } from '#testing/world.ts';
import { ErasedList } from './erased-list.ts';
import type { Privacy } from './privacy.ts';
import { replayErasures } from './privacy.ts';

const password = 'correct-horse-7-staple';
let world: World;
let privacy: TestPrivacy;
let running: Privacy;
let admin: Scope;
let user: Scope;
let theirs: string;
let others: string;
let see: Passers['see'];
let later: Passers['later'];

before(async () => {
  world = await aWorld();
  privacy = aPrivacy(world);
  running = privacy.start();
  admin = await world.actor('superadmin');
  user = await world.actor('user');
  theirs = await world.camera(user);
  others = await world.camera(admin);
  user = { ...user, grants: granting(others, ['live']) };
  ({ see, later } = passersOf(world, others));
});
after(async () => {
  await running[Symbol.asyncDispose]();
  privacy[Symbol.dispose]();
  await world[Symbol.asyncDispose]();
});

const matchesOf = async (scope: Scope, id: string): Promise<UnknownMatches> =>
  running.unknownMatches(scope, id);
const count = async (table: string, where: ReturnType<typeof sql>): Promise<number> => {
  const { rows } = await sql<{ n: number }>`
    select count(*)::integer as n from ${sql.table(table)} where ${where}`.execute(
    world.database.db.read(),
  );
  return rows[0]!.n;
};
const isReadable = async (identityId: string): Promise<boolean> =>
  (await count('identity', sql`id = ${identityId} and data_key is not null`)) === 1;
const listed = async (): Promise<string[]> => {
  const query = { page: 1, page_size: 100, ordering: '-timestamp' } as const;
  return (await world.visits.unknown.list(admin, query)).results.map(({ id }) => id);
};
const seen = async (picture: VisitPicture, camera = others): Promise<string> =>
  (await see({ picture, camera })).identityId;

/** 0.52 from the appearance's own picture, and farther from those of `unlike`. */
function elsewhere(look: number): VisitPicture {
  const [own, other] = [aVector(look), aVector(look + 60)];
  const apart = Math.hypot(...own.map((x, i) => other[i]! - x));
  return { ...aPicture(look), template: own.map((x, i) => x - ((other[i]! - x) * 0.52) / apart) };
}

/** Seen before they were enrolled: twice as one unknown person, once too badly to be distinguished from others. */
async function lateComer(owner: Scope, camera = others) {
  const look = newFace();
  const stranger = await seen(aPicture(look), camera);
  assert.equal(await seen(unlike(look, 0.3), camera), stranger);
  const single = await seen(unlike(look, 0.45, 0.2), camera);
  const person = await world.person(owner, `Person${look}`, look);
  return { ...person, look, stranger, single };
}

test('C-1003 a person who was unknown before is found by the face where it is as sure as a name; less alike is offered, unlike is not', async () => {
  const { id, identityId, look, stranger, single } = await lateComer(admin);
  const offered = await seen(unlike(look, -0.58));
  await seen(aPicture(newFace()));
  // In view of one camera with the person at once: it is not them.
  const atMs = later();
  await see({ picture: aPicture(look), identityId, atMs });
  const beside = (await see({ picture: elsewhere(look), atMs })).identityId;
  const { results, compared, all_cameras, is_comparable } = await matchesOf(admin, id);
  assert.deepEqual(
    results.map((one) => [one.id, one.number === null, one.visits, one.is_same, one.may_erase]),
    [
      [stranger, false, 2, true, true],
      [single, true, 1, true, true],
      [beside, true, 1, false, true],
      [offered, false, 1, false, true],
    ],
  );
  assert.ok(results[0]!.probability > 0.99 && results[3]!.probability < 0.75);
  assert.deepEqual(
    results.map(({ cameras, pictures }) => [cameras, pictures.length]),
    [2, 1, 1, 1].map((pictures) => [['Gate'], pictures]),
  );
  assert.deepEqual([all_cameras, is_comparable], [true, true]);
  assert.ok(compared! >= 5);
});

test('C-1003, C-1004 confirmed matches are erased with the person, the others stay, and the certificate lists both', async () => {
  const { id, look, stranger, single } = await lateComer(admin);
  const offered = await seen(unlike(look, -0.58));
  const before = await world.visits.counting.total(admin, new Date(0), new Date(later()));
  const { version, compared } = await matchesOf(admin, id);
  const node = await world.otherNode();
  // Another node has the stranger in memory.
  await world.database.db.transaction((tx) => node.strangers.lock(tx));
  assert.ok(node.strangers.likeThem(probe(look), 1, 5).has(stranger));
  const unknown = [stranger, single];
  await running.erase(admin, id, { password, unknown, unknown_version: version }, null);
  await until(() => !node.strangers.likeThem(probe(look), 1, 5).has(stranger));
  await running.runErasures();
  for (const gone of unknown) {
    assert.equal(await isReadable(gone), false);
    for (const table of ['visit_picture', 'stranger_reference', 'negative']) {
      assert.equal(await count(table, sql`identity_id = ${gone}`), 0, table);
    }
  }
  const [now] = [await listed()];
  assert.ok(!now.includes(stranger) && now.includes(offered));
  assert.equal(await count('visit_picture', sql`identity_id = ${offered}`), 1);
  const { results } = await running.list(admin, { page: 1, page_size: 1 });
  const { certificate, reason } = results[0]!;
  assert.equal(reason, 'asked');
  const all = { compared, not_comparable: 0, all_cameras: true, found: 3, taken: 2 };
  assert.deepEqual([certificate!.unknown, certificate!.pictures], [all, 3]);
  const after = await world.visits.counting.total(admin, new Date(0), new Date(later()));
  assert.deepEqual(after, before, 'no figure changes');
  await assertCountsAreExact(world.database.db);
  // The next day they are a new person, with no history.
  const again = await seen(aPicture(look));
  assert.ok(![stranger, single].includes(again));
  assert.equal((await world.visits.unknown.read(admin, again)).count, 1);
});

test('C-1003 an unknown person who is erased while in view leaves no picture, and is unknown again when they come back', async () => {
  const { id, stranger, look } = await lateComer(admin);
  const { visit } = await see({ picture: unlike(look, 0.2) });
  const other = await see({ picture: aPicture(newFace(), 0.5) });
  const { version } = await matchesOf(admin, id);
  await running.erase(admin, id, { password, unknown: [stranger], unknown_version: version }, null);
  // What the tracks of both say next, with a better picture.
  for (const [one, identityId] of [
    [visit, stranger],
    [other.visit, other.identityId],
  ] as const) {
    const better = { ...one.picture, quality: 0.99 };
    assert.equal(await world.visits.extend(one, identityId, better), identityId);
  }
  await running.runErasures();
  const kept = (one: string) => count('visit_picture', sql`visit_id = ${one}`);
  assert.deepEqual([await kept(visit.id), await kept(other.visit.id)], [0, 1]);
  const goesOn = { ...visit, id: world.visits.newVisitId(), startedAtMs: visit.endedAtMs };
  const again = await world.visits.write({ ...goesOn, mayGoOn: [visit.id] });
  assert.notEqual(again.identityId, stranger);
  assert.equal(again.id, goesOn.id);
});

const probe = (look: number) => [{ pack: testPackName, vector: aPicture(look).template }];

test('C-1003 nothing is taken that was not confirmed, and the certificate says that it was left', async () => {
  const { id, stranger, single } = await lateComer(admin);
  await running.erase(admin, id, { password }, null);
  await running.runErasures();
  assert.deepEqual([await isReadable(stranger), await isReadable(single)], [true, true]);
  const { results } = await running.list(admin, { page: 1, page_size: 1 });
  const { found, taken } = results[0]!.certificate!.unknown!;
  assert.deepEqual([found, taken], [2, 0]);
});

test('C-1003 where no photo of a person can be compared, no search is made, and the answer says so', async () => {
  const { id, stranger } = await lateComer(admin);
  await sql`update face_image set is_aside = true, doubt = 'disagrees_with_others' where person_id = ${id}`.execute(
    world.database.db.write(),
  );
  const found = await matchesOf(admin, id);
  assert.deepEqual([found.is_comparable, found.results, found.compared], [false, [], 0]);
  await running.erase(admin, id, { password, unknown_version: found.version }, null);
  await running.runErasures();
  const { results } = await running.list(admin, { page: 1, page_size: 1 });
  assert.equal(results[0]!.certificate!.unknown, null);
  assert.equal(await isReadable(stranger), true);
});

/** As another model left them: what it made is compared with nothing of the model in use. */
async function seenByAnother(...identityIds: readonly string[]): Promise<void> {
  for (const table of ['stranger_reference', 'visit_picture']) {
    await sql`update ${sql.table(table)} set pack_id = 'another' where identity_id = any(${identityIds})`.execute(
      world.database.db.write(),
    );
  }
  world.faces.strangers.refresh();
}

test('C-1003 people seen by another recognition model are counted apart, on the list and in the certificate', async () => {
  const { id, stranger, single } = await lateComer(admin);
  const before = await matchesOf(admin, id);
  await seenByAnother(stranger, single);
  const found = await matchesOf(admin, id);
  assert.deepEqual(found.results, []);
  assert.deepEqual(
    [found.compared, found.not_comparable],
    [before.compared! - 2, before.not_comparable + 2],
  );
  await running.erase(admin, id, { password, unknown_version: found.version }, null);
  await running.runErasures();
  const { results } = await running.list(admin, { page: 1, page_size: 1 });
  const { compared, not_comparable } = results[0]!.certificate!.unknown!;
  assert.deepEqual([compared, not_comparable], [found.compared, found.not_comparable]);
  // Others learn of those at their own cameras only.
  const mine = await lateComer(user, theirs);
  await seenByAnother(mine.stranger);
  const { results: theirsOnly, not_comparable: ofTheirs } = await matchesOf(user, mine.id);
  assert.deepEqual(
    [theirsOnly.map((one) => one.id), ofTheirs],
    [[mine.single], found.not_comparable + 1],
  );
  const apart = await world.actor('user');
  const alone = await lateComer(apart, await world.camera(apart));
  assert.equal((await matchesOf(apart, alone.id)).not_comparable, 0);
  assert.equal((await matchesOf(admin, alone.id)).not_comparable, found.not_comparable + 1);
});

test('C-1004 a certificate of before says nothing of people who could not be compared', async () => {
  const [row] = (await running.list(admin, { page: 1, page_size: 1 })).results;
  await sql`
    update erasure set certificate = certificate #- '{unknown,not_comparable}' where id = ${row!.id}`.execute(
    world.database.db.write(),
  );
  const [now] = (await running.list(admin, { page: 1, page_size: 1 })).results;
  assert.deepEqual(now!.certificate!.unknown, {
    ...row!.certificate!.unknown,
    not_comparable: null,
  });
});

test('C-1003 a list that has changed since it was shown is refused, and nothing is erased', async () => {
  const { id, stranger, look } = await lateComer(admin);
  const { version } = await matchesOf(admin, id);
  const changed = new Problem('unknown_matches_changed');
  const erase = (unknown: readonly string[], unknown_version?: string) =>
    running.erase(
      admin,
      id,
      { password, unknown: [...unknown], ...(unknown_version && { unknown_version }) },
      null,
    );
  const apart = await seen(aPicture(newFace()));
  await assert.rejects(erase([stranger]), changed, 'without the list');
  await assert.rejects(erase([apart], version), changed, 'who was not in it');
  await assert.rejects(erase([stranger, stranger], version), changed);
  assert.equal(await seen(unlike(look, 0.25)), stranger);
  await assert.rejects(erase([stranger], version), changed, 'seen again since');
  await assert.rejects(erase([], version), changed, 'also where none was chosen');
  assert.equal(await isReadable(stranger), true);
  assert.equal((await world.faces.read(admin, id)).id, id);
  await erase([stranger], (await matchesOf(admin, id)).version);
  assert.equal(await isReadable(stranger), false);
});

test('C-304, C-308 others than administrators are shown what they may see, erase what only their cameras saw, and learn of no more', async () => {
  const mine = await lateComer(user, theirs);
  const hidden = await world.camera(admin);
  const seenThere = await seen(unlike(mine.look, -0.55), hidden);
  const shared = await seen(unlike(mine.look, -0.56, 0.2), others);
  const found = await matchesOf(user, mine.id);
  assert.deepEqual(
    found.results.map(({ id, may_erase }) => [id, may_erase]),
    [
      [mine.stranger, true],
      [mine.single, true],
      [shared, false],
    ],
  );
  assert.deepEqual([found.compared, found.all_cameras], [null, false]);
  assert.ok((await matchesOf(admin, mine.id)).results.some(({ id }) => id === seenThere));
  const confirm = { password, unknown_version: found.version };
  await assert.rejects(
    running.erase(user, mine.id, { ...confirm, unknown: [shared] }, null),
    new Problem('unknown_face_seen_elsewhere'),
  );
  await assert.rejects(
    matchesOf(await world.actor('user'), mine.id),
    new Problem('face_not_found'),
  );
  await running.erase(user, mine.id, { ...confirm, unknown: [mine.stranger] }, null);
  const readable = [mine.stranger, mine.single, shared, seenThere].map(isReadable);
  assert.deepEqual(await Promise.all(readable), [false, true, true, true]);
});

test('C-714 an account has two searches at once at most, and makes no one else wait for more', async () => {
  const { id } = await lateComer(user, theirs);
  const asked = await Promise.allSettled(
    [user, user, user, admin].map((scope) => world.visits.unknownMatches.find(scope, id)),
  );
  assert.deepEqual(
    asked.map((one) => (one.status === 'rejected' ? (one.reason as Problem).code : 'answered')),
    ['answered', 'answered', 'too_many_requests', 'answered'],
  );
  assert.equal((await matchesOf(user, id)).results.length, 2);
});

test('accounts take turns to search: the second search of one waits for the first of another', async () => {
  const { id } = await lateComer(user, theirs);
  const order: string[] = [];
  const find = async (name: string, scope: Scope): Promise<void> => {
    await world.visits.unknownMatches.find(scope, id);
    order.push(name);
  };
  const other = await world.actor('superadmin');
  await Promise.all([
    ...['user 1', 'user 2'].map((name) => find(name, user)),
    ...['admin 1', 'admin 2'].map((name) => find(name, admin)),
    find('other 1', other),
  ]);
  assert.deepEqual(order, ['user 1', 'user 2', 'admin 1', 'other 1', 'admin 2']);
});

test('C-1005 a restored backup erases the unknown people again, and no one who bears another name in it', async () => {
  const { id, stranger } = await lateComer(admin);
  const { version } = await matchesOf(admin, id);
  const { db } = world.database;
  const { clock } = world;
  const { folder } = privacy;
  await running.erase(admin, id, { password, unknown: [stranger], unknown_version: version }, null);
  await running.runErasures();
  const entry = (await new ErasedList(folder).read()).find(({ personId }) => personId === id)!;
  assert.deepEqual(entry.unknownIds, [stranger]);
  assert.ok(!entry.identityIds.includes(stranger));
  // As in a backup from before: there the unknown person was another's by mistake.
  const other = await world.person(admin, 'Other', newFace());
  const before = await seen(aPicture(newFace()));
  await sql`update identity set person_id = ${other.id} where id = ${before}`.execute(db.write());
  await new ErasedList(folder).append([
    { personId: before, identityIds: [], unknownIds: [before] },
  ]);
  await replayErasures({ db, folder, clock });
  assert.equal(await isReadable(before), false);
  assert.equal(await count('person', sql`id = ${other.id}`), 1);
  assert.equal(await isReadable(other.identityId), true);
});
