import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { uuidv7 } from '#lib/ids.ts';
import { testDatabase, type TestDatabase } from '#testing/database.ts';
import { migrate, migrationsFolder } from './migrations.ts';

let database: TestDatabase;
before(async () => {
  database = await testDatabase();
});
after(() => database[Symbol.asyncDispose]());

const nfd = (text: string): string => text.normalize('NFD');

test('names of before are composed, and two that become the same stay two', async () => {
  const db = database.db.write();
  await sql`drop schema public cascade`.execute(db);
  await sql`create schema public`.execute(db);
  await migrate(database.target, migrationsFolder, '0074-camera-alignments');
  const categories = ['Müşteri', nfd('müşteri'), nfd('Çalışan'), 'Staff'];
  for (const [i, name] of categories.entries()) {
    await sql`insert into face_category (id, name, color, created_at)
      values (${uuidv7(i + 1)}, ${name}, '#2563eb', now())`.execute(db);
  }
  for (const [first, last] of [
    [nfd('Gülnar'), nfd('Şükürova')],
    ['Gülnar', 'Şükürova'],
  ]) {
    await sql`insert into person (id, first_name, last_name, category_id, created_at, updated_at)
      select ${uuidv7(9)}, ${first}, ${last}, id, now(), now() from face_category
      where name = 'Staff'`.execute(db);
  }
  assert.deepEqual(await migrate(database.target, migrationsFolder, '0075-composed-names'), [
    '0075-composed-names',
  ]);
  const kept = await sql<{ name: string }>`
    select name from face_category order by created_at, id`.execute(db);
  const found = kept.rows.map(({ name }) => name);
  for (const name of ['Müşteri', 'müşteri (2)', 'Çalışan', 'Staff'])
    assert.ok(found.includes(name), name);
  assert.ok(found.every((name) => name === name.normalize('NFC')));
  const people = await sql<{ name: string }>`
    select first_name || ' ' || last_name as name from person`.execute(db);
  assert.deepEqual(people.rows, [{ name: 'Gülnar Şükürova' }, { name: 'Gülnar Şükürova' }]);
});
