import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import * as fc from 'fast-check';
import { sql } from 'kysely';
import { pino } from 'pino';
import type { VisitQuery } from '@nazar/contract/visits.ts';
import { Problem } from '#lib/problem.ts';
import type { Scope } from '#http/scope.ts';
import { uuidv7 } from '#lib/ids.ts';
import { granting } from '#testing/grants.ts';
import { assertCountsAreExact } from '#testing/recount.ts';
import { aPicture, aSeenFace, aVisit, aWorld, type World } from '#testing/world.ts';
import { Visits } from './visits.ts';

const dayMs = 24 * 60 * 60_000;
let world: World;
let admin: Scope;
let user: Scope;
let other: Scope;

before(async () => {
  world = await aWorld();
  admin = await world.actor('admin');
  user = await world.actor('user');
  other = await world.actor('operator');
});
after(() => world[Symbol.asyncDispose]());

const all = (more: Partial<VisitQuery> = {}): VisitQuery => ({ page: 1, limit: 100, ...more });

/** The ids of the visits that a scope reads in the list. */
async function listed(scope: Scope, more: Partial<VisitQuery> = {}): Promise<string[]> {
  const { count, results } = await world.visits.list(scope, all(more));
  assert.equal(count >= results.length, true);
  return results.map(({ id }) => id);
}

test('ROL-004, ROL-006, NSH-022, C-304 everyone reads the visits of their own cameras, everywhere the same', async () => {
  const nowMs = world.clock.now();
  const mine = aVisit(await world.camera(user), nowMs);
  const theirs = aVisit(await world.camera(other), nowMs);
  for (const visit of [mine, theirs]) await world.visits.write(visit);
  const scopes: [Scope, string[]][] = [
    [user, [mine.id]],
    [other, [theirs.id]],
    [admin, [mine.id, theirs.id]],
  ];
  for (const [scope, visible] of scopes) {
    const ids = await listed(scope);
    const newest = (await world.visits.detections(scope, 100)).map(({ id }) => id);
    assert.deepEqual(newest, ids);
    assert.deepEqual(
      (await world.visits.detections(scope, 1)).map(({ id }) => id),
      ids.slice(0, 1),
    );
    for (const { id, cameraId, startedAtMs } of [mine, theirs]) {
      const sees = visible.includes(id);
      assert.equal(ids.includes(id), sees);
      const newsFor = await world.visits.news.read([{ visitId: id, cameraId, startedAtMs }]);
      assert.equal(newsFor(scope).seen.length > 0, sees);
      const picture = world.visits.picture(scope, id);
      if (sees) assert.deepEqual(await picture, aPicture(1).chip);
      else await assert.rejects(picture, new Problem('sighting_not_found'));
      if (!sees) await assert.rejects(world.visits.seenFace(scope, id), Problem);
    }
  }
});

test('C-1009 a user who may not read a name reads "Known person", and no filter reveals it', async () => {
  const cameraId = await world.camera(user);
  const { identityId, id: personId } = await world.person(admin, 'Hidden', 31);
  const own = await world.person(user, 'Own', 32);
  const startedMs = world.clock.now();
  await world.visits.write(aVisit(cameraId, startedMs, { identityId }));
  await world.visits.write(aVisit(cameraId, startedMs + 1, { identityId: own.identityId }));
  const names = async (scope: Scope, more: Partial<VisitQuery> = {}): Promise<string[]> =>
    (await world.visits.list(scope, all({ camera_id: cameraId, ...more }))).results.map(
      ({ person_name }) => person_name,
    );
  assert.deepEqual(await names(user), ['Own Example', 'Known person']);
  assert.deepEqual(await names(admin), ['Own Example', 'Hidden Example']);
  assert.deepEqual(await names(user, { person_name: 'hidden example' }), []);
  assert.deepEqual(await names(user, { person_name: 'OWN example' }), ['Own Example']);
  assert.deepEqual(await names(user, { person_name: 'Known person' }), []);
  assert.equal((await names(user, { is_recognized: true })).length, 2, 'counted as recognised');
  const { results } = await world.visits.list(user, all({ camera_id: cameraId }));
  assert.ok(!JSON.stringify(results).includes(personId));
  const granted: Scope = { ...user, grants: granting(cameraId, ['people']) };
  assert.deepEqual(await names(granted), ['Own Example', 'Hidden Example']);
});

