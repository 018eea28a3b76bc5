/** Days of the reader: which recordings are of a day, and which days a calendar marks, by the clocks of any place. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { RecordedDaysQuery, RecordingQuery } from '@nazar/contract/recordings.ts';
import { granting } from '#testing/grants.ts';
import { recordingWorld, type RecordingWorld } from '#testing/recordings.ts';
import { aVisit } from '#testing/world.ts';

const ms = (iso: string): number => Date.parse(iso);

/** A segment of ten seconds, each its own recording unless it follows another one. */
const film = (it: RecordingWorld, from: string, motion: Parameters<Closes>[1] = null) =>
  it.opens(ms(from), { type: 'manual' }).closes(ms(from) + 10_000, motion);
type Closes = ReturnType<RecordingWorld['opens']>['closes'];

async function ofDay(it: RecordingWorld, date: string, timezone: string, scope = it.admin) {
  await it.recordings.settled();
  const query = RecordingQuery.parse({ date, timezone, ordering: 'started_at' });
  const { count, results } = await it.recordings.archive.list(scope, query);
  assert.equal(count, results.length);
  return results.map(({ startTime, date: begins }) => `${startTime.slice(0, 16)} ${begins}`);
}

async function ofMonth(it: RecordingWorld, month: string, timezone: string) {
  await it.recordings.settled();
  const query = RecordedDaysQuery.parse({ month, timezone });
  const days = await it.recordings.days.of(it.admin, it.cameraId, query);
  return days.map(({ date, recordings, motion, faces }) => [
    date.slice(8),
    recordings,
    motion,
    faces,
  ]);
}

test('REC-037 a day of 23 hours and one of 25 are the reader’s, to the second', async () => {
  await using it = await recordingWorld();
  // In Berlin the 25th of October 2026 is from 22:00 to 23:00 a day later.
  for (const from of [
    '2026-10-24T21:59:40Z',
    '2026-10-24T22:00:00Z',
    '2026-10-25T22:59:50Z',
    '2026-10-25T23:00:00Z',
  ]) {
    film(it, from);
    // Another reason begins another recording.
    it.opens(ms(from) + 10_000, { type: 'test' });
  }
  // The 29th of March 2026 is from 23:00 to 22:00.
  for (const from of ['2026-03-28T22:59:00Z', '2026-03-28T23:10:00Z', '2026-03-29T21:59:00Z']) {
    film(it, from);
  }
  film(it, '2026-03-29T22:00:00Z');
  const inBerlin = (date: string) => ofDay(it, date, 'Europe/Berlin');
  assert.deepEqual(await inBerlin('2026-03-29'), [
    '2026-03-28T23:10 2026-03-29',
    '2026-03-29T21:59 2026-03-29',
  ]);
  assert.deepEqual((await inBerlin('2026-10-24')).at(-1), '2026-10-24T21:59 2026-10-24');
  const long = await inBerlin('2026-10-25');
  assert.ok(
    long.includes('2026-10-24T22:00 2026-10-25') && long.includes('2026-10-25T22:59 2026-10-25'),
  );
  assert.ok(!long.some((one) => one.startsWith('2026-10-25T23:00')));
  assert.deepEqual(await ofDay(it, '2026-03-28', 'UTC'), [
    '2026-03-28T22:59 2026-03-28',
    '2026-03-28T23:10 2026-03-28',
  ]);
});

