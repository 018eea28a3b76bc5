import { sql, type Kysely } from 'kysely';

/**
 * Owner: recordings. No two segments of a camera cover the same moment: the one that runs at a moment is the last that
 * began before. What was found on a disk later, between two others, could reach into the second.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    update recording_segment segment set ended_at = next.began_at
      from (select id, lead(started_at) over (partition by camera_id order by started_at) as began_at
              from recording_segment) next
     where next.id = segment.id and next.began_at > segment.started_at
       and segment.ended_at > next.began_at`.execute(db);
}
