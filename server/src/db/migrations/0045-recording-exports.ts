import { sql, type Kysely } from 'kysely';

/** Owner: recordings. Films that somebody asked for; the file lies in `exports/` of its root, by its id. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table recording_export (
      id             uuid primary key,
      camera_id      uuid not null references camera (id) on delete cascade,
      created_by     uuid not null references app_user (id) on delete cascade,
      created_at     timestamptz not null,
      -- Of what was recorded.
      from_at        timestamptz not null,
      until_at       timestamptz not null check (until_at > from_at),
      status         text not null default 'waiting' check (status in ('waiting', 'running', 'done', 'failed')),
      attempts       integer not null default 0,
      -- Why it failed.
      fault          text check ((fault is not null) = (status = 'failed')),
      root_id        uuid references recording_root (id),
      -- What its sources have, by which its progress is told.
      expected_bytes bigint,
      -- Of the whole file, once it is done.
      bytes          bigint check ((bytes is not null) = (status = 'done')),
      sha256         bytea check (length(sha256) = 32),
      seconds        double precision,
      expires_at     timestamptz,
      check ((sha256 is not null) = (status = 'done'))
    )`.execute(db);
  await sql`
    create index recording_export_of_user on recording_export (created_by, created_at)`.execute(db);
  await sql`
    create index recording_export_of_camera on recording_export (camera_id)`.execute(db);
  await sql`
    create index recording_export_waiting on recording_export (created_at)
      where status = 'waiting'`.execute(db);
}
