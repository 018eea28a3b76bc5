/** A whole server and a real broker: what is sent, taken back, and taken from it. Real time: a broker knows no other. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import type { Mqtt as Answer, MqttFields } from '@nazar/contract/mqtt.ts';
import { FaceFields } from '@nazar/contract/faces.ts';
import { createScope, noGrants, type Scope } from '#http/scope.ts';
import { Activity } from '#activity/activity.ts';
import { systemClock } from '#lib/clock.ts';
import { SecretKey } from '#lib/secrets.ts';
import { brokerLogin, testBroker, withoutBroker, type TestBroker } from '#testing/broker.ts';
import { certificateFolder } from '#testing/certificates.ts';
import { testServer, type SignedIn, type TestServer } from '#testing/server.ts';
import { until } from '#testing/until.ts';
import { aCameraForm, aSeenFace, aVisit, quietLog } from '#testing/world.ts';
import { Mqtt } from './mqtt.ts';

const path = '/secure-api/mqtt/';
const skip = withoutBroker;
const master = SecretKey.random();

let world: TestServer;
let admin: SignedIn;
let scope: Scope;
let broker: TestBroker;
let categories: readonly string[];

before(async () => {
  if (skip) return;
  world = await testServer({ clock: systemClock, master });
  admin = await world.signIn('admin');
  const { id: userId, email } = admin;
  scope = createScope({ userId, email, sessionId: '', standing: 'admin' }, noGrants);
  categories = (await world.server.faces.categories.list()).map(({ id }) => id);
  broker = await testBroker();
});
after(async () => {
  if (skip) return;
  await world[Symbol.asyncDispose]();
  await broker[Symbol.asyncDispose]();
});

const answer = async (): Promise<Answer> => (await admin.get(path)).json<Answer>();
const statusOf = async () => (await answer()).status;

function fields(more: Partial<MqttFields> = {}): MqttFields {
  return {
    enabled: true,
    url: broker.url,
    protocol: '5',
    ...brokerLogin,
    ca: '',
    allow_local: true,
    client_id: 'nazar',
    prefix: 'nazar',
    discovery: true,
    discovery_prefix: 'homeassistant',
    categories: [],
    ...more,
  };
}

async function change(more: Partial<MqttFields> = {}): Promise<void> {
  const reply = await admin.send('PUT', path, fields(more));
  assert.equal(reply.status, 200, reply.text);
}

async function connected(more: Partial<MqttFields> = {}): Promise<void> {
  await change(more);
  await until(async () => (await statusOf()).state === 'connected');
}

/** Switched off, and the broker keeps nothing. */
async function emptied(): Promise<void> {
  await change({ enabled: false });
  await until(async () => (await statusOf()).state === 'off');
  assert.deepEqual(await broker.kept(), new Map());
}

const aCamera = async (name: string): Promise<string> =>
  (await world.server.cameras.add(scope, aCameraForm({ name }))).id;

let look = 0;
async function aPerson(name: string, category: string): Promise<{ id: string; identity: string }> {
  const form = { first_name: name, last_name: 'Example', category };
  const seen = aSeenFace((look += 1));
  const { id } = await world.server.faces.add(scope, FaceFields.parse(form), [], seen);
  const { rows } = await sql<{ id: string }>`
    select id from identity where person_id = ${id}`.execute(world.database.db.read());
  return { id, identity: rows[0]!.id };
}

let visits = 0;
const seenAt = (cameraId: string, identityId: string) =>
  world.server.visits.write(
    aVisit(cameraId, Date.now() - 60_000 + (visits += 1) * 10, { identityId }),
  );

const configOf = (kept: ReadonlyMap<string, string>, part: string): string | undefined =>
  [...kept.keys()].find(
    (topic) => topic.startsWith('homeassistant/device/') && topic.includes(part),
  );

