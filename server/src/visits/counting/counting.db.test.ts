/** Every count of visits, in days of several places, against the visits counted one by one. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import * as fc from 'fast-check';
import { sql } from 'kysely';
import type { GroupedQuery } from '@nazar/contract/visit-counts.ts';
import type { SeenPeople } from '@nazar/contract/visit-counts.ts';
import type { Scope } from '#http/scope.ts';
import { Problem } from '#lib/problem.ts';
import { granting } from '#testing/grants.ts';
import { aPicture, aVisit, aWorld, type World } from '#testing/world.ts';
import { Counting } from './counting.ts';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
let world: World;
let admin: Scope;
let user: Scope;
let cameras: string[];
let people: { readonly id: string; readonly identityId: string; readonly owner: Scope }[];

/** A visit as this test knows it: who it was is an index of `people`, or -1. */
interface Seen {
  readonly atMs: number;
  readonly camera: number;
  readonly person: number;
}
const seen: Seen[] = [];

before(async () => {
  world = await aWorld();
  admin = await world.actor('superadmin');
  user = await world.actor('user');
  cameras = [await world.camera(admin), await world.camera(user), await world.camera(admin)];
  // Two of them have one name.
  people = await Promise.all(
    [
      ['Aysel', admin],
      ['Aysel', admin],
      ['Rashad', user],
    ].map(async ([name, owner], index) => ({
      ...(await world.person(owner as Scope, name as string, 10 + index)),
      owner: owner as Scope,
    })),
  );
  await fill();
});
after(() => world[Symbol.asyncDispose]());

/** Visits around both changes of summer time of New York, one of Lord Howe, and over quarters of hours. */
async function fill(): Promise<void> {
  const moments = [
    Date.UTC(2026, 2, 7),
    Date.UTC(2026, 9, 31),
    Date.UTC(2026, 0, 9, 20),
    Date.UTC(2026, 3, 3),
  ];
  const gaps = fc.sample(fc.integer({ min: 1, max: 200 }), { numRuns: 320, seed: 44 });
  let atMs = moments[0]!;
  for (const [index, gap] of gaps.entries()) {
    if (index % 80 === 0) atMs = moments[index / 80]!;
    atMs += gap * minuteMs;
    const visit = { atMs, camera: gap % 3, person: (gap % 5) - 1 < 3 ? (gap % 5) - 1 : -1 };
    const identityId = people[visit.person]?.identityId ?? null;
    const picture = aPicture(identityId ? 10 + visit.person : 3_000 + index);
    await world.visits.write(aVisit(cameras[visit.camera]!, atMs, { identityId, picture }));
    seen.push(visit);
  }
}

/** The local time of a moment, by PostgreSQL: other code and other tables than those that count. */
async function localTimes(
  zone: string,
): Promise<Map<number, { day: string; hour: string; week: string }>> {
  const { rows } = await sql<{ at: Date; day: string; hour: Date; week: string }>`
    select started_at as at, to_char(started_at at time zone ${zone}, 'YYYY-MM-DD') as day,
           date_trunc('hour', started_at, ${zone}) as hour,
           to_char(started_at at time zone ${zone}, 'ID-FMHH24') as week
    from visit`.execute(world.database.db.read());
  return new Map(
    rows.map(({ at, hour, ...row }) => [at.getTime(), { ...row, hour: hour.toISOString() }]),
  );
}

/** Clocks of Lord Howe are put forward by half an hour, so that hours begin elsewhere within hours of UTC. */
const zones = [
  'Asia/Baku',
  'America/New_York',
  'Asia/Kathmandu',
  'Asia/Kolkata',
  'America/St_Johns',
  'Australia/Lord_Howe',
  'UTC',
] as const;
const query = (more: Partial<GroupedQuery>): GroupedQuery => ({ by: 'day', ...more });

