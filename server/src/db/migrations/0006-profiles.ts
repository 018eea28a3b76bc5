import { sql, type Kysely } from 'kysely';

/** Owner: accounts. What people say of themselves, and sessions that their owner ended from elsewhere. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table app_user
      -- PRO-013; '' is "not said".
      add column phone      text not null default '' check (length(phone) <= 50),
      add column department text not null default '' check (length(department) <= 150),
      add column position   text not null default '' check (length(position) <= 150),
      add column address    text not null default '' check (length(address) <= 500),
      add column birthdate  date,
      add column bio        text not null default '' check (length(bio) <= 2000)`.execute(db);
  // Revoked: ended by its owner from the list of sessions.
  await sql`alter table session drop constraint session_ended_reason_check`.execute(db);
  await sql`
    alter table session add constraint session_ended_reason_check check (ended_reason in
      ('logout', 'replay', 'stolen', 'password', 'disabled', 'limit', 'revoked'))`.execute(db);
}
