import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import type { Visit } from '@nazar/contract/visits.ts';
import { CommitUnknown } from '#db/database.ts';
import type { Scope } from '#http/scope.ts';
import { until } from '#testing/until.ts';
import { aTrackedCamera, type TrackedCamera } from '#testing/tracked-camera.ts';
import { aPicture, aVisit, aWorld, type World } from '#testing/world.ts';
import type { FaceEstimate } from '#vision/vision.ts';
import type { Visits, Written } from './visits.ts';
import type { TrackedVisitsOptions } from './tracked-visits.ts';

let world: World;
let admin: Scope;

before(async () => {
  world = await aWorld();
  admin = await world.actor('admin');
});
after(() => world[Symbol.asyncDispose]());

/** A camera of its own for each test. */
const aPlace = (
  edge: Partial<TrackedVisitsOptions['visits']> = {},
  keepsStrangers: TrackedVisitsOptions['keepsStrangers'] = async () => true,
  attributesOf: TrackedVisitsOptions['attributesOf'] = async () => null,
): Promise<TrackedCamera> => aTrackedCamera(world, admin, { edge, keepsStrangers, attributesOf });

const hasEnded = (rows: readonly Visit[], atMs: number): boolean =>
  rows[0]?.ended_at === new Date(atMs).toISOString();

test('~ENT-023 one row per visit, shown only once it is written, ended when it was last seen', async () => {
  const { trackedVisits, decide, rows } = await aPlace();
  const track = decide();
  assert.equal(trackedVisits.recorded(track), null, 'nothing is in the log yet');
  await until(() => trackedVisits.recorded(track) !== null);
  const startedMs = world.clock.now();
  world.clock.advance(4_000);
  decide({ track, startedAtMs: startedMs - 500, picture: aPicture(1, 0.9), ended: true });
  await until(async () => hasEnded(await rows(), world.clock.now()));
  const kept = await rows();
  assert.equal(kept.length, 1);
  assert.equal(kept[0]!.timestamp, new Date(startedMs - 500).toISOString());
  assert.equal(kept[0]!.person_name, 'Unknown');
  const picture = await world.visits.seenFace(admin, kept[0]!.id);
  assert.equal(picture.photo.embedding?.quality.toFixed(1), '0.9', 'the better picture is kept');
  await until(() => trackedVisits.recorded(track) === null);
});

test('~ENT-023 a visit that goes on is written now and then, not with every picture', async () => {
  let writes = 0;
  const extend: Visits['extend'] = async (...words) => {
    writes += 1;
    return world.visits.extend(...words);
  };
  const { trackedVisits, decide, rows } = await aPlace({ extend });
  const track = decide();
  await until(() => trackedVisits.recorded(track) !== null);
  for (let picture = 0; picture < 60; picture += 1) {
    world.clock.advance(200);
    trackedVisits.stillSeen(track, world.clock.now());
    await new Promise((resolve) => setImmediate(resolve));
  }
  await trackedVisits[Symbol.asyncDispose]();
  assert.ok(writes >= 1 && writes <= 3, `${writes} writes for 60 pictures`);
  const [row] = await rows();
  assert.ok(Date.parse(row!.ended_at) <= world.clock.now());
});

test('~ENT-023 a visit turns out to be a known person, and back', async () => {
  const { trackedVisits, decide, rows } = await aPlace();
  const { identityId } = await world.person(admin, 'Ayten', 21);
  const track = decide();
  await until(() => trackedVisits.recorded(track)?.isKnown === false);
  decide({ track, identityId, confidence: 0.91 });
  await until(() => trackedVisits.recorded(track)?.isKnown === true);
  const [known] = await rows();
  assert.deepEqual([known?.person_name, known?.is_recognized], ['Ayten Example', true]);
  assert.equal(
    (await world.visits.picture(admin, known!.id)).subarray(0, 3).toString('hex'),
    'ffd8ff',
  );
  decide({ track, identityId: null });
  await until(() => trackedVisits.recorded(track)?.isKnown === false);
  const after = await rows();
  assert.deepEqual(
    after.map(({ person_name }) => person_name),
    ['Unknown'],
  );
});

