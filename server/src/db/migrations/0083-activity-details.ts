import { sql, type Kysely } from 'kysely';

/**
 * Owner: activity. The log is found by what its entries say beside their sentence: by values and fields of their
 * details, and by the names of what they are about, which the record itself does not hold.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await readDetails(db);
  await keepDetails(db);
  // The entries of one object are found without reading them, also those of some deeds or of one user.
  await sql`drop index audit_entry_of_object_id`.execute(db);
  await sql`
    create index audit_entry_of_object_id on audit_entry (object_id, recorded_at desc, id desc)
      include (action, user_id)`.execute(db);
  await nameObjects(db);
}

/** Apart from the entries, because a search reads many of these and few of those. */
async function keepDetails(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table activity_detail (
      -- Goes with its entry, once that is too old.
      entry_id uuid primary key references audit_entry (id) on delete cascade,
      user_id  uuid,
      -- Values that are read as they stand, in small letters.
      words    text not null,
      -- Fields (status), and values that readers read in their language (status=inactive) or that are short (=12).
      tokens   text[] not null
    )`.execute(db);
  await sql`alter table activity_detail alter column words set statistics 0`.execute(db);
  await sql`
    insert into activity_detail (entry_id, user_id, words, tokens)
      select id, user_id, activity_words(details), activity_tokens(details)
        from audit_entry where source <> 'client' and details::text <> '{}'`.execute(db);
  await sql`create index activity_detail_tokens on activity_detail using gin (tokens)`.execute(db);
  await sql`
    do $$
    begin
      if exists (select from pg_extension where extname = 'pg_trgm') then
        create index activity_detail_words on activity_detail using gin (words gin_trgm_ops);
      end if;
    end $$`.execute(db);
}

/** One place decides what is read of details: for entries of before as for those to come. */
async function readDetails(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function activity_leaves(details json)
      returns table (field text, value text, kind text) language sql immutable parallel safe as $$
        with recursive node (field, value, kind) as (
          select '', details, json_typeof(details)
          union all
          -- What a change was from and to belongs to the field that changed.
          select case when child.name in ('changes', 'from', 'to') then node.field else coalesce(child.name, node.field) end,
                 child.value, json_typeof(child.value)
            from node cross join lateral (
              select key as name, value from json_each(case node.kind when 'object' then node.value else '{}' end)
              union all
              select null, value from json_array_elements(case node.kind when 'array' then node.value else '[]' end)
            ) as child
        )
        -- A list of fields names them: they are no values.
        select case when field = 'fields' and kind = 'string' then value #>> '{}' else field end,
               case when field = 'fields' or kind in ('object', 'array', 'null') then null else value #>> '{}' end,
               kind
          from node where kind not in ('object', 'array') or field <> '' $$`.execute(db);
  await sql`
    create function activity_words(details json) returns text language sql immutable parallel safe as $$
      select coalesce(left(string_agg(translate(lower(value collate "pg_c_utf8"), 'ı', 'i'), chr(10)), 4000), '')
        from activity_leaves(details) where kind in ('string', 'number') and value is not null $$`.execute(
    db,
  );
  await sql`
    create function activity_tokens(details json) returns text[] language sql immutable parallel safe as $$
      select coalesce(array_agg(distinct token), '{}')
        from activity_leaves(details) cross join lateral (
          values (nullif(nullif(field, ''), 'fields')),
                 (case when kind in ('string', 'boolean') and length(value) <= 40 then field || '=' || value end),
                 (case when length(value) <= 2 then '=' || translate(lower(value collate "pg_c_utf8"), 'ı', 'i') end)
        ) as one (token)
       where token is not null $$`.execute(db);
}

/** What an entry can be about and how it is called, deleted cameras too. Deleted groups and layouts are named by the entry itself. */
async function nameObjects(db: Kysely<unknown>): Promise<void> {
  await sql`
    create view activity_object as
      select 'camera' as type, id, name, created_by as owner_id, deleted_at is null as is_there from camera
      union all
      select 'face', id, trim(first_name || ' ' || last_name), created_by, true from person
      union all
      select 'unknown_face', identity.id, trim(first_name || ' ' || last_name), created_by, true
        from identity join person on person.id = identity.person_id
      union all
      select 'user', id, coalesce(nullif(trim(first_name || ' ' || last_name), ''), email), id, true from app_user
      union all
      select 'face_category', id, name, null, true from face_category
      union all
      select 'user_group', id, name, null, true from user_group
      union all
      select 'camera_group', id, name, null, true from camera_group`.execute(db);
}
