import { sql, type Kysely } from 'kysely';

/**
 * Owner: privacy (erasure), faces (erased_identity). Which transaction removed the last of it is known of every
 * erasure, not of people's alone: what an account noted must not be read any more either when the disk is cleaned.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table erasure
      -- Cleaning waits until nobody reads what this transaction still showed.
      add column removed_by xid8`.execute(db);
  await sql`
    update erasure set removed_by = pg_current_xact_id()
     where removed_at is not null and cleaned_at is null`.execute(db);
  await sql`drop view faces_v_erased`.execute(db);
  await sql`alter table erased_identity drop column erased_by`.execute(db);
  await sql`
    create view faces_v_erased as
      select person_id, max(erased_at) as erased_at, sum(images)::integer as images,
             sum(embeddings)::integer as embeddings, array_agg(identity_id) as identity_ids
      from erased_identity group by person_id`.execute(db);
}
