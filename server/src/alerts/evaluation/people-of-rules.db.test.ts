/** Enrolled people except some, how sure recognition is, and strangers who come again, with a real database. */
import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { sql } from 'kysely';
import type { Scope } from '#http/scope.ts';
import { anEvaluation, type Evaluation } from '#testing/alerts.ts';
import { aPicture, aVisit, aWorld, type World } from '#testing/world.ts';
import type { DecidedVisit } from '#visits/visits.ts';
import { settleMs } from './visit-pass.ts';

const minuteMs = 60_000;

let world: World;
let admin: Scope;
let gate: string;
let hall: string;
let evaluation: Evaluation;
let looks = 0;

before(async () => {
  world = await aWorld();
  admin = await world.actor('admin');
});
after(() => world[Symbol.asyncDispose]());

beforeEach(async () => {
  await sql`truncate feed_change, alert cascade`.execute(world.database.db.write());
  [gate, hall] = [await world.camera(admin), await world.camera(admin)];
  evaluation = anEvaluation(world);
});
afterEach(() => evaluation[Symbol.asyncDispose]());

const aLook = (): number => (looks += 1);
const see = (cameraId: string, look = aLook(), more: Partial<DecidedVisit> = {}) =>
  world.visits.write(
    aVisit(cameraId, world.clock.now(), {
      picture: aPicture(look),
      confidence: null,
      identityId: null,
      ...more,
    }),
  );
const settle = async (): Promise<void> => {
  world.clock.advance(settleMs);
  await evaluation.runner.run();
};
const found = async () =>
  (await evaluation.alerts()).map(({ camera_id, kind, count, people }) => [
    camera_id === gate ? 'gate' : 'hall',
    kind,
    count,
    people,
  ]);

test('~ALR-012 a stranger raises nothing before the visit that the rule names, and is alone in the alert', async () => {
  await evaluation.rules({ kind: 'returning_stranger', visits: 3 });
  const [often, other] = [aLook(), aLook()];
  for (const at of [gate, gate, hall, hall]) {
    await see(at, often);
    await see(at, other);
    world.clock.advance(minuteMs);
  }
  await settle();
  assert.deepEqual(await found(), [], 'two visits at each camera');
  await see(gate, often);
  await settle();
  assert.deepEqual(await found(), [['gate', 'returning_stranger', 1, 1]]);
  world.clock.advance(minuteMs);
  await see(gate, often);
  await see(hall, other);
  await settle();
  assert.deepEqual(await found(), [
    ['gate', 'returning_stranger', 2, 1],
    ['hall', 'returning_stranger', 1, 1],
  ]);
});

test('~ALR-012 merged unknown people have their visits together; a deleted visit counts no more', async () => {
  await evaluation.rules({ kind: 'returning_stranger', visits: 3 });
  const [one, other] = [aLook(), aLook()];
  const first = await see(gate, one);
  world.clock.advance(minuteMs);
  await see(gate, one);
  world.clock.advance(minuteMs);
  const same = await see(gate, other);
  await settle();
  await world.visits.unknown.merge(admin, first.identityId, same.identityId);
  await world.visits.deleting.one(admin, first.id);
  world.clock.advance(minuteMs);
  await see(hall, one);
  await settle();
  assert.deepEqual(await found(), []);
  await see(gate, one);
  await settle();
  assert.deepEqual(await found(), [['gate', 'returning_stranger', 1, 1]]);
});

test('~ALR-012 enrolled people raise an alert each, but those of the categories that the rule leaves out', async () => {
  const [left, other] = await world.faces.categories.list();
  const people = { left: left!.id, other: other!.id };
  await evaluation.rules({ kind: 'known_person', categories: [people.left] });
  const ids: string[] = [];
  for (const category of [people.left, people.other, people.other]) {
    const { id, identityId } = await world.person(admin, `Person ${looks}`, aLook());
    await sql`update person set category_id = ${category} where id = ${id}`.execute(
      world.database.db.write(),
    );
    ids.push(identityId);
  }
  for (const identityId of ids) await see(gate, aLook(), { identityId, confidence: 0.9 });
  await see(gate);
  await settle();
  assert.deepEqual(await found(), [
    ['gate', 'known_person', 1, 1],
    ['gate', 'known_person', 1, 1],
  ]);
});

test('~ALR-012 a person of whom recognition becomes sure enough later in a visit raises an alert then', async () => {
  await evaluation.rules({ kind: 'known_person', confidencePercent: 80 });
  const { identityId } = await world.person(admin, 'Gunel', aLook());
  const seen = { identityId, confidence: 0.6 };
  const [visit] = [await see(gate, aLook(), seen), await see(hall, aLook(), seen)];
  await settle();
  assert.deepEqual(await found(), []);
  const now = { ...visit, endedAtMs: world.clock.now() };
  await world.visits.extend({ ...now, confidence: 0.6 }, identityId, null);
  assert.equal(await evaluation.waiting(), 0, 'a visit that goes on is no change');
  await world.visits.extend({ ...now, confidence: 0.85, isSurer: true }, identityId, null);
  await settle();
  assert.deepEqual(await found(), [['gate', 'known_person', 1, 1]]);
});
