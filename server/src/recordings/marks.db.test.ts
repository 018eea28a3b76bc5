/** What moved and who was seen, found in recordings: by lists, by filters and on timelines. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { RecordingQuery, TimelineQuery } from '@nazar/contract/recordings.ts';
import type { Scope } from '#http/scope.ts';
import { tailBox } from '#media/mp4/segment-file.ts';
import { granting } from '#testing/grants.ts';
import { recordingWorld, type RecordingWorld } from '#testing/recordings.ts';
import { aSegmentHead, segmentBytes, writeSegment } from '#testing/segments.ts';
import { recorded } from '#testing/activity-chain.ts';
import { aCameraForm, aPicture, aVisit } from '#testing/world.ts';

const start = Date.UTC(2026, 0, 15, 12);
const at = (seconds: number): number => start + seconds * 1_000;
const iso = (seconds: number): string => new Date(at(seconds)).toISOString();

/** The recordings that begin this many seconds after the start, and what their list says of them. */
async function listed(it: RecordingWorld, query: Record<string, string> = {}, scope = it.admin) {
  await it.recordings.settled();
  const asked = RecordingQuery.parse({ ordering: 'started_at', ...query });
  const { count, results } = await it.recordings.archive.list(scope, asked);
  assert.equal(count, results.length);
  return results.map(({ startTime, hasMotion, faceCount, hasFaces }) => {
    assert.equal(hasFaces, faceCount > 0);
    return [(Date.parse(startTime) - start) / 1_000, hasMotion, faceCount];
  });
}

async function timelineOf(it: RecordingWorld, scope = it.admin, resolution = '0') {
  await it.recordings.settled();
  const from = '2026-01-15T00:00:00.000Z';
  const query = TimelineQuery.parse({ from, until: iso(7_200), resolution_ms: resolution });
  const [timeline] = await it.recordings.timelines.of(scope, [it.cameraId], query);
  return timeline!;
}

/** Five minutes apart, so that each is a recording of its own. */
const records = (it: RecordingWorld) => {
  it.opens(at(0)).closes(at(10), []);
  it.opens(at(300)).closes(at(310), [
    { fromMs: 2_000, untilMs: 4_000 },
    { fromMs: 8_000, untilMs: 10_000 },
  ]);
  it.opens(at(310)).closes(at(320), [{ fromMs: 0, untilMs: 1_000 }]);
  it.opens(at(600)).closes(at(610));
  it.opens(at(900), { type: 'motion' }).closes(at(910), []);
};

test('~REC-014 recordings with motion are distinguished from those without, or whose pictures were never compared', async () => {
  await using it = await recordingWorld();
  records(it);
  const all = [
    [0, false, 0],
    [300, true, 0],
    [600, null, 0],
    [900, true, 0],
  ];
  assert.deepEqual(await listed(it), all);
  assert.deepEqual(await listed(it, { has_motion: 'true' }), [all[1], all[3]]);
  assert.deepEqual(await listed(it, { has_motion: 'false' }), [all[0], all[2]]);
  assert.deepEqual(await listed(it, { type: 'motion' }), [all[3]]);
  await it.restart();
  assert.deepEqual(await listed(it), all);
  const { motion } = await timelineOf(it);
  assert.deepEqual(
    motion.map(({ started_at, ended_at }) => [started_at, ended_at]),
    [
      [iso(302), iso(304)],
      // The motion goes on over the end of a file.
      [iso(308), iso(311)],
    ],
  );
  assert.equal((await timelineOf(it, it.admin, '10000')).motion.length, 1);
});

test('R-03 an index that is made again from the files knows what moved', async () => {
  await using it = await recordingWorld();
  const folder = join(it.folder, it.cameraId);
  const [moving, still, unknown] = [0, 300, 600].map((seconds) =>
    aSegmentHead(it.cameraId, at(seconds)),
  );
  const motion = tailBox([{ fromMs: 2_000, untilMs: 4_000 }], null);
  writeSegment(folder, moving!, Buffer.concat([segmentBytes(moving!), motion]));
  writeSegment(folder, still!, Buffer.concat([segmentBytes(still!), tailBox([], null)]));
  writeSegment(folder, unknown!, segmentBytes(unknown!));
  await it.recordings.recover();
  await it.recordings.recover();
  assert.deepEqual(await listed(it), [
    [0, true, 0],
    [300, false, 0],
    [600, null, 0],
  ]);
});

