import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { uuidv7 } from '#lib/ids.ts';
import { testDatabase } from '#testing/database.ts';
import { migrate, migrationsFolder } from './migrations.ts';

const user = uuidv7(1);
const entries = [
  { source: 'client', action: 'client.view', object_type: 'camera', object_id: 'a', details: '{}' },
  { source: 'client', action: 'client.test', details: '{"content_type":"face"}' },
  { source: 'client', action: 'client.login', details: '{}', is_mock: true },
  { source: 'client', action: 'client.view', object_type: 'face', object_id: 'b', details: '{}' },
  {
    source: 'request',
    action: 'camera.replaced',
    object_type: 'camera',
    object_id: 'c',
    details: '{"fields":["name"]}',
  },
  { source: 'system', action: 'activity.pruned', details: '{"entries":12}' },
].map((entry, i) => {
  const id = uuidv7(1_000 + i);
  return { id, ip: `192.0.2.${i}`, object_type: null, object_id: null, is_mock: false, ...entry };
});

test('LOG-003 notes and details of before the update are filtered by what their entries have', async () => {
  await using database = await testDatabase();
  const db = database.db.write();
  await sql`drop schema public cascade`.execute(db);
  await sql`create schema public`.execute(db);
  await migrate(database.target, migrationsFolder, '0090-visits-of-identities');
  for (const { id, ip, source, action, object_type, object_id, details, is_mock } of entries) {
    await sql`
      insert into audit_entry (id, recorded_at, source, is_mock, user_id, ip, user_agent, action, object_type, object_id, details)
      values (${id}, now(), ${source}, ${is_mock}, ${user}, ${ip}, '', ${action}, ${object_type}, ${object_id},
              ${details}::json)`.execute(db);
  }
  await sql`
    insert into activity_note (entry_id, user_id, client_id, salt, text, words)
      select id, user_id, ip, sha256(''), '{}', 'note ' || ip from audit_entry where source = 'client'`.execute(
    db,
  );
  await sql`
    update activity_note set text = null, salt = null, words = null where entry_id = ${entries[3]!.id}`.execute(
    db,
  );
  await sql`
    insert into activity_detail (entry_id, user_id, words, tokens)
      select id, user_id, activity_words(details), activity_tokens(details)
        from audit_entry where source <> 'client'`.execute(db);
  await migrate(database.target, migrationsFolder, '0091-filtered-notes');
  const notes = await sql`
    select words, client_id, ip, action, content_type, object_id, is_mock from activity_note order by entry_id`.execute(
    db,
  );
  assert.deepEqual(notes.rows, [
    noteOf(0, { action: 'client.view', content_type: 'camera', object_id: 'a' }),
    noteOf(1, { action: 'client.test', content_type: 'face' }),
    noteOf(2, { action: 'client.login', content_type: 'system', is_mock: true }),
    // Forgotten: what it was about is, too.
    noteOf(3, { action: 'client.view', content_type: 'face', words: null }),
  ]);
  const details = await sql`
    select words, tokens, ip, action, content_type, object_id from activity_detail order by entry_id`.execute(
    db,
  );
  assert.deepEqual(details.rows, [
    {
      words: '',
      tokens: ['name'],
      ip: '192.0.2.4',
      action: 'camera.replaced',
      content_type: 'camera',
      object_id: 'c',
    },
    {
      words: '12',
      tokens: ['=12', 'entries'],
      ip: '192.0.2.5',
      action: 'activity.pruned',
      content_type: 'system',
      object_id: null,
    },
  ]);
  const { rows } = await sql<{ name: string }>`
    select indexname as name from pg_indexes
     where tablename in ('activity_note', 'activity_detail') order by name`.execute(db);
  assert.deepEqual(
    rows.map(({ name }) => name),
    [
      'activity_detail_pkey',
      'activity_detail_tokens',
      'activity_detail_words',
      'activity_note_pkey',
      'activity_note_user_id_client_id_key',
      'activity_note_words',
    ],
  );
});

const noteOf = (i: number, rest: object) => ({
  words: `note 192.0.2.${i}`,
  client_id: `192.0.2.${i}`,
  ip: `192.0.2.${i}`,
  object_id: null,
  is_mock: false,
  ...rest,
});
