/** Strangers who are merged and split: their past and what follows, and all of it taken back. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import type { Scope } from '#http/scope.ts';
import { passersOf, newFace, unlike, type Passers } from '#testing/passers.ts';
import { recorded } from '#testing/activity-chain.ts';
import { aPicture, aWorld, quietLog, type World } from '#testing/world.ts';
import { Visits } from './visits.ts';
import type { UnknownFaces } from './unknown-faces.ts';

let world: World;
let admin: Scope;
let gate: string;
let see: Passers['see'];
let later: Passers['later'];
let unknown: UnknownFaces;

before(async () => {
  world = await aWorld();
  admin = await world.actor('admin');
  gate = await world.camera(admin);
  ({ see, later } = passersOf(world, gate));
  ({ unknown } = world.visits);
});
after(() => world[Symbol.asyncDispose]());

const identityOf = async (visitId: string): Promise<string> => {
  const { rows } = await sql<{ identity_id: string }>`
    select identity_id from visit where id = ${visitId}`.execute(world.database.db.read());
  return rows[0]!.identity_id;
};
/** The stranger of a visit, as others read it. */
const strangerOf = async (visitId: string): Promise<string> => {
  const { rows } = await sql<{ id: string }>`
    select coalesce(merged_into, identity.id) as id
    from visit join identity on identity.id = identity_id where visit.id = ${visitId}`.execute(
    world.database.db.read(),
  );
  return rows[0]!.id;
};
const isListed = (id: string): Promise<boolean> =>
  unknown.read(admin, id).then(
    () => true,
    () => false,
  );
const visitsOf = async (id: string): Promise<Set<string>> => {
  const { results } = await world.visits.list(admin, { unknown: id, page: 1, limit: 100 });
  return new Set(results.map((row) => row.id));
};
const erase = (...ids: readonly string[]): Promise<void> =>
  world.database.db.transaction((tx) => world.faces.erasing.strangers(tx, ids));
/** The same installation on another machine. */
async function elsewhere(): Promise<Visits> {
  const { database, activity, clock } = world;
  const { cameras } = world;
  const faces = await world.otherNode();
  return new Visits({ db: database.db, faces, cameras, activity, clock, log: quietLog });
}

test('two strangers who are one have one past and one number, and are two again when it is taken back', async () => {
  const [look, other] = [newFace(), newFace()];
  const [one, two] = [
    await see({ picture: aPicture(look) }),
    await see({ picture: aPicture(other) }),
  ];
  const node = await elsewhere();
  const before = await unknown.read(admin, one.identityId);
  const merged = await unknown.merge(admin, one.identityId, two.identityId);
  assert.deepEqual(
    [merged.id, merged.number, merged.count, merged.correction?.kind],
    [one.identityId, before.number, 2, 'merge'],
  );
  assert.equal(await isListed(two.identityId), false);
  assert.deepEqual(await visitsOf(one.identityId), new Set([one.visit.id, two.visit.id]));
  for (const picture of [unlike(look, 0.3), unlike(other, 0.3)]) {
    const { visit } = await see({ picture }, node);
    assert.equal(await strangerOf(visit.id), one.identityId, 'whichever look they come with');
  }
  const back = await unknown.undo(admin, one.identityId, merged.correction!.id);
  assert.deepEqual([back.id, back.count, back.correction], [one.identityId, 2, null]);
  const second = await unknown.read(admin, two.identityId);
  assert.deepEqual([second.number, second.count], [before.number + 1, 2]);
  const again = await see({ picture: aPicture(other) }, node);
  assert.equal(await strangerOf(again.visit.id), two.identityId);
  const deeds = (await recorded(world.database.db)).filter(
    ({ object_id }) => object_id === one.identityId,
  );
  assert.deepEqual(
    deeds.map(({ action }) => action),
    ['face.unknown_merged', 'face.unknown_undone'],
  );
});

