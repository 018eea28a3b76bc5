import { sql, type Kysely } from 'kysely';

/** Owner: faces. "Not this person": a visit that was taken for somebody it does not show. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table negative (
      -- The visit whose picture it is; the row is removed with it.
      sighting_id      uuid not null,
      person_id        uuid not null references person (id) on delete cascade,
      -- Of that person's identities the one it was taken for: where it goes back to.
      from_identity_id uuid not null,
      -- Whose visit it is now, and under whose key the vector is sealed.
      identity_id      uuid not null references identity (id),
      pack_id          text not null,
      pack_version     text not null,
      -- float32 LE, sealed by the identity's key for negative.vector:<sighting_id>.
      vector           bytea not null,
      -- How sure it seemed, for when it goes back.
      confidence       real not null,
      -- When the visit began: age removes it with the picture.
      seen_at          timestamptz not null,
      created_at       timestamptz not null,
      primary key (sighting_id, person_id)
    )`.execute(db);
  await sql`create index negative_of_person on negative (person_id)`.execute(db);
  await sql`create index negative_of_identity on negative (identity_id)`.execute(db);
  await sql`create index negative_by_age on negative (seen_at)`.execute(db);
  await sql`alter table negative alter column vector set statistics 0`.execute(db);

  // Visits that are not whom they were taken for.
  await sql`create view faces_v_negative as select sighting_id, person_id from negative`.execute(
    db,
  );
}
