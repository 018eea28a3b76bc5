import { sql, type Kysely } from 'kysely';

/** Owner: notifications. Emails about them go to another address than the account's once that is confirmed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table notification_address (
      user_id uuid primary key references notification_settings (user_id) on delete cascade,
      address text not null,
      code_hash bytea,
      code_expires_at timestamptz not null,
      tries_left smallint not null check (tries_left >= 0)
    )`.execute(db);
}
