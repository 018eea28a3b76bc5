/**
 * archives in any state, on a real database and real files, before and after retention, with the server dying
 * at any step in between. `NAZAR_TEST_WORLDS` says how many (60), `NAZAR_TEST_SEED` repeats a run.
 */
import assert from 'node:assert/strict';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { sql } from 'kysely';
import type { Database } from '#db/database.ts';
import { uuidv7 } from '#lib/ids.ts';
import { Chance } from '#testing/chance.ts';
import {
  archiveWorld,
  cameraCount,
  leftOf,
  mayGo,
  rootCount,
  type ArchiveWorld,
  type WorldSegment,
} from '#testing/recorded-worlds.ts';
import { aWorld, quietLog } from '#testing/world.ts';
import { IndexStore } from '../index/index-store.ts';
import { RemovalStore } from './removal-store.ts';
import { Retention } from './retention.ts';
import { localFolder, markFileOf, markRoot, Roots, type RootRow, type Space } from '../roots.ts';

const worlds = Number(process.env['NAZAR_TEST_WORLDS'] ?? 60);
const seed = Number(process.env['NAZAR_TEST_SEED'] ?? Date.now() % 2 ** 31);
const never = new AbortController().signal;

class Crash extends Error {}

interface Archive {
  readonly db: Database;
  readonly cameras: readonly string[];
  readonly roots: readonly RootRow[];
  readonly nowMs: number;
}

const at = (ms: number): string => new Date(ms).toISOString();

/** The database's microseconds are more precise than a date's milliseconds. */
const exactly = (ms: number): string =>
  at(Math.floor(ms)).replace(
    'Z',
    `${Math.round((ms % 1) * 1_000)
      .toString()
      .padStart(3, '0')}Z`,
  );

/** Builds the rows and files of that world, after removing those of the one before. */
async function build({ db, cameras, roots }: Archive, world: ArchiveWorld): Promise<void> {
  for (const root of roots) {
    for (const name of readdirSync(root.path)) {
      if (!name.endsWith('.json')) rmSync(join(root.path, name), { recursive: true });
    }
  }
  await sql
    .raw(
      `
    delete from recording_segment; delete from recording; delete from recording_garbage; delete from recording_hold;
    delete from recording_settings; delete from recording_hour`,
    )
    .execute(db.write());
  const recordings = cameras.map(() => uuidv7(Date.now()));
  const known = world.segments.map((segment) => ({
    ...segment,
    camera: cameras[segment.camera],
    recording: recordings[segment.camera],
    root: roots[segment.root]!.id,
    startedAt: exactly(segment.startedAtMs),
    endedAt: segment.endedAtMs === null ? null : at(segment.endedAtMs),
  }));
  await sql`
    insert into recording (id, camera_id, type, started_at)
    select unnest(${recordings}::uuid[]), unnest(${[...cameras]}::uuid[]), 'continuous', '2020-01-01'`.execute(
    db.write(),
  );
  await sql`
    insert into recording_segment
      (id, camera_id, recording_id, root_id, path, started_at, ended_at, bytes, head_bytes, pictures,
       key_offsets, key_times, sha256, codec, mime, width, height, stream_id)
    select id, camera, recording, root, path, "startedAt", "endedAt",
           case when done then 1 end, case when done then 1 end, case when done then 1 end,
           case when done then '{0}'::int[] end, case when done then '{0}'::int[] end,
           case when done then sha256('x') end, 'h264', 'video/mp4', 320, 184, camera
      from (select *, "endedAt" is not null as done
              from jsonb_to_recordset(${JSON.stringify(known)}::jsonb) as given
                   (id uuid, camera uuid, recording uuid, root uuid, path text,
                    "startedAt" timestamptz, "endedAt" timestamptz)) given`.execute(db.write());
  await buildRest({ db, cameras, roots }, world);
  symlinkSync(join(roots[0]!.path, '..', '..', 'outside'), join(roots[0]!.path, 'way-out'));
  const files = [...world.segments, ...world.garbage].filter(({ hasFile }) => hasFile);
  for (const { root, path } of [...files, ...world.strays]) {
    const file = join(roots[root]!.path, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, 'x');
  }
}

