/** How a visit got its name, through all that can be done with it; and how sure recognition was, and of whom. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import type { DetailedVisit } from '@nazar/contract/visits.ts';
import { migrate, migrationNames } from '#db/migrations.ts';
import { createScope, type Scope } from '#http/scope.ts';
import { testDatabase } from '#testing/database.ts';
import { granting } from '#testing/grants.ts';
import { passersOf, newFace, unlike, type Passers } from '#testing/passers.ts';
import { aPicture, aWorld, testPackName, type World } from '#testing/world.ts';

let world: World;
let admin: Scope;
let other: Scope;
let gate: string;
let see: Passers['see'];

before(async () => {
  world = await aWorld();
  [admin, other] = [await world.actor('superadmin'), await world.actor('admin')];
  gate = await world.camera(admin);
  const passers = passersOf(world, gate);
  // Visits come one after another, and so does what is said of them.
  see = (pass) => {
    world.clock.advance(3_600_000);
    return passers.see({ atMs: world.clock.now(), ...pass });
  };
});
after(() => world[Symbol.asyncDispose]());

const read = (id: string, scope = admin): Promise<DetailedVisit> =>
  world.visits.details.read(scope, id);
const steps = ({ decisions, confidence }: DetailedVisit) => ({
  kinds: decisions.map(({ kind }) => kind),
  by: decisions.map(({ by }) => by?.id ?? null),
  confidence: confidence === null ? null : confidence.toFixed(2),
});
const named = async (name: string) => {
  const [category] = await world.faces.categories.list();
  return { first_name: name, last_name: 'Example', category: category!.id };
};
const later = (): void => world.clock.advance(60_000);

/** Whether the entries that decisions name are in the log, with their author and subject. */
async function entriesOf({ decisions }: DetailedVisit): Promise<string[]> {
  const found: string[] = [];
  for (const { entry, by } of decisions) {
    if (entry === null) continue;
    const { rows } = await sql<{ action: string; user_id: string }>`
      select action, user_id from activity_log where id = ${entry}`.execute(
      world.database.db.read(),
    );
    assert.equal(rows[0]?.user_id, by?.id);
    found.push(rows[0]!.action);
  }
  return found;
}

test('=ENT-023 a recognized visit says when, by which models and how surely; an unknown one was matched with no one', async () => {
  const look = newFace();
  const person = await world.person(admin, 'Aysel', look);
  const { visit } = await see({ picture: aPicture(look), identityId: person.identityId });
  const details = await read(visit.id);
  assert.deepEqual(details.decisions, [
    {
      kind: 'recognized',
      at: new Date(world.clock.now()).toISOString(),
      by: null,
      entry: null,
      name: null,
      confidence: details.confidence,
      pack: testPackName,
    },
  ]);
  assert.equal(details.confidence?.toFixed(2), '0.80');
  const stranger = await see({ picture: aPicture(newFace()) });
  assert.deepEqual(steps(await read(stranger.visit.id)), { kinds: [], by: [], confidence: null });
});

test('=ENT-023, NSH-022 identify, recognize, merge, split and undo: each visit says what stands, and whose word it is', async () => {
  const [one, two] = [newFace(), newFace()];
  const first = await see({ picture: aPicture(one) });
  const second = await see({ picture: aPicture(two) });
  const { unknown } = world.visits;
  later();
  await unknown.merge(other, first.identityId, second.identityId);
  later();
  const face = await unknown.identify(admin, first.identityId, await named('Rashad'));
  assert.equal(face.face_name, 'Rashad Example');
  const own = await read(first.visit.id);
  const merged = await read(second.visit.id);
  assert.deepEqual(steps(own), { kinds: ['identify'], by: [admin.userId], confidence: null });
  assert.deepEqual(steps(merged), {
    kinds: ['merge', 'identify'],
    by: [other.userId, admin.userId],
    confidence: null,
  });
  assert.deepEqual(await entriesOf(merged), ['face.unknown_merged', 'face.unknown_identified']);
  assert.equal(own.person_name, 'Rashad Example');
  later();
  const again = await see({ picture: aPicture(one), identityId: first.identityId });
  assert.deepEqual(steps(await read(again.visit.id)), {
    kinds: ['recognized'],
    by: [null],
    confidence: '0.80',
  });
  await unknown.undo(admin, first.identityId, face.correction!.id);
  assert.deepEqual(steps(await read(first.visit.id)).kinds, []);
  assert.deepEqual(steps(await read(second.visit.id)).kinds, ['merge']);
  // Recognition named a person whom the visit does not show any more.
  const before = await read(again.visit.id);
  assert.equal(before.confidence, null);
  later();
  await unknown.identify(admin, first.identityId, await named('Somebody Else'));
  assert.equal((await read(again.visit.id)).confidence, null, 'not how sure it is of the new name');
  assert.deepEqual(steps(await read(again.visit.id)).kinds.at(-1), 'identify');
});

