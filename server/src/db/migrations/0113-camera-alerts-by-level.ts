import { sql, type Kysely } from 'kysely';

/** Owner: alerts. The list of one camera by level reads a page of this and not all alerts of the camera. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index alert_of_camera_by_level on alert (camera_id, level_rank desc, created_at desc, id desc)`.execute(
    db,
  );
}