test('~LIVE-027 a track that resembles an enrolled person is in the feed once the doubt is over, and once', async () => {
  const { trackedVisits, decide, rows } = await aPlace();
  const waiting = async (): Promise<number> => {
    const [visit] = await rows();
    const { rows: changes } = await sql`
      select from feed_change where subject = ${visit!.id}`.execute(world.database.db.read());
    return changes.length;
  };
  const track = decide({ resembles: true, picture: aPicture(77, 0.5) });
  await until(() => trackedVisits.recorded(track) !== null);
  decide({ track, resembles: true, picture: aPicture(77, 0.91) });
  await trackedVisits.settled();
  assert.equal(await waiting(), 0);
  for (const quality of [0.92, 0.93]) decide({ track, picture: aPicture(77, quality) });
  await trackedVisits.settled();
  assert.equal(await waiting(), 1);
});

test('~ENT-023 a person who turns away and is back within 10 s continues the same visit', async () => {
  const { trackedVisits, decide, rows } = await aPlace();
  const { identityId } = await world.person(admin, 'Babek', 22);
  const first = decide({ identityId, ended: true });
  await until(async () => (await rows()).length === 1);
  await until(() => trackedVisits.recorded(first) === null);
  world.clock.advance(9_000);
  decide({ identityId, ended: true });
  await until(async () => hasEnded(await rows(), world.clock.now()));
  assert.equal((await rows()).length, 1);
  world.clock.advance(11_000);
  decide({ identityId, ended: true });
  await until(async () => (await rows()).length === 2);
});

test('~ENT-023 a stranger who turns away and is back within 10 s goes on with the same visit', async () => {
  const { trackedVisits, decide, rows } = await aPlace();
  const first = decide({ picture: aPicture(61, 0.5), ended: true });
  await until(async () => (await rows()).length === 1);
  await until(() => trackedVisits.recorded(first) === null);
  const [begun] = await rows();
  world.clock.advance(9_000);
  const back = decide({ picture: aPicture(61, 0.9), confidence: 0.9 });
  await until(() => trackedVisits.recorded(back) !== null);
  const [goesOn, ...others] = await rows();
  assert.deepEqual(others, []);
  assert.equal(goesOn!.id, begun!.id);
  assert.equal(goesOn!.timestamp, begun!.timestamp);
  assert.equal(goesOn!.ended_at, new Date(world.clock.now()).toISOString());
  assert.equal(trackedVisits.recorded(back)!.visitId, begun!.id);
  const who = trackedVisits.recorded(back)!.identityId;
  assert.deepEqual(await world.visits.picture(admin, begun!.id), aPicture(61).chip);
  // Another person meanwhile, and the same one too late.
  const other = decide({ picture: aPicture(62), ended: true });
  await until(async () => (await rows()).length === 2);
  decide({ track: back, picture: aPicture(61, 0.6), ended: true });
  await until(
    () => trackedVisits.recorded(back) === null && trackedVisits.recorded(other) === null,
  );
  world.clock.advance(11_000);
  decide({ picture: aPicture(61), ended: true });
  await until(async () => (await rows()).length === 3);
  const query = { ordering: '-timestamp', page: 1, page_size: 100 } as const;
  const { results } = await world.visits.unknown.list(admin, query);
  assert.equal(results.find(({ id }) => id === who)?.count, 2);
});

test('~ENT-023 a stranger who is back while a similar person is in view is not them', async () => {
  const { trackedVisits, decide, rows } = await aPlace();
  const inView = decide({ picture: aPicture(63) });
  await until(() => trackedVisits.recorded(inView) !== null);
  const other = decide({ picture: aPicture(63) });
  await until(() => trackedVisits.recorded(other) !== null);
  assert.equal((await rows()).length, 2);
  assert.notEqual(
    trackedVisits.recorded(other)!.identityId,
    trackedVisits.recorded(inView)!.identityId,
  );
});

