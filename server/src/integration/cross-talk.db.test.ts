/**
 * C-309: fifty users, each with a world of their own marked by a word that stands nowhere else, ask at the
 * same time, and no answer ever holds a word of another's. `NAZAR_TEST_REQUESTS=20000` asks the long way.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import * as fc from 'fast-check';
import { roles } from '@nazar/contract/accounts.ts';
import { standings } from '@nazar/contract/route.ts';
import { createScope, noGrants, type Scope } from '#http/scope.ts';
import { Face, FaceFields } from '@nazar/contract/faces.ts';
import { testServer, type Reply, type SignedIn, type TestServer } from '#testing/server.ts';
import { aCameraForm, aSeenFace, aVisit } from '#testing/world.ts';

const requests = Number(process.env['NAZAR_TEST_REQUESTS'] ?? 1_000);
const users = 50;
const atOnce = 40;

interface Marked {
  readonly user: SignedIn;
  /** In every name of theirs. */
  readonly canary: string;
  readonly camera: string;
  readonly person: string;
  readonly image: string;
  readonly visit: string;
}

let world: TestServer;
let marked: Marked[];

before(async () => {
  world = await testServer();
  await world.signIn('superadmin');
  marked = [];
  for (let index = 0; index < users; index += 1) marked.push(await aMarkedUser(index));
});
after(() => world[Symbol.asyncDispose]());

async function aMarkedUser(index: number): Promise<Marked> {
  const { server, clock } = world;
  const canary = `canary${String(index).padStart(3, '0')}x`;
  const user = await world.signIn('user', `${canary}@example.org`);
  const scope = scopeOf(user);
  const { id: camera } = await server.cameras.add(scope, aCameraForm({ name: `Gate ${canary}` }));
  const [category] = await server.faces.categories.list();
  const name = { first_name: canary, last_name: 'Example', category: category!.id };
  const seen = aSeenFace(index + 1);
  const { id: person, images } = await server.faces.add(scope, FaceFields.parse(name), [], seen);
  const visit = aVisit(camera, clock.now() - 60_000 + index);
  await server.visits.write(visit);
  return { user, canary, camera, person, image: images[0]!.id, visit: visit.id };
}

function scopeOf({ id, email }: SignedIn): Scope {
  return createScope({ userId: id, email, sessionId: id, standing: 'superadmin' }, noGrants);
}

const lists = [
  '/secure-api/accounts/users/me/',
  '/secure-api/accounts/users/',
  '/secure-api/cameras/?page_size=1000',
  '/secure-api/faces/?page_size=1000',
  '/secure-api/activity-log/face-logs/?limit=1000',
  '/secure-api/faces/detections/?limit=100',
  '/secure-api/activity-log/activity-logs/?page_size=1000',
];

/** What one asks of one's own, and of another's. */
function addresses(of: Marked): string[] {
  return [
    `/secure-api/cameras/${of.camera}/`,
    `/secure-api/cameras/snapshots/latest/?camera_id=${of.camera}`,
    `/secure-api/faces/${of.person}/`,
    `/secure-api/faces/${of.person}/images/${of.image}/`,
    `/secure-api/activity-log/face-logs/${of.visit}/image/`,
    `/secure-api/activity-log/face-logs/?camera_id=${of.camera}`,
    `/secure-api/faces/?search=${of.canary}`,
    `/secure-api/users/${of.user.id}/`,
  ];
}

/** One request of a list, of one's own, or of another's; the same ones in every run. */
function asked(index: number): { who: Marked; url: string; isOwn: boolean } {
  const who = marked[(index * 7) % users]!;
  const other = marked[(index * 13 + 5) % users]!;
  const own = [...lists, ...addresses(who)];
  if (index % 3 !== 0) return { who, url: own[index % own.length]!, isOwn: true };
  const theirs = addresses(other);
  return { who, url: theirs[index % theirs.length]!, isOwn: other === who };
}

const canaries = /canary\d{3}x/g;

test(`C-309 ${requests} requests of ${users} users at once: no user is answered a word of another's world`, async () => {
  let next = 0;
  let withOwn = 0;
  const asker = async (): Promise<void> => {
    while (next < requests) {
      const { who, url, isOwn } = asked((next += 1));
      const { status, text } = await who.user.get(url);
      const found = new Set(text.match(canaries));
      withOwn += found.delete(who.canary) ? 1 : 0;
      assert.deepEqual([...found], [], `${who.canary} asks ${url}`);
      if (isOwn) assert.equal(status, 200, `${url}: ${text}`);
      const isOne = !url.includes('?') || url.includes('snapshots');
      if (!isOwn && isOne) assert.equal(status, 404, `${url}: ${text}`);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, asker));
  assert.ok(withOwn > requests / 5, `only ${withOwn} answers held what they should`);
});

test('C-303, H-6 a client’s claims of itself widen no answer', async () => {
  const [one, other] = [marked[0]!, marked[1]!];
  const claims = fc.record(
    {
      role: fc.constantFrom(...roles),
      standing: fc.constantFrom(...standings),
      is_staff: fc.constantFrom('true', '1'),
      is_superuser: fc.constantFrom('true', '1'),
      user: fc.constantFrom(other.user.id, one.user.id),
      user_id: fc.constantFrom(other.user.id, one.user.id),
      created_by: fc.constantFrom(other.user.id, one.user.id),
      seesAll: fc.constant('true'),
      scope: fc.constant('all'),
    },
    { requiredKeys: [] },
  );
  await fc.assert(
    fc.asyncProperty(claims, fc.constantFrom(...lists), async (claim, list) => {
      const query = new URLSearchParams(claim).toString();
      const { text } = await one.user.get(`${list}${list.includes('?') ? '&' : '?'}${query}`);
      const found = new Set(text.match(canaries));
      found.delete(one.canary);
      assert.deepEqual([...found], [], `${list} with ${query}`);
    }),
    { numRuns: 100 },
  );
  const { results } = (await one.user.get('/secure-api/faces/categories/')).json<{
    results: { id: string }[];
  }>();
  await fc.assert(
    fc.asyncProperty(claims, async (claim) => {
      const name = { first_name: one.canary, last_name: 'Example', category: results[0]!.id };
      const add = (more: object): Promise<Reply> =>
        one.user.send('POST', '/secure-api/faces/', { ...name, sighting: one.visit, ...more });
      const strange = Object.keys(claim).filter((field) => !Object.hasOwn(Face.shape, field));
      if (strange.length > 0) {
        const refused = await add(claim);
        assert.equal(refused.status, 400, refused.text);
        assert.deepEqual(Object.keys(refused.json<object>()).toSorted(), strange.toSorted());
      }
      // What the answer about a person carries may be sent back, and claims nothing.
      const known = Object.entries(claim).filter(([field]) => !strange.includes(field));
      const reply = await add(Object.fromEntries(known));
      assert.equal(reply.status, 201, reply.text);
      assert.equal(reply.json()['created_by'], one.user.id);
    }),
    { numRuns: 10 },
  );
});
