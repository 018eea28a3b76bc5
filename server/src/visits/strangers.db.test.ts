/** Strangers who come again: whose visit it is, on one node and on several, and what users see of it. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import type { UnknownFaceQuery } from '@nazar/contract/unknown-faces.ts';
import { Analytics } from '#analytics/analytics.ts';
import type { Scope } from '#http/scope.ts';
import { granting } from '#testing/grants.ts';
import { passersOf, newFace, unlike, type Passers } from '#testing/passers.ts';
import { recorded } from '#testing/activity-chain.ts';
import { aPicture, aVector, aVisit, aWorld, quietLog, type World } from '#testing/world.ts';
import { Visits } from './visits.ts';
import { StrangerCountStore } from './stranger-count-store.ts';
import { HiddenPictures } from './hidden-pictures.ts';
import { UnknownFaceStore } from './unknown-face-store.ts';

const hourMs = 60 * 60_000;
let world: World;
let admin: Scope;
let gate: string;
let see: Passers['see'];
let later: Passers['later'];

before(async () => {
  world = await aWorld();
  admin = await world.actor('admin');
  gate = await world.camera(admin);
  ({ see, later } = passersOf(world, gate));
});
after(() => world[Symbol.asyncDispose]());

/** The same installation after a restart, or on another machine. */
async function elsewhere(): Promise<Visits> {
  const { database, activity, clock } = world;
  const { cameras } = world;
  const faces = await world.otherNode();
  return new Visits({ db: database.db, faces, cameras, activity, clock, log: quietLog });
}

const numberOf = async (id: string): Promise<number | null> => {
  const { rows } = await sql<{ number: number | null }>`
    select number from identity where id = ${id}`.execute(world.database.db.read());
  return rows[0]!.number;
};

test('a stranger who comes again is the same one, with the same number, after a restart too', async () => {
  const look = newFace();
  const first = await see({ picture: aPicture(look) });
  const again = await see({ picture: unlike(look, 0.4) });
  const other = await see({ picture: aPicture(newFace()) });
  assert.equal(again.identityId, first.identityId);
  assert.notEqual(other.identityId, first.identityId);
  const restarted = await elsewhere();
  const back = await see({ picture: unlike(look, 0.3) }, restarted);
  assert.equal(back.identityId, first.identityId);
  const number = (await numberOf(first.identityId))!;
  assert.equal(await numberOf(other.identityId), number + 1);
});

test('references grow with what is seen: who changes little by little stays the same one', async () => {
  const look = newFace();
  const first = await see({ picture: aPicture(look) });
  for (const distance of [0.3, 0.6, 0.9]) {
    assert.equal((await see({ picture: unlike(look, distance) })).identityId, first.identityId);
  }
});

test('two faces in view at once are never one person, whatever they look like', async () => {
  const look = newFace();
  const atMs = later();
  const one = await see({ picture: aPicture(look), atMs });
  const twin = await see({ picture: aPicture(look), atMs: atMs + 500 });
  assert.notEqual(twin.identityId, one.identityId, 'by the log');
  const [left, right] = [newFace(), later()];
  const first = await see({ picture: aPicture(left), atMs: right });
  const beside = [first.visit.id];
  const second = await see({ picture: aPicture(left), atMs: right + 5_000, beside });
  assert.notEqual(second.identityId, first.identityId, 'still in view, and not yet written so');
  const [alone, seenMs] = [aPicture(newFace()), later()];
  const yard = await world.camera(admin);
  const here = await see({ picture: alone, atMs: seenMs });
  const there = await see({ picture: alone, atMs: seenMs, camera: yard });
  assert.equal(there.identityId, here.identityId, 'another camera rules nobody out');
});

test('a poor picture begins no stranger; a better one of the same visit does', async () => {
  const look = newFace();
  const known = await see({ picture: aPicture(look) });
  const { visit, identityId } = await see({ picture: aPicture(look, 0.2) });
  assert.notEqual(identityId, known.identityId);
  assert.equal(await numberOf(identityId), null);
  const now = await world.visits.extend(visit, identityId, unlike(look, 0.2));
  assert.equal(now, known.identityId);
  assert.deepEqual(await world.visits.picture(admin, visit.id), aPicture(look).chip);
  const { rows } = await sql`select from identity where id = ${identityId}`.execute(
    world.database.db.read(),
  );
  assert.equal(rows.length, 0, 'who was nobody is gone');
  const other = newFace();
  const fresh = await see({ picture: aPicture(other, 0.2) });
  const begun = await world.visits.extend(fresh.visit, fresh.identityId, aPicture(other, 0.5));
  assert.equal(begun, fresh.identityId);
  assert.notEqual(await numberOf(begun), null);
});