test('the last correction is taken back first, whatever it was', async () => {
  const [a, b, c] = [
    (await see({ picture: aPicture(newFace()) })).identityId,
    (await see({ picture: aPicture(newFace()) })).identityId,
    (await see({ picture: aPicture(newFace()) })).identityId,
  ];
  const first = (await unknown.merge(admin, b, c)).correction!;
  const second = (await unknown.merge(admin, a, b)).correction!;
  const [category] = await world.faces.categories.list();
  const name = { first_name: 'Leyla', last_name: 'Example', category: category!.id };
  const third = (await unknown.identify(admin, a, name)).correction!;
  for (const older of [first, second]) {
    await assert.rejects(unknown.undo(admin, a, older.id), { code: 'correction_not_newest' });
  }
  await assert.rejects(
    unknown.merge(admin, a, (await see({ picture: aPicture(newFace()) })).identityId),
    {
      code: 'unknown_face_named',
    },
  );
  assert.equal((await unknown.undo(admin, a, third.id)).count, 3);
  assert.equal((await unknown.undo(admin, a, second.id)).count, 1);
  assert.deepEqual([await isListed(b), await isListed(c)], [true, false]);
  assert.equal((await unknown.undo(admin, b, first.id)).count, 1);
  assert.equal(await isListed(c), true);
});

test('two who were in view at once are not made one', async () => {
  const atMs = later();
  const one = await see({ picture: aPicture(newFace()), atMs });
  const two = await see({ picture: aPicture(newFace()), atMs: atMs + 900 });
  await assert.rejects(unknown.merge(admin, one.identityId, two.identityId), {
    code: 'seen_together',
  });
  await assert.rejects(unknown.merge(admin, one.identityId, one.identityId), {
    code: 'unknown_face_itself',
  });
});

test('a person who stands beside a part of a merged stranger is none of them', async () => {
  const [look, other] = [newFace(), newFace()];
  const one = await see({ picture: aPicture(look) });
  const two = await see({ picture: aPicture(other) });
  await unknown.merge(admin, one.identityId, two.identityId);
  // The stranger is known only by the first one's picture.
  await world.database.db.transaction(async (tx) => {
    await world.faces.strangers.lock(tx);
    await world.faces.strangers.forgetVisits(tx, [two.visit.id]);
  });
  const atMs = two.visit.startedAtMs + 500;
  const beside = await see({ picture: aPicture(look), atMs });
  assert.notEqual(await strangerOf(beside.visit.id), one.identityId);
});

test('visits that were another person get a stranger of their own, and both are distinguished', async () => {
  const look = newFace();
  const visits = [];
  for (const distance of [0, 0.3, 0.6, 0.9])
    visits.push(await see({ picture: unlike(look, distance) }));
  const [first, second, third, fourth] = visits.map(({ visit }) => visit.id);
  const id = visits[0]!.identityId;
  assert.deepEqual(await visitsOf(id), new Set([first, second, third, fourth]));
  const made = await unknown.split(admin, id, [third!, fourth!, fourth!]);
  assert.deepEqual([made.count, made.correction?.kind, made.status], [2, 'split', 'new']);
  assert.equal((await unknown.read(admin, id)).count, 2);
  assert.deepEqual(await visitsOf(made.id), new Set([third, fourth]));
  assert.deepEqual(await world.visits.picture(admin, third!), aPicture(look).chip, 'sealed again');
  const node = await elsewhere();
  for (const [distance, stranger] of [
    [0.05, id],
    [0.85, made.id],
  ] as const) {
    const { visit } = await see({ picture: unlike(look, distance) }, node);
    assert.equal(await strangerOf(visit.id), stranger);
  }
  const one = await unknown.undo(admin, made.id, made.correction!.id);
  assert.deepEqual([one.id, one.count], [id, 6]);
  assert.equal(await isListed(made.id), false);
});

test('splitting a stranger off leaves the other known by what is left', async () => {
  const look = newFace();
  const good = await see({ picture: aPicture(look) });
  const { visit } = await see({ picture: unlike(look, 0.1, 0.5) });
  await unknown.split(admin, good.identityId, [good.visit.id]);
  const { rows } = await sql<{ visit_id: string }>`
    select visit_id from stranger_reference where identity_id = ${good.identityId}`.execute(
    world.database.db.read(),
  );
  assert.deepEqual(rows, [{ visit_id: visit.id }]);
});

test('only visits of that stranger are split off, and never all of them', async () => {
  const one = await see({ picture: aPicture(newFace()) });
  const other = await see({ picture: aPicture(newFace()) });
  await assert.rejects(unknown.split(admin, one.identityId, [one.visit.id]), {
    code: 'unknown_face_split_whole',
  });
  await assert.rejects(unknown.split(admin, one.identityId, [other.visit.id]), {
    code: 'sighting_not_found',
  });
  assert.equal(await identityOf(other.visit.id), other.identityId);
});

