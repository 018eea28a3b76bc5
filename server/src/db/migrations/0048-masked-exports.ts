import { sql, type Kysely } from 'kysely';

/** Owner: recordings. Films for those who may not see behind privacy masks have them burnt in. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table recording_export
      add column is_masked boolean not null default false,
      -- The polygons that are burnt in, once it is made: one that is drawn later hides the film.
      add column masks jsonb check (masks is null or is_masked)`.execute(db);
}