test('two nodes that see one stranger at the same time make one of them', async () => {
  const nodes = [world.visits, await elsewhere(), await elsewhere()];
  for (let round = 0; round < 5; round += 1) {
    const picture = aPicture(newFace());
    const seen = await Promise.all(
      nodes.flatMap((node) => [see({ picture }, node), see({ picture }, node)]),
    );
    assert.equal(new Set(seen.map(({ identityId }) => identityId)).size, 1);
  }
  const { rows } = await sql<{ numbers: number; highest: number }>`
    select count(number) as numbers, max(number) as highest from identity`.execute(
    world.database.db.read(),
  );
  assert.equal(rows[0]!.numbers, rows[0]!.highest, 'numbers have no gaps');
});

test('C-1003 an erased person is compared with no one, on every node', async () => {
  const node = await elsewhere();
  const look = newFace();
  const { identityId } = await see({ picture: aPicture(look) });
  assert.equal((await see({ picture: aPicture(look) }, node)).identityId, identityId);
  await world.database.db.transaction((tx) => world.faces.erasing.strangers(tx, [identityId]));
  const { rows } =
    await sql`select from stranger_reference where identity_id = ${identityId}`.execute(
      world.database.db.read(),
    );
  assert.equal(rows.length, 0);
  const after = await see({ picture: aPicture(look) }, node);
  assert.notEqual(after.identityId, identityId);
  assert.equal((await see({ picture: aPicture(look) })).identityId, after.identityId);
});

test('a visit that turns out to be a known person leaves no reference behind', async () => {
  const look = newFace();
  const { visit, identityId } = await see({ picture: aPicture(look) });
  const known = await world.person(admin, 'Known', newFace());
  await world.visits.reassign(visit, identityId, known.identityId);
  assert.notEqual((await see({ picture: aPicture(look) })).identityId, identityId);
});

test('C-601 a reference is sealed, and opens in no other row; a broken one stops no one', async () => {
  const [look, other] = [newFace(), newFace()];
  const first = await see({ picture: aPicture(look) });
  const second = await see({ picture: aPicture(other) });
  const db = world.database.db.write();
  const { rows } = await sql<{ vector: Buffer }>`
    select vector from stranger_reference where visit_id = ${first.visit.id}`.execute(db);
  assert.ok(!rows[0]!.vector.includes(Buffer.from(aVector(look).buffer)));
  await sql`
    update stranger_reference as one set vector = other.vector from stranger_reference as other
    where one.visit_id in (${first.visit.id}, ${second.visit.id})
      and other.visit_id in (${first.visit.id}, ${second.visit.id})
      and one.visit_id <> other.visit_id`.execute(db);
  const restarted = await elsewhere();
  for (const picture of [aPicture(look), aPicture(other)]) {
    const { identityId } = await see({ picture }, restarted);
    assert.ok(![first.identityId, second.identityId].includes(identityId));
  }
});

test('a change of a failed transaction is not announced', async () => {
  const look = newFace();
  const { visit, identityId } = await see({ picture: aPicture(look) });
  const { db } = world.database;
  const failed = db.transaction(async (tx) => {
    await world.faces.strangers.lock(tx);
    await world.faces.strangers.forgetVisits(tx, [visit.id]);
    throw new Error('the connection was lost');
  });
  await assert.rejects(failed, /connection was lost/);
  assert.equal((await see({ picture: aPicture(look) })).identityId, identityId);
});

const query = (more: Partial<UnknownFaceQuery> = {}): UnknownFaceQuery => ({
  ordering: '-timestamp',
  page: 1,
  page_size: 200,
  ...more,
});

