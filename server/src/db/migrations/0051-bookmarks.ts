import { sql, type Kysely } from 'kysely';

/** Owner: recordings. Moments that somebody wants to find again. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table recording_bookmark (
      id         uuid primary key,
      camera_id  uuid not null references camera (id) on delete cascade,
      at         timestamptz not null,
      -- A user's own words, which may name somebody: they go with the account.
      note       text not null check (length(note) between 1 and 500),
      created_by uuid not null references app_user (id) on delete cascade,
      created_at timestamptz not null
    )`.execute(db);
  await sql`create index recording_bookmark_of_camera on recording_bookmark (camera_id, at)`.execute(
    db,
  );
  await sql`create index recording_bookmark_by_maker on recording_bookmark (created_by)`.execute(
    db,
  );
}
