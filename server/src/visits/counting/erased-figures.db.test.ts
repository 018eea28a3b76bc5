/** Erasing people changes no figure of the past; their visits are a kind of their own, in lists, filters and counts. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import * as fc from 'fast-check';
import { erasedName, hiddenName, unknownName } from '@nazar/contract/names.ts';
import { countKeys } from '@nazar/contract/visit-counts.ts';
import type { Visit, VisitQuery, VisitKind } from '@nazar/contract/visits.ts';
import type { Scope } from '#http/scope.ts';
import { granting } from '#testing/grants.ts';
import { assertCountsAreExact } from '#testing/recount.ts';
import { aPicture, aVisit, aWorld, type World } from '#testing/world.ts';

const minuteMs = 60_000;
const firstMs = Date.UTC(2026, 2, 28, 20);
const period = { start_date: '2026-03-27', end_date: '2026-04-12' } as const;
const zones = ['Asia/Kathmandu', 'America/New_York'] as const;
let world: World;
/** Who counts: one sees everyone; one names whom they added, and all names at one camera; one names no one. */
let readers: { admin: Scope; owner: Scope; guard: Scope };
let cameras: readonly string[];
let nextLook = 0;

before(async () => {
  world = await aWorld();
  const admin = await world.actor('superadmin');
  const [owner, guard] = [await world.actor('user'), await world.actor('user')];
  cameras = [await world.camera(admin), await world.camera(owner), await world.camera(admin)];
  readers = {
    admin,
    owner: { ...owner, grants: granting(cameras[0]!, ['live', 'people']) },
    guard: { ...guard, grants: granting(cameras[0]!, ['live']) },
  };
});
after(() => world[Symbol.asyncDispose]());

interface Plan {
  readonly visits: readonly {
    readonly who: number;
    readonly camera: number;
    readonly gap: number;
  }[];
  readonly erased: readonly number[];
}
/** People 0 to 4, of two accounts; from 5 on strangers. */
const people = 5;
const plan: fc.Arbitrary<Plan> = fc.record({
  visits: fc.array(
    fc.record({ who: fc.nat(8), camera: fc.nat(2), gap: fc.integer({ min: 1, max: 900 }) }),
    { minLength: 20, maxLength: 40 },
  ),
  erased: fc.uniqueArray(fc.nat(people - 1), { minLength: 1, maxLength: 3 }),
});

/** Writes the visits of a plan; answers the ids of its people. */
async function fill({ visits }: Plan): Promise<string[]> {
  const faceNumbers = Array.from({ length: 9 }, () => (nextLook += 1));
  const known = await Promise.all(
    faceNumbers.slice(0, people).map((look, index) => {
      const owner = index % 2 === 0 ? readers.admin : readers.owner;
      return world.person(owner, `Person${look}`, look);
    }),
  );
  let atMs = firstMs;
  for (const { who, camera, gap } of visits) {
    atMs += gap * minuteMs;
    const identityId = known[who]?.identityId ?? null;
    const picture = aPicture(faceNumbers[who]!);
    await world.visits.write(aVisit(cameras[camera]!, atMs, { identityId, picture }));
  }
  return known.map(({ id }) => id);
}

type Asked = Partial<Pick<VisitQuery, 'is_recognized' | 'kind' | 'person_name' | 'camera_id'>>;
async function listed(scope: Scope, asked: Asked = {}): Promise<Visit[]> {
  const { results, count } = await world.visits.list(scope, {
    ...period,
    ...asked,
    page: 1,
    limit: 1000,
  });
  assert.equal(count, results.length);
  return results;
}

/** Everything that is counted without saying who it was. */
async function figures(scope: Scope): Promise<unknown> {
  const { counting } = world.visits;
  const all: unknown[] = [];
  for (const zone of zones) {
    for (const by of ['hour', 'day', 'weekday_hour', 'camera'] as const) {
      all.push(await counting.grouped(scope, { ...period, by }, zone));
      all.push(await counting.grouped(scope, { ...period, by, is_recognized: true }, zone));
    }
    all.push(await counting.stats(scope, period, zone));
    all.push(await counting.byCamera(scope, period, zone));
    const daily = await counting.daily(scope, { ...period, page: 1, limit: 1000 }, zone);
    const days = Map.groupBy(daily.results, ({ date }) => date);
    all.push(
      [...days].map(([date, rows]) => [
        date,
        rows.reduce((sum, { recognized_count }) => sum + recognized_count, 0),
        rows.reduce((sum, { unrecognized_count }) => sum + unrecognized_count, 0),
      ]),
    );
  }
  for (const camera_id of cameras) {
    if (scope !== readers.admin && camera_id === cameras[2]) continue;
    if (scope === readers.guard && camera_id !== cameras[0]) continue;
    all.push(await counting.cameraDetails(scope, { ...period, camera_id }, 'UTC'));
  }
  for (const is_recognized of [true, false]) {
    const rows = await listed(scope, { is_recognized });
    assert.ok(rows.every((row) => row.is_recognized === is_recognized));
    all.push(rows.map(({ id }) => id));
  }
  return all;
}