test('C-1009, =ENT-027 no figure and no filter reveals which visits of hidden people are of one person', async () => {
  const cameraId = await world.camera(user);
  const hidden = [await world.person(admin, 'Twice', 133), await world.person(admin, 'Once', 134)];
  const own = await world.person(user, 'Mine', 135);
  const seen = [hidden[0]!, hidden[0]!, hidden[1]!, own, own];
  for (const { identityId } of seen) {
    world.clock.advance(1_000);
    await world.visits.write(aVisit(cameraId, world.clock.now(), { identityId }));
  }
  const people = async (scope: Scope): Promise<number | null> => {
    const asked = { camera_id: cameraId };
    return (await world.visits.counting.cameraDetails(scope, asked, 'UTC')).unique_persons;
  };
  const named: Scope = { ...user, grants: granting(cameraId, ['people']) };
  assert.deepEqual([await people(user), await people(named), await people(admin)], [null, 3, 3]);
  // An identity is its own unknown person: by its id those who may read the name find both visits.
  const found = async (scope: Scope, { identityId }: { identityId: string }): Promise<number> =>
    (await world.visits.list(scope, all({ camera_id: cameraId, unknown: identityId }))).results
      .length;
  assert.deepEqual([await found(user, hidden[0]!), await found(user, own)], [0, 2]);
  assert.deepEqual([await found(named, hidden[0]!), await found(admin, hidden[0]!)], [2, 2]);
});

test('a visit says whether its reader may play the recording: administrators, the owner, and users with a grant', async () => {
  const cameraId = await world.camera(user);
  const visit = aVisit(cameraId, world.clock.now());
  await world.visits.write(visit);
  const mayPlay = async (scope: Scope) => {
    const { results } = await world.visits.list(scope, { page: 1, limit: 100 });
    return results.find(({ id }) => id === visit.id)?.may_play;
  };
  assert.equal(await mayPlay(user), true);
  assert.equal(await mayPlay(admin), true);
  assert.equal(await mayPlay({ ...other, grants: granting(cameraId, ['live']) }), false);
  const both: Scope = { ...other, grants: granting(cameraId, ['live', 'recordings']) };
  assert.equal(await mayPlay(both), true);
});

test('a visit says from when on it is recorded, and nothing of it to whom may not play that', async () => {
  const [cameraId, elsewhere] = [await world.camera(user), await world.camera(user)];
  const start = world.clock.now();
  const at = (seconds: number): string => new Date(start + seconds * 1_000).toISOString();
  const root = uuidv7(start);
  const db = world.database.db.write();
  await sql`insert into recording_root (id, path, created_at) values (${root}, '/r', now())`.execute(
    db,
  );
  /** `to` null: it goes on. */
  const records = async (id: string, from: number, to: number | null): Promise<void> => {
    const [recording, segment] = [uuidv7(start + from), uuidv7(start + from)];
    await sql`insert into recording (id, camera_id, type, started_at)
      values (${recording}, ${id}, 'motion', ${at(from)})`.execute(db);
    await sql`insert into recording_segment
        (id, recording_id, camera_id, stream_id, root_id, path, started_at, codec, mime, width, height)
      values (${segment}, ${recording}, ${id}, ${segment}, ${root}, ${segment}, ${at(from)}, 'h264', '', 1, 1)`.execute(
      db,
    );
    if (to === null) return;
    await sql`update recording_segment set ended_at = ${at(to)}, bytes = 1, head_bytes = 1, pictures = 1,
        key_offsets = '{0}', key_times = '{0}', sha256 = sha256('')
      where id = ${segment}`.execute(db);
  };
  await records(cameraId, 0, 10);
  await records(cameraId, 20, 30);
  await records(cameraId, 50, null);
  await records(elsewhere, 0, null);
  const spans = [
    [2, 4],
    [8, 25],
    [10, 12],
    [12, 21],
    [31, 40],
    [60, 61],
  ] as const;
  const ids: string[] = [];
  for (const [from, to] of spans) {
    const visit = aVisit(cameraId, start + from * 1_000, { endedAtMs: start + to * 1_000 });
    await world.visits.write(visit);
    ids.push(visit.id);
  }
  const recordedAt = async (scope: Scope) => {
    const { results } = await world.visits.list(scope, all({ camera_id: cameraId }));
    return ids.map((id) => results.find((one) => one.id === id)?.recorded_at);
  };
  const expected = [at(2), at(8), null, at(20), null, at(60)];
  assert.deepEqual(await recordedAt(user), expected);
  assert.equal((await world.visits.details.read(user, ids[3]!)).recorded_at, at(20));
  const live: Scope = { ...other, grants: granting(cameraId, ['live']) };
  assert.deepEqual(
    await recordedAt(live),
    ids.map(() => null),
  );
});

