import { sql, type Kysely } from 'kysely';

/** Owner: faces. Photos that do not serve are looked at anew by themselves when other models serve. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table face_image
      -- id@version of the pack that said whether it serves; null: nobody knows any more.
      add column looked_by text`.execute(db);
}