test('NSH-022 a visit that was split off says so, and its undo is its end', async () => {
  const look = newFace();
  const first = await see({ picture: aPicture(look) });
  const second = await see({ picture: unlike(look, 0.3) });
  assert.equal(second.identityId, first.identityId);
  later();
  const { unknown } = world.visits;
  const made = await unknown.split(other, first.identityId, [second.visit.id]);
  const split = await read(second.visit.id);
  assert.deepEqual(steps(split), { kinds: ['split'], by: [other.userId], confidence: null });
  assert.deepEqual(await entriesOf(split), ['face.unknown_split']);
  assert.deepEqual(steps(await read(first.visit.id)).kinds, []);
  await unknown.undo(other, made.id, made.correction!.id);
  assert.deepEqual(steps(await read(second.visit.id)).kinds, []);
});

test('not this person: who said so stands beside what recognition said; taken back, visits of meanwhile come back', async () => {
  const look = newFace();
  const person = await world.person(admin, 'Gunel', look);
  const wrong = await see({ picture: aPicture(look), identityId: person.identityId });
  await world.visits.notThisPerson(other, wrong.visit.id);
  const said = await read(wrong.visit.id);
  assert.deepEqual(steps(said), {
    kinds: ['recognized', 'not_this_person'],
    by: [null, other.userId],
    confidence: null,
  });
  assert.deepEqual(
    said.decisions.map(({ name }) => name),
    ['Gunel Example', 'Gunel Example'],
  );
  assert.equal(said.decisions[0]!.confidence?.toFixed(2), '0.80');
  assert.deepEqual(await entriesOf(said), ['face.not_this_person']);
  // Ruled out, the same face is unknown now; another stays unknown.
  const meanwhile = await see({ picture: aPicture(look) });
  const unlikely = await see({ picture: aPicture(newFace()) });
  assert.equal((await read(meanwhile.visit.id)).is_recognized, false);
  await world.visits.thisPersonAfterAll(admin, wrong.visit.id);
  const back = await read(wrong.visit.id);
  assert.deepEqual(steps(back), { kinds: ['recognized'], by: [null], confidence: '0.80' });
  const followed = await read(meanwhile.visit.id);
  assert.deepEqual([followed.person_id, followed.is_recognized], [person.id, true]);
  assert.deepEqual(steps(followed).kinds, ['recognized']);
  assert.ok(followed.confidence! > 0.9);
  assert.equal((await read(unlikely.visit.id)).is_recognized, false);
});

test('C-1009, C-304 a user who may not read the name learns nothing of how it came, nor who said it', async () => {
  const [one, two] = [newFace(), newFace()];
  const first = await see({ picture: aPicture(one) });
  const second = await see({ picture: aPicture(two) });
  later();
  await world.visits.unknown.merge(admin, first.identityId, second.identityId);
  later();
  const user = await world.actor('user');
  const reader = createScope({ ...user, standing: 'user' }, granting(gate, ['live']));
  const reads = createScope({ ...user, standing: 'user' }, granting(gate, ['live', 'people']));
  const unnamed = await read(second.visit.id, reader);
  assert.deepEqual([steps(unnamed).kinds, steps(unnamed).by], [['merge'], [null]]);
  assert.equal(unnamed.decisions[0]!.entry, null);
  await world.visits.unknown.identify(admin, first.identityId, await named('Hidden'));
  const hidden = await read(second.visit.id, reader);
  assert.deepEqual([hidden.person_name, hidden.decisions], ['Known person', []]);
  const answers = await read(second.visit.id, reads);
  assert.deepEqual(
    [answers.person_name, steps(answers).kinds],
    ['Hidden Example', ['merge', 'identify']],
  );
  assert.deepEqual(
    answers.decisions.map(({ by, entry }) => [by, entry]),
    [
      [null, null],
      [null, null],
    ],
  );
  // They do not read whom a corrected visit was taken for, either.
  const look = newFace();
  const person = await world.person(admin, 'Secret', look);
  const wrong = await see({ picture: aPicture(look), identityId: person.identityId });
  await world.visits.notThisPerson(admin, wrong.visit.id);
  const { decisions } = await read(wrong.visit.id, reader);
  assert.deepEqual(
    decisions.map(({ name }) => name),
    ['Known person', 'Known person'],
  );
});

