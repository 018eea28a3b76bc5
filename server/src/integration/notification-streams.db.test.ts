/** Notifications as they happen, on the whole server and by real connections. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import type { Capability } from '@nazar/contract/capabilities.ts';
import type { Notification } from '@nazar/contract/notifications.ts';
import type { CreatedApiKey } from '@nazar/contract/own-security.ts';
import type { KeyScope } from '@nazar/contract/route.ts';
import { uuidv7 } from '#lib/ids.ts';
import { maxStreamsPerUser } from '#notifications/streams/notification-streams.ts';
import { signInEach, testPassword, testServer, type SignedIn, type TestServer } from '#testing/server.ts'; // prettier-ignore
import { until } from '#testing/until.ts';
import { aCameraForm } from '#testing/world.ts';

const path = '/secure-api/notifications/stream/';
let world: TestServer;
let people: Awaited<ReturnType<typeof signInEach>>;

before(async () => {
  world = await testServer();
  people = await signInEach(world);
  await world.app.listen({ host: '127.0.0.1', port: 0 });
});
after(() => world[Symbol.asyncDispose]());

/** A notification as the feed makes it; readers learn of it when they are woken. */
async function made({ id: userId }: SignedIn, alert: string | null = null): Promise<string> {
  world.clock.advance(10);
  const at = new Date(world.clock.now());
  const id = uuidv7(at.getTime());
  await sql`
    insert into notification (id, user_id, kind, alert_id, event, created_at, last_at)
    values (${id}, ${userId}, ${alert ? 'alert' : 'account'}, ${alert}, ${alert ? null : 'role_changed'}, ${at}, ${at})`.execute(
    world.database.db.write(),
  );
  return id;
}

const wake = ({ id: userId }: SignedIn): void =>
  world.server.notifications.changed.publish({ userId });

interface SentEvent {
  readonly id: string | null;
  readonly event: string;
  readonly data: Partial<Notification> & { readonly unread_count?: number };
}

interface Stream extends AsyncDisposable {
  readonly answer: IncomingMessage;
  readonly text: () => string;
  readonly events: () => SentEvent[];
  readonly ids: () => string[];
  readonly counts: () => number[];
  readonly closed: Promise<unknown>;
}

async function open(
  who: SignedIn,
  headers: Record<string, string> = {},
  query = '',
): Promise<Stream> {
  // prettier-ignore
  const { port } = world.app.server.address() as AddressInfo;
  const authorization = `Bearer ${who.access}`;
  const asked = request({
    port,
    host: '127.0.0.1',
    path: path + query,
    headers: { authorization, ...headers },
  });
  asked.end();
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  let text = '';
  answer.setEncoding('utf8');
  answer.on('data', (piece: string) => (text += piece));
  answer.on('error', () => undefined); // 'close' follows
  const closed = new Promise((resolve) => answer.once('close', resolve));
  const events = () => eventsIn(text);
  return {
    answer,
    text: () => text,
    events,
    ids: () => events().flatMap(({ event, data }) => (event === 'notification' ? data.id! : [])),
    counts: () => events().flatMap(({ data }) => data.unread_count ?? []),
    closed,
    [Symbol.asyncDispose]: async () => {
      answer.destroy();
      await closed;
    },
  };
}

function eventsIn(text: string): SentEvent[] {
  const whole = text.split('\n\n').slice(0, -1);
  return whole
    .filter((block) => !block.startsWith(':'))
    .map((block) => {
      const fields = new Map(
        block.split('\n').map((line) => {
          const [name, ...rest] = line.split(': ');
          return [name!, rest.join(': ')];
        }),
      );
      const data = JSON.parse(fields.get('data')!) as SentEvent['data'];
      return { id: fields.get('id') ?? null, event: fields.get('event')!, data };
    });
}

/** Time goes on until it is so. */
const inTime = (isSo: () => boolean | Promise<boolean>): Promise<void> =>
  until(() => {
    world.clock.advance(500);
    return isSo();
  });

/** One that has received its first count. */
async function reading(who: SignedIn, headers = {}, query = ''): Promise<Stream> {
  const stream = await open(who, headers, query);
  assert.equal(stream.answer.statusCode, 200);
  await inTime(() => stream.counts().length > 0);
  return stream;
}

async function statusOf(who: SignedIn, query = ''): Promise<number> {
  await using stream = await open(who, {}, query);
  return stream.answer.statusCode!;
}

const markAllRead = (who: SignedIn) =>
  who.send('POST', '/secure-api/notifications/mark_as_read/', { all: true });

