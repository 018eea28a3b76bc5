import { sql, type Kysely } from 'kysely';

/** Owner: recordings. A small picture of each segment, in its file. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table recording_segment
      -- The last bytes of the file are a JPEG. Null: there is none.
      add column still_bytes integer check (still_bytes between 1 and bytes),
      -- When, in milliseconds from the start of the segment.
      add column still_ms    integer check (still_ms >= 0),
      add constraint recording_segment_still check (num_nulls(still_bytes, still_ms) in (0, 2))`.execute(
    db,
  );
}
