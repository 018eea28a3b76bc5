import { sql, type Kysely } from 'kysely';

/** Owner: cameras. Layouts of the wall. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table wall_layout (
      id             uuid primary key,
      -- Null: shared with everyone, and so no account's: it stays when the account that made it goes.
      owner_id       uuid references app_user (id) on delete cascade,
      name           text not null check (length(name) between 1 and 60),
      tiles_per_page smallint not null check (tiles_per_page between 1 and 36),
      -- Null: pages change by hand alone.
      tour_seconds   smallint check (tour_seconds between 5 and 3600),
      -- Counts the changes, so that of two who change it at once the second is told.
      revision       integer not null check (revision >= 1),
      updated_at     timestamptz not null
    )`.execute(db);
  await sql`create index wall_layout_of_owner on wall_layout (owner_id)`.execute(db);
  await sql`
    create table wall_tile (
      layout_id uuid not null references wall_layout (id) on delete cascade,
      camera_id uuid not null references camera (id) on delete cascade,
      place     smallint not null,
      is_pinned boolean not null,
      primary key (layout_id, camera_id)
    )`.execute(db);
  await sql`create index wall_tile_of_camera on wall_tile (camera_id)`.execute(db);
}
