/**
 * The parity property (C-304): whatever the world, what a user reaches by lists is what they reach one by
 * one, by pictures, by search, in counts, live and in live events, and it is what a model of a few lines says.
 * `NAZAR_TEST_WORLDS=500` walks the long way.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import * as fc from 'fast-check';
import { sql } from 'kysely';
import type { Summary } from '@nazar/contract/analytics.ts';
import type { CameraGroup } from '@nazar/contract/access.ts';
import type { Camera } from '@nazar/contract/cameras.ts';
import type { DailyVisits, GroupedCounts, PersonStats } from '@nazar/contract/visit-counts.ts';
import type { FaceStatistics } from '@nazar/contract/faces.ts';
import type { Detection, Visit } from '@nazar/contract/visits.ts';
import { createScope, mayReadName } from '#http/scope.ts';
import {
  emptied,
  made,
  Model,
  plans,
  type Made,
  type Plan,
  type Principal,
} from '#testing/parity-world.ts';
import { call, testServer, type TestServer } from '#testing/server.ts';
import { openSocket, type TestSocket } from '#testing/sockets.ts';
import { until } from '#testing/until.ts';

const worlds = Number(process.env['NAZAR_TEST_WORLDS'] ?? 20);
const cameras = '/secure-api/cameras/';
const faces = '/secure-api/faces/';
const faceLogs = '/secure-api/activity-log/face-logs/';
const hidden = 'Known person';

let world: TestServer;
let principals: Principal[];

before(async () => {
  world = await testServer();
  const signIn = async (standing: Principal['standing'], name: string): Promise<Principal> => {
    const role = standing === 'staff' ? 'user' : standing;
    return { ...(await world.signIn(role, `${name}@example.org`)), standing };
  };
  // An installation has an administrator before it has any other user.
  const superadmin = await signIn('superadmin', 'all');
  principals = [
    await signIn('user', 'one'),
    await signIn('user', 'two'),
    await signIn('operator', 'three'),
    await signIn('staff', 'staff'),
    superadmin,
  ];
  await sql`update app_user set is_staff = true where email = 'staff@example.org'`.execute(
    world.database.db.write(),
  );
  for (const { id } of principals.slice(0, -1)) {
    await principals.at(-1)!.send('POST', `/secure-api/accounts/users/${id}/see-as/`);
  }
});
after(() => world[Symbol.asyncDispose]());

async function ids(who: Principal, url: string): Promise<string[]> {
  const answer = await read<{ results: { id: string }[] }>(who, url);
  return answer.results.map(({ id }) => id).toSorted();
}

async function read<T>(who: Principal, url: string): Promise<T> {
  const reply = await who.get(url);
  assert.equal(reply.status, 200, `${url}: ${reply.text}`);
  return reply.json<T>();
}

const statusOf = async (who: Principal, url: string): Promise<number> =>
  (await who.get(url)).status;
/** Found, though there is nothing to show, or as if it did not exist. */
const isThere = async (who: Principal, url: string): Promise<boolean> =>
  !/"code":"\w+_not_found"/.test((await who.get(url)).text);

interface Seen {
  readonly who: Principal;
  readonly index: number;
  readonly model: Model;
  readonly plan: Plan;
  readonly made: Made;
}

