/** The calls of the log dashboard over HTTP: whose days, whose eyes, and what is refused, in words. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { GroupedCounts } from '@nazar/contract/visit-counts.ts';
import { SharedAnswers } from '#http/shared-answers.ts';
import { makers } from '#testing/matrix-objects.ts';
import { call, signInEach, testServer, type SignedIn, type TestServer } from '#testing/server.ts';
import { until } from '#testing/until.ts';
import { aCameraForm, aPicture, aVisit } from '#testing/world.ts';

interface PersonCounts {
  readonly results: readonly unknown[];
}

const logs = '/secure-api/activity-log/face-logs/';
let world: TestServer;
let admin: SignedIn;
let user: SignedIn;
let camera: string;

before(async () => {
  world = await testServer();
  ({ admin, user } = await signInEach(world));
  const added = await admin.send('POST', '/secure-api/cameras/', aCameraForm());
  camera = added.json<{ id: string }>().id;
  // 20:30 UTC is the next day in Baku.
  const visit = aVisit(camera, Date.UTC(2026, 0, 10, 20, 30), { picture: aPicture(1) });
  await world.server.visits.write(visit);
});
after(() => world[Symbol.asyncDispose]());

const counts = async (who: SignedIn, query: string): Promise<GroupedCounts> =>
  (await who.get(`${logs}counts/?${query}`)).json<GroupedCounts>();
const daysOf = async (who: SignedIn, query = ''): Promise<string[]> => {
  const { results } = await counts(who, `by=day&start_date=2026-01-08&end_date=2026-01-12${query}`);
  return results.filter(({ total }) => total > 0).map(({ key }) => key);
};

test('NSH-006, NSH-044 days are those of the reader: as they prefer, unless they ask for others', async () => {
  assert.deepEqual(await daysOf(admin), ['2026-01-10']);
  const preferences = '/secure-api/accounts/preferences/update_my_preferences/';
  const refused = await admin.send('PATCH', preferences, { timezone: 'Mars/X' });
  assert.equal(refused.status, 400);
  await admin.send('PATCH', preferences, { timezone: 'Asia/Baku' });
  assert.deepEqual(await daysOf(admin), ['2026-01-11']);
  assert.deepEqual(await daysOf(admin, '&timezone=UTC'), ['2026-01-10']);
  const list = `${logs}?start_date=2026-01-11&end_date=2026-01-11`;
  assert.equal((await admin.get(list)).json<{ count: number }>().count, 1);
  assert.equal((await admin.get(`${list}&timezone=UTC`)).json<{ count: number }>().count, 0);
});

test('LDO-003, LDF-002, H-6 an administrator counts what a user may see; for others the filter changes nothing', async () => {
  const period = 'by=kind&start_date=2026-01-08&end_date=2026-01-12';
  assert.equal((await counts(admin, period)).total, 1);
  assert.equal((await counts(admin, `${period}&user=${user.id}`)).total, 0);
  assert.equal((await counts(user, `${period}&user=${admin.id}`)).total, 0);
  const unknownId = '00000000-0000-7000-8000-000000000000';
  assert.equal((await admin.get(`${logs}counts/?${period}&user=${unknownId}`)).status, 404);
  const guest = await world.signIn('user', 'guest@example.org');
  const grant = {
    of: { type: 'camera', id: camera },
    to: { type: 'user', id: guest.id },
    capabilities: ['live'],
  };
  const granted = await admin.send('PUT', '/secure-api/cameras/grants/', grant);
  assert.equal(granted.status, 200, granted.text);
  assert.equal((await counts(admin, `${period}&user=${guest.id}`)).total, 1);
  assert.equal((await counts(guest, `${period}&user=${user.id}`)).total, 1);
});

test('ERR-039, ~NSH-042 a filter that cannot be counted is refused with a sentence, in each language', async () => {
  const bad = {
    'counts/?by=day&start_date=2026-02-02&end_date=2026-02-01': 'end_date',
    'counts/?by=day&timezone=Mars/X': 'timezone',
    '?page=999999': 'page',
    '?limit=1001': 'limit',
    'counts/?by=day&start_date=2020-01-01&end_date=2026-02-01': 'end_date',
  };
  for (const [path, field] of Object.entries(bad)) {
    const sentences = new Set<string>();
    for (const language of ['en', 'az', 'ru', 'tr']) {
      const { access } = admin;
      const headers = { 'accept-language': language };
      const reply = await call(world.app, 'GET', logs + path, { access, headers });
      assert.equal(reply.status, 400, `${path}: ${reply.text}`);
      sentences.add(reply.json<Record<string, string[]>>()[field]![0]!);
    }
    assert.equal(sentences.size, 4, path);
  }
});

test('equal questions of equal rights are counted once while they are counted, and no others', async (t) => {
  const { counting } = world.server.visits;
  const byPerson = counting.byPerson.bind(counting);
  const gate = Promise.withResolvers<void>();
  const counted = t.mock.method(
    counting,
    'byPerson',
    async (...asked: Parameters<typeof byPerson>) => {
      await gate.promise;
      return byPerson(...asked);
    },
  );
  const asked = t.mock.method(SharedAnswers.prototype, 'once');
  const period = '?start_date=2026-01-08&end_date=2026-01-12';
  const list = `${logs}by-person/`;
  const all = Promise.all([
    admin.get(list + period),
    admin.get(`${logs}stats/by-person-confidence/${period}`),
    admin.get(`${list}${period}&timezone=UTC`),
    user.get(list + period),
  ]);
  await until(() => asked.mock.callCount() === 4);
  gate.resolve();
  const [one, other, elsewhere, ofUser] = (await all).map((reply) => reply.json<PersonCounts>());
  assert.equal(counted.mock.callCount(), 3);
  assert.equal(one!.results.length, 1);
  assert.deepEqual(other, one);
  assert.equal(elsewhere!.results.length, 1);
  assert.equal(ofUser!.results.length, 0);
});

const root = '/secure-api/activity-log/';
const period = '?start_date=2026-01-08&end_date=2026-01-12';

/** Paths that answer as the main one does, for every caller. */
async function assertSame(main: string, others: readonly string[]): Promise<void> {
  for (const who of [admin, user]) {
    const expected = await who.get(root + main + period);
    assert.equal(expected.status, 200, main);
    for (const path of others)
      assert.equal((await who.get(root + path + period)).text, expected.text, path);
  }
  assert.notEqual(
    (await admin.get(root + main + period)).text,
    (await admin.get(`${root}${main}?start_date=2025-01-08&end_date=2025-01-12`)).text,
    `${main}: without the visit it is another answer`,
  );
}

