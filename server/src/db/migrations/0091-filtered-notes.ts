import { sql, type Kysely, type RawBuilder } from 'kysely';

/**
 * Owner: activity. Notes and details also hold what the log is filtered and sorted by, so that a search reads no entry
 * for it: of 50,000 notes with the words each was looked up in the log. Entries never change, and neither does this.
 * Both are written anew in the order of their entries, and indexed after: 300,000 at 2,000,000 entries take 48 s
 * on two cores at a load of 20.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await keepEntries(db, 'activity_note', sql`case when text is not null then entry.object_id end`);
  // What it is about goes with the words.
  await sql`alter table activity_note add check (text is not null or object_id is null)`.execute(
    db,
  );
  await keepEntries(db, 'activity_detail', sql`entry.object_id`);
  // The log without what is joined to it: of "activity_log" the database reads each entry, even for an id that is in
  // the index, because a join that falls away leaves its column behind.
  await sql`
    create view activity_entry as
      select id, recorded_at, is_mock, user_id, ip, action,
             coalesce(object_type, details->>'content_type', 'system') as content_type, object_id, details
        from audit_entry
       where not exists (select from activity_tombstone where entry_id = audit_entry.id)`.execute(
    db,
  );
}

async function keepEntries(
  db: Kysely<unknown>,
  table: string,
  objectId: RawBuilder<unknown>,
): Promise<void> {
  const written = sql.table(table);
  const indexes = await dropIndexes(db, table);
  await sql`create temporary table kept_before on commit drop as select * from ${written}`.execute(
    db,
  );
  await sql`truncate ${written}`.execute(db);
  await sql`
    alter table ${written}
      add column ip           text not null,
      add column action       text not null,
      -- As the log shows it: of an entry about nothing in particular "system".
      add column content_type text not null,
      add column object_id    text,
      add column is_mock      boolean not null`.execute(db);
  await sql`
    insert into ${written}
      select kept_before.*, entry.ip, entry.action,
             coalesce(entry.object_type, entry.details->>'content_type', 'system'), ${objectId}, entry.is_mock
        from kept_before join audit_entry entry on entry.id = entry_id
       order by entry_id`.execute(db);
  await sql`drop table kept_before`.execute(db);
  for (const definition of indexes) await sql.raw(definition).execute(db);
  await sql`analyze ${written}`.execute(db);
}

/** All but those of its keys. Answers how to make them again. */
async function dropIndexes(db: Kysely<unknown>, table: string): Promise<string[]> {
  const { rows } = await sql<{ name: string; definition: string }>`
    select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition
      from pg_index where indrelid = ${table}::regclass and not indisunique`.execute(db);
  for (const { name } of rows) await sql`drop index ${sql.table(name)}`.execute(db);
  return rows.map(({ definition }) => definition);
}