async function checkCameras({ who, index, model, plan, made }: Seen): Promise<void> {
  const sees = plan.cameras.map((_, camera) => model.sees(index, camera));
  const visible = made.cameras.filter((_, camera) => sees[camera]).toSorted();
  assert.deepEqual(await ids(who, `${cameras}?page_size=1000`), visible, 'cameras: list');
  const { camera_stats } = await read<Summary>(who, '/secure-api/analytics/summary/');
  assert.equal(camera_stats.total, visible.length, 'cameras: count');
  for (const [camera, id] of made.cameras.entries()) {
    const there = [
      (await statusOf(who, `${cameras}${id}/`)) === 200,
      (await statusOf(who, `${cameras}snapshots/latest/?camera_id=${id}`)) === 200,
      await isThere(who, `${cameras}${id}/snapshot/`),
      (await who.send('POST', `${cameras}${id}/live/ticket/`)).status === 201,
    ];
    assert.deepEqual(there, Array(4).fill(sees[camera]), `camera ${camera}: one by one`);
    if (!sees[camera]) continue;
    const { username, ip_address } = await read<Camera>(who, `${cameras}${id}/`);
    const shown = model.sawAddress(index, camera);
    assert.deepEqual(
      [username, ip_address],
      shown ? ['viewer', '192.168.1.9'] : [undefined, undefined],
      `camera ${camera}: address (C-307)`,
    );
    const knowsCost = (await statusOf(who, `${cameras}${id}/cost/`)) === 200;
    assert.equal(knowsCost, shown, `camera ${camera}: what it costs`);
  }
  const { results } = await read<{ results: CameraGroup[] }>(who, `${cameras}groups/`);
  const groups = plan.cameraGroups.map((list) => list.filter((camera) => sees[camera]));
  const expected = made.cameraGroups
    .map((id, group) => [id, groups[group]!.map((camera) => made.cameras[camera]!).toSorted()])
    .filter(([, list]) => model.seesAll(index) || list!.length > 0);
  assert.deepEqual(
    results.map(({ id, cameras: list }) => [id, list.toSorted()]),
    expected,
    'groups',
  );
}

async function checkPeople({ who, index, model, plan, made }: Seen): Promise<void> {
  const owns = plan.people.map((_, person) => model.owns(index, person));
  const own = made.people.filter((_, person) => owns[person]);
  assert.deepEqual(
    await ids(who, `${faces}?page_size=1000`),
    own.map(({ id }) => id).toSorted(),
    'people: list',
  );
  for (const [person, { id, name, image }] of made.people.entries()) {
    const there = [
      (await statusOf(who, `${faces}${id}/`)) === 200,
      (await statusOf(who, `${faces}${id}/images/${image}/`)) === 200,
      (await ids(who, `${faces}?search=${encodeURIComponent(name)}`)).includes(id),
    ];
    assert.deepEqual(there, Array(3).fill(owns[person]), `person ${person}: one by one`);
  }
  const counted = await read<FaceStatistics>(who, `${faces}statistics/`);
  const active = plan.people.filter((one, person) => owns[person] && one.active).length;
  assert.deepEqual(
    [counted.total_faces, counted.active_faces],
    [own.length, active],
    'C-310 people',
  );
}

async function checkVisits(seen: Seen): Promise<void> {
  const { who, index, model, plan, made } = seen;
  const visible = plan.visits.flatMap((visit, at) =>
    model.sees(index, visit.camera) ? [{ ...visit, id: made.visits[at]! }] : [],
  );
  const nameOf = (visit: Plan['visits'][number]): string => {
    const known = made.people[visit.person];
    if (!known) return 'Unknown';
    return model.reads(index, visit) ? known.name : hidden;
  };
  const named = new Map(visible.map((visit) => [visit.id, nameOf(visit)]));
  const logs = await read<{ count: number; results: Visit[] }>(who, `${faceLogs}?limit=1000`);
  assert.equal(logs.count, visible.length, 'visits: count');
  assert.deepEqual(
    new Map(logs.results.map((log) => [log.id, log.person_name])),
    named,
    'visits: list',
  );
  assert.ok(
    logs.results.every(({ attributes }) => attributes?.age),
    'visits: attributes',
  );
  const newest = await read<{ results: Detection[] }>(who, `${faces}detections/?limit=100`);
  assert.deepEqual(new Map(newest.results.map((one) => [one.id, one.face_name])), named, 'newest');
  for (const { id, person_id } of logs.results) {
    const person = plan.visits[made.visits.indexOf(id)]!.person;
    const isOwn = person < made.people.length && model.owns(index, person);
    assert.equal(person_id, isOwn ? made.people[person]!.id : null, 'only people one may open');
  }
  for (const id of made.visits) {
    const isSeen = (await statusOf(who, `${faceLogs}${id}/image/`)) === 200;
    assert.equal(isSeen, named.has(id), 'visits: picture');
  }
  for (const [person, { name }] of made.people.entries()) {
    const found = await ids(who, `${faceLogs}?person_name=${encodeURIComponent(name)}`);
    const readable = visible.filter((visit) => visit.person === person && nameOf(visit) === name);
    assert.deepEqual(found, readable.map(({ id }) => id).toSorted(), 'C-1009 search');
  }
  for (const [camera, id] of made.cameras.entries()) {
    const at = visible.filter((visit) => visit.camera === camera).map((visit) => visit.id);
    assert.deepEqual(await ids(who, `${faceLogs}?camera_id=${id}`), at.toSorted(), 'by camera');
  }
  await checkCounts(seen, visible);
  await checkLogCounts(seen, visible, [...named.values()]);
  await checkBoxes(seen);
}

