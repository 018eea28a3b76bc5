import { sql, type Kysely } from 'kysely';

/** Owner: accounts. Who somebody is at a provider elsewhere, and sign-ins there that are under way. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table provider_identity (
      -- Together they name a person for ever; an e-mail address does not.
      issuer       text not null check (length(issuer) <= 2000),
      subject      text not null check (length(subject) between 1 and 255),
      user_id      uuid not null references app_user on delete cascade,
      connected_at timestamptz not null,
      primary key (issuer, subject),
      unique (user_id, issuer)
    )`.execute(db);
  await sql`
    create table sign_on (
      -- Of what the browser's cookie holds. State, nonce and verifier follow from that, so that nothing here opens anything.
      hash        bytea primary key,
      -- begun: on the way to the provider. proven: back from it, for user_id.
      step        text not null check (step in ('begun', 'proven')),
      -- When begun: whose account is to be connected, and in which session; null: somebody signs in.
      user_id     uuid references app_user on delete cascade,
      session_id  uuid references session on delete cascade,
      remember    boolean not null,
      -- Whether the provider saw a second factor that counts here.
      is_strong   boolean not null,
      expires_at  timestamptz not null
    )`.execute(db);
  await sql`create index sign_on_by_expiry on sign_on (expires_at)`.execute(db);
}
