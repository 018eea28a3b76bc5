/** Webhooks as administrators add, change, test and delete them: what is stored, answered and recorded. */
import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { sql } from 'kysely';
import {
  WebhookDeliveryQuery,
  WebhookFields,
  maxWebhooks,
  type WebhookChange,
} from '@nazar/contract/webhooks.ts';
import type { Scope } from '#http/scope.ts';
import { notified, type Notified } from '#testing/notifications.ts';
import { isSigned, webhookReceiver, type WebhookReceiver } from '#testing/webhook-receiver.ts';
import { aWorld, type World } from '#testing/world.ts';

const hourMs = 60 * 60_000;
let world: World;
let it: Notified;
let receiver: WebhookReceiver;
let admin: Scope;
let gate: string;
let addresses: readonly string[];

before(async () => {
  world = await aWorld();
  admin = await world.actor('admin');
  gate = await world.camera(admin, { name: 'Gate' });
});
after(() => world[Symbol.asyncDispose]());
beforeEach(async () => {
  await sql`truncate webhook cascade`.execute(world.database.db.write());
  addresses = ['127.0.0.1'];
  receiver = await webhookReceiver();
  it = notified(world, world.database.db, undefined, async () => addresses);
});
afterEach(async () => {
  await it[Symbol.asyncDispose]();
  await receiver[Symbol.asyncDispose]();
});

const add = (more: Partial<WebhookFields> = {}) => {
  const usual = { name: 'Home', address: `${receiver.url}hook?token=topsecret` };
  const fields = WebhookFields.parse({ ...usual, allow_loopback: true, ...more });
  return it.notifications.webhooks.add(admin, fields);
};
const change = (id: string, fields: WebhookChange) =>
  it.notifications.webhooks.change(admin, id, fields);
const deliveries = async (query: object = {}) => {
  const asked = WebhookDeliveryQuery.parse(query);
  return it.notifications.webhookDeliveries.list(asked, 'UTC');
};

/** What the activity log has of webhooks since then. */
async function recorded(): Promise<{ action: string; details: string }[]> {
  const { rows } = await sql<{ action: string; details: string }>`
    select action, details::text as details from audit_entry where action like 'webhook.%' order by id`.execute(
    world.database.db.read(),
  );
  return rows;
}

test('the address is stored sealed and no answer has it; the secret is in one answer', async () => {
  const { secret, ...made } = await add();
  assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
  assert.equal(made.origin, receiver.url.slice(0, -1));
  const listed = await it.notifications.webhooks.list();
  assert.deepEqual(listed, [made]);
  assert.doesNotMatch(JSON.stringify([listed, await recorded()]), /topsecret|whsec/);
  const { rows } = await sql<{ row: string }>`select webhook::text as row from webhook`.execute(
    world.database.db.read(),
  );
  const sealed = rows[0]!.row;
  const hex = (text: string): RegExp => new RegExp(Buffer.from(text).toString('hex'));
  assert.doesNotMatch(sealed, /topsecret|whsec/);
  assert.doesNotMatch(sealed, hex('topsecret'));
  assert.doesNotMatch(sealed, hex(secret.slice(6, 20)));
});

const refusals: readonly (readonly [string, boolean, string])[] = [
  ['ftp://example.org/', false, 'webhook_address_invalid'],
  ['somewhere', false, 'webhook_address_invalid'],
  ['https://user:pass@example.org/', false, 'webhook_address_login'],
  ['https://user@example.org/', false, 'webhook_address_login'],
  ['http://127.0.0.1/', false, 'webhook_address_loopback'],
  ['http://[::1]/', false, 'webhook_address_loopback'],
  ['http://169.254.169.254/latest/', true, 'webhook_address_refused'],
  ['http://[fe80::1]/', true, 'webhook_address_refused'],
  ['http://[fd00:ec2::254]/', false, 'webhook_address_refused'],
];

test('C-510 an address that nothing is sent to is refused when it is saved, and says why', async () => {
  const { id } = await add();
  for (const [address, allow_loopback, code] of refusals) {
    const refused = { code, params: { field: 'address' } };
    await assert.rejects(add({ address, allow_loopback }), refused, address);
    await assert.rejects(change(id, { address, allow_loopback }), refused, address);
  }
  await assert.rejects(change(id, { allow_loopback: false }), { code: 'webhook_address_loopback' });
  for (const address of [
    'https://192.168.1.20:8443/hook',
    'http://10.0.0.5/',
    'https://8.8.8.8/',
  ]) {
    assert.equal((await add({ address })).origin, new URL(address).origin);
  }
});

test('there are twenty at most, and none about a camera that is not there', async () => {
  for (let nth = 0; nth < maxWebhooks; nth += 1) await add();
  await assert.rejects(add(), { code: 'webhooks_too_many' });
  const [first] = await it.notifications.webhooks.list();
  await it.notifications.webhooks.remove(admin, first!.id);
  await assert.rejects(add({ cameras: [gate, crypto.randomUUID()] }), { code: 'camera_not_found' });
  const made = await add({ cameras: [gate] });
  assert.deepEqual(made.cameras, [gate]);
  const code = 'camera_not_found';
  await assert.rejects(change(made.id, { cameras: [gate, crypto.randomUUID()] }), { code });
  await world.cameras.remove(admin, gate);
  assert.equal((await change(made.id, { cameras: [gate], name: 'Other' })).name, 'Other');
});

