import { sql, type Kysely } from 'kysely';

/** Owner: accounts. Groups of users, to whom as a whole something may be granted. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table user_group (
      id          uuid primary key,
      name        text not null check (length(name) between 1 and 150),
      description text not null default '' check (length(description) <= 2000),
      created_at  timestamptz not null
    )`.execute(db);
  await sql`create unique index user_group_name on user_group (lower(name))`.execute(db);
  await sql`
    create table user_group_member (
      group_id uuid not null references user_group (id) on delete cascade,
      user_id  uuid not null references app_user (id) on delete cascade,
      primary key (user_id, group_id)
    )`.execute(db);
  await sql`create index user_group_member_of_group on user_group_member (group_id)`.execute(db);
  // What later modules may join.
  await sql`
    create view accounts_v_group as select id, name from user_group`.execute(db);
  await sql`
    create view accounts_v_member as select group_id, user_id from user_group_member`.execute(db);
}
