import { sql, type Kysely } from 'kysely';

/** Owner: accounts. Links that let their holder choose a password, once. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table account_link (
      -- SHA-256 of the token. The token itself is in the letter only.
      hash       bytea primary key check (length(hash) = 32),
      user_id    uuid not null references app_user (id) on delete cascade,
      -- Asked for by whoever says they are its owner, made by an administrator for somebody who cannot get in,
      -- or for somebody new.
      kind       text not null check (kind in ('reset', 'help', 'invitation')),
      created_at timestamptz not null,
      expires_at timestamptz not null
    )`.execute(db);
  await sql`create index account_link_of_user on account_link (user_id)`.execute(db);
  await sql`create index account_link_by_expiry on account_link (expires_at)`.execute(db);
}