test('~ENT-023 a known person who is taken for the stranger they were continues no visit of a stranger', async () => {
  const { trackedVisits, decide, rows } = await aPlace();
  const { identityId } = await world.person(admin, 'Cavid', 64);
  const first = decide({ picture: aPicture(65), ended: true });
  await until(async () => (await rows()).length === 1);
  await until(() => trackedVisits.recorded(first) === null);
  world.clock.advance(5_000);
  const back = decide({ picture: aPicture(65) });
  await until(() => trackedVisits.recorded(back)?.isKnown === false);
  decide({ track: back, identityId, picture: aPicture(64) });
  await until(() => trackedVisits.recorded(back)?.isKnown === true);
  assert.deepEqual((await rows()).map(({ person_name }) => person_name).sort(), [
    'Cavid Example',
    'Unknown',
  ]);
});

test('~ENT-023 a person who is found by another of their identities continues the same visit', async () => {
  const { trackedVisits, decide, rows } = await aPlace();
  const person = await world.person(admin, 'Banu', 35);
  const yard = await world.camera(admin);
  const picture = aPicture(36);
  const stranger = await world.visits.write(aVisit(yard, world.clock.now(), { picture }));
  await world.visits.unknown.identify(admin, stranger.identityId, { face: person.id });
  const first = decide({ identityId: person.identityId });
  await until(() => trackedVisits.recorded(first) !== null);
  decide({ track: first, identityId: stranger.identityId, ended: true });
  await until(() => trackedVisits.recorded(first) === null);
  world.clock.advance(5_000);
  decide({ identityId: stranger.identityId, ended: true });
  await until(async () => hasEnded(await rows(), world.clock.now()));
  assert.deepEqual(
    (await rows()).map(({ person_name }) => person_name),
    ['Banu Example'],
  );
});

test('a person in view whom a user rules out is not shown under that name from then on', async () => {
  const { trackedVisits, decide, rows } = await aPlace();
  const { identityId } = await world.person(admin, 'Ceyran', 41);
  const picture = aPicture(42, 0.6);
  const track = decide({ identityId, picture });
  await until(() => trackedVisits.recorded(track)?.isKnown === true);
  const [row] = await rows();
  await world.visits.notThisPerson(admin, row!.id);
  await until(() => trackedVisits.recorded(track)?.isKnown === false);
  // The track has more earlier votes for them than later ones against.
  decide({ track, identityId, picture: aPicture(42, 0.7) });
  decide({ track, identityId, picture: aPicture(42, 0.8), ended: true });
  await until(() => trackedVisits.recorded(track) === null);
  assert.deepEqual(
    (await rows()).map(({ person_name }) => person_name),
    ['Unknown'],
  );
});

test('~ENT-023 a second face that was taken for a person does not take their visit away', async () => {
  const { trackedVisits, decide, rows } = await aPlace();
  const { identityId } = await world.person(admin, 'Ceyhun', 23);
  const own = decide({ identityId });
  await until(() => trackedVisits.recorded(own)?.isKnown === true);
  const other = decide({ identityId });
  await until(() => trackedVisits.recorded(other)?.isKnown === true);
  decide({ track: other, identityId: null });
  await until(() => trackedVisits.recorded(other)?.isKnown === false);
  assert.equal(trackedVisits.recorded(own)?.isKnown, true);
  assert.deepEqual((await rows()).map(({ person_name }) => person_name).sort(), [
    'Ceyhun Example',
    'Unknown',
  ]);
});

test('~ENT-023 a commit whose answer got lost makes no second row', async () => {
  let lost = 0;
  const losing =
    <A extends unknown[], R>(work: (...words: A) => Promise<R>) =>
    async (...words: A): Promise<R> => {
      const done = await work(...words);
      if (lost++ % 2 === 0) throw new CommitUnknown('the answer got lost');
      return done;
    };
  const { trackedVisits, decide, rows } = await aPlace({
    write: losing<Parameters<Visits['write']>, Written>((visit) => world.visits.write(visit)),
    reassign: losing<Parameters<Visits['reassign']>, string>((...words) =>
      world.visits.reassign(...words),
    ),
  });
  const { identityId } = await world.person(admin, 'Dilara', 24);
  const track = decide();
  const retried = async (isSo: () => boolean): Promise<void> =>
    until(() => {
      world.clock.advance(5_000);
      return isSo();
    });
  await retried(() => trackedVisits.recorded(track) !== null);
  decide({ track, identityId });
  await retried(() => trackedVisits.recorded(track)?.isKnown === true);
  decide({ track, identityId: null });
  await retried(() => trackedVisits.recorded(track)?.isKnown === false);
  assert.equal((await rows()).length, 1);
  assert.equal(lost, 6, 'each was tried twice');
});

