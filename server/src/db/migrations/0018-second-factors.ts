import { sql, type Kysely } from 'kysely';

/** Owner: accounts. What somebody shows beside, or instead of, a password. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table user_totp (
      user_id      uuid primary key references app_user (id) on delete cascade,
      -- Sealed for user_totp.secret:<user_id>.
      secret       bytea not null,
      created_at   timestamptz not null,
      -- Null until a first code has proved that the app holds the secret: until then it is asked of nobody.
      confirmed_at timestamptz,
      -- The 30 s step (since 1970) of the newest code that was taken: none of it or before is taken again.
      last_step    bigint not null default 0
    )`.execute(db);

  await sql`
    create table recovery_code (
      user_id uuid not null references app_user (id) on delete cascade,
      -- HMAC-SHA256 under a key derived from the root key. A used one is deleted.
      hash    bytea not null check (length(hash) = 32),
      primary key (user_id, hash)
    )`.execute(db);

  await sql`
    create table login_challenge (
      -- SHA-256 of the token; deleted when it is used.
      hash          bytea primary key check (length(hash) = 32),
      user_id       uuid not null references app_user (id) on delete cascade,
      -- What was ticked with the password.
      is_remembered boolean not null,
      -- SHA-256 of the password hash it was issued for: another password, and it opens nothing.
      password_mark bytea not null check (length(password_mark) = 32),
      expires_at    timestamptz not null
    )`.execute(db);
  await sql`create index login_challenge_by_expiry on login_challenge (expires_at)`.execute(db);
}