test('C-1003 a visit of an erased person says that it was recognized, and of a correction nothing is left', async () => {
  const look = newFace();
  const person = await world.person(admin, 'Erased', look);
  const seen = await see({ picture: aPicture(look), identityId: person.identityId });
  const wrong = await see({ picture: aPicture(look), identityId: person.identityId });
  await world.visits.notThisPerson(admin, wrong.visit.id);
  await world.faces.remove(admin, person.id);
  const left = await read(seen.visit.id);
  assert.deepEqual([left.person_name, steps(left).kinds], ['Erased person', ['recognized']]);
  assert.equal(left.confidence?.toFixed(2), '0.80');
  assert.deepEqual((await read(wrong.visit.id)).decisions, []);
});

test('=ENT-023 rows of the version before say as much as is known: recognized, named later, or nothing', async () => {
  const old = await testDatabase();
  const { db, target } = old;
  await sql`drop schema public cascade`.execute(db.write());
  await sql`create schema public`.execute(db.write());
  const names = migrationNames();
  await migrate(target, undefined, names[names.indexOf('0082-visit-decisions') - 1]);
  await fillOld(db.write());
  await migrate(target);
  const { rows } = await sql<{ id: string; recognized_as: string | null }>`
    select right(id::text, 1) as id, recognized_as from visit order by id`.execute(db.read());
  assert.deepEqual(
    rows.map(({ id, recognized_as }) => [id, recognized_as !== null]),
    [
      ['1', false],
      ['2', false],
      ['3', true],
      ['4', false],
    ],
  );
  // It closes the database, too.
  await using reading = await aWorld(old);
  const scope = await reading.actor('superadmin');
  const answers = [];
  for (const { id } of rows) {
    const details = await reading.visits.details.read(scope, `${visitOf}${id}`);
    const { kinds, confidence } = steps(details);
    answers.push([kinds, confidence, details.decisions.map(({ entry }) => entry?.at(-1) ?? null)]);
  }
  assert.deepEqual(answers, [
    [['recognized'], '0.90', [null]],
    [['identify'], null, ['1']],
    [['recognized'], '0.90', [null]],
    [[], null, []],
  ]);
});

const visitOf = '00000000-0000-4000-8000-20000000000';

/** Visits of an enrolled person, of a stranger before and after they were named, and of an unknown person. */
async function fillOld(db: ReturnType<World['database']['db']['write']>): Promise<void> {
  const id = (kind: string, digit: number) => `00000000-0000-4000-8000-${kind}0000000000${digit}`;
  await sql`
    insert into camera (id, name, location, type, status, resolution, fps, rotation,
                        enable_face_recognition, created_at, updated_at)
    values (${id('a', 1)}, 'Gate', 'Yard', 'rtsp', 'inactive', '1280x720', 25, 0, true, now(), now())`.execute(
    db,
  );
  await sql`
    insert into person (id, first_name, last_name, category_id, created_by, created_at, updated_at)
    select ('00000000-0000-4000-8000-b0000000000' || n)::uuid, 'P' || n, '', face_category.id,
           gen_random_uuid(), now(), now()
    from generate_series(1, 2) n, (select id from face_category limit 1) face_category`.execute(db);
  await sql`
    insert into identity (id, person_id, number, data_key, created_at) values
      (${id('1', 1)}, ${id('b', 1)}, null, 'x', now()),
      (${id('1', 2)}, ${id('b', 2)}, 1, 'x', now()),
      (${id('1', 3)}, null, 2, 'x', now())`.execute(db);
  await sql`
    insert into correction (id, kind, person_id, created_at)
    values (${id('c', 1)}, 'identify', ${id('b', 2)}, '2026-01-10 12:00Z')`.execute(db);
  await sql`
    insert into correction_part (correction_id, identity_id, status)
    values (${id('c', 1)}, ${id('1', 2)}, 'new')`.execute(db);
  // Its entry, and one that is about another stranger at the same moment.
  for (const [digit, stranger] of [
    [1, id('1', 2)],
    [2, id('1', 3)],
  ] as const) {
    await sql`
      insert into audit_entry (id, recorded_at, source, is_mock, user_id, ip, user_agent, action,
                               object_type, object_id, details)
      values (${id('d', digit)}, '2026-01-10 12:00:00.4Z', 'request', false, ${id('e', digit)}, '', '',
              'face.unknown_identified', 'unknown_face', ${stranger},
              ${JSON.stringify({ face: id('b', 2) })}::json)`.execute(db);
  }
  const visits = [
    [1, id('1', 1), '2026-01-10 09:00Z'],
    [2, id('1', 2), '2026-01-10 09:00Z'],
    [3, id('1', 2), '2026-01-11 09:00Z'],
    [4, id('1', 3), '2026-01-11 09:00Z'],
  ] as const;
  for (const [digit, identity, at] of visits) {
    await sql`
      insert into sighting (id, camera_id, identity_id, started_at, ended_at, confidence, quality)
      values (${id('2', digit)}, ${id('a', 1)}, ${identity}, ${at}, ${at}, 0.9, 0.5)`.execute(db);
  }
}
