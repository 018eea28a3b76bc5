import { sql, type Kysely } from 'kysely';

/** Owner: recordings. Where something moved in each segment whose pictures were compared. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table recording_motion (
      -- Whatever removes a segment removes this.
      segment_id uuid primary key references recording_segment (id) on delete cascade,
      camera_id  uuid not null,
      started_at timestamptz not null,
      -- By how much the recorded picture is turned clockwise.
      rotation   smallint not null check (rotation in (0, 90, 180, 270)),
      -- 16x9 cells, row by row: those in which something moved at some time of the segment.
      cells      bit(144) not null,
      -- Which of them when: media/protocol/motion-grid.ts.
      grid       bytea not null
    )`.execute(db);
  // A month is looked through in the index alone.
  await sql`
    create index recording_motion_of_camera on recording_motion (camera_id, started_at)
      include (cells, rotation, segment_id)`.execute(db);
}
