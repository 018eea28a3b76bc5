import { sql, type Kysely } from 'kysely';

/** Owner: cameras. Which cameras exist, whose they are and how they are reached. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table camera (
      id          uuid primary key,
      name        text not null check (length(name) between 1 and 150),
      description text not null default '',
      location    text not null check (length(location) between 1 and 150),
      type        text not null check (type in ('ip', 'usb', 'rtsp', 'http')),
      -- What people want of it; what its ingest does right now is not kept.
      status      text not null check (status in ('active', 'inactive', 'maintenance', 'error')),
      ip_address  text not null default '',
      -- Without user name and password: those are split off when a camera is saved (H-7).
      url         text not null default '',
      username    text not null default '',
      -- Sealed for camera.password:<id>; null when there is none. Never answered (NSH-016).
      password    bytea,
      resolution  text not null check (resolution in ('640x480', '1280x720', '1920x1080', '3840x2160')),
      fps         smallint not null check (fps between 1 and 60),
      rotation    smallint not null check (rotation in (0, 90, 180, 270)),
      enable_face_recognition boolean not null,
      -- The camera that set-up makes from sample photos; labelled everywhere.
      is_demo     boolean not null default false,
      -- Never changed (CFL-004); null when that user is gone.
      created_by  uuid references app_user (id) on delete set null,
      created_at  timestamptz not null,
      updated_at  timestamptz not null,
      -- A deleted camera keeps its name for what it saw; its address and password are wiped.
      deleted_at  timestamptz,
      check (deleted_at is null or (password is null and url = ''))
    )`.execute(db);
  await sql`create index camera_of_user on camera (created_by) where deleted_at is null`.execute(
    db,
  );

  // What later modules may join: no address, no credentials.
  await sql`
    create view cameras_v_camera as
      select id, name, location, status, created_by, enable_face_recognition, is_demo, deleted_at
      from camera`.execute(db);
}