test('NSH-044, ~LDF-003, ~LDT-002 by day, hour and hour of the week, in each zone, as the visits one by one', async () => {
  for (const zone of zones) {
    const local = await localTimes(zone);
    const periods = fc.record({
      from: fc.nat(seen.length - 1),
      spanMs: fc.integer({ min: 1, max: 40 * dayMs }),
      by: fc.constantFrom('day', 'hour', 'weekday_hour' as const),
      camera: fc.option(fc.nat(2), { nil: undefined }),
      is_recognized: fc.option(fc.boolean(), { nil: undefined }),
      as: fc.constantFrom('admin', 'user' as const),
    });
    await fc.assert(
      fc.asyncProperty(periods, async ({ from, spanMs, by, camera, is_recognized, as }) => {
        const fromMs = seen[from]!.atMs;
        const untilMs = fromMs + spanMs;
        const counted = await world.visits.counting.grouped(
          as === 'admin' ? admin : user,
          query({
            by,
            start_date: new Date(fromMs).toISOString(),
            end_date: new Date(untilMs).toISOString(),
            ...(camera === undefined ? {} : { camera_id: cameras[camera] }),
            is_recognized,
          }),
          zone,
        );
        const expected = new Map<string, number>();
        for (const visit of seen) {
          const { day, hour, week } = local.get(visit.atMs)!;
          const isMeant =
            visit.atMs >= fromMs &&
            visit.atMs < untilMs &&
            (camera === undefined || visit.camera === camera) &&
            (as === 'admin' || visit.camera === 1) &&
            (is_recognized === undefined || visit.person >= 0 === is_recognized);
          const key = by === 'day' ? day : by === 'hour' ? hour : week;
          if (isMeant) expected.set(key, (expected.get(key) ?? 0) + 1);
        }
        const found = counted.results.filter(({ total }) => total > 0);
        assert.deepEqual(new Map(found.map(({ key, total }) => [key, total])), expected);
        assert.equal(
          counted.total,
          [...expected.values()].reduce((sum, n) => sum + n, 0),
        );
      }),
      { numRuns: 10, seed: 7 },
    );
  }
});

test('LDP-001, APL-008, ENT-025, C-1009 two people of one name are two, and all whom the reader may not name are one row', async () => {
  const all = { start_date: '2026-01-01', end_date: '2026-12-31' };
  const rows = await world.visits.counting.byPerson(admin, all, 'Asia/Kathmandu');
  const expected = people.map(({ id }, index) => {
    const mine = seen.filter(({ person }) => person === index);
    const at = mine.map(({ atMs }) => atMs);
    return [
      id,
      mine.length,
      new Date(Math.min(...at)).toISOString(),
      new Date(Math.max(...at)).toISOString(),
      new Set(mine.map(({ camera }) => camera)).size,
    ];
  });
  const unknown = seen.filter(({ person }) => person < 0).length;
  assert.deepEqual(
    new Set(
      rows
        .filter(({ person_id }) => person_id !== null)
        .map((row) =>
          [row.person_id, row.recognized_count, row.first_seen, row.last_seen, row.cameras].join(),
        ),
    ),
    new Set(expected.map((row) => row.join())),
  );
  assert.deepEqual(rows.filter(({ person_name }) => person_name === 'Aysel Example').length, 2);
  assert.equal(rows.at(-1)?.unrecognized_count, unknown);
  const others = await world.visits.counting.byPerson(user, all, 'UTC');
  const atTheirs = seen.filter(({ camera }) => camera === 1);
  assert.deepEqual(
    new Map(others.map((row) => [row.person_name, row.total_detections])),
    new Map([
      ['Known person', atTheirs.filter(({ person }) => person === 0 || person === 1).length],
      ['Rashad Example', atTheirs.filter(({ person }) => person === 2).length],
      ['Unknown', atTheirs.filter(({ person }) => person < 0).length],
    ]),
  );
});

/** Every page of a list of people, one a page, as one. */
async function peopleOf(
  scope: Scope,
  asked: { readonly start_date: string; readonly end_date: string; readonly search?: string },
): Promise<SeenPeople> {
  const { counting } = world.visits;
  const page = (number: number) =>
    counting.people(scope, { ...asked, page: number, limit: 1 }, 'UTC');
  const first = await page(1);
  const others = Array.from({ length: Math.max(0, first.count - 1) }, (_, index) =>
    page(index + 2),
  );
  const results = (await Promise.all(others)).flatMap((one) => one.results);
  await assert.rejects(page(first.count + 2), { code: 'page_too_late' });
  return { ...first, results: [...first.results, ...results] };
}

