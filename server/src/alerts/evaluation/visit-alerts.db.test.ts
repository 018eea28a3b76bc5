/** What visits raise, with a real database: each test has cameras and rules of its own. */
import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { sql } from 'kysely';
import { addChange } from '#feed/feed.ts';
import type { Scope } from '#http/scope.ts';
import { anEvaluation, type AlertRow, type Evaluation } from '#testing/alerts.ts';
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
/** An unknown person of that look, now, for a second. */
const see = async (cameraId: string, look = aLook(), more: Partial<DecidedVisit> = {}) =>
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
const seeAndSettle = async (...given: Parameters<typeof see>) => {
  const written = await see(...given);
  await settle();
  return written;
};
const figures = ({ camera_id, status, count, people, ended_at }: AlertRow) => ({
  at: camera_id === gate ? 'gate' : camera_id === hall ? 'hall' : camera_id,
  status,
  count,
  people,
  lasts: ended_at === null,
});
const byText = (one: unknown, other: unknown): number => (String(one) < String(other) ? -1 : 1);
const found = async () => (await evaluation.alerts()).map(figures);

test('~ALR-012 a person who resembles an enrolled one raises nothing until a better picture shows a stranger', async () => {
  await evaluation.rules({});
  const [badly, other] = [aLook(), aLook()];
  const doubtful = { resembles: true, picture: aPicture(badly, 0.5) };
  const seen = await see(gate, badly, doubtful);
  await seeAndSettle(hall, other);
  assert.deepEqual(await found(), [
    { at: 'hall', status: 'new', count: 1, people: 1, lasts: true },
  ]);
  const now = { ...seen, endedAtMs: world.clock.now(), confidence: null };
  await world.visits.extend(now, seen.identityId, aPicture(badly, 0.9));
  await settle();
  assert.equal((await found()).length, 1);
  await world.visits.extend({ ...now, isDoubtOver: true }, seen.identityId, aPicture(badly, 0.95));
  await settle();
  assert.deepEqual((await found()).map(({ at, count }) => [at, count]).toSorted(byText), [
    ['gate', 1],
    ['hall', 1],
  ]);
});

test('~ALR-012 ~NSH-034 the same stranger for ten minutes is one alert with a count, and then it is over', async () => {
  await evaluation.rules({ quietMinutes: 10 });
  const stranger = aLook();
  const startMs = world.clock.now();
  for (let times = 0; times < 20; times += 1) {
    await see(gate, stranger);
    if (times === 7) await see(hall);
    world.clock.advance(30_000);
    await evaluation.runner.run();
  }
  assert.deepEqual(await found(), [
    { at: 'gate', status: 'new', count: 20, people: 1, lasts: true },
    { at: 'hall', status: 'new', count: 1, people: 1, lasts: true },
  ]);
  const [begun] = await evaluation.alerts();
  assert.equal(begun!.created_at.getTime(), startMs + 30_000, 'once no name had come');
  assert.deepEqual(evaluation.said[0], { alertId: begun!.id, cameraId: gate, kind: 'raised' });
  assert.equal(evaluation.said.filter(({ kind }) => kind === 'raised').length, 2);
  world.clock.advance(11 * minuteMs);
  await evaluation.runner.run();
  const [over] = await evaluation.alerts();
  assert.equal(over!.ended_at?.getTime(), over!.last_at.getTime() + 10 * minuteMs);
  await seeAndSettle(gate, stranger);
  assert.equal((await found()).filter(({ at }) => at === 'gate').length, 2, 'they are back');
  assert.equal(await evaluation.waiting(), 0);
});

test('~ALR-012 ~LIVE-027 a known person who was first seen badly raises nothing', async () => {
  await evaluation.rules({});
  const { identityId } = await world.person(admin, 'Ayten', aLook());
  const visit = await see(gate);
  await see(hall);
  world.clock.advance(settleMs - 1_000);
  await evaluation.runner.run();
  assert.deepEqual(await found(), [], 'both wait');
  const now = { ...visit, confidence: 0.9, picture: aPicture(aLook()) };
  await world.visits.reassign(now, visit.identityId, identityId);
  world.clock.advance(2 * settleMs);
  await evaluation.runner.run();
  assert.deepEqual(await found(), [
    { at: 'hall', status: 'new', count: 1, people: 1, lasts: true },
  ]);
  assert.equal(await evaluation.waiting(), 0);
});

test('~ALR-012 a name that comes later takes the visit out, and an alert that has no other is dismissed', async () => {
  await evaluation.rules({});
  const { identityId } = await world.person(admin, 'Babek', aLook());
  const alone = await seeAndSettle(gate);
  const beside = await seeAndSettle(hall);
  await seeAndSettle(hall);
  for (const visit of [alone, beside]) {
    const now = { ...visit, confidence: 0.9, picture: aPicture(aLook()) };
    await world.visits.reassign(now, visit.identityId, identityId);
  }
  await settle();
  assert.deepEqual(await found(), [
    { at: 'gate', status: 'dismissed', count: 0, people: 0, lasts: false },
    { at: 'hall', status: 'new', count: 1, people: 1, lasts: true },
  ]);
});