test('NSH-022, =ENT-018, C-304 the list, its filters and the statistics agree, for everyone', async () => {
  await using fresh = await aWorld();
  const { visits, database, cameras, clock } = fresh;
  const analytics = new Analytics({ db: database.db, cameras, visits, clock });
  const [all, user] = [await fresh.actor('admin'), await fresh.actor('user')];
  const [own, theirs] = [await fresh.camera(user), await fresh.camera(all)];
  const startMs = clock.now() - 10 * hourMs;
  const at = (hours: number): number => startMs + hours * hourMs;
  const made = [
    aVisit(own, at(0)),
    aVisit(theirs, at(1)),
    aVisit(own, at(2), { picture: aPicture(2) }),
  ];
  const ids: string[] = [];
  for (const visit of made) ids.push((await visits.write(visit)).identityId);
  assert.equal(ids[0], ids[1]);
  const { results } = await visits.unknown.list(all, query({ ordering: 'number' }));
  assert.deepEqual(
    results.map(({ id, number, count, camera, status }) => [id, number, count, camera, status]),
    [
      [ids[0], 1, 2, theirs, 'new'],
      [ids[2], 2, 1, own, 'new'],
    ],
  );
  const [first] = results;
  assert.deepEqual(
    [first!.first_seen, first!.timestamp],
    [at(0), at(1)].map((ms) => new Date(ms).toISOString()),
  );
  assert.equal(first!.image, `/secure-api/activity-log/face-logs/${made[1]!.id}/image/`);
  const { camera_name, confidence, quality, face } = first!;
  assert.deepEqual([typeof camera_name, camera_name.length > 0, face], ['string', true, null]);
  assert.ok(quality > 0 && quality <= 1);
  assert.equal(confidence, null, 'matched with no one');
  const seen = (await visits.unknown.list(user, query({ ordering: 'number' }))).results;
  assert.deepEqual(
    seen.map(({ count, camera, image }) => [count, camera, image?.includes(made[1]!.id)]),
    [
      [1, own, false],
      [1, own, false],
    ],
    'of what others saw nothing is told',
  );
  const atTheirs = await visits.unknown.list(all, query({ camera: theirs }));
  assert.deepEqual(
    atTheirs.results.map(({ id, count }) => [id, count]),
    [[ids[0], 1]],
  );
  const noReader = await fresh.actor('user');
  const granted: Scope = { ...noReader, grants: granting(own, ['live']) };
  for (const [scope, unknown] of [
    [all, 2],
    [user, 2],
    [noReader, 0],
    [granted, 2],
  ] as const) {
    const { count } = await visits.unknown.list(scope, query({ status: 'new', page_size: 1 }));
    assert.equal(count, unknown);
    assert.equal((await analytics.faceStatistics(scope, 'UTC')).unknown_faces, unknown);
    assert.equal((await analytics.summary(scope, 'UTC')).face_stats.unknown, unknown);
  }
  await visits.unknown.updateStatus(all, ids[0]!, 'ignored');
  assert.equal((await analytics.faceStatistics(user, 'UTC')).unknown_faces, 1);
});

test('C-304, C-1009 in every order and on every page unknown people are those of the visits one may see', async () => {
  await using fresh = await aWorld();
  const { visits, database, clock } = fresh;
  const [all, user] = [await fresh.actor('admin'), await fresh.actor('user')];
  const cameras = [await fresh.camera(user), await fresh.camera(all), await fresh.camera(user)];
  const startMs = clock.now() - 40 * hourMs;
  // Strangers, seen by turns at three cameras over two days; some of them at one moment.
  const ids: string[] = [];
  for (let visit = 0; visit < 36; visit += 1) {
    const atMs = startMs + Math.floor(visit / 3) * 3 * hourMs;
    const appearance = { picture: aPicture(1 + ((visit * visit) % 11)) };
    ids.push((await visits.write(aVisit(cameras[visit % 3]!, atMs, appearance))).identityId);
  }
  const strangers = [...new Set(ids)];
  await visits.unknown.merge(all, strangers[0]!, strangers[1]!);
  await visits.unknown.updateStatus(all, strangers[2]!, 'ignored');
  const [category] = await fresh.faces.categories.list();
  const name = { first_name: 'Named', last_name: 'Since', category: category!.id };
  await visits.unknown.identify(all, strangers[3]!, name);
  const deleted = sql`update visit set deleted_at = now() where id in (
    select id from visit order by started_at desc, id limit 2)`;
  await deleted.execute(database.db.write());
  const orders = ['timestamp', '-timestamp', 'number', '-number', 'count', '-count'] as const;
  const filters = [{}, { camera: cameras[1] }, { camera: cameras[2] }, { status: 'new' as const }];
  let compared = 0;
  for (const scope of [all, user]) {
    for (const filter of filters) {
      const isOwn = sql`camera_id = any(${scope === all ? cameras : [cameras[0], cameras[2]]}::uuid[])`;
      const { rows } = await sql<Raw>`
        select stranger.id, stranger.number, count(*)::integer as count, min(started_at) as first,
               max(started_at) as last
        from visit join identity on identity.id = identity_id
        join identity stranger on stranger.id = coalesce(identity.merged_into, identity.id)
        where deleted_at is null and stranger.number is not null and ${isOwn}
          and ${scope === all ? sql`true` : sql`identity.person_id is null`}
          and ${'camera' in filter ? sql`camera_id = ${filter.camera}` : sql`true`}
          and ${'status' in filter ? sql`stranger.status = 'new'` : sql`true`}
        group by stranger.id, stranger.number`.execute(database.db.read());
      for (const ordering of orders) {
        const wanted = rows.toSorted(compareBy(ordering)).map(shownOf);
        const listed: unknown[] = [];
        for (let page = 1; page <= Math.ceil(rows.length / 2); page += 1) {
          const asked = query({ ...filter, ordering, page, page_size: 2 });
          const { count, results } = await visits.unknown.list(scope, asked);
          assert.equal(count, rows.length);
          listed.push(
            ...results.map((one) => [one.id, one.number, one.count, one.first_seen, one.timestamp]),
          );
        }
        assert.deepEqual(listed, wanted, `${ordering} ${JSON.stringify(filter)}`);
        compared += listed.length;
      }
      // However far back the newest visits are read.
      const hidden = new HiddenPictures(fresh.cameras.zones);
      for (const walked of [3, 9]) {
        const store = new UnknownFaceStore(database.db, hidden, { walked });
        const wanted = rows.toSorted(compareBy('-timestamp')).map(({ id }) => id);
        for (let page = 1; page <= Math.ceil(wanted.length / 2); page += 1) {
          const listed = await store.list(scope, query({ ...filter, page, page_size: 2 }));
          const asked = wanted.slice(2 * page - 2, 2 * page);
          assert.deepEqual(
            listed.rows.map(({ id }) => id),
            asked,
          );
        }
      }
    }
  }
  assert.ok(compared > 100);
});

