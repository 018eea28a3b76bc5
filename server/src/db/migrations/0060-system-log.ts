import { sql, type Kysely } from 'kysely';

/** Owner: system. What the server and its processes said of their own work. Each day is a partition, and goes as one. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table system_log (
      -- UUIDv7 of logged_at, to the millisecond: an id alone says in which partition its row is.
      id         uuid not null,
      logged_at  timestamptz not null,
      level      text not null check (level in ('error', 'warning', 'info', 'debug')),
      -- The part of the server that said it, a kind of process, or 'browser'.
      source     text not null check (length(source) <= 40),
      message    text not null check (length(message) <= 1000),
      -- Whose request or browser it was. No foreign key: a line outlives the account.
      user_id    uuid,
      -- Without secrets, addresses of people, and names.
      details    jsonb not null,
      -- What a search reads: the message and the values of the details, in small letters.
      words      text not null check (length(words) <= 4000),
      -- How often the same was said within a minute, and when last.
      repeats    integer not null check (repeats >= 1),
      last_at    timestamptz not null,
      -- Marked as deleted by a person; the row goes with its day.
      deleted_at timestamptz,
      primary key (logged_at, id)
    ) partition by range (logged_at)`.execute(db);
  await sql`create index system_log_of_level on system_log (level, logged_at, id)`.execute(db);
  await sql`create index system_log_of_source on system_log (source, logged_at, id)`.execute(db);
  await sql`
    create index system_log_of_user on system_log (user_id, logged_at, id)
      where user_id is not null`.execute(db);
  await sql`alter table system_log alter column words set statistics 0`.execute(db);
  await indexWords(db);
  // Nothing is refused for want of a partition; days are made ahead by the module.
  await sql`create table system_log_default partition of system_log default`.execute(db);
  // Changed by the transaction that writes or marks the lines they count.
  await sql`
    create table system_log_hour (
      -- Start of the hour, UTC.
      hour   timestamptz not null,
      source text not null,
      level  text not null,
      lines  integer not null check (lines >= 0),
      primary key (hour, source, level)
    )`.execute(db);
}

/** PostgreSQL's own module for parts of words is missing on a few servers: there a search reads all lines. */
async function indexWords(db: Kysely<unknown>): Promise<void> {
  await sql`
    do $$
    begin
      if exists (select from pg_available_extensions where name = 'pg_trgm') then
        create extension if not exists pg_trgm;
        create index system_log_words on system_log using gin (words gin_trgm_ops);
      end if;
    exception when insufficient_privilege then
      raise notice 'pg_trgm may not be created: the system log is searched without an index';
    end $$`.execute(db);
}