test('~ENT-023 a stranger goes on with one visit, however often it is tried', async () => {
  let tries = 0;
  const { trackedVisits, decide, rows } = await aPlace({
    write: async (visit) => {
      const written = await world.visits.write(visit);
      tries += 1;
      if (tries === 2) throw new CommitUnknown('the answer got lost');
      return written;
    },
  });
  const first = decide({ picture: aPicture(66), ended: true });
  await until(async () => (await rows()).length === 1);
  await until(() => trackedVisits.recorded(first) === null);
  world.clock.advance(4_000);
  const back = decide({ picture: aPicture(66) });
  await until(() => {
    world.clock.advance(1_000);
    return trackedVisits.recorded(back) !== null;
  });
  assert.equal(tries, 3, 'written, its answer lost, asked again');
  assert.equal((await rows()).length, 1);
});

test('~ENT-023 a database that is away is waited for, in the order of what was decided', async () => {
  let away = true;
  const { decide, rows } = await aPlace({
    write: (visit) =>
      away ? Promise.reject(new Error('connection terminated')) : world.visits.write(visit),
  });
  const { identityId } = await world.person(admin, 'Elnur', 25);
  const track = decide();
  decide({ track, identityId, ended: true });
  for (let attempt = 0; attempt < 5; attempt += 1) {
    await new Promise((resolve) => setImmediate(resolve));
    world.clock.advance(5_000);
  }
  assert.deepEqual(await rows(), []);
  away = false;
  await until(async () => {
    world.clock.advance(5_000);
    return (await rows())[0]?.is_recognized === true;
  });
  assert.equal((await rows()).length, 1);
});

test('a visit the database refuses is given up, and the next one is written', async () => {
  const { trackedVisits, decide, rows } = await aPlace();
  const track = decide({ confidence: Number.NaN });
  decide({ track, ended: true });
  await until(async () => (await rows()).length === 1);
  await trackedVisits[Symbol.asyncDispose]();
});

test('C-1003 a person removed while in view is unknown from then on, and nothing is stored of them again', async () => {
  const { trackedVisits, decide, rows } = await aPlace();
  const { id, identityId } = await world.person(admin, 'Fidan', 26);
  const track = decide({ identityId });
  await until(() => trackedVisits.recorded(track)?.isKnown === true);
  await world.faces.remove(admin, id);
  decide({ track, identityId, picture: aPicture(26, 0.99) });
  await until(() => trackedVisits.recorded(track)?.isKnown === false);
  decide({ track, identityId: null, picture: aPicture(26, 1), ended: true });
  await until(() => trackedVisits.recorded(track) === null);
  assert.deepEqual(
    (await rows()).map(({ person_name, face_image_url }) => [person_name, face_image_url]),
    [['Erased person', null]],
  );
});

test('a person named while in view is known from then on, in the same visit', async () => {
  const { trackedVisits, decide, rows } = await aPlace();
  const track = decide({ picture: aPicture(27, 0.7) });
  await until(() => trackedVisits.recorded(track) !== null);
  const [row] = await rows();
  const seen = await world.visits.seenFace(admin, row!.id);
  const [category] = await world.faces.categories.list();
  const empty = { description: '', email: '', phone: '', position: '', notes: '' };
  const name = { first_name: 'Gunel', last_name: 'Example', is_active: true };
  await world.faces.add(admin, { ...name, ...empty, category: category!.id }, [], seen);
  assert.equal((await rows())[0]?.person_name, 'Gunel Example', 'the past follows at once');
  decide({ track, identityId: seen.identityId, picture: aPicture(27, 0.8) });
  await until(() => trackedVisits.recorded(track)?.isKnown === true);
  assert.equal((await rows()).length, 1);
});

const writtenRows = async (): Promise<unknown> => {
  const { rows } = await sql`
    select (select count(*) from visit) as visits, (select count(*) from visit_picture) as pictures,
           (select count(*) from identity) as identities, (select sum(visits) from visit_hour) as hours,
           (select count(*) from visit_day) as days`.execute(world.database.db.read());
  return rows[0];
};

