/** A camera that sends a key frame every few hours has segments as long: they are found at each time of them. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { sql } from 'kysely';
import { MotionQuery, TimelineQuery } from '@nazar/contract/recordings.ts';
import type { ZoneFields } from '@nazar/contract/zones.ts';
import { migrate, migrationNames } from '#db/migrations.ts';
import { testDatabase } from '#testing/database.ts';
import { granting } from '#testing/grants.ts';
import { addCell, noCells, type MotionGrid } from '#media/protocol/motion-grid.ts';
import { PlaybackStore } from '#recordings/playback/playback-store.ts';
import { recordingWorld, type RecordingWorld } from '#testing/recordings.ts';
import { aSegmentHead, segmentBytes, writeSegment } from '#testing/segments.ts';

const start = Date.UTC(2026, 0, 15, 12);
const minuteMs = 60_000;
const at = (minutes: number): Date => new Date(start + minutes * minuteMs);
const asked = (from: number, until: number) => ({
  from: at(from).toISOString(),
  until: at(until).toISOString(),
});
const minutesOf = (one: { started_at: string; ended_at: string }): number[] =>
  [one.started_at, one.ended_at].map((time) => (Date.parse(time) - start) / minuteMs);

/** Something moves after 90 minutes, and after 150, for 20 s each, at the top left. */
function movement(): MotionGrid {
  const cells = noCells();
  addCell(cells, 0, 0);
  const moved = [90, 150].map((minute) => {
    const fromMs = minute * minuteMs;
    return { fromMs, untilMs: fromMs + 20_000, cells };
  });
  return { rotation: 0, isOfMain: true, moved };
}

/** A short one, one of three hours, and a short one after a break. */
async function threeHours(it: RecordingWorld): Promise<void> {
  it.opens(start - 2 * minuteMs).closes(start - minuteMs);
  const grid = movement();
  it.opens(start).closes(start + 180 * minuteMs, grid.moved, { grid });
  it.opens(start + 400 * minuteMs).closes(start + 401 * minuteMs);
  it.world.clock.advance(500 * minuteMs);
  await it.recordings.settled();
}

test('~REC-018 a segment of three hours is on the timeline, with its motion, at each time of it', async () => {
  await using it = await recordingWorld();
  await threeHours(it);
  const shown = async (from: number, until: number, scope = it.admin) => {
    const query = TimelineQuery.parse(asked(from, until));
    const [timeline] = await it.recordings.timelines.of(scope, [it.cameraId], query);
    return [timeline!.spans.map(minutesOf), timeline!.motion.map(minutesOf)];
  };
  const moved = [90, 90 + 1 / 3];
  assert.deepEqual(await shown(89, 92), [[[0, 180]], [moved]]);
  assert.deepEqual(await shown(109, 110), [[[0, 180]], []]);
  assert.deepEqual(await shown(149, 152), [[[0, 180]], [[150, 150 + 1 / 3]]]);
  assert.deepEqual(await shown(170, 175), [[[0, 180]], []]);
  assert.deepEqual(await shown(180, 390), [[], []]);
  assert.deepEqual(await shown(-1, 0), [[], []]);
  const mask: ZoneFields = {
    kind: 'privacy',
    name: '',
    points: [
      [0.6, 0.6],
      [0.9, 0.6],
      [0.9, 0.9],
    ],
  };
  await it.world.cameras.zones.replace(it.admin, it.cameraId, [mask]);
  const user = await it.world.actor('user');
  const viewer = { ...user, grants: granting(it.cameraId, ['live', 'recordings']) };
  assert.deepEqual(await shown(89, 92, viewer), [[[0, 180]], [moved]]);
  assert.deepEqual(await shown(109, 110, viewer), [[[0, 180]], []]);
  assert.deepEqual(await shown(149, 152, viewer), [[[0, 180]], [[150, 150 + 1 / 3]]]);
});

test('its motion is found by place, and the film of any minute of it has its file', async () => {
  await using it = await recordingWorld();
  await threeHours(it);
  const found = async (from: number, until: number) => {
    const query = MotionQuery.parse(asked(from, until));
    const { results, compared } = await it.recordings.motionSearch.of(it.admin, it.cameraId, query);
    return [results.map(minutesOf), compared];
  };
  assert.deepEqual(await found(80, 100), [[[90, 90 + 1 / 3]], true]);
  assert.deepEqual(await found(109, 110), [[], true]);
  assert.deepEqual(await found(140, 160), [[[150, 150 + 1 / 3]], true]);
  assert.deepEqual(await found(170, 175), [[], true]);
  assert.deepEqual(await found(200, 300), [[], false]);
  const store = new PlaybackStore(it.world.database.db);
  const files = await store.segments(it.cameraId, at(170), at(175));
  assert.deepEqual(
    files.map(({ started_at }) => started_at),
    [at(0)],
  );
  assert.equal((await store.amount(it.cameraId, at(170), at(175))).seconds, 300);
  assert.deepEqual(await store.segments(it.cameraId, at(180), at(390)), []);
});