/** How long, at which camera, and who reads. */
const anyStretch = {
  spanMs: fc.oneof(
    fc.integer({ min: 1, max: 2 * dayMs }),
    fc.integer({ min: 1, max: 300 * dayMs }),
  ),
  camera: fc.option(fc.nat(2), { nil: undefined }),
  as: fc.constantFrom('admin', 'user' as const),
};

interface Stretch {
  /** The visit from whose time it begins so much later. */
  readonly from: number;
  readonly startMs: number;
  readonly spanMs: number;
  readonly camera: number | undefined;
  readonly as: 'admin' | 'user';
}

/** What is asked for, and the visits in it that the reader may see. */
function askedOf({ from, startMs, spanMs, camera, as }: Stretch) {
  const fromMs = seen[from]!.atMs + startMs;
  const untilMs = fromMs + spanMs;
  const asked = {
    start_date: new Date(fromMs).toISOString(),
    end_date: new Date(untilMs).toISOString(),
    ...(camera === undefined ? {} : { camera_id: cameras[camera]! }),
  };
  const meant = seen.filter(
    (visit) =>
      visit.atMs >= fromMs &&
      visit.atMs < untilMs &&
      (camera === undefined || visit.camera === camera) &&
      (as === 'admin' || visit.camera === 1),
  );
  return { asked, meant };
}

test('LDP-001, ENT-025, NSH-044 people of any stretch of time, at all cameras, at one, or at those of a reader, as the visits one by one', async () => {
  const periods = fc.record({
    from: fc.nat(seen.length - 1),
    // Before a visit, at it, after it: hours and days are cut anywhere.
    startMs: fc.integer({ min: -12 * 60, max: 12 * 60 }).map((minutes) => minutes * minuteMs),
    ...anyStretch,
  });
  await fc.assert(
    fc.asyncProperty(periods, async (period) => {
      const { as } = period;
      const { asked, meant } = askedOf(period);
      // The administrator reads every name, the user the one of whom they added.
      const whoIs = ({ person }: Seen): string =>
        person < 0 ? 'Unknown' : as === 'admin' || person === 2 ? people[person]!.id : 'hidden';
      const expected = [...Map.groupBy(meant, whoIs)].map(([who, visits]) => {
        const at = visits.map(({ atMs }) => new Date(atMs).toISOString()).toSorted();
        const places = new Set(visits.map((visit) => visit.camera)).size;
        return who === 'Unknown'
          ? [who, visits.length, null, null, null]
          : [who, visits.length, at[0], at.at(-1), places];
      });
      const { counting } = world.visits;
      const scope = as === 'admin' ? admin : user;
      const rows = await counting.byPerson(scope, asked, 'UTC');
      const whose = (row: (typeof rows)[number]): string =>
        row.person_id ?? (row.person_name === 'Unknown' ? 'Unknown' : 'hidden');
      assert.deepEqual(
        new Map(
          rows.map((row) => [
            whose(row),
            [row.total_detections, row.first_seen, row.last_seen, row.cameras],
          ]),
        ),
        new Map(expected.map(([who, ...row]) => [who, row])),
      );
      const counts = await counting.grouped(scope, { by: 'person', ...asked }, 'UTC');
      assert.deepEqual(
        new Map(counts.results.map(({ key, total }) => [key.toLowerCase(), total])),
        new Map(expected.map(([who, total]) => [String(who).toLowerCase(), total])),
      );
      const known = expected.filter(([who]) => who !== 'Unknown');
      const visits = known.map(([, total]) => Number(total)).toSorted((one, other) => other - one);
      const list = await peopleOf(scope, asked);
      assert.deepEqual([list.count, list.most], [known.length, visits[0] ?? 0]);
      assert.deepEqual(
        list.results.map((row) => row.visits),
        visits,
      );
      assert.deepEqual(
        new Map(list.results.map((row) => [row.key, row.visits])),
        new Map(known.map(([who, total]) => [who, total])),
      );
      const found = await peopleOf(scope, { ...asked, search: 'ASH' });
      assert.deepEqual(
        [found.most, found.results.map(({ key }) => key)],
        [list.most, known.map(([who]) => who).filter((who) => who === people[2]!.id)],
      );
    }),
    { numRuns: 120, seed: 65 },
  );
});