test(
  'nothing is sent until an administrator says so, and the password is never answered',
  { skip },
  async () => {
    const { settings, has_password, status } = await answer();
    assert.deepEqual([settings.enabled, settings.categories, has_password], [false, [], false]);
    assert.deepEqual([status.state, status.fault, status.kept_topics], ['off', null, 0]);
    assert.match(settings.client_id, /^nazar-[0-9a-f]{8}$/);
    await connected();
    const text = (await admin.get(path)).text;
    assert.ok(!text.includes(brokerLogin.password), text);
    assert.equal((await answer()).has_password, true);
    const { rows } = await sql<{ password: Buffer }>`
    select password from mqtt_settings`.execute(world.database.db.read());
    assert.ok(!rows[0]!.password.includes(brokerLogin.password), 'sealed');
    const log = await sql<{ details: string }>`
    select details::text from audit_entry where action = 'settings.changed'`.execute(
      world.database.db.read(),
    );
    assert.equal(log.rows.length, 1);
    for (const secret of [brokerLogin.password, broker.url]) {
      assert.ok(!log.rows[0]!.details.includes(secret), log.rows[0]!.details);
    }
    await emptied();
  },
);

for (const protocol of ['5', '3.1.1'] as const) {
  test(
    `states are kept by the broker, by id, and emptied when MQTT is off (MQTT ${protocol})`,
    { skip },
    async () => {
      const [gate, yard] = [await aCamera('Gate'), await aCamera('Yard')];
      await connected({ protocol });
      const kept = await broker.kept();
      assert.equal(kept.get('nazar/status'), 'online');
      assert.equal(kept.get('nazar/house/mode'), 'home');
      assert.deepEqual(JSON.parse(kept.get('nazar/alerts/open') ?? ''), {
        total: 0,
        info: 0,
        warning: 0,
        error: 0,
        critical: 0,
      });
      for (const id of [gate, yard]) {
        assert.equal(kept.get(`nazar/camera/${id}/state`), 'off');
        assert.equal(kept.get(`nazar/camera/${id}/recording`), 'OFF');
        const config = JSON.parse(kept.get(configOf(kept, id)!)!) as Record<string, object>;
        assert.deepEqual(Object.keys(config), ['dev', 'o', 'qos', 'cmps']);
        assert.deepEqual(Object.keys(config['cmps']!), [
          'connected',
          'state',
          'recording',
          'alert',
        ]);
      }
      assert.ok([...kept.keys()].every((topic) => !/Gate|Yard/.test(topic)));
      assert.ok(![...kept.keys()].some((topic) => topic.includes('person')));
      assert.equal((await statusOf()).kept_topics, kept.size);
      await world.server.cameras.remove(scope, gate);
      await until(async () => !(await broker.kept()).has(`nazar/camera/${gate}/state`));
      const later = await broker.kept();
      assert.equal(configOf(later, gate), undefined);
      assert.ok(configOf(later, yard) !== undefined, 'the other camera stays');
      await world.server.cameras.remove(scope, yard);
      await emptied();
    },
  );
}