/** C-310: totals are of what one may see; recognised includes whom one may not name. */
async function checkCounts(
  { who, made }: Seen,
  visible: readonly { readonly person: number }[],
): Promise<void> {
  const unknown = visible.filter(({ person }) => !made.people[person]).length;
  const summary = await read<Summary>(who, '/secure-api/analytics/summary/');
  const flow = summary.traffic_flow.reduce((sum, { count }) => sum + count, 0);
  assert.equal(flow, visible.length, 'C-310 traffic');
  assert.equal(summary.face_stats.unknown, unknown, 'C-310 unknown');
  const known = visible.length - unknown;
  const rate = visible.length === 0 ? null : (100 * known) / visible.length;
  assert.equal(summary.recognition_rate.rate, rate, 'C-310 recognised');
  const statistics = await read<FaceStatistics>(who, `${faces}statistics/`);
  assert.equal(statistics.unknown_faces, unknown, 'C-310 unknown faces');
}

/** The counts of the log panels are those of the list: by kind, camera and name, unreadable names in one row. */
async function checkLogCounts(
  { who, made }: Seen,
  visible: readonly { readonly camera: number; readonly person: number }[],
  names: readonly string[],
): Promise<void> {
  const counts = `${faceLogs}counts/?by=`;
  const kinds = await read<GroupedCounts>(who, `${counts}kind`);
  const known = visible.filter(({ person }) => made.people[person]).length;
  assert.deepEqual([kinds.total, kinds.recognized], [visible.length, known], 'C-310 by kind');
  for (const by of ['hour', 'day', 'weekday_hour']) {
    const { total, recognized } = await read<GroupedCounts>(who, counts + by);
    assert.deepEqual([total, recognized], [visible.length, known], `C-310 by ${by}`);
  }
  const cameraCounts = await read<GroupedCounts>(who, `${counts}camera`);
  for (const { key, total } of cameraCounts.results) {
    const at = visible.filter(({ camera }) => made.cameras[camera] === key).length;
    assert.equal(total, at, 'C-310 by camera');
  }
  const totals = new Map<string, number>();
  const people = await read<{ results: PersonStats[] }>(who, `${faceLogs}by-person/`);
  for (const { person_name, total_detections } of people.results) {
    totals.set(person_name, (totals.get(person_name) ?? 0) + total_detections);
  }
  const expected = new Map<string, number>();
  for (const name of names) expected.set(name, (expected.get(name) ?? 0) + 1);
  assert.deepEqual(totals, expected, 'C-1009 by person');
  const daily = '/secure-api/activity-log/daily-face-logs/';
  const { results } = await read<{ results: DailyVisits[] }>(who, daily);
  const days = results.reduce((sum, { detection_count }) => sum + detection_count, 0);
  assert.equal(days, visible.length, 'C-310 by day and person');
}

/** The rule of live views, on the same grants: whose name stands on a box. */
async function checkBoxes({ who, index, model, plan, made }: Seen): Promise<void> {
  const { id: userId, email, standing } = who;
  const grants = await world.server.cameras.access.visibleTo({ userId, standing });
  const scope = createScope({ userId, email, sessionId: userId, standing }, grants);
  const categories = (await world.server.faces.categories.list()).map(({ id }) => id);
  for (const visit of plan.visits) {
    const person = plan.people[visit.person];
    if (!person || !model.sees(index, visit.camera)) continue;
    const addedBy = principals[person.maker]!.id;
    const named = { addedBy, categoryId: categories[person.category]! };
    const reads = mayReadName(scope, made.cameras[visit.camera]!, named);
    assert.equal(reads, model.reads(index, visit), 'live: name');
  }
}

