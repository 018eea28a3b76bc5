import { sql, type Kysely } from 'kysely';

/** Owner: faces. Photos from before are looked at in their four turns in the background. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table face_image
      -- It was looked at in its four turns, and stands upright as far as its face tells.
      add column is_turn_checked boolean not null default false`.execute(db);
  // What a camera saw is no photo that somebody turned.
  await sql`
    update face_image set is_turn_checked = true from identity
    where identity.id = face_image.identity_id and identity.number is not null`.execute(db);
}
