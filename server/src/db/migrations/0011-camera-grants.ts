import { sql, type Kysely } from 'kysely';

/** Owner: cameras. Groups of cameras, and who may see which camera beside whoever made it (CFL-004). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await groups(db);
  await grants(db);
}

async function groups(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table camera_group (
      id          uuid primary key,
      name        text not null check (length(name) between 1 and 150),
      description text not null default '' check (length(description) <= 2000),
      created_at  timestamptz not null
    )`.execute(db);
  await sql`create unique index camera_group_name on camera_group (lower(name))`.execute(db);
  await sql`
    create table camera_group_member (
      group_id  uuid not null references camera_group (id) on delete cascade,
      camera_id uuid not null references camera (id) on delete cascade,
      primary key (group_id, camera_id)
    )`.execute(db);
  await sql`create index camera_group_member_of_camera on camera_group_member (camera_id)`.execute(
    db,
  );
}

async function grants(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table camera_grant (
      id              uuid primary key,
      -- To whom: a user or a group of users.
      user_id         uuid references app_user (id) on delete cascade,
      user_group_id   uuid references user_group (id) on delete cascade,
      -- What: a camera, or a group of cameras with whoever joins it.
      camera_id       uuid references camera (id) on delete cascade,
      camera_group_id uuid references camera_group (id) on delete cascade,
      -- live is the ground of every grant; people means everybody's names.
      capabilities    text[] not null check (
        'live' = any(capabilities)
        and capabilities <@ array['live', 'recordings', 'detect', 'manage', 'people']),
      granted_by      uuid references app_user (id) on delete set null,
      granted_at      timestamptz not null,
      check (num_nonnulls(user_id, user_group_id) = 1),
      check (num_nonnulls(camera_id, camera_group_id) = 1)
    )`.execute(db);
  // One grant for each pair; it is read by whom it is to, at every request of theirs.
  await sql`
    create unique index camera_grant_once on camera_grant
      (user_id, user_group_id, camera_id, camera_group_id) nulls not distinct`.execute(db);
  for (const column of ['user_group_id', 'camera_id', 'camera_group_id']) {
    await sql`
      create index ${sql.ref(`camera_grant_by_${column}`)} on camera_grant (${sql.ref(column)})
        where ${sql.ref(column)} is not null`.execute(db);
  }
  await sql`
    create table camera_grant_category (
      grant_id    uuid not null references camera_grant (id) on delete cascade,
      -- People of this category may be read by name. A category that goes takes the right with it.
      category_id uuid not null references face_category (id) on delete cascade,
      primary key (grant_id, category_id)
    )`.execute(db);
  await sql`create index camera_grant_category_by_category on camera_grant_category (category_id)`.execute(
    db,
  );
}
