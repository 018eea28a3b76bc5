import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { MatchExplanation } from '@nazar/contract/faces.ts';
import type { Scope } from '#http/scope.ts';
import { granting } from '#testing/grants.ts';
import { aPicture, aVector, aVisit, aWorld, testPackName, type World } from '#testing/world.ts';

/** More people than the limits were measured with: beyond them each further one makes the limits stricter. */
const crowd = 130;
/** The appearances of the user's one person, and of people whom only administrators may open. */
const faceOf = { own: 1, hidden: 2, crowd: 200 };

let world: World;
let admin: Scope;
let user: Scope;
let cameraId: string;
let ownId: string;
let hidden: { id: string; identityId: string };

before(async () => {
  world = await aWorld();
  [admin, user] = [await world.actor('admin'), await world.actor('user')];
  cameraId = await world.camera(admin);
  ({ id: ownId } = await world.person(user, 'Own', faceOf.own));
  hidden = await world.person(admin, 'Hidden', faceOf.hidden);
});
after(() => world[Symbol.asyncDispose]());

/** The explanation of a picture that is sent. */
const sent = (scope: Scope, look: number): Promise<MatchExplanation> =>
  world.faces.explain(scope, {
    pack: testPackName,
    vector: aVector(look),
    quality: 0.9,
    cameraId: null,
    people: 20,
  });

async function visitOf(look: number, identityId: string | null): Promise<string> {
  const { visits, clock } = world;
  const picture = aPicture(look);
  const visit = aVisit(cameraId, clock.now(), { identityId, picture });
  await visits.write(visit);
  return visit.id;
}

test('~C-304, ~C-1002 the number of people enrolled by others changes nothing that a reader learns of a face', async () => {
  const guard = { ...user, grants: granting(cameraId, ['live', 'people']) };
  const [known, stranger] = [
    await visitOf(faceOf.hidden, hidden.identityId),
    await visitOf(faceOf.crowd + 7, null),
  ];
  const read = async () => ({
    sentOwn: await sent(user, faceOf.own),
    sentHidden: await sent(user, faceOf.hidden),
    known: await world.visits.explain(guard, known),
    stranger: await world.visits.explain(guard, stranger),
  });
  const before = await read();
  const limit = (await sent(admin, faceOf.own)).limit;
  for (let i = 0; i < crowd; i += 1) await world.person(admin, 'Crowd', faceOf.crowd + i);
  assert.deepEqual(await read(), before);

  const { sentOwn } = before;
  assert.deepEqual(
    [sentOwn.verdict, sentOwn.gallery_size, sentOwn.nearest.length],
    ['match', 1, 1],
  );
  const all = await sent(admin, faceOf.own);
  assert.equal(all.gallery_size, crowd + 2, 'administrators open everybody');
  assert.ok(all.limit > limit, 'and read the limit that holds for all of them');
});

test('~C-1009 the explanation of a visit names the person recognized there, and no one that the reader may not open', async () => {
  const visit = await visitOf(faceOf.hidden, hidden.identityId);
  await world.cameras.access.give(admin, {
    to: { type: 'user', id: user.userId },
    of: { type: 'camera', id: cameraId },
    capabilities: ['live'],
    categories: [],
  });
  await world.faces.refresh();
  const nearest = async (grants: Scope['grants']) => {
    const explanation = await world.visits.explain({ ...user, grants }, visit);
    assert.deepEqual([explanation.verdict, explanation.gallery_size], ['match', 1]);
    return explanation.nearest.map(({ person_id, name }) => [person_id, name]);
  };
  const own = [ownId, 'Own Example'];
  assert.deepEqual(await nearest(granting(cameraId, ['live'])), [[null, 'Known person'], own]);
  assert.deepEqual(await nearest(granting(cameraId, ['live', 'people'])), [
    [null, 'Hidden Example'],
    own,
  ]);
});
