import { sql, type Kysely } from 'kysely';

/** Owner: accounts. Which session looks with whose eyes, from when on. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table see_as (
      session_id uuid not null references session (id) on delete cascade,
      -- The user whose world is shown.
      user_id    uuid not null references app_user (id) on delete cascade,
      -- It ends some hours later even when nobody leaves.
      started_at timestamptz not null,
      primary key (session_id, user_id)
    )`.execute(db);
}