interface Raw {
  readonly id: string;
  readonly number: number;
  readonly count: number;
  readonly first: Date;
  readonly last: Date;
}

const shownOf = ({ id, number, count, first, last }: Raw) => [
  id,
  number,
  count,
  first.toISOString(),
  last.toISOString(),
];

/** Who is equal is in the order of their ids. */
function compareBy(ordering: UnknownFaceQuery['ordering']): (one: Raw, other: Raw) => number {
  const sign = ordering.startsWith('-') ? -1 : 1;
  const keys = {
    timestamp: (row: Raw) => row.last.getTime(),
    number: (row: Raw) => row.number,
    count: (row: Raw) => row.count,
  };
  const key = keys[ordering.replace('-', '') as keyof typeof keys];
  return (one, other) => sign * (key(one) - key(other) || (one.id < other.id ? -1 : 1));
}

test('a list with more strangers than are counted says so', async () => {
  await using fresh = await aWorld();
  const { visits, database, clock } = fresh;
  const all = await fresh.actor('admin');
  const camera = await fresh.camera(all);
  for (let look = 1; look <= 3; look += 1) {
    const atMs = clock.now() - look * hourMs;
    await visits.write(aVisit(camera, atMs, { picture: aPicture(look) }));
  }
  const hidden = new HiddenPictures(world.cameras.zones);
  for (const [counted, said] of [
    [3, { count: 3, more: false }],
    [2, { count: 2, more: true }],
  ] as const) {
    const store = new UnknownFaceStore(database.db, hidden, { counted });
    const { rows: _, ...counts } = await store.list(all, query({}));
    assert.deepEqual(counts, said);
  }
});

