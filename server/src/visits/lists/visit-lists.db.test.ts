/** Lists of one person's visits, one stranger's, or those of a name are those of the plain rule, in any world. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import * as fc from 'fast-check';
import { sql } from 'kysely';
import { foldedText } from '@nazar/contract/folded-text.ts';
import { erasedName, unknownName } from '@nazar/contract/names.ts';
import { createScope, holds, mayReadName, noGrants, type Scope } from '#http/scope.ts';
import { Problem } from '#lib/problem.ts';
import { granting } from '#testing/grants.ts';
import { passersOf, newFace, type Passers } from '#testing/passers.ts';
import { aPicture, aWorld, type World } from '#testing/world.ts';
import { VisitListStore } from './visit-list-store.ts';
import { HiddenPictures } from '../hidden-pictures.ts';
import type { VisitFilter } from './visit-filter-store.ts';

let world: World;
let admin: Scope;
let user: Scope;
let cameras: readonly string[];
let categories: readonly string[];
let see: Passers['see'];
let later: Passers['later'];
let store: VisitListStore;

before(async () => {
  world = await aWorld();
  [admin, user] = [await world.actor('superadmin'), await world.actor('user')];
  cameras = [await world.camera(admin), await world.camera(user), await world.camera(admin)];
  ({ see, later } = passersOf(world, cameras[0]!));
  categories = (await world.faces.categories.list()).map(({ id }) => id);
  store = new VisitListStore(world.database.db, new HiddenPictures(world.cameras.zones));
});
after(() => world[Symbol.asyncDispose]());

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
  readonly camera_id: string;
  readonly camera_owner: string | null;
  readonly started_at: Date;
  readonly identity_id: string;
  readonly stranger_id: string;
  readonly person_id: string | null;
  readonly name: string | null;
  readonly added_by: string | null;
  readonly category_id: string | null;
  readonly is_known: boolean;
  readonly is_readable: boolean;
}

/** All visits, as a list has them: the newest first. */
async function allVisits(): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select visit.id, camera_id, camera.created_by as camera_owner, started_at, identity_id, stranger_id, person_id,
           trim(first_name || ' ' || last_name) as name, identity.created_by as added_by, category_id, is_known,
           is_readable
    from visit
    join camera on camera.id = camera_id
    join faces_v_identity identity on identity.id = identity_id
    where visit.deleted_at is null order by started_at desc, visit.id desc`.execute(
    world.database.db.read(),
  );
  return rows;
}

/** The rule, as it is said in words. */
function isListed(scope: Scope, filter: VisitFilter, row: Row): boolean {
  const camera = { id: row.camera_id, created_by: row.camera_owner };
  const person = { addedBy: row.added_by, categoryId: row.category_id };
  const mayName = mayReadName(scope, row.camera_id, person);
  const isErased = row.is_known && row.person_id === null && mayName;
  const kind = row.is_known ? (isErased ? 'erased' : 'known') : 'unknown';
  const isNamed = (name: string): boolean => {
    if (name === unknownName) return kind === 'unknown';
    if (name === erasedName) return kind === 'erased';
    return mayName && row.name !== null && foldedText(row.name) === foldedText(name);
  };
  const { from, until, camera_id, person_id, person_name, unknown, is_recognized } = filter;
  return (
    holds(scope, camera, 'live') &&
    (!from || row.started_at >= from) &&
    (!until || row.started_at < until) &&
    (!camera_id || row.camera_id === camera_id) &&
    (!person_id || (row.person_id === person_id && mayName)) &&
    (!person_name || isNamed(person_name)) &&
    (!unknown || (row.stranger_id === unknown && row.is_readable && (!row.is_known || mayName))) &&
    (is_recognized === undefined || row.is_known === is_recognized) &&
    (!filter.kind || filter.kind === kind)
  );
}

function oneOf<T>(rows: readonly T[], at: number): T {
  if (rows.length === 0) throw new Problem('sighting_not_found');
  return rows[at % rows.length]!;
}
const known = async (): Promise<Row[]> =>
  (await allVisits()).filter(({ person_id }) => person_id !== null);
let lastMs = 0;

/** Few come most of the time, several at the same moment. */
async function seen(at: number): Promise<void> {
  if (at % 4 > 0 || lastMs === 0) lastMs = later();
  const identities = [...new Set((await known()).map(({ identity_id }) => identity_id))].sort();
  const rank = Math.floor(identities.length * ((at % 100) / 100) ** 3);
  const identityId = at % 2 === 0 ? (identities[rank] ?? null) : null;
  const picture = aPicture(identityId || at % 3 > 0 ? 7_000 + (at % 5) : newFace());
  await see({ picture, identityId, camera: cameras[at % 3]!, atMs: lastMs });
}

/** Things that are done to visits, each to the one that a number picks. */
const deeds = {
  see: seen,
  // Two people have one name, in capitals and not, of two accounts and categories.
  name: async (at) => {
    const { identity_id } = oneOf(await allVisits(), at);
    const first_name = ['Elvin', 'ELVİN', 'Ольга'][at % 3]!;
    const as = { first_name, last_name: 'Əliyev', category: categories[at % 2]! };
    await world.visits.unknown.identify(at % 2 === 0 ? admin : user, identity_id, as);
  },
  nameAsOther: async (at) => {
    const face = oneOf(await known(), at).person_id!;
    // Who was never in view of a camera together with them.
    const alone = (await allVisits()).filter(
      ({ is_known, started_at }, index, all) =>
        !is_known && all.every((other, i) => i === index || +other.started_at !== +started_at),
    );
    await world.visits.unknown.identify(admin, oneOf(alone, at).stranger_id, { face });
  },
  merge: async (at) => {
    const unnamed = (await allVisits()).filter(({ is_known }) => !is_known);
    const [one, other] = [oneOf(unnamed, at), oneOf(unnamed, at + 1)];
    await world.visits.unknown.merge(admin, one.stranger_id, other.stranger_id);
  },
  correct: async (at) => {
    await world.visits.notThisPerson(admin, oneOf(await known(), at).id);
  },
  undo: async (at) => {
    const { stranger_id } = oneOf(await allVisits(), at);
    const { correction } = await world.visits.unknown.read(admin, stranger_id);
    if (correction) await world.visits.unknown.undo(admin, stranger_id, correction.id);
  },
  erase: async (at) => world.faces.remove(admin, oneOf(await known(), at).person_id!),
  delete: async (at) => {
    await world.visits.deleting.one(admin, oneOf(await allVisits(), at).id);
  },
  // A moment that no `Date` distinguishes from its neighbour's.
  shift: async (at) => {
    const { id } = oneOf(await allVisits(), at);
    await sql`
      update visit set started_at = started_at + interval '1 microsecond' * ${at % 9}
      where id = ${id}`.execute(world.database.db.write());
  },
} satisfies Record<string, (at: number) => Promise<unknown>>;

async function isDone(kind: keyof typeof deeds, at: number): Promise<boolean> {
  try {
    await deeds[kind](at);
    return true;
  } catch (error) {
    // Refused as it would be to a user.
    if (error instanceof Problem) return false;
    throw error;
  }
}

interface Asked {
  readonly who: 'person' | 'stranger' | 'name' | 'both';
  readonly at: number;
  readonly camera: number | undefined;
  readonly isRecognized: boolean | undefined;
  readonly kind: VisitFilter['kind'];
  readonly isOfPart: boolean;
  /** Beside an administrator. */
  readonly reader: string;
  readonly pages: number;
}

/** Asks for a person whom a visit shows, or for a part of the time that has visits at its ends. */
function filterOf({ who, at, camera, isRecognized, kind, isOfPart }: Asked, rows: Row[]) {
  const named = rows.filter(({ name }) => name !== null);
  const { person_id } = named[at % Math.max(1, named.length)] ?? { person_id: null };
  const stranger = rows[at % rows.length]!.stranger_id;
  const names = ['elvin əliyev', 'Ольга Əliyev', unknownName, erasedName, 'constructor'];
  const edge = (part: number): Date => rows[Math.floor(rows.length * part)]!.started_at;
  return {
    from: isOfPart ? edge(0.8) : null,
    until: isOfPart ? edge(0.1) : null,
    ...((who === 'person' || who === 'both') && person_id && { person_id }),
    ...((who === 'stranger' || who === 'both') && { unknown: stranger }),
    ...(who === 'name' && { person_name: names[at % names.length]! }),
    ...(camera !== undefined && { camera_id: cameras[camera]! }),
    ...(isRecognized !== undefined && { is_recognized: isRecognized }),
    ...(kind !== undefined && { kind }),
  } satisfies VisitFilter;
}

/** Page after page by number, and each from the last of the one before. */
async function assertLists(
  scope: Scope,
  filter: VisitFilter,
  pages: number,
  rows: readonly Row[],
): Promise<number> {
  const expected = rows.filter((row) => isListed(scope, filter, row)).map(({ id }) => id);
  const limit = Math.max(1, Math.ceil(expected.length / pages));
  const byNumber: string[] = [];
  for (let page = 1; page === 1 || byNumber.length < expected.length; page += 1) {
    const found = await store.list(scope, { ...filter, page, limit });
    assert.equal(found.count, expected.length, 'how many there are');
    byNumber.push(...found.rows.map(({ id }) => id));
    if (found.rows.length === 0) break;
  }
  assert.deepEqual(byNumber, expected, 'by the number of the page');
  const after: string[] = [];
  for (let query = { ...filter, page: 1, limit }; after.length <= expected.length;) {
    const found = await store.page(scope, query);
    after.push(...found.map(({ id }) => id));
    const last = found.at(-1);
    if (!last) break;
    query = { ...query, after: last };
  }
  assert.deepEqual(after, expected, 'after the last');
  assert.deepEqual(await store.ids(scope, filter, limit), expected.slice(0, limit), 'ids');
  return expected.length;
}

test('C-304, C-1009 a list of one person, stranger or name holds the visits that the plain rule says', async () => {
  const happened = new Set<string>();
  const held = new Set<string>();
  const kinds = Object.keys(deeds) as (keyof typeof deeds)[];
  const kind = fc.oneof(
    { weight: 1, arbitrary: fc.constant('see' as const) },
    { weight: 1, arbitrary: fc.constantFrom(...kinds) },
  );
  const asked: fc.Arbitrary<Asked> = fc.record({
    who: fc.constantFrom('person', 'stranger', 'name', 'both'),
    at: fc.nat(10_000),
    camera: fc.option(fc.nat(2), { nil: undefined, freq: 1 }),
    isRecognized: fc.option(fc.boolean(), { nil: undefined, freq: 1 }),
    kind: fc.option(fc.constantFrom('known', 'unknown', 'erased'), { nil: undefined, freq: 1 }),
    isOfPart: fc.boolean(),
    reader: fc.constantFrom(...Object.keys(readers())),
    pages: fc.integer({ min: 1, max: 5 }),
  });
  const stories = fc.record({
    story: fc.array(fc.record({ kind, at: fc.nat(10_000) }), { minLength: 12, maxLength: 24 }),
    asked: fc.array(asked, { minLength: 12, maxLength: 16 }),
  });
  await fc.assert(
    fc.asyncProperty(stories, async ({ story, asked: lists }) => {
      for (const one of story) if (await isDone(one.kind, one.at)) happened.add(one.kind);
      const rows = await allVisits();
      if (rows.length === 0) return;
      for (const one of lists) {
        const filter = filterOf(one, rows);
        for (const reader of new Set(['all', one.reader])) {
          const count = await assertLists(readers()[reader]!, filter, one.pages, rows);
          if (count > 1 && one.pages > 1) held.add(`${reader}: ${one.who}`);
        }
      }
    }),
    { numRuns: 8, seed: 41 },
  );
  assert.deepEqual([...happened].sort(), kinds.sort(), 'each was done');
  for (const one of ['all: person', 'all: stranger', 'all: name', 'named: person', 'own: name']) {
    assert.ok(held.has(one), `${one} had several pages: ${[...held].join(', ')}`);
  }
});
