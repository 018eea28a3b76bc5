import { sql, type Kysely } from 'kysely';

/**
 * Owner: sightings. Nothing in the log leads from an erased person's id to their visits: what recognition said of
 * visits that are theirs names the visit's own identity from then on, and of visits that a user said are somebody
 * else's it is forgotten.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index sighting_recognized on sighting (recognized_as) where recognized_as is not null`.execute(
    db,
  );
  await sql`
    create function sighting_person_erased() returns trigger language plpgsql as $$
    begin
      update sighting set
        recognized_as = case when theirs.is then sighting.identity_id end,
        recognized_at = case when theirs.is then sighting.recognized_at end,
        recognized_by = case when theirs.is then sighting.recognized_by end,
        confidence = case when theirs.is then sighting.confidence end
      from identity, lateral (
        select identity.is_known and coalesce(identity.person_id, old.id) = old.id as is) theirs
      where sighting.recognized_as = old.id and identity.id = sighting.identity_id;
      return old;
    end $$`.execute(db);
  await sql`
    create trigger person_is_erased before delete on person
      for each row execute function sighting_person_erased()`.execute(db);
}
