import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { sql } from 'kysely';
import { catalogOf } from '#testing/catalog.ts';
import { testDatabase, type TestDatabase } from '#testing/database.ts';
import { migrate, migrationNames } from './migrations.ts';

let database: TestDatabase;

beforeEach(async () => {
  database = await testDatabase();
  await empty();
});
afterEach(() => database[Symbol.asyncDispose]());

async function empty(): Promise<void> {
  await sql`drop schema public cascade`.execute(database.db.write());
  await sql`create schema public`.execute(database.db.write());
}

/** Names without ids and times, which differ each time. */
async function rows(): Promise<unknown> {
  const db = database.db.read();
  const { rows: policies } = await sql`select * from account_policy`.execute(db);
  const { rows: categories } =
    await sql`select name, color from face_category order by name`.execute(db);
  const { rows: checks } = await sql`select * from audit_check`.execute(db);
  return { policies, categories, checks };
}

test('schema.sql and all migrations lead to the same database', async () => {
  const names = migrationNames();
  assert.deepEqual(await migrate(database.target), names);
  const byFile = { catalog: await catalogOf(database.target), rows: await rows() };
  await empty();
  await migrate(database.target, undefined, names[0]);
  assert.deepEqual(await migrate(database.target), names.slice(1));
  const byMigrations = { catalog: await catalogOf(database.target), rows: await rows() };
  for (const what of Object.keys(byMigrations.catalog)) {
    const [made, grown] = [byFile.catalog[what] ?? [], byMigrations.catalog[what] ?? []];
    assert.deepEqual(
      {
        onlyInSchemaFile: made.filter((line) => !grown.includes(line)),
        onlyByMigrations: grown.filter((line) => !made.includes(line)),
      },
      { onlyInSchemaFile: [], onlyByMigrations: [] },
      what,
    );
    assert.equal(made.length, grown.length, what);
  }
  assert.deepEqual(byFile.rows, byMigrations.rows);
});
