/** The pure parts: addresses, the queue of alerts, what is sent to Home Assistant. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { alertMessage, stepsOf } from './alert-message.ts';
import { AlertQueue, maxAgeMs, maxAlerts } from './alert-queue.ts';
import { readBrokerUrl } from './broker-url.ts';
import { cameraDevice, houseDevice, personDevice } from './discovery.ts';
import { Topics } from './topics.ts';

test('an address of a broker has a scheme, a host and a port, and nothing else', () => {
  assert.deepEqual(readBrokerUrl('mqtt://broker.lan'), {
    host: 'broker.lan',
    port: 1883,
    tls: false,
  });
  assert.deepEqual(readBrokerUrl('mqtts://[fd12::1]:8884/'), {
    host: 'fd12::1',
    port: 8884,
    tls: true,
  });
  const wrong = ['', 'broker', 'http://broker', 'mqtt://', 'mqtt://u@broker', 'mqtt://broker?a'];
  for (const text of [
    ...wrong,
    'mqtt://broker:0',
    'mqtt://broker/#x',
    'mqtt://-x',
    'mqtt://a_%41',
  ]) {
    assert.equal(readBrokerUrl(text), null, text);
  }
});

test('alerts that wait are few, young and counted; one waits once, and its beginning is not lost', () => {
  const queue = new AlertQueue();
  queue.add({ alertId: 'first', kind: 'raised' }, 0);
  queue.add({ alertId: 'first', kind: 'updated' }, 5);
  queue.add({ alertId: 'second', kind: 'updated' }, maxAgeMs);
  assert.deepEqual(queue.take(maxAgeMs), [
    { id: 'first', atMs: 0, isNew: true },
    { id: 'second', atMs: maxAgeMs, isNew: false },
  ]);
  assert.deepEqual([queue.size, queue.dropped], [0, 0]);
  queue.add({ alertId: 'old', kind: 'raised' }, 0);
  queue.add({ alertId: 'young', kind: 'raised' }, 1);
  assert.deepEqual(
    queue.take(maxAgeMs + 1).map(({ id }) => id),
    ['young'],
  );
  assert.equal(queue.dropped, 1);
  for (let nth = 0; nth < maxAlerts + 2; nth += 1) {
    queue.add({ alertId: `${nth}`, kind: 'raised' }, 0);
  }
  assert.deepEqual([queue.size, queue.dropped], [maxAlerts, 3]);
  const waiting = queue.take(0);
  assert.equal(waiting[0]!.id, '2', 'the oldest went');
  queue.add({ alertId: 'since', kind: 'raised' }, 1);
  queue.putBack(waiting.slice(-2));
  assert.deepEqual(
    queue.take(1).map(({ id }) => id),
    ['1000', '1001', 'since'],
  );
});

const alert = {
  id: 'an-id',
  kind: 'watched_person',
  level: 'critical',
  status: 'new',
  title: 'Aylin at the gate',
  message: 'Aylin was seen',
  created_at: '2026-01-15T12:00:00.000Z',
  last_at: '2026-01-15T12:00:01.000Z',
  ended_at: null,
  count: 2,
  people: 1,
  camera: 'a-camera',
  camera_name: 'Gate',
  face_name: 'Aylin',
  visit: null,
  image: null,
  picture_hidden: false,
  assigned_to: null,
  assigned_to_name: 'Ulla User',
  resolved_by: null,
  resolved_by_name: null,
  resolved_at: null,
  resolution_notes: 'Aylin has a key',
  created_by: null,
  rule: null,
} as const;

test('C-1009 a message of an alert names no person, but who may be named', () => {
  const text = alertMessage(alert, 'raised', null);
  assert.doesNotMatch(text, /Aylin|Ulla/);
  assert.deepEqual((JSON.parse(text) as { camera: object }).camera, {
    id: 'a-camera',
    name: 'Gate',
  });
  assert.match(alertMessage(alert, 'raised', { id: 'p', name: 'Aylin' }), /"person":\{"id":"p"/);
});

test('what became of an alert: its beginning first, then how it is', () => {
  const over = { status: 'new', ended_at: '2026-01-15T12:00:02.000Z' } as const;
  const taken = { status: 'in_progress', ended_at: null } as const;
  assert.deepEqual(stepsOf(alert, true), ['raised']);
  assert.deepEqual(stepsOf(alert, false), ['going_on']);
  assert.deepEqual(stepsOf(over, true), ['raised', 'over']);
  assert.deepEqual(stepsOf(taken, false), ['acknowledged']);
});

test('each description for Home Assistant has what discovery by device asks for, and ids of its own', () => {
  const place = { topics: new Topics('nazar'), node: 'nazar_1', version: '1.2.3' };
  const camera = { id: 'c1', name: 'Gate', state: 'live', isRecording: true } as const;
  const person = { id: 'p1', name: 'Aylin', seen: null };
  const devices = [
    houseDevice(place),
    cameraDevice(place, camera),
    cameraDevice(place, { ...camera, id: 'c2' }),
    personDevice(place, person),
    personDevice(place, { ...person, id: 'p2' }),
  ] as { dev: { ids: string[] }; o: object; cmps: Record<string, Record<string, string>> }[];
  const unique = devices.flatMap(({ cmps }) => Object.values(cmps).map((one) => one['unique_id']));
  assert.equal(new Set(unique).size, unique.length);
  for (const { dev, o, cmps } of devices) {
    assert.ok(dev.ids.length > 0);
    assert.deepEqual(o, { name: 'Nazar', sw: '1.2.3' });
    for (const component of Object.values(cmps)) {
      assert.ok(component['p'] !== undefined && component['unique_id'] !== undefined);
      for (const [key, topic] of Object.entries(component)) {
        if (key.endsWith('_topic')) assert.match(topic, /^nazar\/[a-z0-9_/]+$/, key);
      }
    }
  }
  assert.deepEqual(devices[3]!.dev.ids, devices[4]!.dev.ids, 'people are one device');
});
