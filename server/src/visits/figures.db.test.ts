/** Whatever is counted is what the list of it holds, in random worlds, for readers of all rights (C-304, C-310). */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import * as fc from 'fast-check';
import { sql } from 'kysely';
import { unknownStatuses, newUnknownFaces } from '@nazar/contract/unknown-faces.ts';
import type { GroupedQuery } from '@nazar/contract/visit-counts.ts';
import type { VisitQuery } from '@nazar/contract/visits.ts';
import { Analytics } from '#analytics/analytics.ts';
import { createScope, noGrants, type Scope } from '#http/scope.ts';
import { Problem } from '#lib/problem.ts';
import { granting } from '#testing/grants.ts';
import { passersOf, newFace, type Passers } from '#testing/passers.ts';
import { aPicture, aWorld, type World } from '#testing/world.ts';

const zone = 'Asia/Baku';
let world: World;
let admin: Scope;
let user: Scope;
let cameras: readonly string[];
let categories: readonly string[];
let see: Passers['see'];
let later: Passers['later'];
let analytics: Analytics;

before(async () => {
  world = await aWorld();
  [admin, user] = [await world.actor('superadmin'), await world.actor('user')];
  cameras = [await world.camera(admin), await world.camera(user), await world.camera(admin)];
  ({ see, later } = passersOf(world, cameras[0]!));
  categories = (await world.faces.categories.list()).map(({ id }) => id);
  const { database, cameras: modules, visits, clock } = world;
  analytics = new Analytics({ db: database.db, cameras: modules, visits, clock });
});
after(() => world[Symbol.asyncDispose]());

/** Who reads: all, what they added, live pictures without names, with all names, with those of a category. */
const readers = (): Readonly<Record<string, Scope>> => {
  const as = (grants: Scope['grants']) => createScope({ ...user, standing: 'user' }, grants);
  const [first, , third] = cameras;
  return {
    all: admin,
    own: as(noGrants),
    unnamed: as(granting(first!, ['live'])),
    named: as(new Map([...granting(first!, ['live', 'people']), ...granting(third!, ['live'])])),
    category: as(granting(first!, ['live'], [categories[0]!])),
  };
};