test('~ENT-019, ~ENT-031, NSH-022 every reader’s list with more unknown people than are counted says so, merged or not', async () => {
  await using fresh = await aWorld();
  const { visits, database, clock } = fresh;
  const [all, user] = [await fresh.actor('admin'), await fresh.actor('user')];
  const cameras = [await fresh.camera(all), await fresh.camera(user), await fresh.camera(user)];
  const ids: string[] = [];
  for (let visit = 0; visit < 48; visit += 1) {
    const atMs = clock.now() - 5 * 24 * hourMs + visit * hourMs;
    // Eleven looks, some of them at one camera alone.
    const appearance = { picture: aPicture(100 + ((visit * visit) % 25)) };
    const camera = cameras[(visit * 7) % 3]!;
    ids.push((await visits.write(aVisit(camera, atMs, appearance))).identityId);
  }
  const strangers = [...new Set(ids)];
  await visits.unknown.merge(all, strangers[0]!, strangers[1]!);
  await visits.unknown.merge(all, strangers[0]!, strangers[2]!);
  await visits.unknown.updateStatus(all, strangers[3]!, 'ignored');
  const [category] = await fresh.faces.categories.list();
  const name = { first_name: 'Named', last_name: 'Since', category: category!.id };
  await visits.unknown.identify(all, strangers[4]!, name);
  const filters = [{}, { status: 'new' as const }, ...cameras.map((camera) => ({ camera }))];
  for (const scope of [all, user]) {
    for (const filter of filters) {
      const isOwn = sql`camera_id = any(${scope === all ? cameras : cameras.slice(1)}::uuid[])`;
      const { rows } = await sql<{ count: number }>`
        select count(distinct coalesce(merged_into, identity.id))::integer as count
        from visit join identity on identity.id = identity_id
        where number is not null and ${isOwn}
          -- The user may not read the name of the one who is identified (C-1009).
          and ${scope === all ? sql`true` : sql`person_id is null`}
          and ${'camera' in filter ? sql`camera_id = ${filter.camera}` : sql`true`}
          and ${'status' in filter ? sql`status = 'new'` : sql`true`}`.execute(database.db.read());
      const { count } = rows[0]!;
      const counts = (counted: number) =>
        new StrangerCountStore(database.db, { counted }).count(scope, filter);
      for (let counted = 1; counted < count; counted += 1) {
        assert.deepEqual(await counts(counted), { count: counted, more: true });
      }
      for (const counted of [count, count + 1, 1_000]) {
        assert.deepEqual(await counts(counted), { count, more: false });
      }
    }
    const { count, more } = await visits.unknown.countNew(scope);
    assert.ok(count > 3 && !more);
  }
});

test('APF-012 a status is set by users who may see all of them, and recorded once', async () => {
  const user = await world.actor('user');
  const own = await world.camera(user);
  const look = newFace();
  const { identityId } = await see({ picture: aPicture(look), camera: own });
  const { unknown } = world.visits;
  assert.equal((await unknown.updateStatus(user, identityId, 'reviewing')).status, 'reviewing');
  assert.equal((await unknown.updateStatus(user, identityId, 'reviewing')).status, 'reviewing');
  const entries = (await recorded(world.database.db)).filter(
    ({ action, object_id }) => action === 'face.unknown_status_changed' && object_id === identityId,
  );
  assert.deepEqual(
    entries.map(({ user_id, details }) => [user_id, details['status']]),
    [[user.userId, 'reviewing']],
  );
  const stranger = await world.actor('user');
  await assert.rejects(unknown.updateStatus(stranger, identityId, 'new'), {
    code: 'unknown_face_not_found',
  });
  await see({ picture: aPicture(look) });
  await assert.rejects(unknown.updateStatus(user, identityId, 'new'), {
    code: 'unknown_face_seen_elsewhere',
  });
  assert.equal((await unknown.updateStatus(admin, identityId, 'ignored')).status, 'ignored');
});

test('naming a visit names all visits of that stranger; of what others saw too only the picture', async () => {
  const user = await world.actor('user');
  const own = await world.camera(user);
  const enrol = async (scope: Scope, visitId: string) => {
    const [category] = await world.faces.categories.list();
    const empty = { description: '', email: '', phone: '', position: '', notes: '' };
    const name = { first_name: 'Named', last_name: 'Example', is_active: true };
    const seen = await world.visits.seenFace(scope, visitId);
    return world.faces.add(scope, { ...name, ...empty, category: category!.id }, [], seen);
  };
  const nameAt = async (camera: string): Promise<(string | null)[]> => {
    const list = { camera_id: camera, page: 1, limit: 100 };
    return (await world.visits.list(admin, list)).results.map(({ person_id }) => person_id);
  };
  const shared = newFace();
  const there = await world.camera(admin);
  const here = await see({ picture: aPicture(shared), camera: own });
  await see({ picture: aPicture(shared), camera: there });
  const byUser = await enrol(user, here.visit.id);
  assert.deepEqual([await nameAt(own), await nameAt(there)], [[null], [null]]);
  assert.equal(byUser.usable_images, 1);
  const byAdmin = await enrol(admin, here.visit.id);
  assert.deepEqual([await nameAt(own), await nameAt(there)], [[byAdmin.id], [byAdmin.id]]);
  const { results } = await world.visits.unknown.list(admin, query({ status: 'identified' }));
  assert.deepEqual(
    results.filter(({ id }) => id === here.identityId).map(({ face }) => face),
    [byAdmin.id],
  );
});
