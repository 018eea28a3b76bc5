/** `npm run recordings`: faults are found, and a lost index is made again from the files. */
import assert from 'node:assert/strict';
import { appendFileSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { sql } from 'kysely';
import { recordingWorld, type RecordingWorld } from '#testing/recordings.ts';
import { aSegmentHead, segmentBytes, writeSegment } from '#testing/segments.ts';
import { until } from '#testing/until.ts';
import { quietLog } from '#testing/world.ts';
import { checkRecordings, repairIndex, type CheckFault } from '../recordings.ts';

const start = Date.UTC(2026, 0, 15, 12);
const never = new AbortController().signal;

async function checkAll({ world }: RecordingWorld) {
  const faults: CheckFault[] = [];
  const tell = (fault: CheckFault): void => void faults.push(fault);
  const report = await checkRecordings(world.database.db, tell, never);
  return { ...report, found: faults.map(({ kind, path }) => [kind, path]) };
}

async function fiveSegments(it: RecordingWorld): Promise<string[]> {
  await it.recordings.policies.changeSettings(it.admin, it.cameraId, { continuousRecording: true });
  const opened = [0, 1, 2, 3, 4].map((ten) => it.opens(start + ten * 10_000));
  for (const segment of opened) segment.closes();
  await it.recordings.settled();
  return opened.map(({ path }) => path);
}

test('R-03 C-407 a file that was changed, is gone, or belongs to nothing is found', async () => {
  await using it = await recordingWorld();
  const [whole, changed, longer, gone] = await fiveSegments(it);
  assert.ok(whole);
  assert.deepEqual(await checkAll(it), {
    files: 5,
    bytes: 5 * readFileSync(whole).length,
    open: 0,
    faults: 0,
    found: [],
  });
  const bytes = readFileSync(changed!);
  bytes[bytes.length - 1]! ^= 1;
  writeFileSync(changed!, bytes);
  appendFileSync(longer!, 'x');
  rmSync(gone!);
  const head = aSegmentHead(it.cameraId, start + 60_000);
  const stray = writeSegment(join(it.folder, 'elsewhere'), head, segmentBytes(head));
  const { found } = await checkAll(it);
  const expected = [
    ['hash', changed],
    ['size', longer],
    ['no_file', gone],
    ['no_row', stray],
  ];
  assert.deepEqual(new Set(found.map(String)), new Set(expected.map(String)));
  renameSync(it.folder, `${it.folder}-away`);
  assert.deepEqual((await checkAll(it)).found, [['root_away', it.folder]]);
  renameSync(`${it.folder}-away`, it.folder);
});

test('R-03 an index that is gone is made again from the files', async () => {
  await using it = await recordingWorld();
  await fiveSegments(it);
  const { clock, database } = it.world;
  const rows = async () => {
    const found = await sql<Record<string, unknown>>`
      select id, camera_id, path, started_at, ended_at, bytes, head_bytes, pictures, key_offsets,
             key_times, sha256, codec, mime, width, height, stream_id
        from recording_segment order by path`.execute(database.db.read());
    return found.rows;
  };
  const before = await rows();
  await sql`delete from recording_segment`.execute(database.db.write());
  await sql`delete from recording`.execute(database.db.write());
  assert.equal((await checkAll(it)).faults, 5);
  const waiting = clock.waiting;
  const repaired = repairIndex({ db: database.db, clock, log: quietLog, signal: never });
  await until(() => clock.waiting > waiting);
  clock.advance(30_000);
  assert.equal((await repaired).lost, 0);
  await it.recordings.settled();
  assert.deepEqual(await rows(), before);
  assert.equal((await checkAll(it)).faults, 0);
});