test('=CFL-004 a camera that was granted is read like one of one’s own', async () => {
  const cameraId = await world.camera(admin);
  const visit = aVisit(cameraId, world.clock.now());
  await world.visits.write(visit);
  assert.ok(!(await listed(other)).includes(visit.id));
  const granted: Scope = { ...other, grants: granting(cameraId, ['live']) };
  assert.ok((await listed(granted)).includes(visit.id));
});

test('=ENT-017, =ENT-023, =APL-011 a visit says who, where, when, how surely, and where its picture is', async () => {
  const cameraId = await world.camera(admin, { name: 'Gate', location: 'Back yard, north' });
  const { identityId, id: personId } = await world.person(admin, 'Aysel', 34);
  const startedMs = world.clock.now();
  const known = aVisit(cameraId, startedMs, { identityId, endedAtMs: startedMs + 4_000 });
  const unknown = aVisit(cameraId, startedMs + 60_000);
  for (const visit of [known, unknown]) await world.visits.write(visit);
  const { results } = await world.visits.list(admin, all({ camera_id: cameraId }));
  const [later, earlier] = results;
  assert.deepEqual(earlier, {
    id: known.id,
    person_name: 'Aysel Example',
    person_id: personId,
    camera_id: cameraId,
    camera_name: 'Gate',
    timestamp: new Date(startedMs).toISOString(),
    ended_at: new Date(startedMs + 4_000).toISOString(),
    confidence: known.confidence,
    is_recognized: true,
    face_image_url: `/secure-api/activity-log/face-logs/${known.id}/image/`,
    picture_hidden: false,
    location: 'Back yard, north',
    is_corrected: false,
    attributes: null,
    may_play: true,
    recorded_at: null,
  });
  const detections = await world.visits.detections(admin, 100);
  const detection = detections.find(({ id }) => id === known.id);
  assert.deepEqual(detection, {
    id: known.id,
    image: `/secure-api/activity-log/face-logs/${known.id}/image/`,
    picture_hidden: false,
    face_name: 'Aysel Example',
    camera_name: 'Gate',
    camera_id: cameraId,
    timestamp: new Date(startedMs).toISOString(),
    confidence: known.confidence,
    is_recognized: true,
  });
  assert.deepEqual(
    [later?.person_name, later?.person_id, later?.is_recognized, later?.location],
    ['Unknown', null, false, 'Back yard, north'],
  );
});

test('~ENT-023, ROL-004 days and instants, cameras, recognised or not, page by page, newest first', async () => {
  const cameraId = await world.camera(admin);
  const { identityId } = await world.person(admin, 'Ismayil', 33);
  const midnight = Date.UTC(2026, 0, 10);
  const at = [midnight - 1, midnight, midnight + dayMs - 1, midnight + dayMs];
  const visits = at.map((startedMs, index) =>
    aVisit(cameraId, startedMs, index === 1 ? { identityId } : {}),
  );
  for (const visit of visits) await world.visits.write(visit);
  const [before, first, last, after] = visits.map(({ id }) => id);
  const camera_id = cameraId;
  const find = (more: Partial<VisitQuery>): Promise<string[]> =>
    listed(admin, { camera_id, ...more });
  const day = '2026-01-10';
  assert.deepEqual(await find({}), [after, last, first, before]);
  assert.deepEqual(await find({ start_date: day, end_date: day }), [last, first]);
  assert.deepEqual(await find({ start_date: new Date(midnight + 1).toISOString() }), [after, last]);
  assert.deepEqual(await find({ end_date: new Date(midnight).toISOString() }), [before]);
  assert.deepEqual(await find({ is_recognized: true }), [first]);
  assert.deepEqual(await find({ is_recognized: false }), [after, last, before]);
  assert.deepEqual(await find({ person_name: 'Ismayil%' }), [], 'a wildcard is plain text');
  assert.deepEqual(await find({ page: 2, limit: 3 }), [before]);
  const { count } = await world.visits.list(admin, all({ camera_id, page: 2, limit: 3 }));
  assert.equal(count, 4);
});

