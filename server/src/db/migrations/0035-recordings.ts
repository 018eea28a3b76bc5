import { sql, type Kysely } from 'kysely';

/**
 * Owner: recordings. What is on the disks, what is missing, and what is to be recorded. Every row of a segment
 * has a file, and every file a row; what a row says stands in its file too.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table recording_root (
      -- Also in the file nazar-root.json of the folder: a disk that is not there is not mistaken for an empty one.
      id         uuid primary key,
      path       text not null,
      created_at timestamptz not null
    )`.execute(db);
  await sql`
    create table recording_settings (
      camera_id      uuid primary key references camera (id) on delete cascade,
      mode           text not null default 'off' check (mode in ('off', 'continuous')),
      -- Null: the first one there is.
      root_id        uuid references recording_root (id),
      -- Below the root; null: a folder of the camera's id.
      folder         text,
      retention_days integer not null default 30 check (retention_days between 1 and 365),
      -- Somebody pressed the button; null: nobody, or stopped again.
      manual_since   timestamptz,
      updated_at     timestamptz not null
    )`.execute(db);
  // What was recorded for one reason without a long pause; its end is that of its last segment.
  await sql`
    create table recording (
      id         uuid primary key,
      camera_id  uuid not null references camera (id) on delete cascade,
      type       text not null check (type in ('continuous', 'manual')),
      started_at timestamptz not null
    )`.execute(db);
  await sql`create index recording_of_camera on recording (camera_id, started_at)`.execute(db);
  await sql`create index recording_by_time on recording (started_at)`.execute(db);
  await segments(db);
  await sql`
    create table recording_gap (
      id         uuid primary key,
      camera_id  uuid not null references camera (id) on delete cascade,
      started_at timestamptz not null,
      -- Null: it goes on.
      ended_at   timestamptz check (ended_at > started_at),
      cause      text not null check (cause in
        ('camera', 'network', 'password', 'disk', 'restart', 'clock', 'lost', 'switched_off'))
    )`.execute(db);
  await sql`
    create unique index recording_gap_open on recording_gap (camera_id) where ended_at is null`.execute(
    db,
  );
  // One row: when the hour was believed last, by which recordings are removed.
  await sql`
    create table recording_hour (
      only_row    boolean primary key default true check (only_row),
      believed_at timestamptz not null
    )`.execute(db);
  await sql`create index recording_gap_of_camera on recording_gap (camera_id, started_at)`.execute(
    db,
  );
}

async function segments(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table recording_segment (
      id           uuid primary key,
      camera_id    uuid not null references camera (id) on delete cascade,
      recording_id uuid not null references recording (id),
      root_id      uuid not null references recording_root (id),
      -- From the root. In the order of bytes, as files are walked.
      path         text collate "C" not null,
      started_at   timestamptz not null,
      -- Null while it is written, as all that follows from the end.
      ended_at     timestamptz check (ended_at >= started_at),
      bytes        bigint,
      head_bytes   integer,
      pictures     integer,
      -- Where players can begin: bytes from the start of the file, milliseconds from the start of the segment.
      key_offsets  integer[],
      key_times    integer[],
      sha256       bytea check (length(sha256) = 32),
      codec        text not null,
      mime         text not null,
      width        integer not null,
      height       integer not null,
      -- The same for segments that continue one another without a new initialisation segment.
      stream_id    uuid not null,
      check (num_nulls(ended_at, bytes, head_bytes, pictures, key_offsets, key_times, sha256) in (0, 7))
    )`.execute(db);
  await sql`
    create unique index recording_segment_file on recording_segment (root_id, path)`.execute(db);
  await sql`
    create index recording_segment_of_camera on recording_segment (camera_id, started_at)`.execute(
    db,
  );
  await sql`
    create index recording_segment_of_recording on recording_segment (recording_id)`.execute(db);
  await sql`
    create index recording_segment_open on recording_segment (camera_id) where ended_at is null`.execute(
    db,
  );
  await sql`
    create index recording_segment_oldest on recording_segment (root_id, started_at)`.execute(db);
  // Files whose row is gone; they follow it, after a crash too.
  await sql`
    create table recording_garbage (
      root_id uuid not null references recording_root (id),
      path    text collate "C" not null,
      primary key (root_id, path)
    )`.execute(db);
}