/** An administrator who sees as each of them is answered the same, character by character. */
async function checkSeeAs({ who }: Seen): Promise<void> {
  const administrator = principals.at(-1)!;
  if (who === administrator) return;
  const urls = [
    `${cameras}?page_size=1000`,
    `${cameras}groups/`,
    `${faces}?page_size=1000`,
    `${faces}statistics/`,
    `${faceLogs}?limit=1000`,
    '/secure-api/analytics/summary/',
    `${faceLogs}counts/?by=person`,
    `${faceLogs}by-date/`,
  ];
  for (const url of urls) {
    const { access } = administrator;
    const seen = await call(world.app, 'GET', url, { access, headers: { 'x-see-as': who.id } });
    assert.equal(seen.text, (await who.get(url)).text, `seen as ${who.email}: ${url}`);
  }
}

/** Each receives the visits they may list, by the names they may read, and no other. */
async function checkNews(plan: Plan, made: Made, model: Model): Promise<void> {
  const readers: TestSocket[] = [];
  for (const { access } of principals) {
    const reader = await openSocket(world.app, '/secure-api/news/ws/');
    reader.socket.send(JSON.stringify({ access }));
    readers.push(reader);
    // Known once it receives what all receive. So the last to join is the last to be served, too.
    await until(() => {
      world.server.faces.changed.publish({ identityId: null });
      return reader.received.length > 0;
    });
  }
  const receivedBy = (reader: TestSocket): Map<string, string> =>
    new Map(
      reader.received
        .filter(({ kind }) => kind === 'visits')
        .flatMap(({ seen }) => seen as Detection[])
        .map(({ id, face_name }) => [id, face_name]),
    );
  for (const [at, visitId] of made.visits.entries()) {
    const cameraId = made.cameras[plan.visits[at]!.camera]!;
    const startedAtMs = made.startedAtMs[at]!;
    world.server.visits.seen.publish({ visitId, cameraId, startedAtMs });
  }
  const expected = readers.map(
    (_, index) =>
      new Map(
        plan.visits.flatMap((visit, at) => {
          if (!model.sees(index, visit.camera)) return [];
          const known = made.people[visit.person];
          const name = !known ? 'Unknown' : model.reads(index, visit) ? known.name : hidden;
          return [[made.visits[at]!, name] as const];
        }),
      ),
  );
  // The server sends to the last one last; a busy machine may deliver it before what it sent others.
  await until(() => {
    world.clock.advance(100);
    return readers.every((reader, index) => receivedBy(reader).size >= expected[index]!.size);
  });
  for (const [index, reader] of readers.entries()) {
    assert.deepEqual(
      receivedBy(reader),
      expected[index],
      `live events of ${principals[index]!.email}`,
    );
    reader.socket.terminate();
  }
}

test(`C-304, C-307, C-310, C-1009 lists, details, pictures, search, counts, live views and live events agree in ${worlds} random worlds`, async (t) => {
  const startedAt = performance.now();
  const property = fc.asyncProperty(plans(principals.length), async (plan) => {
    await emptied(world);
    const built = await made(world, principals, plan);
    const model = new Model(plan, principals);
    // At once, so that what one is answered while others ask is compared as well (C-309).
    const all = principals.map(async (who, index) => {
      const seen: Seen = { who, index, model, plan, made: built };
      await checkCameras(seen);
      await checkPeople(seen);
      await checkVisits(seen);
      await checkSeeAs(seen);
    });
    await Promise.all(all);
    await checkNews(plan, built, model);
  });
  await fc.assert(property, { numRuns: worlds, endOnFailure: worlds > 100 });
  t.diagnostic(`${worlds} worlds in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
});