test('~ALR-012 a visit that is withdrawn leaves its alert, which stays where a user has taken it', async () => {
  await evaluation.rules({});
  const [one, other] = [await seeAndSettle(gate), await seeAndSettle(hall)];
  await sql`update alert set status = 'in_progress' where camera_id = ${hall}`.execute(
    world.database.db.write(),
  );
  await world.visits.withdraw(one);
  await world.visits.withdraw(other);
  await evaluation.runner.run();
  assert.deepEqual(
    evaluation.said
      .slice(2)
      .map(({ cameraId, kind }) => `${kind} ${cameraId}`)
      .toSorted(),
    [`updated ${gate}`, `updated ${hall}`].toSorted(),
  );
  assert.deepEqual(await found(), [
    { at: 'gate', status: 'dismissed', count: 0, people: 0, lasts: false },
    { at: 'hall', status: 'in_progress', count: 0, people: 0, lasts: true },
  ]);
});

test('~ALR-012 two hundred strangers in an hour are two alerts at most, and the counts say two hundred', async () => {
  await evaluation.rules({ quietMinutes: 10 });
  for (let passer = 0; passer < 200; passer += 1) {
    await see(gate);
    world.clock.advance((55 * minuteMs) / 200);
    if (passer % 10 === 9) await evaluation.runner.run();
  }
  await settle();
  const alerts = await evaluation.alerts();
  assert.ok(alerts.length <= 2, `${alerts.length} alerts`);
  const sum = (of: (row: AlertRow) => number) => alerts.reduce((all, row) => all + of(row), 0);
  assert.equal(
    sum(({ count }) => count),
    200,
  );
  assert.equal(
    sum(({ people }) => people ?? 0),
    200,
  );
  world.clock.advance(8 * minuteMs);
  await seeAndSettle(gate);
  const [first, second] = await evaluation.alerts();
  assert.deepEqual([first!.count, second!.count, second!.ended_at], [200, 1, null]);
  assert.equal(first!.ended_at!.getTime(), first!.created_at.getTime() + 60 * minuteMs);
});

test('~ALR-012 a resolved alert goes on for the people who were in it; another person begins another', async () => {
  await evaluation.rules({});
  const stranger = aLook();
  await seeAndSettle(gate, stranger);
  for (const status of ['resolved', 'dismissed']) {
    await sql`
      update alert set status = ${status}, resolved_at = now() where ended_at is null`.execute(
      world.database.db.write(),
    );
    await seeAndSettle(gate, stranger);
  }
  assert.deepEqual(await found(), [
    { at: 'gate', status: 'dismissed', count: 3, people: 1, lasts: true },
  ]);
  await seeAndSettle(gate);
  assert.deepEqual(await found(), [
    { at: 'gate', status: 'dismissed', count: 3, people: 1, lasts: false },
    { at: 'gate', status: 'new', count: 1, people: 1, lasts: true },
  ]);
});

test('~ALR-012 watched people raise an alert each, at cameras of the rule, without waiting', async () => {
  const [watched, other] = await world.faces.categories.list();
  const [first, second] = [
    await world.person(admin, 'Cemil', aLook()),
    await world.person(admin, 'Dilara', aLook()),
  ];
  await evaluation.rules(
    { kind: 'watched_person', categories: [watched!.id], cameras: [gate] },
    { kind: 'watched_person', categories: [other!.id] },
    { kind: 'watched_person', categories: [] },
  );
  for (const { identityId } of [first, second, first]) {
    await see(gate, aLook(), { identityId, confidence: 0.9 });
    await see(hall, aLook(), { identityId, confidence: 0.9 });
  }
  await see(gate);
  await evaluation.runner.run();
  assert.deepEqual(await found(), [
    { at: 'gate', status: 'new', count: 2, people: 1, lasts: true },
    { at: 'gate', status: 'new', count: 1, people: 1, lasts: true },
  ]);
  world.clock.advance(2 * settleMs);
  await evaluation.runner.run();
  assert.equal((await found()).length, 2, 'nothing is said of unknown people');
});

test('~ALR-012 two rules both raise; one that is off, or of other cameras, raises nothing', async () => {
  await evaluation.rules(
    { level: 'info' },
    { level: 'critical', cameras: [gate] },
    { level: 'error', isEnabled: false },
    { level: 'error', cameras: [] },
  );
  await seeAndSettle(gate);
  await seeAndSettle(hall);
  const raised = (await evaluation.alerts()).map((row) => `${row.level} at the ${figures(row).at}`);
  assert.deepEqual(raised.toSorted(), [
    'critical at the gate',
    'info at the gate',
    'info at the hall',
  ]);
  await evaluation.rules();
  await seeAndSettle(gate);
  await evaluation.rules({});
  await settle();
  assert.equal((await found()).length, 3, 'what no rule raised is gone');
});

