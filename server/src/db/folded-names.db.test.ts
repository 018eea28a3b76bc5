import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { uuidv7 } from '#lib/ids.ts';
import { testDatabase } from '#testing/database.ts';
import { migrate, migrationsFolder } from './migrations.ts';

test('the oldest of categories whose names differ in capitals only keeps its name after the update', async () => {
  await using database = await testDatabase();
  const db = database.db.write();
  await sql`drop schema public cascade`.execute(db);
  await sql`create schema public`.execute(db);
  await migrate(database.target, migrationsFolder, '0085-storage-short');
  const long = 'Ğ'.repeat(60);
  const before = ['Işçi', 'İŞÇİ', 'işçi (2)', 'ışçı', 'Гости', 'ГОСТИ', 'Kənar', long];
  for (const [i, name] of [...before, long.toLowerCase()].entries()) {
    await sql`insert into face_category (id, name, color, created_at)
      values (${uuidv7(i + 1)}, ${name}, '#2563eb', ${new Date(i)})`.execute(db);
  }
  await migrate(database.target, migrationsFolder, '0086-folded-names');
  const { rows } = await sql<{ name: string }>`
    select name from face_category where created_at < '1971-01-01' order by created_at`.execute(db);
  assert.deepEqual(
    rows.map(({ name }) => name),
    ['Işçi', 'İŞÇİ (3)', 'işçi (2)', 'ışçı (4)', 'Гости', 'ГОСТИ (2)', 'Kənar', long].concat(
      `${'ğ'.repeat(56)} (2)`,
    ),
  );
});
