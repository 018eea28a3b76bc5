/**
 * What finding motion by place costs: 30 days of a camera, 259,200 segments in each of which something moved, among
 * those of other cameras. Asked over HTTP of a server in this process, on a real database. `--cameras N`, 2 when left
 * out. Beside it the same question asked of PostgreSQL by reading every grid, as one would without the index.
 */
import { parseArgs } from 'node:util';
import { sql } from 'kysely';
import type { Database } from '../server/src/db/database.ts';
import {
  addCell,
  bitsOf,
  allOf,
  encodeGrid,
  noCells,
} from '../server/src/media/protocol/motion-grid.ts';
import { signInEach, testServer } from '../server/src/testing/server.ts';
import { aCameraForm } from '../server/src/testing/world.ts';
import { spreadOf, tenth } from './rig/numbers.ts';
import { table } from './table.ts';

const { values } = parseArgs({
  args: process.argv.slice(3),
  options: { cameras: { type: 'string', default: '2' } },
});
const days = 30;
const segmentsPerDay = 8_640;
const calls = 40;
/** Every so many segments something moves in the corner, too. */
const rareEvery = 5_000;

/** Ten seconds in which something moves in the middle, and in the corner where it is rare. */
function motion(isRare: boolean): { readonly cells: string; readonly grid: Buffer } {
  const moved = Array.from({ length: 10 }, (_, second) => {
    const cells = noCells();
    for (let column = 5; column < 9; column++)
      addCell(cells, column + (second % 3), 4 + (second % 2));
    if (isRare && second === 4) addCell(cells, 15, 0);
    return { fromMs: second * 1_000, untilMs: (second + 1) * 1_000, cells };
  });
  const grid = { rotation: 0, isOfMain: true, moved } as const;
  return { cells: bitsOf(allOf(grid)), grid: encodeGrid(grid) };
}

/** Segments of all cameras lie mixed on the disk of the database, as they were written. */
async function fill(db: Database, cameraIds: readonly string[], from: Date): Promise<void> {
  const [usual, rare] = [motion(false), motion(true)];
  await sql`
    insert into recording (id, camera_id, type, started_at)
    select uuidv7(), camera, 'continuous', ${from}::timestamptz + day * interval '1 day'
      from unnest(${cameraIds}::uuid[]) camera, generate_series(0, ${days - 1}::int) day`.execute(
    db.write(),
  );
  for (let day = 0; day < days; day++) {
    await sql`
      with written as (
        insert into recording_segment
          (id, camera_id, recording_id, root_id, path, started_at, ended_at, bytes, head_bytes, pictures,
           key_offsets, key_times, sha256, codec, mime, width, height, stream_id, motion_from, motion_until)
        select uuidv7(), recording.camera_id, recording.id, root.id,
               recording.camera_id || '/' || ${day}::int || '/' || part,
               start, start + interval '10 seconds', 3750000, 1200, 300,
               array(select i * 375000 from generate_series(0, 9) i), array(select i * 1000 from generate_series(0, 9) i),
               sha256(part::text::bytea), 'h264', 'video/mp4; codecs="avc1.64001f"', 1280, 720,
               recording.camera_id, array[0], array[10000]
          from generate_series(0, ${segmentsPerDay - 1}::int) part
          cross join lateral (
            select ${from}::timestamptz + ${day}::int * interval '1 day' + part * interval '10 seconds' as start) at
          join recording on recording.started_at = ${from}::timestamptz + ${day}::int * interval '1 day'
          cross join (select id from recording_root limit 1) root
         order by part
        returning id, camera_id, started_at
      )
      insert into recording_motion (segment_id, camera_id, started_at, rotation, cells, grid)
      select id, camera_id, started_at, 0,
             case when is_rare then ${rare.cells}::bit(144) else ${usual.cells}::bit(144) end,
             case when is_rare then ${rare.grid}::bytea else ${usual.grid}::bytea end
        from written
        cross join lateral (
          select extract(epoch from started_at)::bigint / 10 % ${rareEvery}::int = 0 as is_rare) rare`.execute(
      db.write(),
    );
  }
  await sql`vacuum analyze recording_segment, recording_motion, recording`.execute(db.write());
}

await using world = await testServer();
const { admin } = await signInEach(world);
const cameraIds: string[] = [];
for (let number = 0; number < Number(values.cameras); number++) {
  const form = aCameraForm({ name: `Camera ${number}` });
  const added = await admin.send('POST', '/secure-api/cameras/', form);
  cameraIds.push(added.json<{ id: string }>().id);
}
const { db } = world.database;
const from = new Date(Date.UTC(2026, 0, 1));
await fill(db, cameraIds, from);
const [one = ''] = cameraIds;
const until = new Date(from.getTime() + days * 86_400_000);

const range = `from=${from.toISOString()}&until=${until.toISOString()}`;
const search = `/secure-api/cameras/${one}/motion_search/?${range}&limit=1000`;
const rows: string[][] = [];

async function measure(what: string, ask: () => Promise<string>): Promise<void> {
  const times: number[] = [];
  let found = '';
  for (let call = 0; call < calls + 3; call++) {
    const startedAtMs = performance.now();
    found = await ask();
    if (call >= 3) times.push(performance.now() - startedAtMs);
  }
  const { p50, p95 } = spreadOf(times);
  rows.push([what, found, tenth(p50), tenth(p95)]);
}

const regions = {
  'a corner in which something moves each 14 hours': '0.95,0.01,0.99,0.01,0.99,0.1,0.95,0.1',
  'a corner in which nothing ever moves': '0.01,0.9,0.05,0.9,0.05,0.99,0.01,0.99',
  'the middle, in which something always moves': '0.4,0.4,0.6,0.4,0.6,0.6,0.4,0.6',
};
for (const [what, region] of Object.entries(regions)) {
  await measure(what, async () => {
    const answer = await admin.get(`${search}&region=${region}`);
    if (answer.status !== 200) throw new Error(answer.text);
    return String(answer.json<{ results: unknown[] }>().results.length);
  });
}
await measure('reading every grid of the camera instead', async () => {
  const { rows: read } = await sql`
    select started_at, grid from recording_motion where camera_id = ${one} order by started_at`.execute(
    db.read(),
  );
  return String(read.length);
});
const { rows: sizes } = await sql<{ rows: number; bytes: number }>`
  select count(*)::int as rows, pg_total_relation_size('recording_motion')::float8 as bytes
    from recording_motion`.execute(db.read());
console.log(table(['what', 'found', 'ms, median', 'ms, 95th'], rows));
const perDay = (sizes[0]!.bytes / sizes[0]!.rows) * segmentsPerDay;
console.log(
  `${cameraIds.length} cameras, ${days} days of ${segmentsPerDay} segments; ${calls} calls each; where something moves in every second a day of a camera takes ${(perDay / 1e6).toFixed(1)} MB in the index and ${((motion(false).grid.length * 4 * segmentsPerDay) / 3e6).toFixed(1)} MB in its files.`,
);
