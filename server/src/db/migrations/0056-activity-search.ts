import { sql, type Kysely } from 'kysely';

/**
 * Owner: activity. The log is found by words and filtered by what it shows without reading all of it: of 2 million
 * entries a search read each one for 10 s and more, and a filter counted them all.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table activity_note
      -- What a person reads of the text: its values, without the names of its fields and the marks of JSON, in
      -- small letters. Goes with the text.
      add column words text check (length(words) <= 12000),
      add check (text is not null or words is null)`.execute(db);
  await sql`alter table activity_note alter column words set statistics 0`.execute(db);
  await fillWords(db);
  await indexWords(db);
  for (const column of ['action', 'ip', 'object_id']) {
    await sql`
      create index ${sql.ref(`audit_entry_of_${column}`)}
        on audit_entry (${sql.ref(column)}, recorded_at desc, id desc)`.execute(db);
  }
  await sql`
    create index audit_entry_of_content_type on audit_entry (
      (coalesce(object_type, details->>'content_type', 'system')), recorded_at desc, id desc)`.execute(
    db,
  );
  await makeViews(db);
}

const notesAtOnce = 1_000;

/** The database itself cannot read JSON in which somebody wrote the character 0. */
async function fillWords(db: Kysely<unknown>): Promise<void> {
  for (let after = '00000000-0000-0000-0000-000000000000'; ;) {
    const { rows } = await sql<{ entry_id: string; text: string }>`
      select entry_id, text from activity_note
       where entry_id > ${after}::uuid and text is not null order by entry_id limit ${notesAtOnce}`.execute(
      db,
    );
    const last = rows.at(-1);
    if (!last) return;
    const words = rows.map(({ text }) => valuesOf(JSON.parse(text)).join('\n').slice(0, 12_000));
    await sql`
      update activity_note set words = translate(lower(read.words collate "pg_c_utf8"), 'ı', 'i')
        from unnest(${rows.map(({ entry_id }) => entry_id)}::uuid[],
                    ${words.map((text) => text.replaceAll('\0', '').toWellFormed())}::text[]) as read (id, words)
       where entry_id = read.id`.execute(db);
    after = last.entry_id;
  }
}

function valuesOf(value: unknown): string[] {
  if (value === null || value === undefined) return [];
  if (typeof value === 'object') return Object.values(value).flatMap(valuesOf);
  return [typeof value === 'string' ? value : JSON.stringify(value)];
}

/** PostgreSQL's own module for parts of words is missing on a few servers: there a search reads all notes. */
async function indexWords(db: Kysely<unknown>): Promise<void> {
  await sql`
    do $$
    begin
      if exists (select from pg_available_extensions where name = 'pg_trgm') then
        create extension if not exists pg_trgm;
        create index activity_note_words on activity_note using gin (words gin_trgm_ops);
      end if;
    exception when insufficient_privilege then
      raise notice 'pg_trgm may not be created: the activity log is searched without an index';
    end $$`.execute(db);
}

async function makeViews(db: Kysely<unknown>): Promise<void> {
  // Whom an entry can be of, for searching by name. The record itself holds no name.
  await sql`
    create view activity_user as
      select id, email, trim(first_name || ' ' || last_name) as name from app_user`.execute(db);
  await sql`drop view activity_log`.execute(db);
  await sql`
    create view activity_log as
      select entry.id, entry.recorded_at, entry.source, entry.is_mock, entry.user_id,
             coalesce(activity_user.email, '') as user_email,
             coalesce(activity_user.name, '') as user_name,
             entry.ip, entry.user_agent, entry.action,
             -- LOG-006: an entry about nothing in particular is about the system.
             coalesce(entry.object_type, entry.details->>'content_type', 'system') as content_type,
             entry.object_id, entry.details, note.text as note,
             -- Its place in the chain; null until it is sealed, a second later.
             entry.sequence
        from audit_entry entry
        left join activity_user on activity_user.id = entry.user_id
        left join activity_note note on note.entry_id = entry.id
       where not exists (select from activity_tombstone where entry_id = entry.id)`.execute(db);
}