test('APL-013 the totals, of the user that is asked for', async () => {
  const path = `${root}activity-logs/face-recognition-stats/${period}&_t=1768000000000`;
  const { total, recognized, unrecognized } = (await admin.get(path)).json();
  assert.deepEqual([total, recognized, unrecognized], [1, 0, 1]);
  assert.equal((await admin.get(`${path}&user=${user.id}`)).json()['total'], 0);
});

test('APL-014, CFL-030 days of people come by both addresses, of a period and of a person', async () => {
  const both = ['activity-logs/daily-face-logs/by-date-range/', 'daily-face-logs/by-date-range/'];
  await assertSame(both[0]!, both);
  for (const path of both) {
    const days = async (name: string): Promise<unknown> => {
      const asked = `${root}${path}${period}&_t=1768000000000&person_name=${name}`;
      return (await admin.get(asked)).json<{ results: unknown[] }>().results.length;
    };
    assert.deepEqual([await days('Unknown'), await days('Nobody')], [1, 0], path);
  }
});

test('=APL-019, =APL-020, NSH-032 every other address answers as its main one does', async () => {
  for (const [main, ...others] of [
    ['face-logs/', 'face-recognition/logs/'],
    ['face-logs/stats/', 'activity-logs/face-recognition-stats/', 'face-recognition/stats/'],
    ['face-logs/by-person/', 'face-recognition/stats/by-person/'],
    ['face-logs/by-date/', 'face-recognition/stats/by-date/'],
    [
      'daily-face-logs/by-date-range/',
      'daily-face-logs/',
      'daily-face-logs/by-person/',
      'face-recognition/daily-logs/',
      'face-recognition/daily-stats/by-person/',
      'face-recognition/daily-stats/by-date/',
    ],
  ] as const)
    await assertSame(main, others);
  for (const [main, other] of [
    ['/secure-api/persons/', '/secure-api/person/list/'],
    ['/secure-api/cameras/', '/secure-api/camera/list/'],
  ] as const) {
    const expected = await admin.get(main);
    assert.equal(expected.status, 200, main);
    assert.equal((await admin.get(other)).text, expected.text, other);
  }
});

