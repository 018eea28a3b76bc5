/**
 * How long a backup and its restore take, beside reading the same rows and throwing them away: the difference
 * is compressing, hashing, writing and reading again. `--megabytes N` of sealed pictures, 200 when left out.
 */
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { sql } from 'kysely';
import { Snapshot } from '../server/src/db/dump.ts';
import { identityKeyColumn } from '../server/src/faces/faces.ts';
import { systemClock as clock } from '../server/src/lib/clock.ts';
import { SecretKey } from '../server/src/lib/secrets.ts';
import { writeBackup } from '../server/src/system/backup.ts';
import { restoreBackup } from '../server/src/system/restore.ts';
import { testDatabase, type TestDatabase } from '../server/src/testing/database.ts';
import { aWorld } from '../server/src/testing/world.ts';
import { table } from './table.ts';

const { values } = parseArgs({
  args: process.argv.slice(3),
  options: { megabytes: { type: 'string', default: '200' } },
});
const megabytes = Number(values.megabytes);
const photoBytes = 100_000;

const folder = mkdtempSync(join(tmpdir(), 'nazar-bench-backup-'));
const rows: string[][] = [];

async function measure<T>(what: string, work: () => Promise<T>): Promise<T> {
  const startedAtMs = performance.now();
  const cpu = process.cpuUsage();
  const result = await work();
  const { user, system } = process.cpuUsage(cpu);
  const seconds = (performance.now() - startedAtMs) / 1000;
  const cpuSeconds = (user + system) / 1_000_000;
  rows.push([what, seconds.toFixed(1), cpuSeconds.toFixed(1), (megabytes / seconds).toFixed(0)]);
  return result;
}

/** Pictures are sealed, so random bytes compress just as badly. */
async function fill({ db }: TestDatabase): Promise<void> {
  for (let written = 0; written < megabytes * 1_000_000; written += photoBytes) {
    await sql`
      insert into face_image (id, person_id, identity_id, photo, thumbnail, fault, created_at)
      select gen_random_uuid(), person.id, identity.id, ${randomBytes(photoBytes)}, ''::bytea, null, now()
        from person join identity on identity.person_id = person.id limit 1`.execute(db.write());
  }
}

async function readAll({ target }: TestDatabase): Promise<void> {
  await using snapshot = await Snapshot.open(target);
  for (const each of await snapshot.tables()) {
    await pipeline(
      snapshot.copy(each, []),
      new Writable({ write: (_chunk, _encoding, done) => done() }),
    );
  }
}

try {
  await using world = await aWorld();
  await world.person(await world.actor('admin'), 'Ada', 1);
  await fill(world.database);
  const master = SecretKey.random();
  mkdirSync(join(folder, 'audit'));
  await measure('reading the rows (baseline)', () => readAll(world.database));
  const backup = await measure('backup', () =>
    writeBackup({
      target: world.database.target,
      master,
      to: folder,
      version: '0.0.0',
      auditDir: join(folder, 'audit'),
      identityKeys: identityKeyColumn,
      erased: new Set(),
      clock,
      onTable: () => undefined,
      signal: new AbortController().signal,
    }),
  );
  await using empty = await testDatabase();
  await sql`drop schema public cascade`.execute(empty.db.write());
  await sql`create schema public`.execute(empty.db.write());
  await measure('restore', () =>
    restoreBackup({
      target: empty.target,
      folder: backup.folder,
      master,
      identityKeys: identityKeyColumn,
      erased: new Set(),
      onTable: () => undefined,
    }),
  );
  const bytes = readdirSync(backup.folder)
    .map((name) => statSync(join(backup.folder, name)).size)
    .reduce((sum, size) => sum + size, 0);
  console.log(table(['what', 'seconds', 'processor seconds (this process)', 'MB/s'], rows));
  console.log(`${megabytes} MB of pictures became ${(bytes / 1_000_000).toFixed(0)} MB.`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
