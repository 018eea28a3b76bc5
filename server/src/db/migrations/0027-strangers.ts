import { sql, type Kysely } from 'kysely';

/** Owners: faces (who strangers are) and sightings (its view of days). Nobody known is somebody all the same. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create sequence identity_revision`.execute(db);
  await sql`
    alter table identity
      -- "Unknown 14". Null: enrolled without having been seen, or seen too badly to be told from others.
      add column number bigint unique check (number > 0),
      add column status text not null default 'new'
        check (status in ('new', 'reviewing', 'identified', 'ignored')),
      -- Taken to be the same person as that one, which is itself not merged into another.
      add column merged_into uuid references identity (id) check (merged_into <> id),
      -- Grows with each change that the comparison of strangers must hear of, in the order of commits.
      add column revision bigint not null default 0`.execute(db);
  await sql`create index identity_by_revision on identity (revision) where revision > 0`.execute(
    db,
  );
  await sql`create index identity_of_stranger on identity ((coalesce(merged_into, id)))`.execute(
    db,
  );
  // Strangers from before: nobody joins them, but they are listed.
  await sql`
    update identity set number = numbered.number
    from (select id, row_number() over (order by created_at, id) as number
          from identity where person_id is null and data_key is not null) as numbered
    where numbered.id = identity.id`.execute(db);

  await sql`
    create table stranger_reference (
      -- The visit whose picture it is; the row is removed with it.
      sighting_id  uuid primary key,
      identity_id  uuid not null references identity (id),
      pack_id      text not null,
      pack_version text not null,
      -- float32 LE, sealed by the identity's key for stranger_reference.vector:<sighting_id>.
      vector       bytea not null,
      quality      real not null,
      -- When the visit began: age removes it with the picture.
      seen_at      timestamptz not null
    )`.execute(db);
  await sql`create index stranger_reference_of_identity on stranger_reference (identity_id)`.execute(
    db,
  );
  await sql`create index stranger_reference_by_age on stranger_reference (seen_at)`.execute(db);
  await sql`alter table stranger_reference alter column vector set statistics 0`.execute(db);

  await sql`
    create or replace view faces_v_identity as
      select identity.id, identity.person_id, person.first_name, person.last_name,
             person.created_by, person.is_active,
             -- False once erased.
             identity.data_key is not null as is_readable,
             person.category_id,
             -- Of merged strangers the one that stands for all of them.
             coalesce(identity.merged_into, identity.id) as stranger_id,
             identity.number, identity.status
      from identity left join person on person.id = identity.person_id`.execute(db);
  // Strangers by day and camera: what their list and the counts of them are made of.
  await sql`
    create view sightings_v_stranger as
      select stranger.id, stranger.number, stranger.status, stranger.person_id,
             counted.day, counted.camera_id, counted.visits, counted.first_at, counted.last_at
      from sighting_day counted
      join faces_v_identity identity on identity.id = counted.identity_id
      join faces_v_identity stranger on stranger.id = identity.stranger_id
      where stranger.number is not null and stranger.is_readable`.execute(db);
}