test('~ENT-023 however visits come, move and repeat, the rollups equal a recount', async () => {
  const cameras = [await world.camera(admin), await world.camera(admin)];
  const known = [await world.person(admin, 'Jale', 34), await world.person(admin, 'Kamran', 35)];
  const identities = [null, ...known.map(({ identityId }) => identityId)];
  const step = fc.record({
    camera: fc.nat(1),
    offsetMs: fc.integer({ min: 0, max: 2 * dayMs }),
    identity: fc.nat(2),
    becomes: fc.array(fc.nat(2), { maxLength: 3 }),
    repeated: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 6 }), async (steps) => {
      for (const { camera, offsetMs, identity, becomes, repeated } of steps) {
        const startedMs = Date.UTC(2026, 0, 20) + offsetMs;
        const visit = aVisit(cameras[camera]!, startedMs, { identityId: identities[identity]! });
        let { identityId: now } = await world.visits.write(visit);
        if (repeated) assert.equal((await world.visits.write(visit)).identityId, now);
        for (const index of becomes) {
          const from = now;
          now = await world.visits.reassign(visit, from, identities[index]!);
          if (repeated) {
            assert.equal(await world.visits.reassign(visit, from, identities[index]!), now);
          }
        }
      }
      await assertCountsAreExact(world.database.db);
    }),
    { numRuns: 12 },
  );
});

test('~ENT-023 an end never moves back, and a visit ends no earlier than it began', async () => {
  const cameraId = await world.camera(admin);
  const startedMs = world.clock.now();
  const { identityId } = await world.person(admin, 'Surest', 71);
  const visit = aVisit(cameraId, startedMs, { identityId, endedAtMs: startedMs + 5_000 });
  await world.visits.write(visit);
  for (const laterMs of [9_000, 2_000]) {
    const now = { ...visit, endedAtMs: startedMs + laterMs, confidence: 0.5 };
    await world.visits.extend(now, identityId, null);
  }
  const [row] = (await world.visits.list(admin, all({ camera_id: cameraId }))).results;
  assert.equal(row?.ended_at, new Date(startedMs + 9_000).toISOString());
  assert.equal(row?.confidence?.toFixed(1), '0.8', 'the best match is what counts');
});

test('C-1003 removing a person leaves visits of an erased person, without a picture', async () => {
  const cameraId = await world.camera(admin);
  const { id, identityId } = await world.person(admin, 'Leyla', 36);
  const visit = aVisit(cameraId, world.clock.now(), { identityId, picture: aPicture(36) });
  await world.visits.write(visit);
  await world.faces.remove(admin, id);
  const [row] = (await world.visits.list(admin, all({ camera_id: cameraId }))).results;
  assert.deepEqual(
    [row?.person_name, row?.is_recognized, row?.face_image_url, row?.person_id],
    ['Erased person', true, null, null],
  );
  const gone = new Problem('sighting_has_no_picture');
  await assert.rejects(world.visits.picture(admin, visit.id), gone);
  await world.visits.extend({ ...visit, endedAtMs: visit.endedAtMs + 1 }, identityId, aPicture(36));
});

test('C-1003 a person who is erased while in view leaves the visit as it was: it becomes an erased person’s, with no picture', async () => {
  const cameraId = await world.camera(admin);
  const seen = async (name: string, look: number) => {
    const { id, identityId } = await world.person(admin, name, look);
    const visit = aVisit(cameraId, world.clock.now(), { identityId, picture: aPicture(look) });
    await world.visits.write(visit);
    return { id, identityId, visit };
  };
  const [erased, other] = [await seen('Leyla', 138), await seen('Murad', 139)];
  await world.faces.remove(admin, erased.id);
  await world.visits.withdraw(erased.visit);
  // What their tracks say next: neither is a known person.
  const after = [erased, other].map(({ visit, identityId }) =>
    world.visits.reassign({ ...visit, picture: aPicture(140, 0.95) }, identityId, null),
  );
  const [kept, moved] = await Promise.all(after);
  assert.equal(kept, erased.identityId);
  assert.notEqual(moved, other.identityId);
  const { results } = await world.visits.list(admin, all({ camera_id: cameraId }));
  const shown = results.map(({ id, person_name, face_image_url }): [string, unknown] => [
    id,
    [person_name, face_image_url !== null],
  ]);
  assert.deepEqual(
    new Map(shown),
    new Map([
      [erased.visit.id, ['Erased person', false]],
      [other.visit.id, ['Unknown', true]],
    ]),
  );
});

