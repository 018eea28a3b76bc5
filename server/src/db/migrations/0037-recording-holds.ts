import { sql, type Kysely } from 'kysely';

/** Owner: recordings. What is evidence is kept, whatever its age and however full the disk. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table recording_hold (
      id         uuid primary key,
      camera_id  uuid not null references camera (id) on delete cascade,
      started_at timestamptz not null,
      ended_at   timestamptz not null check (ended_at > started_at),
      reason     text not null check (length(reason) between 1 and 500),
      -- Null: the account is gone.
      created_by uuid references app_user (id) on delete set null,
      created_at timestamptz not null
    )`.execute(db);
  await sql`create index recording_hold_of_camera on recording_hold (camera_id, ended_at)`.execute(
    db,
  );
  await sql`create index recording_hold_by_maker on recording_hold (created_by)`.execute(db);
}