interface Row {
  readonly id: string;
  readonly identity_id: string;
  readonly person_id: string | null;
}
async function visits(): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select visit.id, identity_id, person_id
    from visit join identity on identity.id = identity_id
    where deleted_at is null order by visit.id`.execute(world.database.db.read());
  return rows;
}
function oneOf<T>(rows: readonly T[], at: number): T {
  if (rows.length === 0) throw new Problem('sighting_not_found');
  return rows[at % rows.length]!;
}
const known = async (): Promise<Row[]> =>
  (await visits()).filter(({ person_id }) => person_id !== null);

/** Things that are done to the visits, each to the one that a number picks. */
const deeds = {
  see: async (at) => {
    const { identity_id = null } = (await known())[at % 5] ?? {};
    const identityId = at % 3 === 0 ? identity_id : null;
    const picture = aPicture(at % 2 === 0 ? 5_000 + (at % 9) : newFace());
    await see({ picture, identityId, camera: cameras[at % 3]!, atMs: later() });
  },
  // Two of one name, of another category and of another account, are two.
  name: async (at) => {
    const { identity_id } = oneOf(await visits(), at);
    const category = categories[at % 2]!;
    const as = { first_name: at % 3 === 0 ? 'Aysel' : 'Rashad', last_name: 'Example', category };
    await world.visits.unknown.identify(at % 2 === 0 ? admin : user, identity_id, as);
  },
  status: async (at) => {
    const { identity_id } = oneOf(await visits(), at);
    const status = unknownStatuses[at % unknownStatuses.length]!;
    await world.visits.unknown.updateStatus(admin, identity_id, status);
  },
  undo: async (at) => {
    const { identity_id } = oneOf(await visits(), at);
    const { correction } = await world.visits.unknown.read(admin, identity_id);
    if (correction) await world.visits.unknown.undo(admin, identity_id, correction.id);
  },
  merge: async (at) => {
    const all = await visits();
    const [one, other] = [oneOf(all, at).identity_id, oneOf(all, at + 1).identity_id];
    await world.visits.unknown.merge(admin, one, other);
  },
  correct: async (at) => {
    await world.visits.notThisPerson(admin, oneOf(await known(), at).id);
  },
  erase: async (at) => world.faces.remove(admin, oneOf(await known(), at).person_id!),
  eraseStranger: async (at) => {
    const { identity_id } = oneOf(await visits(), at);
    await world.database.db.transaction((tx) => world.faces.erasing.strangers(tx, [identity_id]));
  },
  delete: async (at) => {
    await world.visits.deleting.one(admin, oneOf(await visits(), at).id);
  },
} satisfies Record<string, (at: number) => Promise<unknown>>;

async function done(kind: keyof typeof deeds, at: number): Promise<boolean> {
  try {
    await deeds[kind](at);
    return true;
  } catch (error) {
    // Refused as it would be to a user.
    if (error instanceof Problem) return false;
    throw error;
  }
}

type Filter = Partial<Omit<VisitQuery, 'page' | 'limit'>>;

/** The list that a figure leads to: how many it says it has, and how many stand in it. */
async function listed(scope: Scope, filter: Filter): Promise<number> {
  const { count, results } = await world.visits.list(
    scope,
    { page: 1, limit: 1_000, ...filter },
    zone,
  );
  assert.equal(results.length, count, `what it says and what it holds, ${JSON.stringify(filter)}`);
  return count;
}

const period = { start_date: '2026-01-01', end_date: '2026-12-31' };

/** Every figure of visits with the filter of the list it leads to. */
async function figures(scope: Scope, filter: Filter): Promise<[string, number, Filter][]> {
  const { counting } = world.visits;
  const stats = await counting.stats(scope, filter, zone);
  const grouped = async (by: GroupedQuery['by']) =>
    (await counting.grouped(scope, { ...filter, by }, zone)).results;
  const ofKind = { recognized: 'known', unknown: 'unknown', erased: 'erased' } as const;
  const found: [string, number, Filter][] = [
    ['total', stats.total, filter],
    ['recognized', stats.recognized, { ...filter, is_recognized: true }],
    ['unrecognized', stats.unrecognized, { ...filter, is_recognized: false }],
  ];
  for (const { key, total } of await grouped('kind')) {
    found.push([`kind ${key}`, total, { ...filter, kind: ofKind[key as keyof typeof ofKind] }]);
  }
  for (const { key, total } of (await grouped('day')).filter((day) => day.total > 0)) {
    found.push([`day ${key}`, total, { ...filter, start_date: key, end_date: key }]);
  }
  for (const row of await counting.byCamera(scope, filter, zone)) {
    const asked = { ...filter, camera_id: row.camera_id };
    found.push([`camera ${row.camera_name}`, row.total_detections, asked]);
  }
  for (const row of await counting.byPerson(scope, filter, zone)) {
    // Whom the reader may not name is a row that leads nowhere.
    if (row.person_name === 'Known person') continue;
    const who = row.key === null ? { person_name: row.person_name } : { person_id: row.key };
    found.push([`person ${row.person_name}`, row.total_detections, { ...filter, ...who }]);
  }
  return found;
}

/** Every figure of unknown people with the number of those, or of their visits, that its list holds. */
async function strangers(scope: Scope): Promise<[string, number, number][]> {
  const { unknown } = world.visits;
  const usual = { ordering: '-timestamp', page: 1, page_size: 200 } as const;
  const all = await unknown.list(scope, usual);
  const found: [string, number, number][] = [['all', all.count, all.results.length]];
  for (const status of unknownStatuses) {
    const some = await unknown.list(scope, { ...usual, status });
    found.push([status, some.count, all.results.filter((one) => one.status === status).length]);
  }
  for (const { id, number, count } of all.results) {
    found.push([`visits of unknown ${number}`, count, await listed(scope, { unknown: id })]);
  }
  const { face_stats } = await analytics.summary(scope, zone);
  const { count } = await unknown.list(scope, { ...usual, ...newUnknownFaces });
  found.push(['the Dashboard', face_stats.unknown, count]);
  const { unknown_faces } = await analytics.faceStatistics(scope, zone);
  found.push(['the statistics', unknown_faces, count]);
  return found;
}

test('=DASH-005, LDF-003, C-310 a figure is the count of the list it leads to, in any world, for every reader', async () => {
  const happened = new Set<string>();
  const seen = new Set<string>();
  const kinds = Object.keys(deeds) as (keyof typeof deeds)[];
  const kind = fc.oneof(
    { weight: 3, arbitrary: fc.constant('see' as const) },
    { weight: 5, arbitrary: fc.constantFrom(...kinds) },
  );
  const worlds = fc.record({
    story: fc.array(fc.record({ kind, at: fc.nat(10_000) }), { minLength: 8, maxLength: 24 }),
    camera: fc.option(fc.nat(2), { nil: undefined }),
    name: fc.constantFrom(undefined, 'Aysel Example', 'Unknown', 'Erased person'),
  });
  await fc.assert(
    fc.asyncProperty(worlds, async ({ story, camera, name }) => {
      for (const { kind, at } of story) if (await done(kind, at)) happened.add(kind);
      const filter: Filter = {
        ...period,
        ...(camera === undefined ? {} : { camera_id: cameras[camera]! }),
        ...(name === undefined ? {} : { person_name: name }),
      };
      for (const [reader, scope] of Object.entries(readers())) {
        for (const [figure, count, asked] of await figures(scope, filter)) {
          assert.equal(await listed(scope, asked), count, `${figure} for ${reader}`);
          if (count > 0) seen.add(`${reader}: ${figure.split(' ')[0]}`);
        }
        for (const [figure, count, inList] of await strangers(scope)) {
          assert.equal(inList, count, `${figure} for ${reader}`);
          if (count > 0) seen.add(`${reader}: ${figure}`);
        }
      }
    }),
    { numRuns: 12, seed: 40 },
  );
  assert.deepEqual([...happened].sort(), kinds.sort(), 'each was done');
  for (const one of ['all: kind', 'own: person', 'named: person', 'category: identified']) {
    assert.ok(seen.has(one), `${one} was more than nought: ${[...seen].join(', ')}`);
  }
});
