import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import type { Notification } from '@nazar/contract/notifications.ts';
import { createScope, noGrants, type Scope } from '#http/scope.ts';
import { Topic } from '#lib/topic.ts';
import { aClock, type StoppedClock } from '#testing/clock.ts';
import { quietLog } from '#testing/world.ts';
import { until } from '#testing/until.ts';
import { maxStreamsPerUser, NotificationStreams } from './notification-streams.ts';

const changed = new Topic<{ userId: string }>((error) => {
  throw error;
});
const scopeOf = (userId: string, sessionId = userId): Scope =>
  createScope({ userId, email: '', sessionId, standing: 'user' }, noGrants);
const [anna, bela] = [scopeOf('anna'), scopeOf('bela')];

let clock: StoppedClock;
let streams: NotificationStreams;
/** What was read, of whom. */
let readings: string[];
/** Those whose reading fails. */
let failing: Set<string>;
const newest = new Map<string, Notification>();

beforeEach(() => {
  clock = aClock();
  readings = [];
  failing = new Set();
  newest.clear();
  const lists = {
    position: async () => ({ id: 'first', created_at: new Date(0) }),
    unreadCount: async ({ userId }: Scope) => {
      readings.push(`count of ${userId}`);
      if (failing.has(userId)) throw new Error('the database is away');
      return { unread_count: newest.has(userId) ? 1 : 0 };
    },
    newer: async ({ userId }: Scope, { id }: { id: string }, language: string) => {
      readings.push(`${language} list of ${userId}`);
      const one = newest.get(userId);
      return one && one.id !== id ? [one] : [];
    },
  };
  streams = new NotificationStreams({ notifications: { changed, lists }, clock, log: quietLog });
});
afterEach(() => streams[Symbol.asyncDispose]());

const open = (scope: Scope, language: 'en' | 'ru' = 'en') =>
  streams.open(scope, { language, lastId: null });
type Reader = Awaited<ReturnType<typeof open>>;

const aNotification = (id: string) =>
  ({ id, created_at: '2026-01-15T12:00:00.000Z' }) as Notification;

/** All that came for a reader by now. */
function following({ events }: Reader): () => string {
  let text = '';
  events.on('data', (piece: Buffer) => (text += String(piece)));
  return () => text;
}

const inTime = (isSo: () => boolean): Promise<void> =>
  until(() => {
    clock.advance(1_000);
    return isSo();
  });

test('readers of a user with equal rights cost one count, and one list for each language', async () => {
  const annas = [await open(anna), await open(scopeOf('anna', 'other')), await open(anna, 'ru')];
  const texts = [...annas, await open(bela)].map(following);
  await inTime(() => texts.every((text) => text().includes('"unread_count":0')));
  readings = [];
  newest.set('anna', aNotification('second'));
  changed.publish({ userId: 'anna' });
  await inTime(() => texts.slice(0, 3).every((text) => text().includes('id: second')));
  assert.deepEqual(readings, ['count of anna', 'en list of anna', 'ru list of anna']);
  assert.ok(!texts[3]!().includes('second'));
});

test('a reading that fails is repeated, and keeps no other user waiting', async () => {
  failing.add('anna');
  const texts = [await open(anna), await open(bela)].map(following);
  await inTime(() => texts[1]!().includes('unread_count'));
  assert.ok(!texts[0]!().includes('unread_count'));
  failing.clear();
  await inTime(() => texts[0]!().includes('unread_count'));
});

test('a user has ten streams, others have theirs, and those that are left hold nothing', async () => {
  const readers: Reader[] = [];
  for (let nth = 0; nth < maxStreamsPerUser; nth += 1) readers.push(await open(anna));
  await assert.rejects(open(anna), { code: 'notification_streams_too_many' });
  readers.push(await open(bela));
  assert.equal(streams.size, maxStreamsPerUser + 1);
  for (const { events } of readers) events.destroy();
  await until(() => streams.size === 0);
  readings = [];
  changed.publish({ userId: 'anna' });
  await open(bela);
  await inTime(() => readings.length > 0);
  assert.ok(!readings.some((one) => one.includes('anna')));
});

test('the end of the streams ends each, and lets none begin', async () => {
  const reader = await open(anna);
  following(reader);
  await streams[Symbol.asyncDispose]();
  await until(() => reader.events.closed);
  await assert.rejects(open(bela));
  assert.equal(streams.size, 0);
});
