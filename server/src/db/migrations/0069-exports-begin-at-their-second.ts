import { sql, type Kysely } from 'kysely';

/** Owner: recordings. Exports begin at the second asked for: what that takes is encoded again, or left out. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Null until it is made, and in exports that were made before.
  await sql`
    alter table recording_export
      add column encoded_seconds double precision,
      add column left_out_seconds double precision`.execute(db);
}