test('a recording over midnight is of both days, in half-hour zones too, and its motion and people of their own', async () => {
  await using it = await recordingWorld();
  // Midnight in Kolkata is 18:30.
  it.opens(ms('2026-01-14T18:29:50Z')).closes(ms('2026-01-14T18:30:00Z'), []);
  it.opens(ms('2026-01-14T18:30:00Z')).closes(ms('2026-01-14T18:30:10Z'), [
    { fromMs: 2_000, untilMs: 4_000 },
  ]);
  await it.recordings.settled();
  const see = (from: string, until: string) =>
    it.world.visits.write(aVisit(it.cameraId, ms(from), { endedAtMs: ms(until) }));
  await see('2026-01-14T18:29:55Z', '2026-01-14T18:29:58Z');
  await see('2026-01-14T18:29:59Z', '2026-01-14T18:30:05Z');
  // When nothing was recorded, and at another camera.
  await see('2026-01-14T18:31:00Z', '2026-01-14T18:32:00Z');
  const other = await it.world.camera(it.admin);
  await it.world.visits.write(aVisit(other, ms('2026-01-14T18:30:01Z')));
  assert.deepEqual(await ofMonth(it, '2026-01', 'Asia/Kolkata'), [
    ['14', 1, 0, 2],
    ['15', 1, 1, 1],
  ]);
  assert.deepEqual(await ofMonth(it, '2026-01', 'UTC'), [['14', 1, 1, 2]]);
  for (const date of ['2026-01-14', '2026-01-15']) {
    assert.deepEqual(await ofDay(it, date, 'Asia/Kolkata'), ['2026-01-14T18:29 2026-01-14']);
  }
  assert.deepEqual(await ofDay(it, '2026-01-16', 'Asia/Kolkata'), []);
  assert.deepEqual(await ofDay(it, '2026-01-13', 'Asia/Kolkata'), []);
});

test('a recording of days, one that goes on, and one whose beginning was removed are of the days that have something of them', async () => {
  await using it = await recordingWorld();
  const { clock, database } = it.world;
  const minute = 60_000;
  // One recording without a pause of a minute: three days by hand, of which it stands in the middle of the fourth.
  const begin = ms('2026-01-12T12:00:00Z');
  const until = clock.now();
  for (let at = begin; at < until - minute; at += 30 * minute) {
    it.opens(at, { type: 'manual' }).closes(Math.min(at + 30 * minute, until - minute));
  }
  it.opens(until - minute, { type: 'manual' });
  const dates = async () => (await ofMonth(it, '2026-01', 'UTC')).map(([day]) => day);
  const upToNow = ['12', '13', '14', '15'];
  assert.deepEqual(await dates(), upToNow);
  assert.deepEqual((await ofDay(it, '2026-01-14', 'UTC')).length, 1);
  assert.deepEqual(
    (await ofDay(it, '2026-01-16', 'UTC')).length,
    0,
    'it goes on, and not for ever',
  );
  await sql`delete from recording_segment where started_at < '2026-01-14T00:00Z'`.execute(
    database.db.write(),
  );
  assert.deepEqual(await dates(), ['14', '15']);
  assert.deepEqual((await ofDay(it, '2026-01-13', 'UTC')).length, 0);
  assert.deepEqual(await ofDay(it, '2026-01-14', 'UTC'), ['2026-01-14T00:00 2026-01-14']);
});

test('C-304 days are of cameras whose recordings one may see, and of places that there are', async () => {
  await using it = await recordingWorld();
  film(it, '2026-01-15T10:00:00Z');
  await it.recordings.settled();
  const user = await it.world.actor('user');
  const query = RecordedDaysQuery.parse({ month: '2026-01' });
  const days = (capabilities: Parameters<typeof granting>[1]) =>
    it.recordings.days.of(
      { ...user, grants: granting(it.cameraId, capabilities) },
      it.cameraId,
      query,
    );
  assert.equal((await days(['live', 'recordings'])).length, 1);
  await assert.rejects(days(['live']), { code: 'forbidden' });
  await assert.rejects(it.recordings.days.of(user, it.cameraId, query), {
    code: 'camera_not_found',
  });
  assert.deepEqual(await ofDay(it, '2026-01-15', 'UTC', user), []);
  await assert.rejects(ofDay(it, '2026-01-15', 'Mars/Base'), { code: 'time_zone_unknown' });
  await assert.rejects(ofMonth(it, '2026-01', '+05:30'), { code: 'time_zone_unknown' });
});