test('C-1006 where nothing of strangers is kept, they are shown while in view and nothing is written', async () => {
  const { trackedVisits, decide, rows } = await aPlace({}, async () => false);
  const before = await writtenRows();
  const track = decide();
  await until(() => trackedVisits.recorded(track) !== null);
  assert.equal(trackedVisits.recorded(track)?.isKnown, false);
  world.clock.advance(6_000);
  trackedVisits.stillSeen(track, world.clock.now());
  decide({ track, picture: aPicture(1, 0.9), ended: true });
  await until(() => trackedVisits.recorded(track) === null);
  assert.deepEqual(await rows(), []);
  assert.deepEqual(await writtenRows(), before);
});

test('C-1006 a stranger who turns out to be known has a visit from then on', async () => {
  const { trackedVisits, decide, rows } = await aPlace({}, async () => false);
  const { identityId } = await world.person(admin, 'Listed', 60);
  const track = decide();
  await until(() => trackedVisits.recorded(track) !== null);
  decide({ track, identityId });
  await until(() => trackedVisits.recorded(track)?.isKnown === true);
  assert.deepEqual(
    (await rows()).map(({ person_name }) => person_name),
    ['Listed Example'],
  );
});

test('C-1006 a stranger who was taken for a known person leaves no trace', async () => {
  const { trackedVisits, decide, rows } = await aPlace({}, async () => false);
  const { identityId } = await world.person(admin, 'Other', 61);
  const before = await writtenRows();
  const track = decide({ identityId });
  await until(() => trackedVisits.recorded(track)?.isKnown === true);
  decide({ track });
  await until(() => trackedVisits.recorded(track)?.isKnown === false);
  assert.deepEqual(await rows(), []);
  assert.deepEqual(await writtenRows(), before);
});

const estimate: FaceEstimate = { age: 40, man: 0.9, emotion: null };

test('~SET-016 attributes of a face are asked once a visit, and go along with better pictures and names', async () => {
  let asked = 0;
  let isAway = true;
  const write: Visits['write'] = async (visit) => {
    if (!isAway) return world.visits.write(visit);
    isAway = false;
    throw new Error('away');
  };
  const { trackedVisits, decide, rows } = await aPlace({ write }, undefined, async () => {
    asked += 1;
    return estimate;
  });
  const { identityId } = await world.person(admin, 'Mahir', 77);
  const track = decide();
  await until(() => {
    world.clock.advance(50);
    return trackedVisits.recorded(track) !== null;
  });
  const gender = { looks_like: 'man', certainty: 0.9 } as const;
  const estimated = { age: { from: 35, to: 45 }, gender, emotion: null };
  assert.deepEqual((await rows())[0]?.attributes, estimated);
  decide({ track, picture: aPicture(1, 0.9) });
  decide({ track, identityId, picture: aPicture(77, 0.95) });
  await until(() => trackedVisits.recorded(track)?.isKnown === true);
  assert.deepEqual(
    (await rows()).map((row) => [row.person_name, row.attributes]),
    [['Mahir Example', estimated]],
  );
  assert.equal(asked, 1);
});

test('~SET-016 a visit is written without what could not be read, or comes too late', async () => {
  const failing = await aPlace({}, undefined, () => Promise.reject(new Error('no host')));
  const first = failing.decide();
  await until(() => failing.trackedVisits.recorded(first) !== null);
  assert.equal((await failing.rows())[0]?.attributes, null);
  const hanging = await aPlace({}, undefined, () => new Promise(() => undefined));
  const second = hanging.decide();
  const written = until(() => hanging.trackedVisits.recorded(second) !== null);
  await until(() => world.clock.waiting > 0);
  world.clock.advance(1_000);
  await written;
  assert.equal((await hanging.rows())[0]?.attributes, null);
});

test('~SET-016 attributes of a passer-by whose visit is not written are never asked for', async () => {
  let asked = 0;
  const { trackedVisits, decide } = await aPlace(
    {},
    async () => false,
    async () => {
      asked += 1;
      return estimate;
    },
  );
  const track = decide();
  await until(() => trackedVisits.recorded(track) !== null);
  assert.equal(asked, 0);
});