test('two secrets sign while one changes: for a day, or until the old one is ended', async () => {
  const { id, secret: first } = await add();
  const second = await it.notifications.webhooks.rotate(admin, id);
  assert.notEqual(second.secret, first);
  assert.equal(second.old_secret_until, new Date(world.clock.now() + 24 * hourMs).toISOString());
  const signs = async (): Promise<boolean[]> => {
    await it.notifications.webhooks.test(admin, id);
    return [first, second.secret].map((one) => isSigned(receiver.received.at(-1)!, one));
  };
  assert.deepEqual(await signs(), [true, true]);
  world.clock.advance(24 * hourMs);
  assert.deepEqual(await signs(), [false, true]);
  assert.equal((await it.notifications.webhooks.list())[0]!.old_secret_until, null);

  const third = await it.notifications.webhooks.rotate(admin, id);
  await it.notifications.webhooks.endOldSecret(admin, id);
  assert.deepEqual(await signs(), [false, false]);
  assert.ok(isSigned(receiver.received.at(-1)!, third.secret));
});

test('a test says at once what the receiver answered, and is in the log without counting for its state', async () => {
  const { id } = await add({ is_enabled: false });
  const results = [];
  receiver.behaviours = [204, 500, 'redirect'];
  for (let nth = 0; nth < 3; nth += 1) {
    const { is_delivered, status, fault } = await it.notifications.webhooks.test(admin, id);
    results.push([is_delivered, status, fault]);
  }
  addresses = ['169.254.169.254'];
  await change(id, { address: 'https://hooks.example.org/' });
  const refused = await it.notifications.webhooks.test(admin, id);
  results.push([refused.is_delivered, refused.status, refused.fault]);
  assert.deepEqual(results, [
    [true, 204, null],
    [false, 500, 'status'],
    [false, 307, 'redirected'],
    [false, null, 'address_refused'],
  ]);
  assert.deepEqual(receiver.received[0]!.json, {
    type: 'webhook.test',
    timestamp: new Date(world.clock.now()).toISOString(),
    data: {},
  });
  const { count, results: listed } = await deliveries();
  assert.equal(count, 4);
  assert.ok(listed.every(({ event, alert }) => event === 'webhook.test' && alert === null));
  const [{ failures, failed } = { failures: -1, failed: -1 }] =
    await it.notifications.webhooks.list();
  assert.deepEqual([failures, failed], [0, 0]);
  await assert.rejects(it.notifications.webhookDeliveries.sendAgain(admin, listed[0]!.id), {
    code: 'webhook_delivery_not_found',
  });
});

test('tests are ten in a minute for an account', async () => {
  const { id } = await add({ address: 'https://hooks.example.org/', allow_loopback: false });
  for (let nth = 0; nth < 10; nth += 1) await it.notifications.webhooks.test(admin, id);
  await assert.rejects(it.notifications.webhooks.test(admin, id), { code: 'too_many_requests' });
});

test('the log is filtered by receiver, state and days, and paged', async () => {
  const [one, other] = [await add(), await add()];
  const midnightMs = Date.parse('2026-01-15T00:00:00Z');
  for (let nth = 0; nth < 6; nth += 1) {
    const webhook = nth % 2 === 0 ? one.id : other.id;
    const at = new Date(midnightMs + nth * 12 * hourMs);
    await sql`
      insert into webhook_delivery (id, webhook_id, event, alert_id, is_critical, state, created_at, due_at, give_up_at)
      values (gen_random_uuid(), ${webhook}, 'alert.raised', gen_random_uuid(), false,
        ${nth < 2 ? 'delivered' : 'failed'}, ${at}, ${at}, ${at})`.execute(
      world.database.db.write(),
    );
  }
  const counts = async (query: object) => (await deliveries(query)).count;
  assert.equal(await counts({}), 6);
  assert.equal(await counts({ receiver: one.id }), 3);
  assert.equal(await counts({ state: 'failed', receiver: one.id }), 2);
  assert.equal(await counts({ start_date: '2026-01-16', end_date: '2026-01-16' }), 2);
  const { results } = await deliveries({ page: '2', page_size: '4', ordering: 'created_at' });
  assert.deepEqual(
    results.map(({ created_at }) => created_at.slice(0, 13)),
    ['2026-01-17T00', '2026-01-17T12'],
  );
  await assert.rejects(deliveries({ page: '3' }), { code: 'page_too_late' });
  assert.deepEqual(
    (await it.notifications.webhooks.list()).map(({ failed }) => failed),
    [2, 2],
  );
});

test('each deed is in the activity log, with the origin and nothing behind it', async () => {
  const before = (await recorded()).length;
  const { id } = await add();
  await change(id, { name: 'Other', address: `${receiver.url}elsewhere?key=topsecret` });
  await it.notifications.webhooks.rotate(admin, id);
  await it.notifications.webhooks.endOldSecret(admin, id);
  await it.notifications.webhooks.endOldSecret(admin, id);
  await it.notifications.webhooks.test(admin, id);
  await it.notifications.webhooks.remove(admin, id);
  const entries = (await recorded()).slice(before);
  assert.deepEqual(
    entries.map(({ action }) => action),
    [
      'webhook.created',
      'webhook.changed',
      'webhook.secret_rotated',
      'webhook.old_secret_ended',
      'webhook.tested',
      'webhook.deleted',
    ],
  );
  assert.doesNotMatch(JSON.stringify(entries), /topsecret|elsewhere|whsec/);
  assert.match(entries[1]!.details, new RegExp(`127.0.0.1:${receiver.port}`));
  await assert.rejects(it.notifications.webhooks.remove(admin, id), { code: 'webhook_not_found' });
});
