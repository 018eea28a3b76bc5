/** Layouts of the wall: whose they are, which cameras a reader gets, and who learns of a lost race. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { maxLayouts, maxTiles, type WallLayout } from '@nazar/contract/wall-layouts.ts';
import { recorded } from '#testing/activity-chain.ts';
import { signInEach, testServer, type SignedIn, type TestServer } from '#testing/server.ts';
import { aCameraForm } from '#testing/world.ts';
import { grantTo } from '#testing/matrix-objects.ts';

const path = '/secure-api/cameras/layouts/';
let world: TestServer;
let admin: SignedIn;
let user: SignedIn;
let operator: SignedIn;
let gate: string;
let yard: string;
/** A grant of the yard to the user. */
let grant: string;

before(async () => {
  world = await testServer();
  ({ admin, user, operator } = await signInEach(world));
  [gate, yard] = [await aCamera('Gate'), await aCamera('Yard')];
  await grantTo(world, admin, user, gate);
});
after(() => world[Symbol.asyncDispose]());
beforeEach(async () => {
  grant = await grantTo(world, admin, user, yard);
});

async function aCamera(name: string): Promise<string> {
  const reply = await admin.send('POST', '/secure-api/cameras/', aCameraForm({ name }));
  return reply.json<{ id: string }>().id;
}

const tile = (camera_id: string, is_pinned = false) => ({ camera_id, is_pinned });
const fields = (over: object = {}) => ({ name: 'Night', tiles: [tile(gate)], ...over });

async function add(who: SignedIn, over: object = {}): Promise<WallLayout> {
  const reply = await who.send('POST', path, fields(over));
  assert.equal(reply.status, 201, reply.text);
  return reply.json<WallLayout>();
}

const put = (who: SignedIn, { id, revision }: WallLayout, over: object = {}) =>
  who.send('PUT', `${path}${id}/`, { ...fields(over), revision });

const read = async (who: SignedIn, id: string): Promise<WallLayout> =>
  (await who.get(`${path}${id}/`)).json<WallLayout>();

const names = async (who: SignedIn): Promise<string[]> =>
  (await who.get(path)).json<{ results: WallLayout[] }>().results.map(({ name }) => name);

const takeGrant = () => admin.send('DELETE', `/secure-api/cameras/grants/${grant}/`);

test('NSH-006 a layout keeps its tiles in their order, with those that stay and the time of a page', async () => {
  const tiles = [tile(yard, true), tile(gate)];
  const made = await add(user, { tiles, tiles_per_page: 4, tour_seconds: 20 });
  assert.deepEqual(made, {
    id: made.id,
    name: 'Night',
    tiles_per_page: 4,
    tour_seconds: 20,
    is_shared: false,
    may_change: true,
    tiles,
    revision: 1,
    updated_at: new Date(world.clock.now()).toISOString(),
  });
  const changed = await put(user, made, { name: 'Day', tiles: [tile(gate), tile(yard)] });
  assert.deepEqual(await read(user, made.id), changed.json());
  assert.deepEqual(changed.json<WallLayout>().tiles, [tile(gate), tile(yard)]);
  assert.equal(changed.json<WallLayout>().revision, 2);
  assert.equal((await user.send('DELETE', `${path}${made.id}/`)).status, 204);
  assert.equal((await user.get(`${path}${made.id}/`)).status, 404);
});

test('a private layout is its owner’s alone; a shared one is everyone’s, and only administrators change it', async () => {
  const own = await add(user, { name: 'Mine' });
  const shared = await add(admin, { name: 'Everyone’s', is_shared: true });
  assert.deepEqual(await names(operator), ['Everyone’s']);
  assert.deepEqual(await names(user), ['Everyone’s', 'Mine']);
  assert.equal((await admin.get(`${path}${own.id}/`)).status, 404);
  assert.equal((await read(user, shared.id)).may_change, false);
  for (const reply of [
    await user.send('POST', path, fields({ is_shared: true })),
    await put(user, own, { is_shared: true }),
    await put(user, shared),
    await user.send('DELETE', `${path}${shared.id}/`),
  ]) {
    assert.equal(reply.status, 403, reply.text);
    assert.equal(reply.json()['code'], 'layout_sharing_forbidden');
  }
  const taken = await put(admin, shared, { name: 'Ours no more' });
  assert.equal(taken.json<WallLayout>().is_shared, false);
  assert.deepEqual(await names(user), ['Mine']);
  for (const one of [own, shared]) {
    const owner = one === own ? user : admin;
    await owner.send('DELETE', `${path}${one.id}/`);
  }
});

