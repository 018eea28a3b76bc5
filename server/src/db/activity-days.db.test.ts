import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { uuidv7 } from '#lib/ids.ts';
import { testDatabase } from '#testing/database.ts';
import { migrate, migrationsFolder } from './migrations.ts';

const user = uuidv7(1);
const ids = [2, 3, 4, 5, 6].map(uuidv7);

test('APL-029 entries of before the update are counted by day, with those that were taken out apart', async () => {
  await using database = await testDatabase();
  const db = database.db.write();
  await sql`drop schema public cascade`.execute(db);
  await sql`create schema public`.execute(db);
  await migrate(database.target, migrationsFolder, '0093-narrow-quarters');
  const entries = [
    // Another day in most time zones but UTC.
    { at: '2026-03-01T00:00:00Z', by: user, details: '{}' },
    { at: '2026-03-01T23:59:59.999Z', by: user, details: '{}' },
    { at: '2026-03-02T00:00:00Z', by: null, details: '{"content_type":"face"}' },
    { at: '2026-03-02T00:00:00Z', by: null, details: '{"content_type":"face"}' },
    { at: '2026-03-03T00:00:00Z', by: user, details: '{}' },
  ];
  for (const [number, { at, by, details }] of entries.entries()) {
    await sql`
      insert into audit_entry (id, recorded_at, source, is_mock, user_id, ip, user_agent, action, details)
      values (${ids[number]}, ${at}, 'request', false, ${by}, '', '', 'account.login', ${details}::json)`.execute(
      db,
    );
  }
  // The last one waits for the sealer, and so does the third, which was taken out.
  for (const [place, number] of [0, 1, 3].entries()) {
    await sql`
      update audit_entry set sequence = ${place + 1}, mac = sha256('') where id = ${ids[number]}`.execute(
      db,
    );
  }
  for (const number of [1, 2]) {
    await sql`
      insert into activity_tombstone (entry_id, deleted_at, deleted_by) values (${ids[number]}, now(), ${user})`.execute(
      db,
    );
  }
  await migrate(database.target, migrationsFolder, '0094-activity-days');
  const { rows } = await sql`
    select day::text, user_id, action, content_type, is_mock, entries, buried from activity_day order by day`.execute(
    db,
  );
  const login = { action: 'account.login', is_mock: false };
  assert.deepEqual(rows, [
    { ...login, day: '2026-03-01', user_id: user, content_type: 'system', entries: 2, buried: 1 },
    { ...login, day: '2026-03-02', user_id: null, content_type: 'face', entries: 1, buried: 1 },
  ]);
});
