/**
 * What reading recordings costs: the timeline of a day of 8,640 segments, and lists over it, with motion and the
 * people seen, among recordings of other cameras. Asked over HTTP of a server in this process, on a real database.
 * `--cameras N`, 4 when left out; each has a day of 10 s segments, motion in every second one, and 500 visits.
 */
import { parseArgs } from 'node:util';
import { sql } from 'kysely';
import type { Database } from '../server/src/db/database.ts';
import { signInEach, testServer } from '../server/src/testing/server.ts';
import { aCameraForm } from '../server/src/testing/world.ts';
import { spreadOf, tenth } from './rig/numbers.ts';
import { table } from './table.ts';

const { values } = parseArgs({
  args: process.argv.slice(3),
  options: { cameras: { type: 'string', default: '4' } },
});
const segmentsPerDay = 8_640;
const visitsPerDay = 500;
const calls = 60;

/** Segments of all cameras lie mixed on the disk of the database, as they were written. */
async function fill(db: Database, cameraIds: readonly string[], day: Date): Promise<void> {
  await sql`
    insert into recording (id, camera_id, type, started_at)
    select uuidv7(), camera, 'continuous', ${day}::timestamptz + hour * interval '1 hour'
      from unnest(${cameraIds}::uuid[]) camera, generate_series(0, 23) hour`.execute(db.write());
  await sql`
    insert into recording_segment
      (id, camera_id, recording_id, root_id, path, started_at, ended_at, bytes, head_bytes, pictures,
       key_offsets, key_times, sha256, codec, mime, width, height, stream_id, motion_from, motion_until)
    select uuidv7(), recording.camera_id, recording.id, root.id, recording.camera_id || '/' || part,
           start, start + interval '10 seconds', 3750000, 1200, 300,
           array(select i * 375000 from generate_series(0, 9) i), array(select i * 1000 from generate_series(0, 9) i),
           sha256(part::text::bytea), 'h264', 'video/mp4; codecs="avc1.64001f"', 1280, 720, recording.camera_id,
           case when part % 2 = 0 then array[2000] else '{}' end, case when part % 2 = 0 then array[7000] else '{}' end
      from generate_series(0, ${segmentsPerDay - 1}::int) part
      cross join lateral (select ${day}::timestamptz + part * interval '10 seconds' as start) at
      join recording on recording.started_at = date_trunc('hour', start)
      cross join (select id from recording_root limit 1) root
     where recording.camera_id = any(${cameraIds}::uuid[])
     order by part`.execute(db.write());
  await sql`
    with somebody as (
      insert into identity (id, created_at) values (gen_random_uuid(), ${day}) returning id
    )
    insert into visit (id, camera_id, identity_id, started_at, ended_at, confidence, quality)
    select gen_random_uuid(), camera, somebody.id, start, start + interval '8 seconds', 0.9, 0.9
      from unnest(${cameraIds}::uuid[]) camera, generate_series(0, ${visitsPerDay - 1}::int) visit, somebody
      cross join lateral (select ${day}::timestamptz + visit * interval '170 seconds' as start) at`.execute(
    db.write(),
  );
  await sql`vacuum analyze recording_segment, recording, visit`.execute(db.write());
}

await using world = await testServer();
const { admin } = await signInEach(world);
const cameraIds: string[] = [];
for (let number = 0; number < Number(values.cameras); number++) {
  const form = aCameraForm({ name: `Camera ${number}` });
  const added = await admin.send('POST', '/secure-api/cameras/', form);
  cameraIds.push(added.json<{ id: string }>().id);
}
const day = new Date(Date.UTC(2026, 0, 14));
await fill(world.database.db, cameraIds, day);

const from = day.toISOString();
const until = new Date(day.getTime() + 86_400_000).toISOString();
const range = `from=${from}&until=${until}`;
const [one] = cameraIds;
const asked: Readonly<Record<string, string>> = {
  'timeline of a day, every detail': `cameras/${one}/timeline/?${range}`,
  'timeline of a day, as wide as a screen': `cameras/${one}/timeline/?${range}&resolution_ms=60000`,
  'timelines of all cameras, as wide as a screen': `recordings/timelines/?cameras=${cameraIds.join()}&${range}&resolution_ms=60000`,
  'recordings of the day': `recordings/?camera=${one}&${range}`,
  'recordings of the day with faces': `recordings/?camera=${one}&${range}&has_faces=true`,
  'recordings of the day with motion': `recordings/?camera=${one}&${range}&has_motion=true`,
};
const rows: string[][] = [];
for (const [what, path] of Object.entries(asked)) {
  const times: number[] = [];
  let bytes = 0;
  for (let call = 0; call < calls + 5; call++) {
    const startedAtMs = performance.now();
    const { status, text } = await admin.get(`/secure-api/${path}`);
    if (status !== 200) throw new Error(`${path}: ${status} ${text}`);
    bytes = text.length;
    if (call >= 5) times.push(performance.now() - startedAtMs);
  }
  const { p50, p95 } = spreadOf(times);
  rows.push([what, tenth(p50), tenth(p95), (bytes / 1024).toFixed(0)]);
}
console.log(table(['what', 'ms, median', 'ms, 95th', 'KiB'], rows));
console.log(`${cameraIds.length} cameras of ${segmentsPerDay} segments; ${calls} calls each.`);
