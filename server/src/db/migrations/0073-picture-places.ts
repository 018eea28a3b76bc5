import { sql, type Kysely } from 'kysely';

/**
 * Owner: sightings (where in its camera's picture the picture of a visit was cut out). It isn't known of pictures of
 * before: they are hidden while their camera has a privacy mask.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // In fractions of the main picture, with its rotation and the name of the masks that were painted over it.
  await sql`alter table sighting_picture add column place jsonb`.execute(db);
  await sql`alter table sighting_picture alter column place set statistics 0`.execute(db);
}