async function buildRest(
  { db, cameras, roots }: Omit<Archive, 'nowMs'>,
  world: ArchiveWorld,
): Promise<void> {
  const chosen = world.days.flatMap((days, camera) =>
    days === null ? [] : [{ days, camera: cameras[camera] }],
  );
  const holds = world.holds.map((hold) => ({
    ...hold,
    camera: cameras[hold.camera],
    from: at(hold.startedAtMs),
    until: at(hold.endedAtMs),
  }));
  await sql`
    insert into recording_settings (camera_id, retention_days, updated_at)
    select camera, days, now() from jsonb_to_recordset(${JSON.stringify(chosen)}::jsonb) as given (camera uuid, days int)`.execute(
    db.write(),
  );
  await sql`
    insert into recording_hold (id, camera_id, started_at, ended_at, reason, created_at)
    select uuidv7(), camera, "from", "until", 'x', now()
      from jsonb_to_recordset(${JSON.stringify(holds)}::jsonb) as given (camera uuid, "from" timestamptz, "until" timestamptz)`.execute(
    db.write(),
  );
  // Rows that an attacker with access to the database could write: names of files that are no recordings.
  const evil = ['../outside.mp4', '../../outside/victim.mp4', 'way-out/victim.mp4'].map((path) => ({
    root: 0,
    path,
  }));
  const garbage = [...world.garbage, ...evil].map(({ root, path }) => ({
    root: roots[root]!.id,
    path,
  }));
  await sql`
    insert into recording_garbage (root_id, path)
    select root, path from jsonb_to_recordset(${JSON.stringify(garbage)}::jsonb) as given (root uuid, path text)`.execute(
    db.write(),
  );
}

