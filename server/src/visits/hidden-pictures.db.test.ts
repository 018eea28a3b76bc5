/** Pictures of visits under masks of today: every way by which one gets them, or what is made of them, agrees. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import * as fc from 'fast-check';
import type { Point } from '@nazar/contract/polygon.ts';
import type { Scope } from '#http/scope.ts';
import { Problem } from '#lib/problem.ts';
import { nameOfMasks, type PicturePlace } from '#media/mask/picture-place.ts';
import { granting } from '#testing/grants.ts';
import { turnCamera } from '#testing/turned-camera.ts';
import { passersOf, newFace } from '#testing/passers.ts';
import { aPicture, aWorld, type World } from '#testing/world.ts';
import type { FaceEstimate } from '#vision/vision.ts';
import type { VisitPicture } from './visits.ts';

let world: World;
let admin: Scope;
let operator: Scope;

before(async () => {
  world = await aWorld();
  admin = await world.actor('admin');
  operator = await world.actor('operator');
});
after(() => world[Symbol.asyncDispose]());

type Rotation = PicturePlace['rotation'];
interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

const cornersOf = ({ x, y, width, height }: Box): Point[] => [
  [x, y],
  [x + width, y],
  [x + width, y + height],
  [x, y + height],
];

async function draw(cameraId: string, boxes: readonly Box[]): Promise<void> {
  const zones = boxes.map((box) => {
    const points = cornersOf(box).map(([x, y]): [number, number] => [x, y]);
    return { kind: 'privacy', name: '', points } as const;
  });
  await world.cameras.zones.replace(admin, cameraId, zones);
}

/** As its pictures are from the beginning: it is not turned. */
const hang = (cameraId: string, rotation: Rotation) =>
  sql`update camera set rotation = ${rotation} where id = ${cameraId}`.execute(
    world.database.db.write(),
  );

const estimate: FaceEstimate = { age: 34, man: 0.1, emotion: { looks: 'happy', certainty: 0.7 } };
const at = (place: PicturePlace | null, look = newFace()): VisitPicture => ({
  ...aPicture(look),
  attributes: estimate,
  place,
});

/** Who sees the camera, with and without the right to see behind its masks. */
function readersOf(cameraId: string): { readonly guard: Scope; readonly trusted: Scope } {
  const as = (...more: 'unmasked'[]): Scope => ({
    ...operator,
    grants: granting(cameraId, ['live', 'people', ...more]),
  });
  return { guard: as(), trusted: as('unmasked') };
}

const refused = async (asked: Promise<unknown>): Promise<string> => {
  try {
    await asked;
    return 'shown';
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return error.code;
  }
};

/** What each way gives this reader of the picture of a visit. */
async function picturesFor(scope: Scope, cameraId: string, id: string) {
  const { visits } = world;
  const query = { camera_id: cameraId, page: 1, limit: 1_000 };
  const of = <R extends { readonly id: string }>(rows: readonly R[]): R =>
    rows.find((row) => row.id === id)!;
  const listed = of((await visits.list(scope, query)).results);
  const few = of((await visits.list(scope, { ...query, kind: 'unknown' })).results);
  const details = await visits.details.read(scope, id);
  const newest = of(await visits.detections(scope, 100));
  const changed = {
    visitId: id,
    cameraId,
    startedAtMs: Date.parse(details.timestamp),
  };
  const news = (await visits.news.read([changed]))(scope).seen[0]!;
  const stranger = await visits.unknown.read(scope, details.unknown!.id);
  const strangers = await visits.unknown.list(scope, {
    camera: cameraId,
    ordering: '-timestamp',
    page: 1,
    page_size: 200,
  });
  const ofOne = of(await visits.visitsOfUnknown(scope, details.unknown!.id));
  const inList = strangers.results.find((one) => one.id === details.unknown!.id)!;
  const shown = (url: string | null, isHidden: boolean): string =>
    url === null ? (isHidden ? 'hidden' : 'none') : isHidden ? 'both' : 'shown';
  return {
    states: [
      ...[listed, few, details, ofOne].map((one) => shown(one.face_image_url, one.picture_hidden)),
      ...[newest, news, stranger, inList].map((one) => shown(one.image, one.picture_hidden)),
    ],
    attributes: [listed, few, details, ofOne].map(({ attributes }) => attributes !== null),
    asked: await Promise.all([
      refused(visits.picture(scope, id)),
      refused(visits.seenFace(scope, id)),
      refused(visits.explain(scope, id)),
    ]),
  };
}

