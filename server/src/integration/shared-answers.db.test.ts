/** Equal questions of several readers over HTTP: each is answered what is theirs, and nothing older than their own deed. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Summary } from '@nazar/contract/analytics.ts';
import type { Detection } from '@nazar/contract/visits.ts';
import { openSocket } from '#testing/sockets.ts';
import { makers } from '#testing/matrix-objects.ts';
import { testServer, type SignedIn, type TestServer } from '#testing/server.ts';
import { until } from '#testing/until.ts';
import { aCameraForm, aPicture, aVisit } from '#testing/world.ts';

const summaryPath = '/secure-api/analytics/summary/';
const detectionsPath = '/secure-api/faces/detections/';
let world: TestServer;
let all: SignedIn[];
let camera: string;

before(async () => {
  world = await testServer();
  const superadmin = await world.signIn('superadmin');
  const admins = [
    await world.signIn('admin', 'one@example.org'),
    await world.signIn('admin', 'two@example.org'),
  ];
  const users = [
    await world.signIn('user', 'three@example.org'),
    await world.signIn('user', 'four@example.org'),
  ];
  all = [superadmin, ...admins, ...users];
  const grantedTo = async (user: SignedIn): Promise<string> => {
    const { id } = await makers.camera(world, superadmin, user);
    const given = await superadmin.send('PUT', '/secure-api/cameras/grants/', {
      to: { type: 'user', id: user.id },
      of: { type: 'camera', id },
      capabilities: ['live'],
    });
    assert.equal(given.status, 200, given.text);
    return id!;
  };
  camera = await grantedTo(users[0]!);
  const hidden = await grantedTo(users[1]!);
  for (const [nth, at] of [camera, camera, hidden].entries()) {
    const visit = aVisit(at, world.clock.now() - 60_000 + nth, { picture: aPicture(30 + nth) });
    await world.server.visits.write(visit);
  }
});
after(() => world[Symbol.asyncDispose]());

const asked = async (who: SignedIn) => ({
  summary: (await who.get(summaryPath)).json<Summary>(),
  visits: (await who.get(detectionsPath)).json<{ results: Detection[] }>().results,
});
const visitsOf = ({ traffic_flow }: Summary): number =>
  traffic_flow.reduce((sum, { count }) => sum + count, 0);

/** All readers must ask: for a second answers are shared. */
async function shareAnswers(): Promise<void> {
  const reader = await openSocket(world.app, '/secure-api/news/ws/');
  reader.socket.send(JSON.stringify({ access: all[0]!.access }));
  const hasVisits = () => reader.received.some(({ what }) => what === 'visits');
  await until(() => {
    world.clock.advance(1_000);
    const visit = { visitId: camera, cameraId: camera, startedAtMs: world.clock.now() };
    world.server.visits.seen.publish(visit);
    return hasVisits();
  });
  reader.socket.terminate();
}

test('C-304, C-309 a user who asks while others ask gets their own answer, even while answers are shared', async () => {
  const alone = [];
  for (const who of all) alone.push(await asked(who));
  const counts = alone.map(({ summary, visits }) => [visitsOf(summary), visits.length]);
  assert.deepEqual(counts.slice(0, 3), [counts[0], counts[0], counts[0]]);
  assert.notDeepEqual(counts[3], counts[4], 'these two see other cameras');
  assert.deepEqual(await Promise.all([...all, ...all].map(asked)), [...alone, ...alone]);
  await shareAnswers();
  const atOnce = await Promise.all([...all, ...all].map(asked));
  const counted = atOnce.map(({ summary, visits }) => [visitsOf(summary), visits.length]);
  assert.deepEqual(counted, [...counts, ...counts]);
});

test('a user’s change is counted in their next answer, even while answers are shared', async () => {
  const [admin] = all;
  await shareAnswers();
  const before = (await asked(admin!)).summary.camera_stats.total;
  const added = await admin!.send('POST', '/secure-api/cameras/', aCameraForm({ name: 'Attic' }));
  assert.equal(added.status, 201, added.text);
  assert.equal((await asked(admin!)).summary.camera_stats.total, before + 1);
});
