import { sql, type Kysely } from 'kysely';

/**
 * Owner: sightings. Whoever erases a person forgets in batches what recognition said of their visits (`removeRecognized`
 * in sightings/erasing-store.ts), so that the person is gone at once however often they came. As long as that goes on,
 * visits name a person who is not there: nothing is read by it that is not read afterwards.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop trigger person_is_erased on person`.execute(db);
  await sql`drop function sighting_person_erased()`.execute(db);
}