test('C-304, C-308 a reader gets the cameras they may see, and no others', async () => {
  const shared = await add(admin, { is_shared: true, tiles: [tile(gate), tile(yard)] });
  assert.deepEqual((await read(user, shared.id)).tiles, [tile(gate), tile(yard)]);
  assert.deepEqual((await read(operator, shared.id)).tiles, []);
  await takeGrant();
  const reply = await user.get(path);
  assert.ok(!reply.text.includes(yard));
  assert.deepEqual((await read(user, shared.id)).tiles, [tile(gate)]);
  const refused = await user.send('POST', path, fields({ tiles: [tile(yard)] }));
  const missing = await user.send('POST', path, fields({ tiles: [tile(crypto.randomUUID())] }));
  assert.deepEqual([refused.status, refused.text], [missing.status, missing.text]);
  assert.equal(refused.json()['code'], 'camera_not_found');
  await admin.send('DELETE', `${path}${shared.id}/`);
});

test('cameras that the saving user may not see any more are kept, and are back with the grant', async () => {
  const made = await add(user, { tiles: [tile(yard, true), tile(gate)] });
  await takeGrant();
  const saved = await put(user, made, { name: 'Day' });
  assert.deepEqual(saved.json<WallLayout>().tiles, [tile(gate)]);
  await grantTo(world, admin, user, yard);
  assert.deepEqual((await read(user, made.id)).tiles, [tile(gate), tile(yard, true)]);
  await user.send('DELETE', `${path}${made.id}/`);
});

test('a deleted camera leaves the layouts', async () => {
  const gone = await aCamera('Gone');
  const made = await add(admin, { tiles: [tile(gone), tile(gate)] });
  await admin.send('DELETE', `/secure-api/cameras/${gone}/`);
  assert.deepEqual((await read(admin, made.id)).tiles, [tile(gate)]);
  await admin.send('DELETE', `${path}${made.id}/`);
});

test('the second user who saves is refused with a reason, and what the first saved stays', async () => {
  const made = await add(admin, { is_shared: true });
  assert.equal((await put(admin, made, { name: 'First' })).status, 200);
  const late = await put(admin, made, { name: 'Second' });
  assert.equal(late.status, 409);
  assert.equal(late.json()['code'], 'layout_changed');
  assert.equal((await read(admin, made.id)).name, 'First');
  // Read once: read by each, the second may read what the first has saved meanwhile.
  const both = await read(admin, made.id);
  const [one, other] = await Promise.all([
    put(admin, both, { name: 'One' }),
    put(admin, both, { name: 'Other' }),
  ]);
  assert.deepEqual(
    [one.status, other.status].toSorted((a, b) => a - b),
    [200, 409],
  );
  await admin.send('DELETE', `${path}${made.id}/`);
});

test('tiles, names and layouts are bounded', async () => {
  const many = Array.from({ length: maxTiles + 1 }, () => tile(crypto.randomUUID()));
  const wrong = [
    { tiles: many },
    { tiles: [] },
    { tiles: [tile(gate), tile(gate)] },
    { name: ' ' },
    { name: 'x'.repeat(61) },
    { tiles_per_page: maxTiles + 1 },
    { tour_seconds: 4 },
  ];
  for (const over of wrong) {
    const reply = await operator.send('POST', path, fields(over));
    assert.deepEqual([reply.status, Object.keys(reply.json())], [400, [Object.keys(over)[0]]]);
  }
  for (let made = 0; made < maxLayouts; made += 1) await add(admin);
  const over = await admin.send('POST', path, fields());
  assert.deepEqual([over.status, over.json()['code']], [409, 'layouts_too_many']);
});

test('~C-806 deeds on layouts are in the activity log, one’s own without the name', async () => {
  await add(admin, { name: 'Named', is_shared: true });
  await add(user, { name: 'Private words' });
  const entries = await recorded(world.database.db);
  const added = entries.filter(({ action }) => action === 'camera.layout_added');
  const details = added.map((entry) => entry.details);
  assert.deepEqual(details.slice(-2), [{ shared: true, name: 'Named' }, { shared: false }]);
});
