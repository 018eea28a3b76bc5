import { sql, type Kysely } from 'kysely';

/** Owner: cameras. Parts of a picture: what is hidden, where faces are looked for, where motion counts. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table camera_zone (
      id        uuid primary key,
      camera_id uuid not null references camera (id) on delete cascade,
      kind      text not null check (kind in ('privacy', 'recognition', 'motion')),
      name      text not null check (length(name) <= 60),
      -- [[x, y], ...], fractions of the picture as it is shown.
      points    jsonb not null check (jsonb_array_length(points) between 3 and 32),
      -- In the order in which they were drawn.
      place     smallint not null
    )`.execute(db);
  await sql`create index camera_zone_of_camera on camera_zone (camera_id)`.execute(db);
  // Two more things that may be granted: to see what masks hide, and to move a camera.
  await sql`
    alter table camera_grant
      drop constraint camera_grant_capabilities_check,
      add constraint camera_grant_capabilities_check check (
        'live' = any(capabilities)
        and capabilities <@
          array['live', 'recordings', 'detect', 'manage', 'people', 'unmasked', 'control'])`.execute(
    db,
  );
}
