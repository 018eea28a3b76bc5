import { sql, type Kysely } from 'kysely';

/** Owner: activity. Verifications of the record that administrators ask for, and what the last of them found. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table audit_verification (
      id       uuid primary key,
      asked_by uuid not null,
      began_at timestamptz(3) not null,
      ended_at timestamptz(3),
      state    text not null check (state in ('running', 'done', 'cancelled', 'interrupted', 'failed')),
      -- Entries that were looked at, and that there were when it began.
      checked  bigint not null default 0 check (checked >= 0),
      total    bigint not null check (total >= 0),
      -- The signed text that can be saved.
      file     text,
      check ((ended_at is null) = (state = 'running')),
      check ((file is not null) = (state = 'done'))
    )`.execute(db);
  // One at a time, among all processes.
  await sql`
    create unique index audit_verification_running on audit_verification (state)
      where state = 'running'`.execute(db);
}
