import { sql, type Kysely } from 'kysely';

/** Owner: cameras. What became of each camera, and why; a row for each change. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table camera_state (
      id         uuid primary key,
      camera_id  uuid not null references camera (id) on delete cascade,
      part       text not null check (part in ('main', 'sub', 'recording')),
      state      text not null
        check (state in ('off', 'connecting', 'live', 'stalled', 'offline', 'refused')),
      -- From the closed list of the contract.
      cause      text not null,
      started_at timestamptz(3) not null,
      -- Up to when a running server knows that it was so; its end is the beginning of the next row of its part.
      seen_at    timestamptz(3) not null check (seen_at >= started_at)
    )`.execute(db);
  await sql`
    create index camera_state_of_camera on camera_state (camera_id, started_at desc, id desc)`.execute(
    db,
  );
  await sql`create index camera_state_by_age on camera_state (started_at)`.execute(db);
}