test('~ALR-012 naming, merging, correcting and undoing raise nothing', async () => {
  const [category] = await world.faces.categories.list();
  await evaluation.rules({}, { kind: 'watched_person', categories: [category!.id] });
  const [one, other] = [await seeAndSettle(gate), await seeAndSettle(hall)];
  const before = await found();
  const { unknown } = world.visits;
  const merged = await unknown.merge(admin, one.identityId, other.identityId);
  await unknown.undo(admin, one.identityId, merged.correction!.id);
  const named = { first_name: 'Elvin', last_name: 'Example', category: category!.id };
  const face = await unknown.identify(admin, one.identityId, named);
  await world.visits.notThisPerson(admin, one.id);
  await world.visits.thisPersonAfterAll(admin, one.id);
  await unknown.undo(admin, one.identityId, face.correction!.id);
  assert.equal(await evaluation.waiting(), 0);
  await settle();
  assert.deepEqual(await found(), before);
});

test('~ALR-012 a person who is named while the feed holds their visit is neither unknown nor watched for', async () => {
  const [category] = await world.faces.categories.list();
  await evaluation.rules({}, { kind: 'watched_person', categories: [category!.id] });
  const visit = await see(gate);
  await see(hall);
  const named = { first_name: 'Fidan', last_name: 'Example', category: category!.id };
  await world.visits.unknown.identify(admin, visit.identityId, named);
  await settle();
  assert.deepEqual(
    (await found()).map(({ at }) => at),
    ['hall'],
  );
});

test('~ALR-012 an alert lasts while a person of it stays in view', async () => {
  await evaluation.rules({ quietMinutes: 1 });
  const staying = await seeAndSettle(gate);
  await seeAndSettle(hall);
  for (let times = 0; times < 10; times += 1) {
    const endedAtMs = world.clock.now();
    await world.visits.extend(
      { ...staying, endedAtMs, confidence: null },
      staying.identityId,
      null,
    );
    world.clock.advance(30_000);
    await evaluation.runner.run();
  }
  assert.deepEqual(
    (await found()).map(({ at, lasts }) => [at, lasts]),
    [
      ['gate', true],
      ['hall', false],
    ],
  );
  await seeAndSettle(gate);
  assert.equal((await evaluation.alerts())[0]!.count, 2);
  world.clock.advance(2 * minuteMs);
  await evaluation.runner.run();
  assert.equal((await found())[0]!.lasts, false);
});

test('~ALR-012 visits from before the server was away raise with their own times', async () => {
  await evaluation.rules({});
  await see(gate);
  const leftAtMs = world.clock.now() + 1_000;
  world.clock.advance(180 * minuteMs);
  await evaluation.runner.run();
  const raisedAtMs = world.clock.now();
  await settle();
  const [alert, ...others] = await evaluation.alerts();
  assert.deepEqual([alert!.camera_id, others], [gate, []]);
  assert.equal(alert!.last_at.getTime(), leftAtMs);
  assert.equal(alert!.created_at.getTime(), raisedAtMs);
  assert.equal(alert!.ended_at?.getTime(), raisedAtMs, 'over, but not before it was raised');
});

test('~ALR-012 a camera that is gone raises nothing', async () => {
  await evaluation.rules({});
  await see(gate);
  await see(hall);
  await world.cameras.remove(admin, gate);
  await settle();
  assert.deepEqual(
    (await found()).map(({ at }) => at),
    ['hall'],
  );
  assert.equal(await evaluation.waiting(), 0);
});

test('~ALR-012 a change that commits after a later one is not lost', async () => {
  await evaluation.rules({});
  const { db } = world.database;
  const [early, late] = [await see(gate), await see(gate)];
  await sql`truncate feed_change`.execute(db.write());
  const change = (visit: { readonly id: string }) =>
    ({ kind: 'visit', subject: visit.id, at: new Date(world.clock.now()) }) as const;
  const commit = Promise.withResolvers<void>();
  const added = Promise.withResolvers<void>();
  const slow = db.transaction(async (tx) => {
    await addChange(tx, change(early));
    added.resolve();
    await commit.promise;
  });
  await added.promise;
  await db.transaction((tx) => addChange(tx, change(late)));
  await settle();
  assert.deepEqual(
    (await found()).map(({ count }) => count),
    [1],
  );
  commit.resolve();
  await slow;
  await evaluation.runner.run();
  assert.deepEqual(await found(), [
    { at: 'gate', status: 'new', count: 2, people: 2, lasts: true },
  ]);
});

test('~LIVE-027 a visit is in the feed once; one that goes on, or the next of a person who stays, is not', async () => {
  const visit = aVisit(gate, world.clock.now(), { picture: aPicture(aLook()), confidence: null });
  const written = await world.visits.write(visit);
  await world.visits.write(visit);
  assert.equal(await evaluation.waiting(), 1);
  const longer = { ...visit, endedAtMs: visit.endedAtMs + 5_000 };
  await world.visits.extend(longer, written.identityId, null);
  await world.visits.extend(longer, written.identityId, aPicture(looks, 0.95));
  const next = aVisit(gate, world.clock.now());
  await world.visits.beginNext({ ...visit, identityId: written.identityId, quality: 0.9 }, next);
  assert.equal(await evaluation.waiting(), 1);
});