test('NSH-008 what is new comes to its user alone, as the list answers it, with the unread count', async () => {
  await made(people.user);
  await using mine = await reading(people.user);
  await using russian = await reading(people.user, { 'accept-language': 'ru' });
  await using theirs = await reading(people.operator);
  assert.equal(mine.answer.headers['content-type'], 'text/event-stream');
  assert.deepEqual([mine.counts(), mine.ids(), theirs.counts()], [[1], [], [0]]);
  const [first, second] = [await made(people.user), await made(people.user)];
  wake(people.user);
  await inTime(() => mine.ids().length === 2 && russian.ids().length === 2);
  assert.deepEqual(
    [mine.ids(), mine.counts()],
    [
      [first, second],
      [1, 3],
    ],
  );
  const { results } = (await people.user.get('/secure-api/notifications/')).json<{
    results: Notification[];
  }>();
  const sent = mine.events().findLast(({ event }) => event === 'notification')!;
  assert.deepEqual([sent.id, sent.data], [second, results[0]]);
  assert.notEqual(russian.events().at(-1)!.data.title, sent.data.title);
  // One of their own comes after; had they been sent another's, it would stand before it.
  const own = await made(people.operator);
  wake(people.operator);
  await inTime(() => theirs.ids().length > 0);
  assert.deepEqual([theirs.ids(), theirs.counts()], [[own], [0, 1]]);
  assert.ok(!theirs.text().includes(first) && !mine.text().includes(own));
});

test('~NSH-008 once all are read the count is sent, and one that did not change is not', async () => {
  await made(people.user);
  await using stream = await reading(people.user);
  const [before] = stream.counts();
  assert.ok(before! > 0);
  wake(people.user);
  await markAllRead(people.user);
  await inTime(() => stream.counts().length === 2);
  wake(people.user);
  await made(people.user);
  wake(people.user);
  await inTime(() => stream.ids().length === 1 && stream.counts().length === 3);
  assert.deepEqual(stream.counts(), [before, 0, 1]);
});

test('~NSH-008 a reader that comes back gets what it missed, the oldest first; without a known id it begins at now', async () => {
  const had = await made(people.user);
  const foreign = await made(people.operator);
  const missed = [await made(people.user), await made(people.user)];
  await using back = await reading(people.user, { 'last-event-id': had });
  await using byQuery = await reading(people.user, {}, `?last_event_id=${had}`);
  await inTime(() => back.ids().length === 2 && byQuery.ids().length === 2);
  assert.deepEqual([back.ids(), byQuery.ids()], [missed, missed]);
  const others = ['rubbish', foreign, uuidv7(world.clock.now()), ''];
  const streams = await Promise.all(others.map((id) => reading(people.user, { 'last-event-id': id }))); // prettier-ignore
  const later = await made(people.user);
  wake(people.user);
  await inTime(() => streams.every((stream) => stream.ids().length > 0));
  for (const stream of streams) {
    assert.deepEqual(stream.ids(), [later]);
    await stream[Symbol.asyncDispose]();
  }
  assert.equal(await statusOf(people.user, '?last_event_id=rubbish'), 400);
});

test('~NSH-008 of more than a hundred that were missed the newest hundred come', async () => {
  const had = await made(people.user);
  const missed: string[] = [];
  for (let nth = 0; nth < 103; nth += 1) missed.push(await made(people.user));
  await using back = await reading(people.user, { 'last-event-id': had });
  await inTime(() => back.ids().length >= 100);
  assert.deepEqual(back.ids(), missed.slice(3));
});

test('C-207 a lost grant hides what is new, and its count, within 2 s', async () => {
  const guard = await world.signIn('user', 'guard@example.org');
  const camera = await aCamera();
  const given = await grant(guard, camera, ['live']);
  await using stream = await reading(guard);
  const seen = await made(guard, await alertAt(camera));
  wake(guard);
  await inTime(() => stream.ids().length === 1 && stream.counts().length === 2);
  await people.admin.send('DELETE', `/secure-api/cameras/grants/${given}/`);
  await inTime(() => stream.counts().length === 3);
  assert.deepEqual(stream.counts(), [0, 1, 0]);
  await made(guard, await alertAt(camera));
  const own = await made(guard);
  wake(guard);
  await inTime(() => stream.ids().length === 2);
  assert.deepEqual(stream.ids(), [seen, own]);
});

async function aCamera(): Promise<string> {
  const form = aCameraForm({ status: 'active', url: 'rtsp://192.168.0.9/a' });
  return (await people.admin.send('POST', '/secure-api/cameras/', form)).json<{ id: string }>().id;
}

async function grant(to: SignedIn, camera: string, capabilities: Capability[]): Promise<string> {
  const given = await people.admin.send('PUT', '/secure-api/cameras/grants/', {
    to: { type: 'user', id: to.id },
    of: { type: 'camera', id: camera },
    capabilities,
    categories: [],
  });
  assert.equal(given.status, 200, given.text);
  return given.json<{ id: string }>().id;
}

