import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { copyFileSync, globSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { setTimeout as passed } from 'node:timers/promises';
import { sql } from 'kysely';
import { systemClock as clock } from '#lib/clock.ts';
import { Refusal } from '#lib/refusal.ts';
import { SecretKey } from '#lib/secrets.ts';
import { testDatabase, type TestDatabase } from '#testing/database.ts';
import { emptyDataFolder } from '#testing/installation.ts';
import { changeMasterKey, openRootKey, type KeyFile } from './root-key.ts';

/** Kills of the real command; the long form has more. */
const kills = Number(process.env['NAZAR_TEST_KILLS'] ?? 6);
const admin = join(import.meta.dirname, '../commands/admin.ts');

let database: TestDatabase;
let folder: ReturnType<typeof emptyDataFolder>;
let file: KeyFile;

beforeEach(async () => {
  database = await testDatabase();
  folder = emptyDataFolder();
  file = { db: database.db, clock, path: join(folder.path, 'master.key') };
});
afterEach(async () => {
  await database[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

const nothing = async (): Promise<void> => undefined;
const sealed = (key: SecretKey): Buffer => key.sealText('camera password', 'somewhere');
const opens = (key: SecretKey, text: Buffer): boolean =>
  key.openText(text, 'somewhere') === 'camera password';

test('C-601, C-608 the root key is made once, is not the file, and both are needed', async () => {
  const [first, second] = await Promise.all([openRootKey(file), openRootKey(file)]);
  assert.ok(opens(second, sealed(first)));
  assert.equal(statSync(file.path).mode & 0o777, 0o600);
  assert.throws(() => opens(SecretKey.readFrom(file.path), sealed(first)));
  const { rows } = await sql<{ sealed: Buffer }>`select sealed from root_key`.execute(
    file.db.read(),
  );
  assert.equal(rows.length, 1);
  assert.ok(!rows[0]!.sealed.includes(readFileSync(file.path)));
});

test('a database whose master key is missing or another is refused, and nothing is made', async () => {
  const root = await openRootKey(file);
  const away = `${file.path}.away`;
  renameSync(file.path, away);
  await assert.rejects(openRootKey(file), Refusal);
  assert.deepEqual(globSync(`${file.path}*`), [away]);
  SecretKey.random().writeTo(file.path);
  await assert.rejects(openRootKey(file), /is not the master key of this database/);
  renameSync(away, file.path);
  assert.ok(opens(await openRootKey(file), sealed(root)));
});

test('values sealed before there was a root key open after it', async () => {
  await sql`insert into app_user (id, email, password_hash, first_name, last_name, role, is_staff, is_superuser, is_active, created_at)
    values (gen_random_uuid(), 'a@example.org', '', 'A', 'B', 'user', false, false, true, now())`.execute(
    file.db.write(),
  );
  await assert.rejects(openRootKey(file), /is not there/);
  const master = SecretKey.random();
  master.writeTo(file.path);
  assert.ok(opens(await openRootKey(file), sealed(master)));
});

test('C-605 after a change the old file opens nothing, and what was sealed stays readable', async () => {
  const before = sealed(await openRootKey(file));
  const kept = await changeMasterKey(file, nothing);
  assert.ok(opens(await openRootKey(file), before));
  assert.notDeepEqual(readFileSync(kept), readFileSync(file.path));
  copyFileSync(kept, file.path);
  await assert.rejects(openRootKey(file), Refusal);
});

test('C-605 interrupted before or after the commit, the next start finds the right file', async () => {
  const before = sealed(await openRootKey(file));
  await assert.rejects(changeMasterKey(file, () => Promise.reject(new Error('no record'))));
  assert.ok(opens(await openRootKey(file), before));
  const kept = await changeMasterKey(file, nothing);
  // As a kill leaves it that comes before the file took its place.
  renameSync(file.path, `${file.path}.next-0`);
  copyFileSync(kept, file.path);
  assert.ok(opens(await openRootKey(file), before));
  assert.deepEqual(globSync(`${file.path}.next-*`), []);
});

test('C-605 two changes at once leave one key, which opens everything', async () => {
  const before = sealed(await openRootKey(file));
  await Promise.all([changeMasterKey(file, nothing), changeMasterKey(file, nothing)]);
  assert.ok(opens(await openRootKey(file), before));
  assert.deepEqual(globSync(`${file.path}.next-*`), []);
});

test(`C-605 the command killed ${kills} times at some moment leaves no secret unreadable`, async () => {
  const before = sealed(await openRootKey(file));
  const env = {
    PATH: process.env['PATH'],
    NAZAR_DATA: folder.path,
    DATABASE_URL: database.url,
  };
  let done = 0;
  for (let run = 0; run < kills; run += 1) {
    const ended = Promise.withResolvers<void>();
    const child = execFile(process.execPath, [admin, 'change-key'], { env }, (error) => {
      if (!error) done += 1;
      ended.resolve();
    });
    // From nothing done yet to everything done, whatever the machine is busy with.
    const changed = globSync(`${file.path}.before-*`).length;
    while (child.exitCode === null && globSync(`${file.path}.before-*`).length === changed) {
      await passed(1);
    }
    await passed(run % 6);
    child.kill('SIGKILL');
    await ended.promise;
    assert.ok(opens(await openRootKey(file), before), `run ${run}`);
  }
  assert.ok(done < kills, 'no run was interrupted');
  for (const old of globSync(`${file.path}.before-*`)) rmSync(old);
});
