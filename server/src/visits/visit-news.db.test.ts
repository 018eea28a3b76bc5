/** The news of visits against the list: whatever happens to visits, a list that is kept by news is the list that is asked for. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import * as fc from 'fast-check';
import type { Capability } from '@nazar/contract/capabilities.ts';
import type { Detection } from '@nazar/contract/visits.ts';
import type { Grant, Scope } from '#http/scope.ts';
import { aPicture, aVisit, aWorld, type World } from '#testing/world.ts';
import { newFace } from '#testing/passers.ts';
import type { DecidedVisit } from './visits.ts';
import type { ChangedVisit } from './visit-news.ts';

/** More than a run leaves. */
const limit = 200;
const place = { x: 0.1, y: 0.1, width: 0.2, height: 0.2, rotation: 0, masks: '' } as const;
const mask = {
  kind: 'privacy',
  name: '',
  points: [
    [0, 0],
    [0.5, 0],
    [0.5, 0.5],
  ] as [number, number][],
} as const;

let world: World;
let readers: Scope[];
let cameras: string[];
let identities: (string | null)[];
let categories: string[];
const changed: ChangedVisit[] = [];

before(async () => {
  world = await aWorld();
  const admin = await world.actor('admin');
  const [one, two] = [await world.actor('user'), await world.actor('user')];
  const noOnes = await world.actor('operator');
  readers = [admin, one, two, noOnes];
  cameras = [await world.camera(one), await world.camera(two), await world.camera(admin)];
  identities = [
    (await world.person(one, 'Aysel', 101)).identityId,
    (await world.person(admin, 'Farid', 102)).identityId,
    null,
  ];
  categories = (await world.faces.categories.list()).map(({ id }) => id);
  world.visits.seen.on((visit) => changed.push(visit));
});
after(() => world[Symbol.asyncDispose]());

interface Kept {
  scope: Scope;
  list: readonly Detection[];
}

type Step = (kept: Kept[], visits: DecidedVisit[]) => Promise<void>;

const asked = (scope: Scope): Promise<Detection[]> => world.visits.detections(scope, limit);

/** As the pages do it. */
function followed(
  list: readonly Detection[],
  sent: { readonly seen: readonly Detection[]; readonly gone: readonly string[] },
): Detection[] {
  const ids = new Set([...sent.gone, ...sent.seen.map(({ id }) => id)]);
  return [...sent.seen, ...list.filter(({ id }) => !ids.has(id))].toSorted(
    (a, b) => b.timestamp.localeCompare(a.timestamp) || b.id.localeCompare(a.id),
  );
}

const picture = () => ({ ...aPicture(newFace()), place });
const any = <T>(of: readonly T[], at: number): T | undefined => of[at % of.length];

const record =
  (camera: number, who: number): Step =>
  async (_kept, visits) => {
    world.clock.advance(60_000);
    const identityId = identities[who]!;
    const confidence = identityId ? 0.8 : null;
    const more = { identityId, confidence, picture: picture() };
    const visit = aVisit(cameras[camera]!, world.clock.now(), more);
    await world.visits.write(visit);
    visits.push(visit);
  };

const move =
  (at: number, who: number): Step =>
  async (_kept, visits) => {
    const visit = any(visits, at);
    if (!visit) return;
    const confidence = identities[who] ? 0.7 : null;
    const now = { ...visit, confidence, picture: picture() };
    await world.visits.reassign(now, visit.identityId ?? '', identities[who]!);
  };

const extend =
  (at: number, confidence: number): Step =>
  async (_kept, visits) => {
    const visit = any(visits, at);
    if (!visit) return;
    const now = { ...visit, confidence, endedAtMs: visit.endedAtMs + 5_000, isSurer: true };
    await world.visits.extend(now, visit.identityId ?? '', null);
  };

const withdraw =
  (at: number): Step =>
  async (_kept, visits) => {
    const visit = any(visits, at);
    if (visit) await world.visits.withdraw(visit);
  };

const remove =
  (at: number): Step =>
  async (_kept, visits) => {
    const visit = any(visits, at);
    if (visit) await world.visits.deleting.many(readers[0]!, { ids: [visit.id] }, 'UTC');
  };