test('APL-007, =ENT-024, NSH-044 daily rows of a stretch of time are those of the visits, in the days of the reader, page by page', async () => {
  for (const zone of zones) {
    const local = await localTimes(zone);
    const expected = new Map<string, [number, string, string]>();
    for (const { atMs, person } of seen) {
      const id = `${local.get(atMs)!.day}.${people[person]?.id ?? 'unknown'}`;
      const at = new Date(atMs).toISOString();
      const [count = 0, first = at, last = at] = expected.get(id) ?? [];
      expected.set(id, [count + 1, first < at ? first : at, last > at ? last : at]);
    }
    const rows = [];
    for (let page = 1; rows.length < expected.size; page += 1) {
      const asked = { start_date: '2026-01-01', end_date: '2026-12-31', page, limit: 50 };
      const { count, results } = await world.visits.counting.daily(admin, asked, zone);
      assert.equal(count, expected.size, zone);
      rows.push(...results);
    }
    assert.deepEqual(
      new Map(rows.map((row) => [row.id, [row.detection_count, row.first_seen, row.last_seen]])),
      expected,
      zone,
    );
    const dates = rows.map(({ date }) => date);
    assert.deepEqual(dates, dates.toSorted().toReversed());
  }
});

test('APL-007, =ENT-024, NSH-044, C-1009 for every reader, rows of days of any stretch are those of the visits, up to as many as are counted', async () => {
  const periods = fc.record({
    zone: fc.constantFrom(...zones),
    from: fc.nat(seen.length - 1),
    startMs: fc.integer({ min: -30 * 60, max: 60 }).map((minutes) => minutes * minuteMs),
    ...anyStretch,
    counted: fc.oneof(fc.constant(10_000), fc.integer({ min: 1, max: 40 })),
    limit: fc.integer({ min: 1, max: 30 }),
  });
  const local = new Map<string, Awaited<ReturnType<typeof localTimes>>>();
  for (const zone of zones) local.set(zone, await localTimes(zone));
  await fc.assert(
    fc.asyncProperty(periods, async ({ zone, ...period }) => {
      const { as, limit, counted } = period;
      const { asked, meant } = askedOf(period);
      const idOf = ({ atMs, person }: Seen): string => {
        const isNamed = as === 'admin' || person === 2;
        const who = person < 0 ? 'unknown' : isNamed ? people[person]!.id : 'hidden';
        return `${local.get(zone)!.get(atMs)!.day}.${who}`;
      };
      const expected = [...Map.groupBy(meant, idOf)]
        .map(([id, visits]) => {
          const at = visits.map(({ atMs }) => new Date(atMs).toISOString()).toSorted();
          return [id, visits.length, at[0]!, at.at(-1)!] as const;
        })
        .toSorted(([a, one], [b, other]) => {
          const [day, before] = [a.slice(0, 10), b.slice(0, 10)];
          return day < before ? 1 : day > before ? -1 : other - one;
        });
      const counting = new Counting({ db: world.database.db, clock: world.clock, counted });
      const count = Math.min(expected.length, counted);
      const rows = [];
      for (let number = 1; number === 1 || rows.length < count; number += 1) {
        const query = { ...asked, page: number, limit };
        const answer = await counting.daily(as === 'admin' ? admin : user, query, zone);
        assert.deepEqual(
          [answer.count, answer.more],
          [count, expected.length > counted || undefined],
        );
        assert.ok(answer.results.length > 0 || count === 0);
        rows.push(...answer.results);
      }
      assert.equal(rows.length, count);
      const days = rows.map(({ id, detection_count }) => [id.slice(0, 10), detection_count]);
      const wanted = expected.map(([id, visits]) => [id.slice(0, 10), visits]);
      assert.deepEqual(days, wanted.slice(0, count));
      const byId = new Map(expected.map(([id, ...row]) => [id, row]));
      for (const row of rows) {
        assert.deepEqual([row.detection_count, row.first_seen, row.last_seen], byId.get(row.id));
      }
      assert.equal(new Set(rows.map(({ id }) => id)).size, count);
    }),
    { numRuns: 80, seed: 24 },
  );
});