test('a split is not taken back once both were in view together, or the other got a name', async () => {
  const look = newFace();
  const one = await see({ picture: aPicture(look) });
  const two = await see({ picture: unlike(look, 0.4) });
  const made = await unknown.split(admin, one.identityId, [two.visit.id]);
  const atMs = later();
  await see({ picture: aPicture(look), atMs });
  await see({ picture: unlike(look, 0.4), atMs: atMs + 100 });
  await assert.rejects(unknown.undo(admin, made.id, made.correction!.id), {
    code: 'seen_together',
  });
  const three = await see({ picture: aPicture(newFace()) });
  const four = await see({ picture: aPicture(newFace()) });
  await unknown.merge(admin, three.identityId, four.identityId);
  const off = await unknown.split(admin, three.identityId, [four.visit.id]);
  const [category] = await world.faces.categories.list();
  const name = { first_name: 'Mina', last_name: 'Example', category: category!.id };
  await unknown.identify(admin, three.identityId, name);
  await assert.rejects(unknown.undo(admin, off.id, off.correction!.id), {
    code: 'correction_not_newest',
  });
});

test('a visit that goes on while its stranger is merged, or is split off, stays where it was put', async () => {
  const [look, other] = [newFace(), newFace()];
  const going = await see({ picture: aPicture(look, 0.5) });
  const into = await see({ picture: aPicture(other) });
  const end = { ...going.visit, endedAtMs: going.visit.endedAtMs + 1_000 };
  const [now] = await Promise.all([
    world.visits.extend(end, going.identityId, aPicture(look, 0.8)),
    unknown.merge(admin, into.identityId, going.identityId),
  ]);
  assert.equal(now, going.identityId, 'whose visit it is has not changed, only who that is');
  assert.equal(await strangerOf(going.visit.id), into.identityId);
  const made = await unknown.split(admin, into.identityId, [going.visit.id]);
  const after = await world.visits.extend(end, going.identityId, aPicture(look, 0.95));
  assert.equal(after, made.id);
  assert.deepEqual(await visitsOf(made.id), new Set([going.visit.id]));
  await see({ picture: aPicture(look) });
  assert.equal((await unknown.read(admin, made.id)).count, 2);
});

test('merged the one into the other and back at once: one of both is done', async () => {
  for (let round = 0; round < 5; round += 1) {
    const a = (await see({ picture: aPicture(newFace()) })).identityId;
    const b = (await see({ picture: aPicture(newFace()) })).identityId;
    const both = await Promise.allSettled([unknown.merge(admin, a, b), unknown.merge(admin, b, a)]);
    assert.deepEqual(both.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected']);
    const failed = both.find((one) => one.status === 'rejected')!;
    assert.equal(failed.reason.code, 'unknown_face_not_found');
    assert.equal([await isListed(a), await isListed(b)].filter(Boolean).length, 1);
  }
});

test('C-1003 one of merged strangers is erased: the other goes on, and stands for those who are left', async () => {
  const [a, b, c] = [
    await see({ picture: aPicture(newFace()) }),
    await see({ picture: aPicture(newFace()) }),
    await see({ picture: aPicture(newFace()) }),
  ];
  await unknown.merge(admin, b.identityId, c.identityId);
  await unknown.updateStatus(admin, a.identityId, 'reviewing');
  const merged = await unknown.merge(admin, a.identityId, b.identityId);
  await erase(a.identityId);
  assert.equal(await isListed(a.identityId), false);
  const left = await unknown.read(admin, b.identityId);
  assert.deepEqual([left.count, left.status], [2, 'reviewing']);
  const back = await unknown.undo(admin, b.identityId, merged.correction!.id);
  assert.deepEqual([back.id, back.count, back.status], [b.identityId, 2, 'new']);
  await erase(b.identityId);
  assert.equal((await unknown.read(admin, c.identityId)).count, 1);
});

test('C-304 merging, splitting and taking back are for users who may see all of both', async () => {
  const user = await world.actor('user');
  const own = await world.camera(user);
  const look = newFace();
  const mine = await see({ picture: aPicture(look), camera: own });
  const two = await see({ picture: unlike(look, 0.3), camera: own });
  const theirs = await see({ picture: aPicture(newFace()) });
  await assert.rejects(unknown.merge(user, mine.identityId, theirs.identityId), {
    code: 'unknown_face_not_found',
  });
  const made = await unknown.split(user, mine.identityId, [two.visit.id]);
  await unknown.merge(admin, theirs.identityId, mine.identityId);
  await assert.rejects(unknown.undo(user, made.id, made.correction!.id), {
    code: 'unknown_face_seen_elsewhere',
  });
});
