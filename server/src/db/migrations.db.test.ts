import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { sql } from 'kysely';
import { Refusal } from '#lib/refusal.ts';
import { testDatabase, type TestDatabase } from '#testing/database.ts';
import { migrate } from './migrations.ts';

let database: TestDatabase;
let folder: string;

before(async () => {
  database = await testDatabase();
});
after(() => database[Symbol.asyncDispose]());
afterEach(() => rmSync(folder, { recursive: true }));
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'nazar-migrations-'));
  await sql`drop schema public cascade`.execute(database.db.write());
  await sql`create schema public`.execute(database.db.write());
});

/** A migration that makes a table, or fails after having made it. */
function write(name: string, table: string, fails = false): void {
  writeFileSync(
    join(folder, `${name}.ts`),
    `export async function up(db) {
       await db.schema.createTable('${table}').addColumn('id', 'uuid').execute();
       ${fails ? "throw new Error('no further');" : ''}
     }`,
  );
}

async function tables(): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = 'public' and tablename not like 'kysely%'
    order by 1`.execute(database.db.read());
  return rows.map(({ name }) => name);
}

test('each migration is applied once, in order', async () => {
  write('0001-first', 'a');
  assert.deepEqual(await migrate(database.target, folder), ['0001-first']);
  write('0002-second', 'b');
  assert.deepEqual(await migrate(database.target, folder), ['0002-second']);
  assert.deepEqual(await migrate(database.target, folder), []);
  assert.deepEqual(await tables(), ['a', 'b']);
});

test('a migration that fails leaves nothing of its run behind', async () => {
  write('0001-first', 'a');
  write('0002-second', 'b', true);
  await assert.rejects(migrate(database.target, folder), /no further/);
  assert.deepEqual(await tables(), []);
});

test('two processes that migrate at once do it once', async () => {
  write('0001-first', 'a');
  const both = await Promise.all([
    migrate(database.target, folder),
    migrate(database.target, folder),
  ]);
  assert.deepEqual(both.flat(), ['0001-first']);
});

test('a database of a newer version is refused and not touched', async () => {
  write('0001-first', 'a');
  write('0002-later', 'b');
  await migrate(database.target, folder);
  rmSync(join(folder, '0002-later.ts'));
  write('0003-other', 'c');
  await assert.rejects(
    migrate(database.target, folder),
    (error: Error) => error instanceof Refusal && error.message.includes('0002-later'),
  );
  assert.deepEqual(await tables(), ['a', 'b']);
});
