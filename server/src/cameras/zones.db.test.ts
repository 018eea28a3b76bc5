/** Masks and zones as they are kept, and who may see what masks hide. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { areaOf, turnedPolygon, type QuarterTurn } from '@nazar/contract/polygon.ts';
import { ZoneFields, maxZones, minArea } from '@nazar/contract/zones.ts';
import type { Capability } from '@nazar/contract/capabilities.ts';
import * as fc from 'fast-check';
import type { Scope } from '#http/scope.ts';
import { granting } from '#testing/grants.ts';
import { recorded } from '#testing/activity-chain.ts';
import { testServer, type SignedIn, type TestServer } from '#testing/server.ts';
import { turnCamera } from '#testing/turned-camera.ts';
import { aWorld, type World } from '#testing/world.ts';

const triangle: [number, number][] = [
  [0.1, 0.1],
  [0.9, 0.1],
  [0.5, 0.9],
];

let world: World;
let admin: Scope;
before(async () => {
  world = await aWorld();
  admin = await world.actor('admin');
});
after(() => world[Symbol.asyncDispose]());

test('zones are read as they were drawn, in their order, and replaced as a whole', async () => {
  const { zones } = world.cameras;
  const id = await world.camera(admin);
  const drawn = [
    { kind: 'privacy', name: 'Window', points: triangle },
    { kind: 'motion', name: '', points: triangle.toReversed() },
  ] as const;
  const fields = drawn.map((zone) => ({ ...zone, points: [...zone.points] }));
  await zones.replace(admin, id, fields);
  const kept = await zones.list(admin, id);
  assert.deepEqual(
    kept.map(({ kind, name, points }) => ({ kind, name, points })),
    fields,
  );
  assert.deepEqual((await zones.byCamera()).get(id)?.length, 2);
  await zones.replace(admin, id, []);
  assert.deepEqual(await zones.list(admin, id), []);
  const entries = await recorded(world.database.db);
  const changes = entries.filter(({ action }) => action === 'camera.zones_changed');
  assert.deepEqual(
    changes.map(({ details }) => details),
    [
      {
        privacy: 1,
        recognition: 0,
        motion: 1,
        changes: { privacy: { from: 0, to: 1 }, motion: { from: 0, to: 1 } },
      },
      {
        privacy: 0,
        recognition: 0,
        motion: 0,
        changes: { privacy: { from: 1, to: 0 }, motion: { from: 1, to: 0 } },
      },
    ],
  );
});

/** The form that a camera's page sends, with another rotation. */
test('C-401 a camera that was turned has its zones in every place where they may be, until they are saved again', async () => {
  const { zones } = world.cameras;
  const id = await world.camera(admin);
  const other = await world.camera(admin);
  const user = await world.actor('user');
  const guard: Scope = { ...user, grants: granting(id, ['live']) };
  const fields = (['privacy', 'recognition', 'motion'] as const).map((kind) => ({
    kind,
    name: '',
    points: triangle,
  }));
  for (const camera of [id, other]) await zones.replace(admin, camera, fields);
  const places = async (camera = id) => {
    const drawn = (await zones.byCamera()).get(camera)!;
    return drawn.filter(({ kind }) => kind === 'motion').map(({ points }) => points);
  };
  const placed = (...by: QuarterTurn[]) => by.map((one) => turnedPolygon(triangle, one));
  assert.deepEqual(await places(), placed(0));
  await turnCamera(world, admin, id, 90);
  assert.deepEqual(await places(), placed(0, 90));
  const turned = { by: [0, 90, 270], untilMs: null };
  const masks = { polygons: placed(0, 90), rotation: 90, hadSubStream: false, turned };
  assert.deepEqual(await zones.masksOf(id), { ...masks, alignments: [] });
  assert.deepEqual(await zones.hiddenFrom(guard, [id]), new Map([[id, masks]]));
  assert.deepEqual(
    (await zones.list(admin, id)).map(({ turns }) => turns),
    [
      [0, 90],
      [0, 90],
      [0, 90],
    ],
  );
  await turnCamera(world, admin, id, 90);
  assert.deepEqual(await places(), placed(0, 90), 'not turned again');
  await turnCamera(world, admin, id, 0);
  assert.deepEqual(await places(), placed(0, 90, 270), 'turned back, it may be where it was');
  assert.deepEqual(await places(other), placed(0), 'another camera was not turned');
  await assert.rejects(zones.replace(admin, id, fields, 90), { code: 'camera_changed' });
  const saysTurned = async (camera: string): Promise<boolean> =>
    (await world.cameras.read(admin, camera)).zones_turned;
  assert.deepEqual([await saysTurned(id), await saysTurned(other)], [true, false]);
  await zones.replace(admin, id, fields, 0);
  assert.deepEqual(await places(), placed(0), 'somebody has looked');
  assert.equal(await saysTurned(id), false, 'its zones were saved');
  const untilMs = world.clock.now();
  world.clock.advance(1_000);
  await zones.replace(admin, id, fields);
  assert.deepEqual((await zones.masksOf(id)).turned, { by: [0, 90, 180, 270], untilMs });
  assert.deepEqual((await zones.masksOf(other)).turned, { by: [0], untilMs: null });
});