test(
  'with discovery off nothing is sent to Home Assistant; another prefix empties the one before',
  { skip },
  async () => {
    await connected({ discovery: false });
    assert.ok([...(await broker.kept()).keys()].every((topic) => topic.startsWith('nazar/')));
    await connected({ prefix: 'house/nazar' });
    await until(async () => {
      const topics = [...(await broker.kept()).keys()];
      return topics.every((topic) => /^(house\/nazar|homeassistant)\//.test(topic));
    });
    assert.equal((await broker.kept()).get('house/nazar/status'), 'online');
    await emptied();
  },
);

test(
  'the mode goes both ways; what is no mode, or was kept by the broker, changes nothing',
  { skip },
  async () => {
    await connected();
    await using listener = await broker.listen();
    assert.equal(
      (await admin.send('PUT', '/secure-api/alerts/mode/', { mode: 'away' })).status,
      200,
    );
    await until(() => listener.last('nazar/house/mode') === 'away');
    await listener.send('nazar/house/mode/set', 'open the door');
    await listener.send('nazar/house/mode/set', 'off');
    await until(() => listener.last('nazar/house/mode') === 'off');
    await listener.send('nazar/house/mode/set', 'home');
    await until(() => listener.last('nazar/house/mode') === 'home');
    const { rows } = await sql<{ details: object; source: string; user_id: string | null }>`
    select details, source, user_id from audit_entry where action = 'alert.mode_changed'
     order by recorded_at`.execute(world.database.db.read());
    assert.deepEqual(
      rows.slice(-2).map(({ details, source, user_id }) => [details, source, user_id]),
      [
        [{ by: 'mqtt', changes: { mode: { from: 'away', to: 'off' } } }, 'system', null],
        [{ by: 'mqtt', changes: { mode: { from: 'off', to: 'home' } } }, 'system', null],
      ],
    );
    // A command that the broker kept from before is none.
    await change({ enabled: false });
    await until(async () => (await statusOf()).state === 'off');
    await listener.send('nazar/house/mode/set', 'off', true);
    await connected();
    await listener.send('nazar/house/mode/set', 'away');
    await until(() => listener.last('nazar/house/mode') === 'away');
    await listener.send('nazar/house/mode/set', '', true);
    const { rows: changes } = await sql<{ details: { changes: object } }>`
      select details from audit_entry where action = 'alert.mode_changed'
       order by recorded_at desc limit 1`.execute(world.database.db.read());
    assert.deepEqual(changes[0]!.details.changes, { mode: { from: 'home', to: 'away' } });
    await admin.send('PUT', '/secure-api/alerts/mode/', { mode: 'home' });
    await emptied();
  },
);

test(
  'only people of chosen categories are named; who is erased and what is no longer chosen is emptied',
  { skip },
  async () => {
    const [employees, visitors] = categories;
    const gate = await aCamera('Gate');
    const [aylin, bela] = [await aPerson('Aylin', employees!), await aPerson('Bela', employees!)];
    const carl = await aPerson('Carl', visitors!);
    for (const { identity } of [aylin, carl]) await seenAt(gate, identity);
    await connected({ categories: [employees!] });
    await using listener = await broker.listen();
    const topicOf = ({ id }: { id: string }) => `nazar/person/${id}/last_seen`;
    const seen = () => JSON.parse(listener.last(topicOf(aylin))!) as { at: string; camera: object };
    await until(() => listener.last(topicOf(aylin)) !== undefined);
    assert.deepEqual(seen().camera, { id: gate, name: 'Gate' });
    assert.equal(listener.last(topicOf(bela)), undefined, 'no camera has seen her');
    const before = await broker.kept();
    assert.ok(configOf(before, bela.id) !== undefined);
    assert.ok(![...before].flat().some((text) => text.includes('Carl') || text.includes(carl.id)));
    await seenAt(gate, bela.identity);
    await until(() => listener.last(topicOf(bela)) !== undefined);
    const first = seen().at;
    await seenAt(gate, aylin.identity);
    await until(() => seen().at > first);

    // Erased: nothing of her is kept.
    const erased = await admin.send('DELETE', `/secure-api/faces/${aylin.id}/`);
    assert.equal(erased.status, 204, erased.text);
    await until(() => listener.last(topicOf(aylin)) === undefined);
    await until(async () => configOf(await broker.kept(), aylin.id) === undefined);
    const kept = await broker.kept();
    assert.ok(![...kept].flat().some((text) => text.includes('Aylin') || text.includes(aylin.id)));
    assert.ok(kept.has(topicOf(bela)), 'the other stays');

    // No longer chosen.
    await connected({ categories: [visitors!] });
    await until(async () => !(await broker.kept()).has(topicOf(bela)));
    const last = await broker.kept();
    assert.ok(last.has(topicOf(carl)));
    assert.ok(![...last].flat().some((text) => text.includes('Bela')));
    await emptied();
  },
);

test(
  'an alert is sent once raised and once acknowledged, with a name only where it is chosen',
  { skip },
  async () => {
    const [employees] = categories;
    const [gate, yard] = [await aCamera('Gate'), await aCamera('Yard')];
    const rule = { kind: 'watched_person', level: 'critical', categories: [employees!] };
    assert.equal((await admin.send('POST', '/secure-api/alerts/rules/', rule)).status, 201);
    const [dana, eren] = [await aPerson('Dana', employees!), await aPerson('Eren', employees!)];
    await connected();
    await using listener = await broker.listen();
    const sent = (topic: string) =>
      listener.messages
        .filter((one) => one.topic === topic)
        .map(({ text }) => JSON.parse(text) as Record<string, unknown>);
    await seenAt(gate, dana.identity);
    await until(() => sent('nazar/alert').length > 0);
    const [raised] = sent('nazar/alert');
    assert.deepEqual(
      [
        raised!['event_type'],
        raised!['kind'],
        raised!['level'],
        raised!['count'],
        raised!['camera'],
      ],
      ['raised', 'watched_person', 'critical', 1, { id: gate, name: 'Gate' }],
    );
    assert.ok(!JSON.stringify(raised).includes('Dana'));
    await until(() => sent(`nazar/camera/${gate}/alert`).length > 0);
    assert.deepEqual(sent(`nazar/camera/${gate}/alert`)[0], raised);
    assert.deepEqual(sent(`nazar/camera/${yard}/alert`), []);
    await until(() => listener.last('nazar/alerts/open')?.includes('"total":1') === true);
    assert.ok(!(await broker.kept()).has('nazar/alert'), 'not kept');
    const closing = { status: 'in_progress' };
    const id = raised!['id'] as string;
    await admin.send('PATCH', `/secure-api/alerts/${id}/update_status/`, closing);
    await until(() => sent('nazar/alert').some(({ event_type: step }) => step === 'acknowledged'));

    await connected({ categories: [employees!] });
    await seenAt(yard, eren.identity);
    await until(() => sent(`nazar/camera/${yard}/alert`).length > 0);
    assert.deepEqual(sent(`nazar/camera/${yard}/alert`)[0]!['person'], {
      id: eren.id,
      name: 'Eren Example',
    });
    await emptied();
  },
);

test('Home Assistant gets all descriptions again when it has started', { skip }, async () => {
  const camera = await aCamera('Gate');
  await connected();
  await using listener = await broker.listen();
  const topic = configOf(await broker.kept(), camera)!;
  const times = () => listener.messages.filter((one) => one.topic === topic).length;
  await until(() => times() > 0);
  const before = times();
  await listener.send('homeassistant/status', 'online');
  await until(() => times() > before);
  await world.server.cameras.remove(scope, camera);
  await emptied();
});

test(
  'what was deleted while the broker was away is emptied when it is back, and the states are those of now',
  { skip },
  async () => {
    const [gate, yard] = [await aCamera('Gate'), await aCamera('Yard')];
    const person = await aPerson('Fidan', categories[0]!);
    await seenAt(gate, person.identity);
    await connected({ categories: [categories[0]!] });
    const lastSeen = `nazar/person/${person.id}/last_seen`;
    await until(async () => (await broker.kept()).has(lastSeen));
    await broker.stop();
    await until(async () => (await statusOf()).state === 'waiting');
    assert.match((await statusOf()).fault ?? '', /^(lost|unreachable)$/);
    await world.server.cameras.remove(scope, gate);
    await world.server.faces.remove(scope, person.id);
    await admin.send('PUT', '/secure-api/alerts/mode/', { mode: 'away' });
    await broker.start();
    await until(async () => (await statusOf()).state === 'connected');
    const kept = await broker.kept();
    assert.ok(![...kept].flat().some((text) => text.includes(gate) || text.includes(person.id)));
    assert.equal(kept.get('nazar/house/mode'), 'away');
    assert.ok(kept.has(`nazar/camera/${yard}/state`));
    await admin.send('PUT', '/secure-api/alerts/mode/', { mode: 'home' });

    // The same when MQTT was switched off while the broker was away.
    await broker.stop();
    await change({ enabled: false });
    await until(async () => (await statusOf()).state === 'clearing');
    assert.ok((await statusOf()).kept_topics > 0);
    await broker.start();
    await until(async () => (await statusOf()).state === 'off');
    assert.deepEqual(await broker.kept(), new Map());
  },
);

test(
  'a wrong password, a certificate that is not trusted, an address and an absent broker are distinguished',
  { skip },
  async () => {
    using folder = certificateFolder();
    const pair = await folder.make(['127.0.0.1', 'localhost']);
    await using secure = await testBroker({ tls: pair });
    await using absent = await testBroker();
    await absent.stop();
    const outcome = async (more: Partial<MqttFields>): Promise<string | null> => {
      const reply = await admin.send('POST', `${path}test/`, fields(more));
      assert.equal(reply.status, 200, reply.text);
      return reply.json<{ fault: string | null }>().fault;
    };
    assert.equal(await outcome({}), null);
    assert.equal(await outcome({ protocol: '3.1.1' }), null);
    assert.equal(await outcome({ password: 'another' }), 'password_refused');
    assert.equal(await outcome({ password: 'another', protocol: '3.1.1' }), 'password_refused');
    assert.equal(await outcome({ url: secure.url }), 'certificate_refused');
    assert.equal(await outcome({ url: secure.url, ca: pair.cert }), null);
    assert.equal(await outcome({ url: secure.url.replace('mqtts', 'mqtt') }), 'not_mqtt');
    assert.equal(await outcome({ url: absent.url }), 'unreachable');
    assert.equal(await outcome({ allow_local: false }), 'address_refused');
    for (const never of ['169.254.169.254', '[fe80::1]', '100.100.100.200']) {
      assert.equal(await outcome({ url: `mqtt://${never}` }), 'address_refused', never);
    }
    // The status says it, too, and that it is tried again.
    await change({ password: 'another' });
    await until(async () => (await statusOf()).fault === 'password_refused');
    await change({ enabled: false, password: 'another' });
    await until(async () => (await statusOf()).state === 'off');
  },
);

test(
  'fields that make no sense are refused beside the field, and a stored password goes nowhere else',
  { skip },
  async () => {
    const refused = async (more: Partial<MqttFields>, status = 400): Promise<string[]> => {
      const reply = await admin.send('PUT', path, fields(more));
      assert.equal(reply.status, status, reply.text);
      return Object.keys(reply.json());
    };
    for (const url of ['', 'http://broker', 'mqtt://u:p@broker', 'mqtt://broker/x', 'mqtt://a b']) {
      assert.deepEqual(await refused({ url }), ['url'], url);
    }
    assert.deepEqual(await refused({ ca: 'no certificate' }), ['ca']);
    assert.deepEqual(await refused({ prefix: 'homeassistant' }), ['discovery_prefix']);
    assert.deepEqual(await refused({ prefix: 'a/+/b' }), ['prefix']);
    assert.deepEqual(await refused({ categories: [crypto.randomUUID()] }, 404), ['categories']);
    await change({ enabled: false });
    const kept = { password: '' };
    assert.equal((await admin.send('PUT', path, fields({ enabled: false, ...kept }))).status, 200);
    assert.equal((await answer()).has_password, true);
    for (const elsewhere of [{ url: 'mqtt://192.168.1.99' }, { username: 'somebody' }]) {
      assert.deepEqual(await refused({ enabled: false, ...kept, ...elsewhere }), ['password']);
      const reply = await admin.send('POST', `${path}test/`, fields({ ...kept, ...elsewhere }));
      assert.equal(reply.status, 400, 'a test sends it nowhere either');
    }
    await change({ enabled: false, username: '', ...kept });
    assert.equal((await answer()).has_password, false);
  },
);

test(
  'of two servers on one database one is connected, and the other follows when it is gone',
  { skip },
  async () => {
    const { db } = world.database;
    await connected();
    const never = { on: () => ({ [Symbol.dispose]: () => undefined }) };
    await using other = new Mqtt({
      ...world.server,
      db,
      key: master.derive('mqtt'),
      activity: new Activity({ db, clock: systemClock }),
      media: { healthChanged: never, recorded: never },
      ownPorts: [],
      version: 'test',
      clock: systemClock,
      log: quietLog,
    });
    await until(async () => (await other.read()).status.state === 'elsewhere');
    await using listener = await broker.listen();
    // A broker ends the older of two connections with one client id: a second one would show.
    await admin.send('PUT', '/secure-api/alerts/mode/', { mode: 'away' });
    await until(() => listener.last('nazar/house/mode') === 'away');
    assert.deepEqual([(await statusOf()).state, (await statusOf()).fault], ['connected', null]);
    assert.ok(
      listener.messages.every(({ topic, text }) => topic !== 'nazar/status' || text === 'online'),
    );
    await world.server.mqtt[Symbol.asyncDispose]();
    await until(async () => (await other.read()).status.state === 'connected');
    await until(() => listener.last('nazar/status') === 'online');
    const sent = listener.messages.filter(({ topic }) => topic === 'nazar/status');
    assert.deepEqual(
      sent.map(({ text }) => text),
      ['online', 'offline', 'online'],
    );
  },
);
