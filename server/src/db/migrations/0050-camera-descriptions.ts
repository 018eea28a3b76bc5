import { sql, type Kysely } from 'kysely';

/** Owner: cameras. Recordings are found by what is written about their camera, too. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create or replace view cameras_v_camera as
      select id, name, location, status, created_by, enable_face_recognition, is_demo, deleted_at, description
      from camera`.execute(db);
}