test('ENT-026, =ENT-027, ~LDC-004 by camera, those without visits too, and the details of one', async () => {
  const day = { start_date: '2026-03-08', end_date: '2026-03-08' };
  const local = await localTimes('America/New_York');
  const stats = await world.visits.counting.byCamera(admin, day, 'America/New_York');
  const on = seen.filter(({ atMs }) => local.get(atMs)!.day === '2026-03-08');
  assert.ok(on.length > 0);
  for (const [index, id] of cameras.entries()) {
    const mine = on.filter(({ camera }) => camera === index);
    const row = stats.find(({ camera_id }) => camera_id === id);
    const known = mine.filter(({ person }) => person >= 0);
    assert.deepEqual(row, {
      camera_id: id,
      camera_name: row?.camera_name,
      total_detections: mine.length,
      recognized_count: known.length,
      unrecognized_count: mine.length - known.length,
    });
    assert.equal(typeof row.camera_name, 'string');
    const asked = { ...day, camera_id: id };
    const details = await world.visits.counting.cameraDetails(admin, asked, 'America/New_York');
    const at = mine.map(({ atMs }) => new Date(atMs).toISOString());
    assert.deepEqual(
      [details.first_detection, details.last_detection, details.unique_persons],
      [at[0] ?? null, at.at(-1) ?? null, new Set(known.map(({ person }) => person)).size],
    );
  }
  const none = { start_date: '2020-01-01', end_date: '2020-01-02' };
  const empty = await world.visits.counting.byCamera(user, none, 'UTC');
  assert.deepEqual(
    empty.map(({ camera_id, total_detections }) => [camera_id, total_detections]),
    [[cameras[1], 0]],
  );
});

test('NSH-044 a day is 23 or 25 hours where clocks are changed, and an end before the start is refused', async () => {
  const hoursOn = async (date: string, zone: string): Promise<number> => {
    const asked = query({ by: 'hour', start_date: date, end_date: date });
    return (await world.visits.counting.grouped(admin, asked, zone)).results.length;
  };
  assert.equal(await hoursOn('2026-03-08', 'America/New_York'), 23);
  assert.equal(await hoursOn('2026-11-01', 'America/New_York'), 25);
  assert.equal(await hoursOn('2026-03-29', 'Asia/Baku'), 24);
  assert.equal(await hoursOn('2026-03-29', 'Asia/Kathmandu'), 24);
  const reversed = query({ start_date: '2026-02-02', end_date: '2026-02-01' });
  await assert.rejects(
    world.visits.counting.grouped(admin, reversed, 'UTC'),
    new Problem('period_reversed', { field: 'end_date' }),
  );
  await assert.rejects(
    world.visits.counting.grouped(admin, query({}), 'Mars/X'),
    new Problem('time_zone_unknown', { field: 'timezone' }),
  );
});

test('C-304, C-310 a camera that is granted counts at once', async () => {
  const camera = cameras[0]!;
  const asked = query({ by: 'camera', start_date: '2026-01-01', end_date: '2026-12-31' });
  const before = await world.visits.counting.grouped(user, asked, 'UTC');
  assert.deepEqual(
    before.results.map(({ key }) => key),
    [cameras[1]],
  );
  const granted = { ...user, grants: granting(camera, ['live']) };
  const after = await world.visits.counting.grouped(granted, asked, 'UTC');
  const row = after.results.find(({ key }) => key === camera);
  assert.equal(row?.total, seen.filter((visit) => visit.camera === 0).length);
});
