import { sql, type Kysely } from 'kysely';

/** Owner: accounts. WebAuthn credentials; what is kept of one opens nothing: its private key never leaves its owner. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table passkey (
      id            uuid primary key,
      user_id       uuid not null references app_user (id) on delete cascade,
      name          text not null check (length(name) between 1 and 60),
      -- The name of this installation it was made for (WebAuthn's relying party id).
      host          text not null,
      credential_id bytea not null unique check (length(credential_id) <= 1023),
      -- In COSE form.
      public_key    bytea not null,
      -- Of signatures, as the authenticator counts them; 0 for ever where it does not. Never goes back.
      counter       bigint not null check (counter >= 0),
      -- How a browser reaches the authenticator: usb, nfc, internal, hybrid ...
      transports    text[] not null,
      is_synced     boolean not null,
      created_at    timestamptz not null,
      last_used_at  timestamptz
    )`.execute(db);
  await sql`create index passkey_of_user on passkey (user_id)`.execute(db);

  await sql`
    create table used_passkey_challenge (
      -- SHA-256 of a challenge that was answered: it is taken once.
      hash       bytea primary key check (length(hash) = 32),
      expires_at timestamptz not null
    )`.execute(db);
}