/** Rows and filters of a reader, as their kinds add up. */
async function assertSums(scope: Scope): Promise<void> {
  const { counting } = world.visits;
  const all = await listed(scope);
  const kinds: VisitKind[] = ['known', 'unknown', 'erased'];
  const ofKinds = await Promise.all(kinds.map((kind) => listed(scope, { kind })));
  assert.deepEqual(
    ofKinds
      .flat()
      .map(({ id }) => id)
      .sort(),
    all.map(({ id }) => id).sort(),
  );
  const [, unknown, erased] = ofKinds;
  assert.ok(unknown!.every(({ person_name }) => person_name === unknownName));
  assert.ok(erased!.every((row) => row.person_name === erasedName && row.is_recognized));
  assert.equal(all.filter(({ person_name }) => person_name === erasedName).length, erased!.length);
  for (const by of countKeys) {
    const { results, ...totals } = await counting.grouped(scope, { ...period, by }, 'UTC');
    for (const name of ['total', 'recognized', 'unrecognized'] as const) {
      const sum = results.reduce((before, row) => before + row[name], 0);
      assert.equal(sum, totals[name], `${by}: ${name}`);
    }
    assert.equal(totals.total, all.length);
    const row = results.find(({ key }) => key === 'erased');
    if (by === 'kind' || by === 'person') assert.equal(row?.total ?? 0, erased!.length, by);
  }
  const [row, ...more] = (await counting.byPerson(scope, period, 'UTC')).filter(
    ({ person_name }) => person_name === erasedName,
  );
  assert.deepEqual([row?.total_detections ?? 0, row?.person_id ?? null], [erased!.length, null]);
  assert.deepEqual(more, []);
  const stats = await counting.stats(scope, { ...period, person_name: erasedName }, 'UTC');
  assert.deepEqual([stats.total, stats.recognized], [erased!.length, erased!.length]);
}

test('C-1003, C-1004, LDO-012, ENT-034 erasing people changes no figure of any past day, for any reader; kinds of visits add up', async () => {
  let erasedSeen = 0;
  await fc.assert(
    fc.asyncProperty(plan, async (story) => {
      const ids = await fill(story);
      const scopes = Object.values(readers);
      const before = await Promise.all(scopes.map(figures));
      for (const index of story.erased) {
        await world.faces.remove(readers.admin, ids[index]!);
        for (const [at, scope] of scopes.entries()) {
          assert.deepEqual(withoutNames(await figures(scope)), withoutNames(before[at]));
          await assertSums(scope);
        }
        await assertCountsAreExact(world.database.db);
      }
      erasedSeen += (await listed(readers.admin, { kind: 'erased' })).length;
      await world.database.db.transaction((tx) =>
        world.visits.erasing.before(tx, new Date(Date.UTC(2027, 0)), 10_000),
      );
    }),
    { numRuns: 4, seed: 38, endOnFailure: true },
  );
  assert.ok(erasedSeen > 10, 'there was something to change');
});

/** The newest visits of a camera say who it was; all else stays letter by letter. */
const withoutNames = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (key, inner: unknown) =>
      ['person_name', 'person_id', 'face_image_url'].includes(key) ? null : inner,
    ),
  );

test('C-1009 a user who may not name everyone at a camera does not learn which people were erased', async () => {
  const { admin, owner, guard } = readers;
  const { id, identityId } = await world.person(owner, 'Leyla', (nextLook += 1));
  const picture = aPicture(nextLook);
  for (const [index, camera] of cameras.entries()) {
    const atMs = firstMs + index * minuteMs;
    await world.visits.write(aVisit(camera, atMs, { identityId, picture }));
  }
  await world.faces.remove(owner, id);
  const names = async (scope: Scope) =>
    (await listed(scope)).map(({ camera_id, person_name }) => [
      cameras.indexOf(camera_id),
      person_name,
    ]);
  assert.deepEqual(await names(admin), [
    [2, erasedName],
    [1, erasedName],
    [0, erasedName],
  ]);
  assert.deepEqual(await names(owner), [
    [1, hiddenName],
    [0, erasedName],
  ]);
  assert.deepEqual(await names(guard), [[0, hiddenName]]);
  assert.deepEqual(await listed(guard, { kind: 'erased' }), []);
  assert.equal((await listed(guard, { kind: 'known' })).length, 1);
});

test('C-1003 by the id of an unknown person who was erased no visit is found', async () => {
  const { admin } = readers;
  const look = (nextLook += 1);
  const seen = () =>
    world.visits.write(aVisit(cameras[0]!, (atMs += minuteMs), { picture: aPicture(look) }));
  let atMs = firstMs + 60 * minuteMs;
  const { identityId: unknown } = await seen();
  await seen();
  const query = { ...period, unknown, page: 1, limit: 10 };
  assert.equal((await world.visits.list(admin, query)).count, 2);
  await world.database.db.transaction((tx) => world.faces.erasing.strangers(tx, [unknown]));
  assert.equal((await world.visits.list(admin, query)).count, 0);
});
