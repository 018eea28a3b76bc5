import { sql, type Kysely } from 'kysely';

/** Owner: faces. Identities, the people they are known as, their photos and what recognition computes. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table face_category (
      id         uuid primary key,
      name       text not null check (length(name) between 1 and 60),
      color      text not null check (color ~ '^#[0-9a-fA-F]{6}$'),
      created_at timestamptz not null
    )`.execute(db);
  await sql`create unique index face_category_name on face_category (lower(name))`.execute(db);
  // FACE-063: the three the documents name.
  await sql`
    insert into face_category (id, name, color, created_at) values
      (gen_random_uuid(), 'employee', '#2563eb', now()),
      (gen_random_uuid(), 'visitor', '#0f766e', now()),
      (gen_random_uuid(), 'vip', '#7c3aed', now())`.execute(db);

  await sql`
    create table person (
      id          uuid primary key,
      first_name  text not null check (length(first_name) between 1 and 150),
      last_name   text not null check (length(last_name) between 1 and 150),
      category_id uuid not null references face_category (id),
      description text not null default '',
      email       text not null default '',
      phone       text not null default '',
      position    text not null default '',
      notes       text not null default '',
      -- Only active people are recognised (FACE-052).
      is_active   boolean not null default true,
      is_demo     boolean not null default false,
      created_by  uuid references app_user (id) on delete set null,
      created_at  timestamptz not null,
      updated_at  timestamptz not null
    )`.execute(db);
  await sql`create index person_of_user on person (created_by)`.execute(db);

  await sql`
    create table identity (
      id         uuid primary key,
      -- Somebody, known or not. Naming, merging and undoing change only this column.
      person_id  uuid references person (id) on delete set null,
      -- Key of everything kept of this identity, sealed by the master key for identity.data_key:<id>.
      -- Null once erased: what was encrypted under it cannot be read again, not even in old backups.
      data_key   bytea,
      created_at timestamptz not null
    )`.execute(db);
  await sql`create index identity_of_person on identity (person_id) where person_id is not null`.execute(
    db,
  );

  await sql`
    create table face_image (
      id          uuid primary key,
      person_id   uuid not null references person (id) on delete cascade,
      identity_id uuid not null references identity (id),
      -- JPEG without metadata, longest side 1600, and 320; sealed by the identity's key for
      -- face_image.photo:<id> and face_image.thumbnail:<id>.
      photo       bytea not null,
      thumbnail   bytea not null,
      -- Why recognition cannot use it; null when it does (contract: pictureFaults).
      fault       text,
      -- Order of upload: the first is the main one.
      created_at  timestamptz not null
    )`.execute(db);
  await sql`create index face_image_of_person on face_image (person_id, created_at)`.execute(db);
  await sql`alter table face_image alter column photo set storage external`.execute(db);
  await sql`alter table face_image alter column thumbnail set storage external`.execute(db);

  await sql`
    create table face_embedding (
      id           uuid primary key,
      image_id     uuid not null references face_image (id) on delete cascade,
      identity_id  uuid not null references identity (id),
      -- Vectors of different packs are never compared.
      pack_id      text not null,
      pack_version text not null,
      -- float32 LE, sealed by the identity's key for face_embedding.vector:<id>.
      vector       bytea not null,
      -- The aligned face as JPEG, sealed for face_embedding.chip:<id>: another pack re-embeds from it.
      chip         bytea not null,
      -- 0 to 1, of the engine.
      quality      real not null,
      created_at   timestamptz not null
    )`.execute(db);
  await sql`create index face_embedding_of_identity on face_embedding (identity_id)`.execute(db);
  await sql`create unique index face_embedding_of_image on face_embedding (image_id, pack_id)`.execute(
    db,
  );

  // What later modules may join: who an identity is known as. created_by decides whose name it is.
  await sql`
    create view faces_v_identity as
      select identity.id, identity.person_id, person.first_name, person.last_name,
             person.created_by, person.is_active,
             -- False once erased.
             identity.data_key is not null as is_readable
      from identity left join person on person.id = identity.person_id`.execute(db);

  // People as counts need them: nothing that tells who somebody is.
  await sql`
    create view faces_v_person as
      select person.id, person.is_active, person.created_by, person.created_at,
             category.id as category_id, category.name as category_name,
             category.color as category_color
      from person join face_category category on category.id = person.category_id`.execute(db);
}