test('~REC-018 a recording has the visits of which it shows a moment, however late they are written', async () => {
  await using it = await recordingWorld();
  records(it);
  const { visits } = it.world;
  const visit = (from: number, until: number) =>
    visits.write(aVisit(it.cameraId, at(from), { endedAtMs: at(until) }));
  await visit(-5, 0);
  await visit(4, 300);
  await visit(319, 400);
  // In the pause, and at another camera.
  await visit(400, 500);
  const other = await it.world.camera(it.admin);
  await visits.write(aVisit(other, at(605), { endedAtMs: at(606) }));
  const faces = [
    [0, false, 2],
    [300, true, 2],
  ];
  assert.deepEqual(await listed(it, { has_faces: 'true' }), faces);
  assert.deepEqual(await listed(it, { has_faces: 'false' }), [
    [600, null, 0],
    [900, true, 0],
  ]);
  await it.restart();
  assert.deepEqual(await listed(it, { has_faces: 'true' }), faces);
});

test('a person who is seen while a recording goes on is in it', async () => {
  await using it = await recordingWorld();
  it.opens(at(0));
  await it.recordings.settled();
  await it.world.visits.write(aVisit(it.cameraId, at(4), { endedAtMs: at(5) }));
  assert.deepEqual(await listed(it, { has_faces: 'true' }), [[0, null, 1]]);
});

/** Two people who were seen, one of them twice within a minute, and a stranger. */
async function seenPerson(it: RecordingWorld) {
  records(it);
  const { world, admin, cameraId } = it;
  const ayla = await world.person(admin, 'Ayla', 1);
  const orxan = await world.person(admin, 'Orxan', 2);
  const see = (identityId: string | null, from: number, look: number) =>
    world.visits.write(
      aVisit(cameraId, at(from), { identityId, picture: aPicture(look), endedAtMs: at(from + 5) }),
    );
  await see(ayla.identityId, 1, 1);
  await see(ayla.identityId, 20, 1);
  await see(orxan.identityId, 301, 2);
  await see(null, 303, 3);
  return { ayla, orxan };
}

test('a person leads to the recordings that show them, by id and by name', async () => {
  await using it = await recordingWorld();
  const { ayla, orxan } = await seenPerson(it);
  const begin = async (query: Record<string, string>, scope?: Scope) =>
    (await listed(it, query, scope)).map(([seconds]) => seconds);
  assert.deepEqual(await begin({ person: ayla.id }), [0]);
  assert.deepEqual(await begin({ person: orxan.id }), [300]);
  assert.deepEqual(await begin({ search: 'orx' }), [300]);
  assert.deepEqual(await begin({ search: 'gate' }), [0, 300, 600, 900], "its camera's name");
  const form = aCameraForm({ description: 'Beside the ŞLAQBAUM barrier' });
  await it.world.cameras.replace(it.admin, it.cameraId, form);
  assert.deepEqual(
    await begin({ search: 'ŞLAQBAUM Barrier' }),
    [0, 300, 600, 900],
    'what is written about it',
  );
  assert.deepEqual(await begin({ search: '%' }), []);
});

test('C-308 users who may see recordings find them by an unknown person, over all cameras', async () => {
  await using it = await recordingWorld();
  const { ayla } = await seenPerson(it);
  const other = await it.world.camera(it.admin);
  const strangers = { picture: aPicture(3), endedAtMs: at(602) };
  const { identityId: unknown } = await it.world.visits.write(
    aVisit(it.cameraId, at(601), strangers),
  );
  const user = await it.world.actor('user');
  const guard = { ...user, grants: granting(it.cameraId, ['live', 'recordings']) };
  const elsewhere = { ...user, grants: granting(other, ['live', 'recordings', 'people']) };
  const found = async (person: string, scope: Scope) =>
    (await listed(it, { person }, scope)).map(([seconds]) => seconds);
  assert.deepEqual(await found(unknown, it.admin), [300, 600]);
  assert.deepEqual(await found(unknown, guard), [300, 600]);
  assert.deepEqual(await found(unknown, elsewhere), []);
  // The identity of a person with a name is no way around it.
  assert.deepEqual(await found(ayla.identityId, guard), []);
});

