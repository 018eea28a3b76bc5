import { sql, type Kysely } from 'kysely';

/**
 * Owners: settings (that somebody confirmed what is inferred) and sightings (what a face looks like). Until now no
 * feature did anything, and most were switched on: whoever wants one says so again.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table attribute_confirmation (
      -- One row: it is confirmed once for the installation.
      is_confirmed boolean primary key default true check (is_confirmed),
      -- No foreign key: it holds when the account is gone.
      confirmed_by uuid not null,
      confirmed_at timestamptz not null
    )`.execute(db);
  await sql`
    update setting set value = value - 'enabledFeatures' where section = 'recognition'`.execute(db);
  // What the face of a picture looks like, sealed by the identity's key for sighting_picture.attributes:<id>.
  await sql`alter table sighting_picture add column attributes bytea`.execute(db);
  await sql`alter table sighting_picture alter column attributes set statistics 0`.execute(db);
}