const everywhere = (state: 'shown' | 'hidden') => ({
  states: Array.from({ length: 8 }, () => state),
  attributes: Array.from({ length: 4 }, () => state === 'shown'),
  asked: Array.from({ length: 3 }, () => (state === 'shown' ? state : 'sighting_picture_hidden')),
});

const hundredth = (min: number, max: number) => fc.integer({ min, max }).map((n) => n / 100);
const box = fc
  .record({ x: hundredth(0, 60), y: hundredth(0, 60), w: hundredth(2, 40), h: hundredth(2, 40) })
  .map(({ x, y, w, h }) => ({ x, y, width: w, height: h }));
const rotation = fc.constantFrom<Rotation[]>(0, 90, 180, 270);

/** Where a box is after its picture was turned clockwise. */
function turned({ x, y, width, height }: Box, by: number): Box {
  if (by === 0) return { x, y, width, height };
  return turned({ x: 1 - y - height, y: x, width: height, height: width }, by - 90);
}

/** Closer than this neither is certain: fractions are rounded. */
const apart = (a: Box, b: Box): number =>
  Math.max(a.x - b.x - b.width, b.x - a.x - a.width, a.y - b.y - b.height, b.y - a.y - a.height);

test('C-401 the picture of a visit is hidden by masks of now, in all ways alike, and shown to users who may see behind them', async () => {
  const planned = fc.record({
    masks: fc.array(box, { minLength: 1, maxLength: 3 }),
    place: box,
    now: rotation,
    before: rotation,
  });
  let hidden = 0;
  const property = fc.asyncProperty(planned, async ({ masks, place, now, before }) => {
    const since = (now - before + 360) % 360;
    const places = [0, since, (360 - since) % 360];
    const distances = masks.flatMap((mask) => places.map((by) => apart(turned(mask, by), place)));
    fc.pre(distances.every((distance) => Math.abs(distance) > 0.001));
    const isHidden = distances.some((distance) => distance < 0);
    const cameraId = await world.camera(admin);
    await hang(cameraId, before);
    const { guard, trusted } = readersOf(cameraId);
    const { see } = passersOf(world, cameraId);
    const { visit } = await see({ picture: at({ ...place, rotation: before, masks: '' }) });
    world.clock.advance(2 * 3_600_000);
    assert.deepEqual(await picturesFor(guard, cameraId, visit.id), everywhere('shown'), 'no mask');
    await turnCamera(world, admin, cameraId, now);
    await draw(cameraId, masks);
    if (isHidden) hidden += 1;
    assert.deepEqual(
      await picturesFor(guard, cameraId, visit.id),
      everywhere(isHidden ? 'hidden' : 'shown'),
    );
    for (const scope of [trusted, admin])
      assert.deepEqual(await picturesFor(scope, cameraId, visit.id), everywhere('shown'));
  });
  await fc.assert(property, { numRuns: 25 });
  assert.ok(hidden > 3);
});

const inTheMiddle: Box = { x: 0.4, y: 0.4, width: 0.2, height: 0.2 };
const placed = { x: 0.45, y: 0.45, width: 0.05, height: 0.05, rotation: 0 } as const;

test('a picture of which it is not known where it was cut out is hidden while its camera has a mask', async () => {
  const cameraId = await world.camera(admin);
  const { guard } = readersOf(cameraId);
  const { see } = passersOf(world, cameraId);
  const { visit } = await see({ picture: at(null) });
  await draw(cameraId, [inTheMiddle]);
  assert.deepEqual(await picturesFor(guard, cameraId, visit.id), everywhere('hidden'));
  await draw(cameraId, []);
  assert.deepEqual(await picturesFor(guard, cameraId, visit.id), everywhere('shown'));
});

test('a picture that was taken with the masks of now is shown; another mask hides it', async () => {
  const cameraId = await world.camera(admin);
  const { guard } = readersOf(cameraId);
  await draw(cameraId, [inTheMiddle]);
  const masks = nameOfMasks([cornersOf(inTheMiddle)]);
  const { see } = passersOf(world, cameraId);
  const { visit } = await see({ picture: at({ ...placed, masks }) });
  assert.deepEqual(await picturesFor(guard, cameraId, visit.id), everywhere('shown'));
  await draw(cameraId, [inTheMiddle, { x: 0.8, y: 0.8, width: 0.1, height: 0.1 }]);
  assert.deepEqual(await picturesFor(guard, cameraId, visit.id), everywhere('hidden'));
});

