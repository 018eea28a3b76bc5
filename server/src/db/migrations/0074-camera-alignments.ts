import { sql, type Kysely } from 'kysely';

/**
 * Owners: cameras (what a sub-stream shows of the main picture) and recordings (of which picture what was recorded is).
 * Zones are drawn on the main picture; until now they were taken for fractions of whatever picture there was.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await cameras(db);
  await recordings(db);
}

async function cameras(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table camera
      -- Another one whenever an address changes: what is known of two streams is not known of two others.
      add column streams_id     uuid    not null default gen_random_uuid(),
      -- Whether recordings from before this column may be of a sub-stream: those do not say of which picture they are.
      add column had_sub_stream boolean not null default false`.execute(db);
  await sql`
    update camera set had_sub_stream = true
     where sub_url <> '' or deleted_at is not null or exists (
       select from audit_entry entry
        where entry.object_type = 'camera' and entry.object_id = camera.id::text
          and entry.action = 'camera.replaced' and (entry.details -> 'fields')::jsonb ? 'sub_url')`.execute(
    db,
  );
  await sql`
    create function camera_has_other_streams() returns trigger language plpgsql as $$
    begin
      new.streams_id := gen_random_uuid();
      return new;
    end $$`.execute(db);
  await sql`
    create trigger camera_streams_changed before update of url, sub_url on camera for each row
      when ((old.url, old.sub_url) is distinct from (new.url, new.sub_url))
      execute function camera_has_other_streams()`.execute(db);
  await sql`
    create table camera_alignment (
      id           uuid primary key,
      camera_id    uuid not null references camera (id) on delete cascade,
      -- media/protocol/stream-pair.ts: camera.streams_id, and the sizes of both pictures.
      pair         text not null check (length(pair) <= 100),
      -- The part of the main picture that the sub-stream shows, in fractions of it, before both are turned. Null: what
      -- was known was forgotten, to be measured anew.
      x            double precision,
      y            double precision,
      width        double precision check (width > 0),
      height       double precision check (height > 0),
      constraint camera_alignment_whole check (num_nulls(x, y, width, height) in (0, 4)),
      -- Measured by a media host when false, else confirmed or forgotten by that user. No foreign key: it outlives the account.
      is_confirmed boolean not null,
      confirmed_by uuid,
      -- The newest of a pair holds. Earlier ones hide, too, in what was recorded of that pair.
      aligned_at   timestamptz not null
    )`.execute(db);
  await sql`
    create index camera_alignment_of_camera on camera_alignment (camera_id, aligned_at)`.execute(
    db,
  );
}

async function recordings(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table recording_segment
      -- 'main', a pair of streams whose sub-stream it shows, or 'sub' of a pair that was not known. Null: from before.
      add column shows       text,
      -- The same of the still, which need not be of the stream that is recorded.
      add column still_shows text`.execute(db);
  // Whether the cells are those of the main picture. Null: from before.
  await sql`alter table recording_motion add column of_main boolean`.execute(db);
  await sql`drop index recording_motion_of_camera`.execute(db);
  await sql`
    create index recording_motion_of_camera on recording_motion (camera_id, started_at)
      include (cells, rotation, of_main, segment_id)`.execute(db);
}