test('C-806 a search for a person in recordings is recorded, once for each term, and not for whom', async () => {
  await using it = await recordingWorld();
  const { ayla } = await seenPerson(it);
  const searches = async () =>
    (await recorded(it.world.database.db)).filter(({ action }) => action === 'face.searched');
  await listed(it);
  assert.equal((await searches()).length, 0, 'a list is no search');
  for (const query of [{ person: ayla.id }, { search: 'ayla' }, { search: 'ayla' }]) {
    await listed(it, query);
  }
  const entries = await searches();
  assert.deepEqual(
    entries.map(({ details, user_id }) => [details, user_id]),
    [0, 1].map(() => [{ where: 'recordings' }, it.admin.userId]),
  );
});

test('a recording says that it is held where a hold covers any of what is recorded of it', async () => {
  await using it = await recordingWorld();
  records(it);
  // One recording that goes on, and a pause in which nothing is recorded.
  it.opens(at(1_200));
  await it.recordings.settled();
  const heldNow = async () => {
    const query = RecordingQuery.parse({ ordering: 'started_at' });
    const { results } = await it.recordings.archive.list(it.admin, query);
    return results.flatMap((one) =>
      one.held ? [(Date.parse(one.startTime) - start) / 1_000] : [],
    );
  };
  const hold = (from: number, until: number, camera = it.cameraId) =>
    it.recordings.holds.add(it.admin, {
      camera,
      from: iso(from),
      until: iso(until),
      reason: 'A break-in',
    });
  await hold(10, 300);
  await hold(0, 3_600, await it.world.camera(it.admin));
  assert.deepEqual(await heldNow(), [], 'up to the moment in which it begins');
  const { id } = await hold(319, 600.001);
  assert.deepEqual(await heldNow(), [300, 600]);
  await hold(1_300, 1_400);
  assert.deepEqual(await heldNow(), [300, 600, 1_200], 'and one that goes on');
  await it.recordings.holds.remove(it.admin, id);
  assert.deepEqual(await heldNow(), [1_200]);
});

test('C-1009 visits show and find names only where the name may be read', async () => {
  await using it = await recordingWorld();
  const { ayla } = await seenPerson(it);
  const user = await it.world.actor('user');
  const guard = { ...user, grants: granting(it.cameraId, ['live', 'recordings']) };
  const informed = { ...user, grants: granting(it.cameraId, ['live', 'recordings', 'people']) };
  assert.deepEqual(await listed(it, { person: ayla.id }, guard), []);
  assert.deepEqual(await listed(it, { search: 'ayla' }, guard), []);
  assert.equal((await listed(it, { has_faces: 'true' }, guard)).length, 2);
  assert.equal((await listed(it, { search: 'ayla' }, informed)).length, 1);
  const seen = async (scope: Scope, resolution = '0') =>
    (await timelineOf(it, scope, resolution)).faces.map(({ person_name, is_known, visits }) => [
      person_name,
      is_known,
      visits,
    ]);
  assert.deepEqual(await seen(informed), [
    ['Ayla Example', true, 1],
    ['Ayla Example', true, 1],
    ['Orxan Example', true, 1],
    [null, false, 1],
  ]);
  assert.deepEqual(await seen(informed, '60000'), [
    ['Ayla Example', true, 2],
    ['Orxan Example', true, 1],
    [null, false, 1],
  ]);
  assert.deepEqual(await seen(guard, '60000'), [
    [null, true, 2],
    [null, true, 1],
    [null, false, 1],
  ]);
});

test('timelines of several cameras in one call, of those alone whose recordings one may see', async () => {
  await using it = await recordingWorld();
  records(it);
  const other = await it.world.camera(it.admin);
  await it.recordings.settled();
  const query = TimelineQuery.parse({ from: iso(-60), until: iso(3_600) });
  const both = await it.recordings.timelines.of(it.admin, [other, it.cameraId], query);
  assert.deepEqual(
    both.map(({ camera_id, spans }) => [camera_id, spans.length]),
    [
      [other, 0],
      [it.cameraId, 4],
    ],
  );
  const user = await it.world.actor('user');
  const guard = { ...user, grants: granting(it.cameraId, ['live', 'recordings']) };
  await assert.rejects(it.recordings.timelines.of(guard, [it.cameraId, other], query), {
    code: 'camera_not_found',
  });
  const viewer = { ...user, grants: granting(it.cameraId, ['live']) };
  await assert.rejects(it.recordings.timelines.of(viewer, [it.cameraId], query), {
    code: 'forbidden',
  });
});
