import { sql, type Kysely } from 'kysely';

/** Owner: accounts. When somebody may get the next letter of a kind, so that a storm is two letters and not two hundred. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table letter_pace (
      user_id uuid not null references app_user (id) on delete cascade,
      -- What letters of the kind are headed with, by its name among the sentences.
      subject text not null,
      next_at timestamptz not null,
      primary key (user_id, subject)
    )`.execute(db);
}
