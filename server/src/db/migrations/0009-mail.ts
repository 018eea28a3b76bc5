import { sql, type Kysely } from 'kysely';

/** Owner: mail. Letters that wait to be sent; a letter that was handed over leaves no row. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table mail_outbox (
      id         uuid primary key,
      -- Receiver, subject and text, sealed under the master key: a letter may hold a one-time link, and who
      -- gets letters here is nobody's business either.
      sealed     bytea not null,
      created_at timestamptz not null,
      -- Taken: when it may be taken again, because its taker died. Refused for now: when to try again.
      due_at     timestamptz not null,
      attempts   integer not null default 0 check (attempts >= 0),
      -- Of no use to anybody later: its link no longer opens anything, or its news is old.
      expires_at timestamptz not null
    )`.execute(db);
  await sql`create index mail_outbox_by_due on mail_outbox (due_at)`.execute(db);
}
