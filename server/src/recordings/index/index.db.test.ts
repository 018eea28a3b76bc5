/** The index of recordings on a real database: reports of hosts become rows, and rows and files agree. */
import assert from 'node:assert/strict';
import {
  appendFileSync,
  existsSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { sql } from 'kysely';
import type { TimelineQuery } from '@nazar/contract/recordings.ts';
import { interrupted, recordingWorld, type RecordingWorld } from '#testing/recordings.ts';
import { until } from '#testing/until.ts';
import { aSegmentHead, segmentBytes, writeSegment } from '#testing/segments.ts';

const second = 1_000;
const start = Date.UTC(2026, 0, 15, 12);
const at = (seconds: number): number => start + seconds * second;
const iso = (seconds: number): string => new Date(at(seconds)).toISOString();

const day: TimelineQuery = {
  from: '2026-01-15T00:00:00.000Z',
  until: '2026-01-16T00:00:00.000Z',
  resolution_ms: 0,
};

async function timeline({ recordings, admin, cameraId }: RecordingWorld, query = day) {
  await recordings.settled();
  const [{ spans, gaps } = { spans: [], gaps: [] }] = await recordings.timelines.of(
    admin,
    [cameraId],
    query,
  );
  return {
    spans: spans.map(({ started_at, ended_at }) => [started_at, ended_at]),
    gaps: gaps.map(({ cause, started_at, ended_at }) => [cause, started_at, ended_at]),
  };
}

const continuously = ({ recordings, admin, cameraId }: RecordingWorld, on = true) =>
  recordings.policies.changeSettings(admin, cameraId, { continuousRecording: on });

/** Paths of segment files and of rows: R-03 requires them to be equal. */
async function bothSides({ folder, world }: RecordingWorld) {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.mp4') && !name.startsWith('quarantine'))
    .toSorted();
  const { rows } = await sql<{ path: string; open: boolean }>`
    select path, ended_at is null as open from recording_segment order by path`.execute(
    world.database.db.read(),
  );
  return {
    files,
    rows: rows.map(({ path }) => path),
    open: rows.filter(({ open }) => open).length,
  };
}

test('segments that follow one another are one recording and one span', async () => {
  await using it = await recordingWorld();
  await continuously(it);
  for (const seconds of [0, 10, 20]) it.opens(at(seconds)).closes(at(seconds + 10));
  assert.deepEqual(await timeline(it), { spans: [[iso(0), iso(30)]], gaps: [] });
  const list = { timezone: 'UTC', ordering: '-started_at', page: 1, page_size: 10 } as const;
  const { count, results } = await it.recordings.archive.list(it.admin, list);
  assert.equal(count, 1);
  const [recording] = results;
  assert.deepEqual(
    [recording?.type, recording?.startTime, recording?.endTime, recording?.duration],
    ['continuous', iso(0), iso(30), 30],
  );
  const segments = await it.recordings.archive.segments(it.admin, recording!.id);
  assert.equal(segments.length, 3);
  assert.equal(
    recording?.bytes,
    segments.reduce((sum, { bytes }) => sum + bytes!, 0),
  );
  assert.deepEqual(segments[0]?.key_frames.map(({ at_ms }) => at_ms).slice(0, 3), [0, 1000, 2000]);
});

test('a recording without end is cut at full hours', async () => {
  await using it = await recordingWorld();
  await continuously(it);
  it.opens(at(3590)).closes(at(3600));
  it.opens(at(3600)).closes(at(3610));
  await it.recordings.settled();
  const list = { timezone: 'UTC', ordering: 'started_at', page: 1, page_size: 10 } as const;
  const { results } = await it.recordings.archive.list(it.admin, list);
  assert.deepEqual(
    results.map(({ startTime }) => startTime),
    [iso(3590), iso(3600)],
  );
});

test('a gap has its cause and ends with the next segment', async () => {
  await using it = await recordingWorld();
  await continuously(it);
  it.opens(at(0)).closes();
  it.tell(interrupted(at(10), 'network'));
  it.tell(interrupted(at(12), 'password'));
  assert.deepEqual((await timeline(it)).gaps, [['network', iso(10), null]]);
  assert.equal(it.recordings.recordingOf(it.cameraId).state, 'interrupted');
  it.opens(at(25));
  assert.deepEqual((await timeline(it)).gaps, [['network', iso(10), iso(25)]]);
  assert.equal(it.recordings.recordingOf(it.cameraId).state, 'recording');
});

test('R-08 a gap goes on with another cause when the camera is back and its disk is full', async () => {
  await using it = await recordingWorld();
  await continuously(it);
  it.opens(at(0)).closes();
  it.tell(interrupted(at(10), 'network'));
  it.tell(interrupted(at(20), 'disk'));
  it.tell(interrupted(at(22), 'network'));
  it.opens(at(25));
  assert.deepEqual((await timeline(it)).gaps, [
    ['network', iso(10), iso(20)],
    ['disk', iso(20), iso(25)],
  ]);
});

test('~CAM-049 ~CAM-050 a camera is recorded by hand until a user stops it', async () => {
  await using it = await recordingWorld();
  const { recordings, admin, cameraId, plans } = it;
  await assert.rejects(recordings.policies.toggle(admin, cameraId, false), {
    code: 'recording_not_active',
  });
  await recordings.policies.toggle(admin, cameraId, true);
  assert.equal(plans.get(cameraId)?.type, 'manual');
  const segment = it.opens(at(0), { type: 'manual' });
  await recordings.policies.toggle(admin, cameraId, false);
  assert.equal(plans.get(cameraId), null);
  segment.closes(at(7));
  assert.deepEqual((await timeline(it)).gaps, [['switched_off', iso(7), null]]);
});

test('a camera that is recorded by its settings is not stopped by hand', async () => {
  await using it = await recordingWorld();
  const { recordings, admin, cameraId, plans } = it;
  await continuously(it);
  assert.equal(plans.get(cameraId)?.type, 'continuous');
  await assert.rejects(recordings.policies.toggle(admin, cameraId, false), {
    code: 'recording_by_settings',
  });
  await it.world.cameras.updateStatus(admin, cameraId, 'inactive');
  await continuously(it);
  assert.equal(plans.get(cameraId), null, 'a camera that is not active is not recorded');
});

test('a user presses the button while the camera is away: off ends, the outage begins', async () => {
  await using it = await recordingWorld();
  await continuously(it);
  it.opens(at(0)).closes();
  await it.recordings.settled();
  await continuously(it, false);
  it.tell(interrupted(at(10), 'camera'));
  await it.recordings.settled();
  assert.deepEqual((await timeline(it)).gaps, [['switched_off', iso(10), null]]);
  await continuously(it);
  it.tell(interrupted(at(60), 'camera'));
  assert.deepEqual((await timeline(it)).gaps, [
    ['switched_off', iso(10), iso(60)],
    ['camera', iso(60), null],
  ]);
});

test('R-02 a host that dies leaves a segment that is made whole, and a gap', async () => {
  await using it = await recordingWorld();
  await continuously(it);
  const { path } = it.opens(at(0));
  truncateSync(path, statSync(path).size - 5);
  appendFileSync(path, 'x');
  await it.recordings.settled();
  it.tell({ kind: 'gone' });
  assert.deepEqual(await timeline(it), {
    // One picture of 250 was torn.
    spans: [[iso(0), iso(9.96)]],
    gaps: [['restart', iso(9.96), null]],
  });
  it.opens(at(14));
  assert.deepEqual((await timeline(it)).gaps, [['restart', iso(9.96), iso(14)]]);
});

test('R-03 files without rows get them, where no recorder writes them any more', async () => {
  await using it = await recordingWorld();
  const { world, cameraId, folder } = it;
  await continuously(it);
  it.opens(at(0)).closes();
  await it.recordings.settled();
  // While no server ran: two whole, one torn, one that holds nothing.
  for (const seconds of [10, 20, 45]) {
    const head = aSegmentHead(cameraId, at(seconds));
    const gap = seconds === 45 ? { startedAtMs: at(30), cause: 'network' as const } : null;
    writeSegment(join(folder, cameraId), head, segmentBytes({ ...head, gap }));
  }
  const empty = aSegmentHead(cameraId, at(60));
  const torn = writeSegment(join(folder, cameraId), empty, segmentBytes(empty, 0));
  await it.restart();
  it.opens(at(70));
  assert.deepEqual((await timeline(it)).gaps, [['restart', iso(10), iso(70)]]);
  assert.equal((await bothSides(it)).rows.length, 2, 'they may still be written');
  world.clock.advance(30_000);
  await it.recordings.recover();
  const { files, rows, open } = await bothSides(it);
  assert.deepEqual(rows, files);
  assert.equal(open, 1);
  assert.equal(existsSync(torn), false);
  assert.equal(readdirSync(join(folder, 'quarantine')).length, 1);
  assert.deepEqual((await timeline(it)).gaps, [
    ['network', iso(30), iso(45)],
    ['restart', iso(55), iso(70)],
  ]);
});

test('R-03 a row without its file goes and leaves a gap; a disk that is away takes nothing with it', async () => {
  await using it = await recordingWorld();
  await continuously(it);
  const [first, second] = [0, 10].map((seconds) => it.opens(at(seconds)));
  first!.closes();
  second!.closes();
  await it.recordings.settled();
  const elsewhere = `${it.folder}-away`;
  renameSync(it.folder, elsewhere);
  assert.equal((await it.recordings.recover()).lost, 0);
  renameSync(elsewhere, it.folder);
  rmSync(first!.path);
  assert.equal((await it.recordings.recover()).lost, 1);
  assert.deepEqual(await timeline(it), {
    spans: [[iso(10), iso(20)]],
    gaps: [['lost', iso(0), iso(10)]],
  });
  const { files, rows } = await bothSides(it);
  assert.deepEqual(rows, files);
});

test('a timeline shows what a screen can distinguish', async () => {
  await using it = await recordingWorld();
  await continuously(it);
  for (const seconds of [0, 12, 600]) {
    it.opens(at(seconds)).closes();
    it.tell(interrupted(at(seconds + 10), 'camera'));
  }
  assert.equal((await timeline(it)).spans.length, 3);
  const coarse = await timeline(it, { ...day, resolution_ms: 60_000 });
  assert.deepEqual(coarse.spans, [
    [iso(0), iso(22)],
    [iso(600), iso(610)],
  ]);
  assert.deepEqual(coarse.gaps, [
    ['camera', iso(22), iso(600)],
    ['camera', iso(610), null],
  ]);
  const part = await timeline(it, { ...day, from: iso(15), until: iso(590) });
  assert.deepEqual(part.spans, [[iso(12), iso(22)]]);
});

test('C-508 H-10 recordings lie below the folder that was named, whatever path is asked for', async () => {
  await using it = await recordingWorld();
  const { recordings, admin, cameraId, plans, folder } = it;
  const usual = await recordings.policies.settings(admin, cameraId);
  assert.equal(usual.storagePath, `/recordings/${cameraId}/`, 'REC-032');
  const refused = [
    '/recordings/../x/',
    '/recordings//etc/',
    '/etc/passwd',
    '/recordings/.hidden/',
    '/recordings/a/../../b/',
    '/recordings/quarantine/',
    'recordings/a',
    '/recordings/a\u0000b/',
  ];
  for (const storagePath of refused) {
    const change = recordings.policies.changeSettings(admin, cameraId, { storagePath });
    await assert.rejects(change, { code: 'storage_path_refused' }, storagePath);
  }
  await recordings.policies.changeSettings(admin, cameraId, {
    storagePath: '/recordings/gate/day',
  });
  await continuously(it);
  assert.equal(plans.get(cameraId)?.folder, join(folder, 'gate/day'));
  // A link that is made later leads nowhere either.
  symlinkSync(tmpdir(), join(folder, 'out'));
  const out = recordings.policies.changeSettings(admin, cameraId, {
    storagePath: '/recordings/out/x',
  });
  await assert.rejects(out, { code: 'storage_path_refused' });
  symlinkSync(tmpdir(), join(folder, 'gate'));
  await continuously(it);
  assert.equal(plans.get(cameraId), null);
});

test('a camera is recorded by its table, and by the first reason of several', async () => {
  await using it = await recordingWorld();
  const { recordings, admin, cameraId, plans, world } = it;
  const typeNow = () => plans.get(cameraId)?.type;
  // The world begins on a Thursday at noon, UTC.
  const schedule = { timeZone: 'UTC', spans: [{ day: 4, from: '12:00', until: '13:00' }] };
  await recordings.policies.changeSettings(admin, cameraId, { schedule });
  assert.equal(typeNow(), 'scheduled');
  await recordings.policies.changeSettings(admin, cameraId, { motionDetection: true });
  assert.equal(typeNow(), 'scheduled');
  world.clock.advance(3_600_000);
  await until(() => typeNow() === 'motion');
  await recordings.policies.toggle(admin, cameraId, true);
  assert.equal(typeNow(), 'manual');
  await recordings.policies.toggle(admin, cameraId, false);
  await recordings.policies.changeSettings(admin, cameraId, {
    schedule: null,
    motionDetection: false,
  });
  assert.equal(plans.get(cameraId), null);
});

test('no motion is no outage: the timeline distinguishes both', async () => {
  await using it = await recordingWorld();
  await it.recordings.policies.changeSettings(it.admin, it.cameraId, { motionDetection: true });
  it.opens(at(0), { type: 'motion' }).closes();
  it.tell(interrupted(at(10), 'no_motion'));
  it.tell(interrupted(at(20), 'network'));
  it.tell(interrupted(at(25), 'password'));
  it.tell(interrupted(at(40), 'no_motion'));
  it.opens(at(60), { type: 'motion' });
  assert.deepEqual((await timeline(it)).gaps, [
    ['no_motion', iso(10), iso(20)],
    ['network', iso(20), iso(40)],
    ['no_motion', iso(40), iso(60)],
  ]);
});

test('R-08 a disk full of evidence takes nothing more, and does again when there is room', async () => {
  await using it = await recordingWorld();
  const { plans, cameraId, world, admin } = it;
  const GiB = 1024 ** 3;
  await continuously(it);
  const hold = { camera: cameraId, from: iso(0), until: iso(10), reason: 'A break-in' };
  await it.recordings.holds.add(admin, hold);
  it.opens(at(0)).closes();
  it.disk = { totalBytes: 100 * GiB, freeBytes: GiB / 4 };
  const inTime = (isSo: () => boolean) =>
    until(() => {
      world.clock.advance(1_000);
      return isSo();
    });
  await inTime(() => plans.get(cameraId) === null);
  const { spans, gaps } = await timeline(it);
  assert.deepEqual(spans, [[iso(0), iso(10)]]);
  assert.deepEqual(gaps, [['disk', iso(10), null]]);
  assert.equal(it.recordings.recordingOf(cameraId).state, 'disk_full');
  it.disk = { totalBytes: 100 * GiB, freeBytes: GiB };
  await inTime(() => plans.get(cameraId)?.type === 'continuous');
});

test('a folder that a disk can’t read is not lost: rows stay, and other folders are scanned', async () => {
  await using it = await recordingWorld();
  await it.recordings.policies.changeSettings(it.admin, it.cameraId, { continuousRecording: true });
  it.opens(start).closes();
  const gone = it.opens(start + 10_000);
  gone.closes();
  await it.recordings.settled();
  const folder = join(it.folder, it.cameraId);
  renameSync(folder, `${it.folder}-aside`);
  // Whatever is asked of it is an error, and not "there is none".
  symlinkSync(it.cameraId, folder);
  const unread = await it.recordings.recover();
  assert.deepEqual([unread.lost, unread.files], [0, 0]);
  rmSync(folder);
  renameSync(`${it.folder}-aside`, folder);
  rmSync(gone.path);
  const read = await it.recordings.recover();
  assert.deepEqual([read.lost, read.files], [1, 1], 'what is really gone is');
});