test('C-308 zones of a camera one may not see are of a camera that is not there', async () => {
  const id = await world.camera(admin);
  const stranger = await world.actor('user');
  await assert.rejects(world.cameras.zones.list(stranger, id), { code: 'camera_not_found' });
  await assert.rejects(world.cameras.zones.replace(stranger, id, []), {
    code: 'camera_not_found',
  });
});

test('C-304, C-401 users who hold unmasked see behind masks, and no one sees behind those of a camera that is gone', async () => {
  const { cameras } = world;
  const id = await world.camera(admin);
  const user = await world.actor('user');
  const holding = (...capabilities: Capability[]): Scope => ({
    ...user,
    grants: granting(id, capabilities),
  });
  const asked = [admin, holding('live'), holding('live', 'recordings', 'people', 'manage')];
  const answers = () =>
    Promise.all(
      [...asked, holding('live', 'unmasked')].map((who) => cameras.zones.maySeeUnmasked(who, id)),
    );
  assert.deepEqual(await answers(), [true, true, true, true]);
  await cameras.zones.replace(admin, id, [{ kind: 'recognition', name: '', points: triangle }]);
  assert.deepEqual(await answers(), [true, true, true, true]);
  await cameras.zones.replace(admin, id, [{ kind: 'privacy', name: '', points: triangle }]);
  assert.deepEqual(await answers(), [true, false, false, true]);
  await cameras.remove(admin, id);
  assert.deepEqual(await answers(), [true, false, false, true], 'its recordings are still there');
  assert.equal(
    await cameras.zones.maySeeUnmasked(admin, '00000000-0000-4000-8000-000000000000'),
    false,
  );
});

test('an invalid polygon is refused beside its field', async () => {
  await using served: TestServer = await testServer();
  const someone: SignedIn = await served.signIn('admin');
  const added = await someone.send('POST', '/secure-api/cameras/', {
    name: 'Gate',
    location: 'Yard',
  });
  const path = `/secure-api/cameras/${added.json<{ id: string }>().id}/zones/`;
  const put = async (zones: unknown[]) => (await someone.send('PUT', path, { zones })).status;
  const zone = (points: unknown, kind = 'privacy') => ({ kind, points });
  const bow = [
    [0, 0],
    [1, 1],
    [1, 0],
    [0, 1],
  ];
  const wrong: unknown[] = [
    zone(triangle.slice(0, 2)),
    zone(bow),
    zone([triangle[0], triangle[0], triangle[0]]),
    zone([...triangle.slice(0, 2), [0.5, 1.01]]),
    zone([...triangle.slice(0, 2), [0.5, Number.NaN]]),
    zone([...triangle.slice(0, 2), [0.5]]),
    zone(triangle, 'secret'),
    zone(Array.from({ length: 33 }, (_, index) => [index / 33, (index % 2) / 10])),
  ];
  for (const one of wrong) assert.equal(await put([one]), 400, JSON.stringify(one));
  assert.equal(await put(Array.from({ length: maxZones + 1 }, () => zone(triangle))), 400);
  assert.equal(await put(Array.from({ length: maxZones }, () => zone(triangle))), 200);
});

test('every convex polygon is taken, whichever way round, and none whose corners are in disorder', () => {
  const circle = fc
    .uniqueArray(fc.integer({ min: 0, max: 359 }), { minLength: 4, maxLength: 32 })
    .map((degrees) => degrees.toSorted((a, b) => a - b))
    .filter((degrees) => degrees.at(-1)! - degrees[0]! > 90)
    .map((degrees) =>
      degrees.map((degree): [number, number] => {
        const angle = (degree * Math.PI) / 180;
        return [0.5 + Math.cos(angle) / 2, 0.5 + Math.sin(angle) / 2];
      }),
    )
    // Corners that lie side by side on the circle enclose less than is taken: one of some 2,000.
    .filter((points) => areaOf(points) >= minArea);
  const isTaken = (points: [number, number][]): boolean =>
    ZoneFields.safeParse({ kind: 'privacy', points }).success;
  fc.assert(
    fc.property(circle, (points) => {
      assert.ok(isTaken(points) && isTaken(points.toReversed()));
      const [first, second, third, ...rest] = points;
      assert.equal(isTaken([first!, third!, second!, ...rest]), points.length === 3);
    }),
    { numRuns: 200 },
  );
});