test('C-601 neither picture nor vector of a visit is in the table in the clear', async () => {
  const picture = aPicture(37);
  const visit = aVisit(await world.camera(admin), world.clock.now(), { picture });
  await world.visits.write(visit);
  const { rows } = await sql<{ chip: Buffer; template: Buffer }>`
    select chip, template from visit_picture where visit_id = ${visit.id}
  `.execute(world.database.db.read());
  assert.equal(rows[0]!.chip.includes('picture of'), false);
  assert.equal(rows[0]!.template.includes(Buffer.from(picture.template.buffer)), false);
  // A sealed picture that is moved to another row does not open.
  const second = aVisit(await world.camera(admin), world.clock.now());
  await world.visits.write(second);
  await sql`update visit_picture set chip = ${rows[0]!.chip} where visit_id = ${second.id}`.execute(
    world.database.db.write(),
  );
  await assert.rejects(world.visits.picture(admin, second.id), Problem);
});

test('~FACE-046 a visit of an unknown person becomes a person, and names its past', async () => {
  const cameraId = await world.camera(user);
  const visit = aVisit(cameraId, world.clock.now(), { picture: aPicture(38) });
  await world.visits.write(visit);
  const seen = await world.visits.seenFace(user, visit.id);
  const [category] = await world.faces.categories.list();
  const texts = { description: '', email: '', phone: '', position: '', notes: '' };
  const fields = { first_name: 'Murad', last_name: 'Example', category: category!.id, ...texts };
  const added = await world.faces.add(user, { ...fields, is_active: true }, [], seen);
  const [row] = (await world.visits.list(user, all({ camera_id: cameraId }))).results;
  assert.deepEqual([row?.person_name, row?.person_id], ['Murad Example', added.id]);
  // After the person is enrolled again, the identity stays whose it is.
  const again = await world.faces.add(
    admin,
    { ...fields, first_name: 'Nail', is_active: true },
    [],
    seen,
  );
  const [still] = (await world.visits.list(admin, all({ camera_id: cameraId }))).results;
  assert.equal(still?.person_id, added.id);
  assert.equal(again.usable_images, 1);
  assert.equal(aSeenFace(1).photo.fault, null);
});

test('months are made ahead, and a month that cannot be made stops no one', async () => {
  const names = async (): Promise<string[]> => {
    const { rows } = await sql<{ name: string }>`
      select relname as name from pg_class where relname ~ '^visit_\\d{4}_\\d{2}$' order by 1
    `.execute(world.database.db.read());
    return rows.map(({ name }) => name);
  };
  assert.deepEqual(await names(), ['visit_2026_01', 'visit_2026_02', 'visit_2026_03']);
  const cameraId = await world.camera(admin);
  const warned: unknown[] = [];
  const { database, faces, activity, clock } = world;
  const write = (line: string): void => void warned.push(JSON.parse(line).msg);
  const log = pino({ level: 'warn' }, { write });
  const { cameras } = world;
  const watched = new Visits({ db: database.db, faces, cameras, activity, clock, log });
  await watched.write(aVisit(cameraId, Date.UTC(2026, 4, 2)));
  await watched.write(aVisit(cameraId, Date.UTC(2026, 0, 2)));
  assert.deepEqual(warned, ['visit is outside of all months'], 'it is warned of');
  world.clock.advance(61 * dayMs);
  await world.visits.preparePartitions();
  assert.deepEqual((await names()).at(-1), 'visit_2026_04', 'May waits in the default partition');
  assert.equal((await listed(admin, { camera_id: cameraId })).length, 2);
});
