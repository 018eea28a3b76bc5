import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { zstdDecompressSync } from 'node:zlib';
import { after, before, beforeEach, test } from 'node:test';
import { sql } from 'kysely';
import { startSealer, verifyChain } from '#activity/activity.ts';
import { identityKeyColumn } from '#faces/faces.ts';
import { Refusal } from '#lib/refusal.ts';
import { SecretKey } from '#lib/secrets.ts';
import { testDatabase, type TestDatabase } from '#testing/database.ts';
import { aVisit, aWorld, quietLog, type World } from '#testing/world.ts';
import type { Scope } from '#http/scope.ts';
import { checkBackup, leftOutTables, writeBackup, type Backup } from './backup.ts';
import { restoreBackup } from './restore.ts';

let world: World;
let admin: Scope;
let to: string;
const auditDir = mkdtempSync(join(tmpdir(), 'nazar-backup-audit-'));
const master = SecretKey.random();

before(async () => {
  world = await aWorld();
  admin = await world.actor('admin');
  const camera = await world.camera(admin, {
    url: 'rtsp://192.0.2.1/stream',
    username: 'viewer',
    password: 'canary-of-a-camera',
  });
  const people = await Promise.all([world.person(admin, 'Ada', 1), world.person(admin, 'Alan', 2)]);
  for (const [index, { identityId }] of people.entries()) {
    await world.visits.write(aVisit(camera, world.clock.now() - index * 60_000, { identityId }));
  }
  const { database, clock } = world;
  const sealer = startSealer({ db: database.db, clock, master, folder: auditDir, log: quietLog });
  await sealer[Symbol.asyncDispose]();
});
after(async () => {
  await world[Symbol.asyncDispose]();
  rmSync(auditDir, { recursive: true });
});
beforeEach((context) => {
  to = mkdtempSync(join(tmpdir(), 'nazar-backup-'));
  (context as { after(clean: () => void): void }).after(() => rmSync(to, { recursive: true }));
});

const noReader = (): void => undefined;

/** Each is a second later: the name of a backup is its time. */
function backUp(more: Partial<Parameters<typeof writeBackup>[0]> = {}): Promise<Backup> {
  world.clock.advance(1_000);
  const { database, clock } = world;
  const signal = new AbortController().signal;
  const given = { target: database.target, master, to, version: '0.0.0', auditDir, clock };
  const rest = { identityKeys: identityKeyColumn, erased: new Set<string>(), onTable: noReader };
  return writeBackup({ ...given, ...rest, signal, ...more });
}

async function emptyDatabase(): Promise<TestDatabase> {
  const database = await testDatabase();
  await sql`drop schema public cascade`.execute(database.db.write());
  await sql`create schema public`.execute(database.db.write());
  return database;
}

const restoreInto = (
  { target }: TestDatabase,
  folder: string,
  key = master,
  erased: ReadonlySet<string> = new Set(),
) =>
  restoreBackup({
    target,
    folder,
    master: key,
    identityKeys: identityKeyColumn,
    erased,
    onTable: noReader,
  });

/** Every row of every table, as text. */
async function rowsOf({ db }: TestDatabase): Promise<Record<string, string[]>> {
  const { rows: tables } = await sql<{ name: string }>`
    select relname as name from pg_class where relnamespace = 'public'::regnamespace
       and relkind in ('r', 'p') and not relispartition and relname not like 'kysely%' order by 1`.execute(
    db.read(),
  );
  const all: Record<string, string[]> = {};
  for (const { name } of tables) {
    const { rows } = await sql<{ row: string }>`
      select row::text as row from ${sql.table(name)} as row order by 1`.execute(db.read());
    all[name] = rows.map(({ row }) => row);
  }
  return all;
}

test('R-23 a backup comes back row by row, its chain verified, and partitions with it', async () => {
  const { folder, manifest } = await backUp();
  assert.deepEqual(await checkBackup(folder, master), manifest);
  assert.equal(manifest.tables.find(({ name }) => name === 'person')!.rows, 2);
  await using restored = await emptyDatabase();
  await restoreInto(restored, folder);
  const [before, now] = [await rowsOf(world.database), await rowsOf(restored)];
  for (const [table, rows] of Object.entries(before)) {
    assert.deepEqual(now[table], leftOutTables.has(table) ? [] : rows, table);
  }
  for (const table of ['person', 'camera', 'visit', 'audit_entry', 'identity']) {
    assert.ok(now[table]!.length > 0, table);
  }
  const { fault, entries } = await verifyChain({ db: restored.db, master, folder: auditDir });
  assert.equal(fault, null);
  assert.ok(entries > 0);
  const { rows } = await sql<{ partitions: string[] }>`
    select array_agg(inhrelid::regclass::text order by 1) as partitions from pg_inherits`.execute(
    restored.db.read(),
  );
  assert.ok(rows[0]!.partitions.length > 1);
  // Rules about new rows hold again.
  await assert.rejects(sql`delete from audit_entry`.execute(restored.db.write()));
});

test('R-23 nothing in a backup refers to what it leaves out', async () => {
  const { rows } = await sql<{ child: string; parent: string }>`
    select conrelid::regclass::text as child, confrelid::regclass::text as parent
      from pg_constraint where contype = 'f' and conparentid = 0`.execute(world.database.db.read());
  const torn = rows.filter(
    ({ child, parent }) => leftOutTables.has(parent) && !leftOutTables.has(child),
  );
  assert.ok(rows.some(({ parent }) => parent === 'session'));
  assert.deepEqual(torn, []);
});