async function alertAt(camera: string): Promise<string> {
  const at = new Date(world.clock.now());
  const id = uuidv7(at.getTime());
  await sql`
    insert into alert (id, kind, level, subject, camera_id, count, created_at, last_at)
    values (${id}, 'camera_down', 'error', ${id}, ${camera}, 1, ${at}, ${at})`.execute(
    world.database.db.write(),
  );
  return id;
}

/** A key of an account that may have keys. */
async function aKey(owner: SignedIn, scopes: KeyScope[]): Promise<SignedIn & { keyId: string }> {
  const policy = { security: { apiAccessEnabled: true }, password: testPassword };
  const settings = '/secure-api/settings/update_system_settings/';
  await people.superadmin.send('PATCH', settings, policy);
  const own = '/secure-api/accounts/security/update_my_security/';
  await owner.send('PATCH', own, { api_access: true });
  const form = { name: 'Script', scopes, password: testPassword };
  const reply = await owner.send('POST', '/secure-api/accounts/api-keys/', form);
  assert.equal(reply.status, 201, reply.text);
  const { id, key } = reply.json<CreatedApiKey>();
  return { ...owner, access: key, keyId: id };
}

test('C-118 a key reads the stream by its scope alone, until it is revoked', async () => {
  const owner = await world.signIn('operator', 'keys@example.org');
  assert.equal(await statusOf(await aKey(owner, ['alerts:read', 'live'])), 403);
  const [key, other] = [await aKey(owner, ['notifications:read']), await aKey(owner, ['notifications:read'])]; // prettier-ignore
  await using ended = await reading(key);
  await using goesOn = await reading(other);
  await owner.send('DELETE', `/secure-api/accounts/api-keys/${key.keyId}/`);
  await endsWithin2s(ended);
  const one = await made(owner);
  wake(owner);
  await inTime(() => goesOn.ids().includes(one));
  assert.ok(!ended.text().includes(one));
});

/** In two seconds of the server's time. */
async function endsWithin2s(stream: Stream): Promise<void> {
  let isClosed = false;
  void stream.closed.then(() => (isClosed = true));
  const sinceMs = world.clock.monotonicMs();
  // Each step waits for what the one before set off.
  while (world.clock.monotonicMs() - sinceMs < 2_000) {
    world.clock.advance(250);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  await until(() => isClosed);
}

test('C-205 a session that ends, and an account that is disabled, end their streams, and no other', async () => {
  const leaving = await world.signIn('user', 'leaving@example.org');
  const disabled = await world.signIn('user', 'disabled@example.org');
  await using goesOn = await reading(people.operator);
  await using first = await reading(leaving);
  await leaving.send('POST', '/secure-api/accounts/logout/');
  await endsWithin2s(first);
  await using second = await reading(disabled);
  const path = `/secure-api/accounts/users/${disabled.id}/`;
  const off = await people.superadmin.send('PATCH', path, { is_active: false });
  assert.equal(off.status, 200, off.text);
  await endsWithin2s(second);
  const one = await made(people.operator);
  wake(people.operator);
  await inTime(() => goesOn.ids().includes(one));
});

test('an eleventh stream of a user is refused, until one is left', async () => {
  const who = await world.signIn('user', 'many@example.org');
  const streams: Stream[] = [];
  for (let nth = 0; nth < maxStreamsPerUser; nth += 1) streams.push(await open(who));
  await using refused = await open(who, { 'accept-language': 'en' });
  await refused.closed;
  assert.equal(refused.answer.statusCode, 409);
  assert.match(refused.text(), /At most 10 streams.*notification_streams_too_many/);
  assert.equal(await statusOf(people.user), 200);
  await streams.shift()![Symbol.asyncDispose]();
  await until(async () => (await statusOf(who)) === 200);
  for (const stream of streams) await stream[Symbol.asyncDispose]();
});

test('a reader of whom nothing is new gets a comment every 15 s', async () => {
  const quiet = await world.signIn('user', 'quiet@example.org');
  await using stream = await reading(quiet);
  const comments = (): number => stream.text().split(':\n\n').length - 1;
  const before = comments();
  world.clock.advance(15_000);
  await until(() => comments() === before + 1);
});

test('a HEAD request is answered and keeps nothing open', async () => {
  const who = await world.signIn('user', 'head@example.org');
  const { port } = world.app.server.address() as AddressInfo;
  const headers = { authorization: `Bearer ${who.access}` };
  for (let nth = 0; nth <= maxStreamsPerUser; nth += 1) {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method: 'HEAD', headers });
    assert.equal(answer.status, 200);
  }
});

test('the end of the server ends streams as answers that are whole', async () => {
  await using other = await testServer();
  await other.app.listen({ host: '127.0.0.1', port: 0 });
  const admin = await other.signIn('superadmin');
  const { port } = other.app.server.address() as AddressInfo;
  const headers = { authorization: `Bearer ${admin.access}` };
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers });
  const text = answer.text();
  await other[Symbol.asyncDispose]();
  assert.match(await text, /^:\n\n/);
});