const filesIn = ({ path }: RootRow): string[] =>
  readdirSync(path, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.mp4') && !name.startsWith('way-out'))
    .toSorted();

/** Dies before or after the step of that number; null: never. */
function dying(store: RemovalStore, crashAt: number | null): RemovalStore {
  let step = 0;
  return new Proxy(store, {
    get: (target, name) => {
      const method: unknown = Reflect.get(target, name);
      if (typeof method !== 'function') return method;
      return async (...words: unknown[]) => {
        if (crashAt !== null && step++ === crashAt) throw new Crash();
        const result: unknown = await Reflect.apply(method, target, words);
        if (crashAt !== null && step++ === crashAt) throw new Crash();
        return result;
      };
    },
  });
}

async function retain({ db, roots, nowMs }: Archive, world: ArchiveWorld, crashAt: number | null) {
  const index = new IndexStore(db);
  const sizeOf = (_: Space, root: RootRow): Space => {
    const totalBytes = world.totals[roots.findIndex(({ id }) => id === root.id)]!;
    return { totalBytes, freeBytes: totalBytes - filesIn(root).length };
  };
  const retention = new Retention({
    store: dying(new RemovalStore(db), crashAt),
    index,
    roots: await Roots.known(index, { open: localFolder, sized: sizeOf }),
    clock: { now: () => nowMs, monotonicMs: () => 0, wait: () => Promise.resolve() },
    log: quietLog,
  });
  await retention.run(never);
}

async function namesOf(db: Database, table: 'recording_segment' | 'recording_garbage') {
  const { rows } = await sql<{ root_id: string; path: string }>`
    select root_id, path from ${sql.table(table)}`.execute(db.read());
  return new Set(rows.map(({ root_id, path }) => `${root_id}/${path}`));
}

/** The invariant of every moment: a row has its file, and every file is known. */
async function agree({ db, roots }: Archive, world: ArchiveWorld): Promise<void> {
  const [rows, garbage] = [
    await namesOf(db, 'recording_segment'),
    await namesOf(db, 'recording_garbage'),
  ];
  const files = new Set(roots.flatMap((root) => filesIn(root).map((path) => `${root.id}/${path}`)));
  const gone = new Set(
    world.segments
      .filter(({ hasFile }) => !hasFile)
      .map(({ root, path }) => `${roots[root]!.id}/${path}`),
  );
  for (const row of rows) assert.ok(files.has(row) || gone.has(row), `${row} has no file`);
  for (const file of files) {
    assert.ok(
      rows.has(file) || garbage.has(file) || file.includes('/stray/'),
      `${file} is nobody's`,
    );
  }
}

/** The oldest of each camera and disk went first, and nothing went that may not. */
function areOldest(
  world: ArchiveWorld,
  removed: readonly WorldSegment[],
  left: readonly WorldSegment[],
): void {
  for (const one of removed) {
    assert.ok(mayGo(world, one), `${one.path} was held, or still written`);
    const older = left.filter(
      (other) => other.camera === one.camera && other.root === one.root && mayGo(world, other),
    );
    for (const other of older) assert.ok(other.startedAtMs > one.startedAtMs, 'the oldest first');
  }
}

async function check(
  archive: Archive,
  world: ArchiveWorld,
): Promise<{ removed: number; crashed: boolean }> {
  const { db, roots, nowMs } = archive;
  await build(archive, world);
  let crashed = false;
  if (world.crashAt !== null) {
    await retain(archive, world, world.crashAt).catch((error: unknown) => {
      if (!(error instanceof Crash)) throw error;
      crashed = true;
    });
    await agree(archive, world);
  }
  await retain(archive, world, null);
  await agree(archive, world);
  const rows = await namesOf(db, 'recording_segment');
  const nameOf = ({ root, path }: WorldSegment): string => `${roots[root]!.id}/${path}`;
  const [left, removed] = [true, false].map((is) =>
    world.segments.filter((one) => rows.has(nameOf(one)) === is),
  );
  areOldest(world, removed!, left!);
  const expected = leftOf(world, nowMs);
  assert.deepEqual(left!.map(nameOf), expected.map(nameOf));
  for (const [index, root] of roots.entries()) {
    const known = [...expected.filter(({ hasFile }) => hasFile), ...world.strays];
    const paths = known.filter((one) => one.root === index).map(({ path }) => path);
    assert.deepEqual(filesIn(root), paths.toSorted());
  }
  assert.equal((await namesOf(db, 'recording_garbage')).size, 0);
  return { removed: removed!.length, crashed };
}

test(
  `R-26 C-508 H-10 ${worlds} archives: the oldest goes first, to the millisecond, nothing that is held, nothing outside, whenever the server dies`,
  { timeout: 60_000 + worlds * 400 },
  async (t) => {
    await using world = await aWorld();
    const admin = await world.actor('admin');
    const folder = mkdtempSync(join(tmpdir(), 'nazar-worlds-'));
    try {
      const cameras: string[] = [];
      for (let index = 0; index < cameraCount; index++) cameras.push(await world.camera(admin));
      const roots: RootRow[] = [];
      const index = new IndexStore(world.database.db);
      for (let number = 0; number < rootCount; number++) {
        const root = { id: uuidv7(Date.now()), path: join(folder, 'disks', `root-${number}`) };
        const files = localFolder(root.path, markFileOf(root.path));
        assert.ok(await markRoot(files, root.path, root.id));
        await index.addRoot({ ...root, created_at: new Date() });
        roots.push(root);
      }
      const victims = [join(folder, 'disks', 'outside.mp4'), join(folder, 'outside', 'victim.mp4')];
      mkdirSync(join(folder, 'outside'));
      const archive = { db: world.database.db, cameras, roots, nowMs: world.clock.now() };
      const sums = { removed: 0, crashes: 0 };
      for (let number = 0; number < worlds; number++) {
        for (const victim of victims) writeFileSync(victim, 'x');
        const one = archiveWorld(new Chance(seed + number), archive.nowMs);
        try {
          const { removed, crashed } = await check(archive, one);
          sums.removed += removed;
          sums.crashes += crashed ? 1 : 0;
          for (const victim of victims) assert.ok(existsSync(victim), 'outside the root');
        } catch (error) {
          throw new Error(`NAZAR_TEST_SEED=${seed + number} NAZAR_TEST_WORLDS=1`, { cause: error });
        }
      }
      t.diagnostic(
        `seed ${seed}: ${worlds} worlds, ${sums.removed} segments removed, ${sums.crashes} crashes`,
      );
      assert.ok(sums.removed > 0);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
);