test('=APL-006, APL-009, APL-010, APL-012 the calls of the panels answer with the fields they read, whatever _t says', async () => {
  const asked = 'start_date=2026-01-08&end_date=2026-01-12&timezone=UTC&_t=1768000000000';
  const ask = async <T>(path: string): Promise<T> => {
    const reply = await admin.get(logs + path);
    assert.equal(reply.status, 200, reply.text);
    return reply.json<T>();
  };
  const stats = { total_detections: 1, recognized_count: 0, unrecognized_count: 1 };
  const people = await ask<{ results: object[] }>(`stats/by-person-confidence/?${asked}`);
  assert.partialDeepStrictEqual(people.results, [{ person_name: 'Unknown', ...stats }]);
  const name = 'Gate';
  const cameras = await ask<object[]>(`by-date/?${asked}`);
  assert.deepEqual(cameras, [{ camera_id: camera, camera_name: name, ...stats }]);
  const seen = '2026-01-10T20:30:00.000Z';
  const visit = { camera_id: camera, camera_name: name, timestamp: seen, is_recognized: false };
  for (const filter of [
    'limit=1000',
    `limit=100&camera_id=${camera}`,
    `limit=100&user=${admin.id}`,
  ]) {
    const { count, results } = await ask<{ count: number; results: object[] }>(
      `?${asked}&${filter}`,
    );
    assert.equal(count, 1, filter);
    assert.partialDeepStrictEqual(results, [visit], filter);
  }
  const none = await ask<{ count: number }>(`?${asked}&limit=100&user=${user.id}`);
  assert.equal(none.count, 0);
  assert.partialDeepStrictEqual(await ask(`camera-details/?${asked}&camera_id=${camera}`), {
    camera_id: camera,
    camera_name: name,
    ...stats,
    first_detection: seen,
    last_detection: seen,
    unique_persons: 0,
    recent_logs: [visit],
  });
});

test('=APL-021, ~NSH-032, ROL-005 the persons of a filter are those one may see', async () => {
  const { id: theirs } = await makers.person(world, user, user);
  const { id: mine } = await makers.person(world, admin, admin);
  const personsOf = async (who: SignedIn) =>
    (await who.get('/secure-api/persons/')).json<{ results: { id: string; name: string }[] }>()
      .results;
  assert.deepEqual(await personsOf(user), [{ id: theirs, name: 'Ayla Example' }]);
  const both = (await personsOf(admin)).map(({ id }) => id);
  assert.deepEqual(new Set(both), new Set([theirs, mine]), 'two people of one name are two');
  const persons = await admin.get('/secure-api/persons/');
  assert.equal((await admin.get('/secure-api/person/list/')).text, persons.text);
  const cameras = await admin.get('/secure-api/cameras/');
  assert.equal(cameras.json<{ count: number }>().count, 1);
  assert.equal((await admin.get('/secure-api/camera/list/')).text, cameras.text);
});