test('a segment that began hours ago and is still written is on the timeline of the last minute', async () => {
  await using it = await recordingWorld();
  it.opens(start);
  it.world.clock.advance(300 * minuteMs);
  await it.recordings.settled();
  const query = TimelineQuery.parse(asked(299, 300));
  const [timeline] = await it.recordings.timelines.of(it.admin, [it.cameraId], query);
  assert.deepEqual(timeline!.spans.map(minutesOf), [[0, 300]]);
});

test('R-15 a file that is found later ends where the next one begins: no two cover the same moment', async () => {
  await using it = await recordingWorld();
  const opened = it.opens(start + 14_000);
  opened.closes(start + 15_000);
  const head = aSegmentHead(it.cameraId, start + 5_000);
  // Ten seconds of pictures.
  writeSegment(join(it.folder, it.cameraId), head, segmentBytes(head));
  await it.recordings.settled();
  await it.recordings.recover();
  it.world.clock.advance(minuteMs);
  await it.recordings.recover();
  const store = new PlaybackStore(it.world.database.db);
  const files = await store.segments(it.cameraId, at(0), at(1));
  assert.deepEqual(
    files.map((file) => [file.started_at.getTime() - start, file.ended_at.getTime() - start]),
    [
      [5_000, 14_000],
      [14_000, 15_000],
    ],
  );
});

test('rows of before that reach into the next one end there, and the others where they did', async () => {
  await using old = await testDatabase();
  const { db, target } = old;
  await sql`drop schema public cascade`.execute(db.write());
  await sql`create schema public`.execute(db.write());
  const names = migrationNames();
  const own = names.findIndex((name) => name.endsWith('segments-end-where-the-next-begins'));
  await migrate(target, undefined, names[own - 1]);
  await fillOld(db.write());
  await migrate(target);
  const { rows } = await sql<{ began: number; ended: number | null }>`
    select extract(epoch from started_at - ${at(0)})::integer as began,
           extract(epoch from ended_at - ${at(0)})::integer as ended
      from recording_segment order by camera_id, started_at`.execute(db.read());
  assert.deepEqual(
    rows.map(({ began, ended }) => [began, ended]),
    [
      [0, 10],
      [10, 14],
      [14, 24],
      [30, null],
      [5, 20],
    ],
  );
});

/** Two cameras; the second segment of the first lasted into its third. */
async function fillOld(db: ReturnType<RecordingWorld['world']['database']['db']['write']>) {
  const camera = (n: number) => `00000000-0000-4000-8000-00000000000${n}`;
  await sql`
    insert into camera (id, name, location, type, status, resolution, fps, rotation,
                        enable_face_recognition, created_at, updated_at)
    select id, 'Gate', 'Yard', 'rtsp', 'inactive', '1280x720', 25, 0, true, now(), now()
      from unnest(${[camera(1), camera(2)]}::uuid[]) as given (id)`.execute(db);
  await sql`insert into recording_root (id, path, created_at) values (${camera(3)}, '/r', now())`.execute(
    db,
  );
  await sql`
    insert into recording (id, camera_id, type, started_at)
    select id, id, 'continuous', now() from unnest(${[camera(1), camera(2)]}::uuid[]) as given (id)`.execute(
    db,
  );
  await sql`
    insert into recording_segment (id, camera_id, recording_id, root_id, path, started_at, ended_at, bytes, head_bytes,
                                   pictures, key_offsets, key_times, sha256, codec, mime, width, height, stream_id)
    select gen_random_uuid(), camera, camera, ${camera(3)}, gen_random_uuid()::text,
           ${at(0)}::timestamptz + began * interval '1 second', ${at(0)}::timestamptz + ended * interval '1 second',
           case when ended is null then null else 1 end, case when ended is null then null else 1 end,
           case when ended is null then null else 1 end, case when ended is null then null else '{1}'::integer[] end,
           case when ended is null then null else '{0}'::integer[] end,
           case when ended is null then null else decode(repeat('00', 32), 'hex') end,
           'h264', 'video/mp4', 320, 184, ${camera(3)}
      from (values (${camera(1)}::uuid, 0, 10), (${camera(1)}::uuid, 10, 20), (${camera(1)}::uuid, 14, 24),
                   (${camera(1)}::uuid, 30, null), (${camera(2)}::uuid, 5, 20)) as part (camera, began, ended)`.execute(
    db,
  );
}