test('R-23 a backup is of one moment, whatever is written while it is made', async () => {
  let added = 0;
  const adding: Promise<unknown>[] = [];
  const { folder } = await backUp({
    onTable: () => adding.push(world.person(admin, `Person ${(added += 1)}`, 5 + added)),
  });
  await Promise.all(adding);
  await using restored = await emptyDatabase();
  await restoreInto(restored, folder);
  const { rows } = await sql<{ lonely: number }>`
    select count(*) as lonely from face_embedding left join face_image on face_image.id = image_id
     where face_image.id is null`.execute(restored.db.read());
  assert.equal(rows[0]!.lonely, 0);
  assert.ok(!(await rowsOf(restored))['person']!.some((row) => row.includes('Person 9')));
});

test('C-601 neither the master key nor a password nor a session is in a backup', async () => {
  await sql`
    insert into session (id, user_id, is_browser, is_remembered, ip, user_agent, created_at, expires_at, absolute_expires_at, last_active_at)
    select gen_random_uuid(), id, false, false, '192.0.2.77', 'canary-agent', now(), now(), now(), now()
      from app_user limit 1`.execute(world.database.db.write());
  const { folder } = await backUp();
  const keyFile = join(to, 'key');
  master.writeTo(keyFile);
  const key = readFileSync(keyFile);
  rmSync(keyFile);
  const files = readdirSync(to, { recursive: true, withFileTypes: true }).filter((file) =>
    file.isFile(),
  );
  const plain = files.map(({ parentPath, name }) => {
    const bytes = readFileSync(join(parentPath, name));
    return name.endsWith('.zst') ? zstdDecompressSync(bytes) : bytes;
  });
  const has = (what: string | Buffer): boolean => plain.some((bytes) => bytes.includes(what));
  assert.ok(has('Ada'), 'what is searched is not what was written');
  for (const secret of [key, key.toString('hex'), key.toString('base64')]) assert.ok(!has(secret));
  assert.ok(!has('canary-of-a-camera'));
  assert.ok(!has('canary-agent'));
  assert.deepEqual(
    readdirSync(folder).filter((name) => name.startsWith('session')),
    [],
  );
});

test('C-1005 an erased person cannot be read from any backup of the folder after the next one', async () => {
  const { id, identityId } = await world.person(admin, 'Grace', 4);
  const older = await backUp();
  const keys = (): string => readFileSync(join(to, 'identity-keys'), 'utf8');
  assert.ok(keys().includes(identityId));
  await world.faces.remove(admin, id);
  await backUp();
  assert.ok(!keys().includes(identityId));
  await using restored = await emptyDatabase();
  await restoreInto(restored, older.folder);
  const { rows } = await sql<{ id: string; data_key: Buffer | null }>`
    select id, data_key from identity`.execute(restored.db.read());
  assert.equal(rows.find((row) => row.id === identityId)!.data_key, null);
  assert.ok(rows.some((row) => row.data_key !== null));
});

test('C-1005 a person who was erased after the last backup comes back without their key', async () => {
  const { identityId } = await world.person(admin, 'Edsger', 5);
  const { folder } = await backUp();
  await using restored = await emptyDatabase();
  await restoreInto(restored, folder, master, new Set([identityId]));
  const { rows } = await sql<{ id: string }>`
    select id from identity where data_key is null`.execute(restored.db.read());
  assert.ok(rows.some(({ id }) => id === identityId));
});

test('C-1005 keys of people a set-back database does not know are kept, unless they were erased', async () => {
  const strangers = [
    '0190f7c1-0000-7000-8000-000000000001',
    '0190f7c1-0000-7000-8000-000000000002',
  ];
  writeFileSync(join(to, 'identity-keys'), strangers.map((id) => `${id} c2VhbGVk\n`).join(''));
  await backUp({ erased: new Set([strangers[1]!]) });
  const keys = readFileSync(join(to, 'identity-keys'), 'utf8');
  assert.ok(keys.includes(strangers[0]!));
  assert.ok(!keys.includes(strangers[1]!));
});

test('R-23 a backup that was changed anywhere is refused before anything is written', async () => {
  const { folder } = await backUp();
  await using restored = await emptyDatabase();
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const whole = readFileSync(path);
    const touched = Buffer.from(whole);
    touched[Math.floor(touched.length / 2)]! ^= 1;
    writeFileSync(path, touched);
    await assert.rejects(restoreInto(restored, folder), Refusal, name);
    rmSync(path);
    await assert.rejects(restoreInto(restored, folder), Refusal, name);
    writeFileSync(path, whole);
  }
  const manifest = join(folder, 'manifest.json');
  const text = readFileSync(manifest);
  writeFileSync(manifest, Buffer.alloc(1024 * 1024 + 1, ' '));
  await assert.rejects(restoreInto(restored, folder), /manifest\.json is larger than 1 MB/);
  writeFileSync(manifest, text);
  await assert.rejects(restoreInto(restored, folder, SecretKey.random()), /another master key/);
  await assert.rejects(restoreInto(restored, to), /is not a backup/);
  assert.deepEqual(await rowsOf(restored), {});
  await restoreInto(restored, folder);
  await assert.rejects(restoreInto(restored, folder), /is not empty/);
});

test('R-23 a backup that was stopped leaves nothing, and two at once are refused', async () => {
  const stop = new AbortController();
  await assert.rejects(backUp({ signal: stop.signal, onTable: () => stop.abort() }));
  const backups = (): string[] => readdirSync(to).filter((name) => name.startsWith('nazar-'));
  assert.deepEqual(backups(), []);
  const both = await Promise.allSettled([backUp(), backUp()]);
  assert.equal(both.filter(({ status }) => status === 'fulfilled').length, 1);
  assert.equal(backups().length, 1);
  assert.ok(!readdirSync(to).includes('unfinished'));
});
