/** Who was in view of one camera at once is two people, however often both came. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import * as fc from 'fast-check';
import { sql } from 'kysely';
import type { Scope } from '#http/scope.ts';
import { uuidv7 } from '#lib/ids.ts';
import { passersOf, newFace, type Passers } from '#testing/passers.ts';
import { aPicture, aWorld, type World } from '#testing/world.ts';
import { Together } from './together.ts';

const minuteMs = 60_000;
let world: World;
let admin: Scope;
let cameras: readonly string[];
let see: Passers['see'];
let later: Passers['later'];
/** Seen in this test only: two strangers, of whom one has two identities. */
let ids: readonly string[];
let together: Together;

before(async () => {
  world = await aWorld();
  admin = await world.actor('admin');
  cameras = [await world.camera(admin), await world.camera(admin)];
  ({ see, later } = passersOf(world, cameras[0]!));
  together = new Together(world.database.db, world.clock);
  const seen = [];
  for (let n = 0; n < 3; n += 1) seen.push(await see({ picture: aPicture(newFace()) }));
  ids = seen.map(({ identityId }) => identityId);
  await world.visits.unknown.merge(admin, ids[0]!, ids[1]!);
});
after(() => world[Symbol.asyncDispose]());

interface Stay {
  readonly whose: number;
  readonly camera: number;
  /** Minutes, of three days. */
  readonly from: number;
  readonly minutes: number;
}

async function write(stays: readonly Stay[]): Promise<void> {
  const db = world.database.db.write<{ visit: object }>();
  await sql`delete from visit where identity_id = any(${ids}::uuid[])`.execute(db);
  for (const { whose, camera, from, minutes } of stays) {
    const [start, end] = [from, from + minutes].map(
      (at) => new Date(world.clock.now() + at * minuteMs),
    );
    await sql`
      insert into visit (id, camera_id, identity_id, started_at, ended_at, quality)
      values (${uuidv7(world.clock.now())}, ${cameras[camera]}, ${ids[whose]}, ${start}, ${end}, 0.9)`.execute(
      db,
    );
  }
}

const isRefused = (asked: Promise<unknown>): Promise<boolean> =>
  asked.then(
    () => false,
    (error: { code?: string }) => {
      assert.equal(error.code, 'seen_together');
      return true;
    },
  );

test('visits in any order, that begin at once or end as others begin, overlap as they do pair by pair', async () => {
  const stay = fc.record({
    whose: fc.nat(2),
    camera: fc.nat(1),
    from: fc.nat(3 * 24 * 60),
    minutes: fc.oneof(fc.nat(3), fc.constant(24 * 60)),
  });
  // At few moments most of them meet.
  const near = stay.map((one) => ({ ...one, from: one.from % 40, minutes: one.minutes % 7 }));
  const answers = new Set<boolean>();
  await fc.assert(
    fc.asyncProperty(fc.array(fc.oneof(stay, near), { maxLength: 6 }), async (stays) => {
      await write(stays);
      const expected = stays.some((one) =>
        stays.some(
          (other) =>
            one.whose < 2 &&
            other.whose === 2 &&
            one.camera === other.camera &&
            one.from <= other.from + other.minutes &&
            other.from <= one.from + one.minutes,
        ),
      );
      const [one, other] = [{ strangerId: ids[0]! }, { strangerId: ids[2]! }];
      assert.equal(await isRefused(together.mustBeApart(one, other)), expected);
      assert.equal(await isRefused(together.mustBeApart(other, one)), expected);
      answers.add(expected);
    }),
    { numRuns: 150 },
  );
  assert.equal(answers.size, 2, 'both answers were given');
});

test('under the lock only what was written since is asked for, and all where identities are others', async () => {
  const [one, other] = [{ strangerId: ids[0]! }, { strangerId: ids[2]! }];
  await write([]);
  const apart = await together.mustBeApart(one, other);
  const old = { camera: 0, from: -3 * 24 * 60, minutes: 5 };
  await write([
    { whose: 0, ...old },
    { whose: 2, ...old },
  ]);
  assert.ok(!(await isRefused(together.mustStillBeApart(apart))), 'asked before');
  assert.ok(
    await isRefused(together.mustStillBeApart({ ...apart, identities: [[ids[0]!], [ids[2]!]] })),
    'somebody was merged meanwhile',
  );
  const now = { camera: 0, from: -10, minutes: 12 };
  await write([
    { whose: 1, ...now },
    { whose: 2, ...now },
  ]);
  assert.ok(await isRefused(together.mustStillBeApart(apart)));
});

test('NSH-022 whether two were together is asked before the lock of strangers is taken', async () => {
  const atMs = later();
  const person = await world.person(admin, 'Beside', newFace());
  await see({ picture: aPicture(newFace()), identityId: person.identityId, atMs });
  const [one, two] = [
    await see({ picture: aPicture(newFace()), atMs }),
    await see({ picture: aPicture(newFace()), atMs }),
  ];
  const { unknown } = world.visits;
  await world.database.db.transaction(async (tx) => {
    await world.faces.strangers.lock(tx);
    // Who waited for the lock would wait for ever.
    const refused = { code: 'seen_together' };
    await assert.rejects(unknown.identify(admin, one.identityId, { face: person.id }), refused);
    await assert.rejects(unknown.merge(admin, one.identityId, two.identityId), refused);
  });
});