/** Whose rights changed asks again, as do all when masks did. */
const grant =
  (reader: number, camera: number, { capabilities, categories: some }: Granted): Step =>
  async (kept) => {
    const one = kept[reader]!;
    const held: Grant = {
      capabilities: new Set(capabilities),
      categories: new Set(some.map((at) => categories[at % categories.length]!)),
    };
    const grants = new Map(one.scope.grants).set(cameras[camera]!, held);
    if (capabilities.length === 0) grants.delete(cameras[camera]!);
    one.scope = { ...one.scope, grants };
    one.list = await asked(one.scope);
  };

const draw =
  (camera: number, isDrawn: boolean): Step =>
  async (kept) => {
    await world.cameras.zones.replace(readers[0]!, cameras[camera]!, isDrawn ? [mask] : []);
    for (const one of kept) one.list = await asked(one.scope);
  };

interface Granted {
  readonly capabilities: Capability[];
  readonly categories: number[];
}

const upTo = (max: number) => fc.nat({ max });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.tuple(upTo(2), upTo(2)).map(([camera, who]) => record(camera, who)) },
  { weight: 2, arbitrary: fc.tuple(upTo(20), upTo(2)).map(([at, who]) => move(at, who)) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(upTo(20), fc.integer({ min: 50, max: 99 }))
      .map(([at, n]) => extend(at, n / 100)),
  },
  { weight: 1, arbitrary: upTo(20).map(withdraw) },
  { weight: 1, arbitrary: upTo(20).map(remove) },
  {
    weight: 3,
    arbitrary: fc
      .tuple(
        fc.integer({ min: 1, max: 3 }),
        upTo(2),
        fc.record({
          capabilities: fc.subarray<Capability>(['live', 'people', 'unmasked']),
          categories: fc.uniqueArray(upTo(3), { maxLength: 2 }),
        }),
      )
      .map(([reader, camera, granted]) => grant(reader, camera, granted)),
  },
  { weight: 1, arbitrary: fc.tuple(upTo(2), fc.boolean()).map(([camera, is]) => draw(camera, is)) },
);

/** A mask hides a known person from a reader who may not read the name, until the visit is withdrawn. */
const underMask: Step[] = [
  draw(2, true),
  grant(2, 2, { capabilities: ['live'], categories: [] }),
  record(2, 0),
  withdraw(0),
];

test('C-304, C-1009, C-401 a list kept by news is the one that is asked for, through moves, withdrawals, masks and grants', async () => {
  const sent = { seen: 0, gone: 0, hidden: 0, nameless: 0 };
  const property = fc.asyncProperty(
    fc.array(step, { minLength: 5, maxLength: 15 }),
    async (steps) => {
      const kept: Kept[] = [];
      for (const scope of readers) kept.push({ scope, list: await asked(scope) });
      const visits: DecidedVisit[] = [];
      for (const run of steps) {
        changed.length = 0;
        await run(kept, visits);
        const newsFor = await world.visits.news.read(changed);
        for (const one of kept) {
          const { seen, gone } = newsFor(one.scope);
          sent.seen += seen.length;
          sent.gone += gone.length;
          sent.hidden += seen.filter(({ picture_hidden }) => picture_hidden).length;
          sent.nameless += seen.filter(({ face_name }) => face_name === 'Known person').length;
          one.list = followed(one.list, { seen, gone });
          const list = await asked(one.scope);
          assert.deepEqual(one.list.slice(0, list.length), list);
          assert.ok(list.length === limit || one.list.length === list.length);
        }
      }
    },
  );
  await fc.assert(property, { numRuns: 12, examples: [[underMask]] });
  for (const [what, times] of Object.entries(sent)) assert.ok(times > 0, what);
});

test('visits that came together are read in their order; one twice is sent once, as it is', async () => {
  const [camera] = cameras;
  const atMs = world.clock.now() + 10 * 60_000;
  const first = aVisit(camera!, atMs, { picture: picture() });
  const second = aVisit(camera!, atMs + 60_000, { picture: picture() });
  for (const visit of [first, second]) await world.visits.write(visit);
  const asChanged = ({ id: visitId, cameraId, startedAtMs }: DecidedVisit): ChangedVisit => ({
    visitId,
    cameraId,
    startedAtMs,
  });
  const newsFor = await world.visits.news.read([second, first].map(asChanged));
  assert.deepEqual(
    newsFor(readers[0]!).seen.map(({ id }) => id),
    [second.id, first.id],
  );
  assert.deepEqual(newsFor(readers[3]!), { seen: [], gone: [] });
});
