import { sql, type Kysely } from 'kysely';

/** Owner: sightings. One row per visit: somebody in view of one camera, from first look to last. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table sighting (
      -- UUIDv7 made by the writer when the visit was decided, so that a retry after an unknown commit
      -- meets its own row.
      id            uuid not null,
      camera_id     uuid not null references camera (id),
      -- Somebody, known or not: never a name. The past follows when an identity is named.
      identity_id   uuid not null references identity (id),
      started_at    timestamptz not null,
      ended_at      timestamptz not null,
      -- Calibrated, 0 to 1, of the best match; for an unknown how good the best picture is.
      confidence    real not null check (confidence between 0 and 1),
      -- Best picture's quality, 0 to 1: a better one replaces the picture.
      quality       real not null check (quality between 0 and 1),
      -- Soft-deleted by a person (APL-015).
      deleted_at    timestamptz,
      primary key (started_at, id),
      check (ended_at >= started_at)
    ) partition by range (started_at)`.execute(db);
  await sql`create index sighting_by_id on sighting (id)`.execute(db);
  await sql`create index sighting_of_camera on sighting (camera_id, started_at desc, id desc)`.execute(
    db,
  );
  await sql`create index sighting_of_identity on sighting (identity_id, started_at desc, id desc)`.execute(
    db,
  );
  // Nothing is ever refused for want of a partition; months are made ahead by the module.
  await sql`create table sighting_default partition of sighting default`.execute(db);

  await sql`
    create table sighting_picture (
      sighting_id uuid primary key,
      identity_id uuid not null references identity (id),
      -- The aligned face that decided, JPEG, sealed by the identity's key for sighting_picture.chip:<id>.
      chip        bytea not null,
      pack_id     text not null,
      pack_version text not null,
      -- Mean vector of the visit's best pictures, float32 LE, sealed for sighting_picture.template:<id>.
      template    bytea not null
    )`.execute(db);
  await sql`create index sighting_picture_of_identity on sighting_picture (identity_id)`.execute(
    db,
  );
  await sql`alter table sighting_picture alter column chip set storage external`.execute(db);

  // Both counts are changed by the transaction that writes the visit they count.
  await sql`
    create table sighting_hour (
      -- Start of the hour, UTC.
      hour      timestamptz not null,
      camera_id uuid not null references camera (id),
      visits    integer not null check (visits >= 0),
      primary key (hour, camera_id)
    )`.execute(db);
  await sql`
    create table sighting_day (
      -- The day in UTC.
      day         date not null,
      camera_id   uuid not null references camera (id),
      identity_id uuid not null references identity (id),
      visits      integer not null check (visits >= 0),
      first_at    timestamptz not null,
      last_at     timestamptz not null,
      primary key (day, camera_id, identity_id)
    )`.execute(db);
  await sql`create index sighting_day_of_identity on sighting_day (identity_id, day)`.execute(db);

  // What later modules may read: visits with who they are of today, and the hourly counts.
  await sql`
    create view sightings_v_visit as
      select sighting.id, sighting.camera_id, sighting.identity_id, identity.person_id,
             sighting.started_at, sighting.ended_at, sighting.confidence, 1 as visits
      from sighting join identity on identity.id = sighting.identity_id
      where sighting.deleted_at is null`.execute(db);
  await sql`
    create view sightings_v_hour as select hour, camera_id, visits from sighting_hour`.execute(db);
}