test('C-401 pictures from before a camera was turned there and back hide what may have been there', async () => {
  const cameraId = await world.camera(admin);
  const { guard } = readersOf(cameraId);
  const { see } = passersOf(world, cameraId);
  const states = async () => {
    const { results } = await world.visits.list(guard, {
      camera_id: cameraId,
      page: 1,
      limit: 10,
    });
    return new Map(results.map(({ id, picture_hidden }) => [id, picture_hidden]));
  };
  const mask = { x: 0.05, y: 0.3, width: 0.1, height: 0.2 };
  const [aside, elsewhere] = [turned(mask, 90), { x: 0.45, y: 0.45, width: 0.1, height: 0.1 }];
  await draw(cameraId, [mask]);
  const painted = { rotation: 0, masks: nameOfMasks([cornersOf(mask)]) } as const;
  const beforehand = await see({ picture: at({ ...aside, ...painted }, 1) });
  const besides = await see({ picture: at({ ...elsewhere, ...painted }, 2) });
  assert.deepEqual((await states()).get(beforehand.visit.id), false, 'not turned yet');
  for (const rotation of [90, 0] as const) await turnCamera(world, admin, cameraId, rotation);
  world.clock.advance(3 * 3_600_000);
  await draw(cameraId, [mask]);
  const since = await passersOf(world, cameraId).see({ picture: at({ ...aside, ...painted }, 3) });
  const hidden = await states();
  assert.deepEqual(
    [beforehand, besides, since].map(({ visit }) => hidden.get(visit.id)),
    [true, false, false],
  );
});

test('a better picture brings its own place along, and a visit keeps its place when it moves to another identity', async () => {
  const cameraId = await world.camera(admin);
  const { guard } = readersOf(cameraId);
  const { see } = passersOf(world, cameraId);
  const look = newFace();
  const { visit, identityId } = await see({ picture: at({ ...placed, masks: '' }, look) });
  await draw(cameraId, [inTheMiddle]);
  const aside = at({ ...placed, x: 0.1, masks: '' }, look);
  const picture = { ...aside, quality: 0.99 };
  await world.visits.extend(visit, identityId, picture);
  assert.deepEqual(await picturesFor(guard, cameraId, visit.id), everywhere('shown'));
  const person = await world.person(admin, 'Nigar', look);
  const behind = { ...at({ ...placed, masks: '' }, look), quality: 0.995 };
  await world.visits.extend(visit, identityId, behind);
  await world.visits.reassign({ ...visit, picture: behind }, identityId, person.identityId);
  await world.visits.notThisPerson(admin, visit.id);
  assert.deepEqual(await picturesFor(guard, cameraId, visit.id), everywhere('hidden'));
  // What they say of it does not need its picture.
  assert.equal((await world.visits.details.read(admin, visit.id)).may_correct, true);
});

test('a visit that becomes a new person gives the best picture that the user may see, and none where all are hidden', async () => {
  const cameraId = await world.camera(admin);
  const { guard } = readersOf(cameraId);
  await draw(cameraId, [inTheMiddle]);
  const { see } = passersOf(world, cameraId);
  const [category] = await world.faces.categories.list();
  const named = (first_name: string) => ({
    first_name,
    last_name: 'Example',
    category: category!.id,
  });
  const photosOf = async (id: string): Promise<string[]> => {
    const { face } = await world.visits.unknown.read(guard, id);
    const { images } = await world.faces.read(guard, face!);
    const read = images.map((one) => world.faces.photos.read(guard, face!, one.id, 'full'));
    return (await Promise.all(read)).map(String);
  };
  const look = newFace();
  const hidden = { ...at({ ...placed, masks: '' }, look), quality: 0.97 };
  const chip = Buffer.from('beside the mask');
  const { identityId } = await see({ picture: hidden });
  await assert.rejects(
    world.visits.unknown.identify(guard, identityId, named('Aida')),
    new Problem('sighting_picture_hidden'),
  );
  const { identityId: again } = await see({
    picture: { ...at({ ...placed, x: 0.1, masks: '' }, look), chip, quality: 0.91 },
  });
  assert.equal(again, identityId);
  await world.visits.unknown.identify(guard, identityId, named('Aida'));
  assert.deepEqual(await photosOf(identityId), ['beside the mask']);
});
