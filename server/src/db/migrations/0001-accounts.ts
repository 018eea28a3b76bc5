import { sql, type Kysely } from 'kysely';

/** Owner: accounts. Who signs in, with what, and the sessions they hold. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table app_user (
      id            uuid primary key,
      -- Lower-cased before it gets here, so that plain uniqueness is the one people mean.
      email         text not null unique check (email = lower(email) and length(email) <= 254),
      first_name    text not null check (length(first_name) between 1 and 150),
      last_name     text not null check (length(last_name) between 1 and 150),
      role          text not null check (role in ('user', 'operator', 'admin', 'superadmin')),
      is_staff      boolean not null,
      is_superuser  boolean not null,
      -- A disabled account keeps its rows and opens nothing.
      is_active     boolean not null default true,
      -- Argon2id in the PHC string format.
      password_hash text not null,
      created_at    timestamptz not null,
      -- CFL-001, CFL-002: the flags can never disagree with the role.
      check (role <> 'superadmin' or (is_superuser and is_staff)),
      check (role <> 'admin' or is_staff),
      check (not is_superuser or role = 'superadmin')
    )`.execute(db);

  await sql`
    create table user_preference (
      user_id           uuid primary key references app_user (id) on delete cascade,
      -- Null: never chosen, the browser decides (CFL-018).
      language          text check (language in ('en', 'az', 'ru', 'tr')),
      theme             text check (theme in ('light', 'dark')),
      avatar_color      text check (avatar_color ~ '^#[0-9a-f]{6}$'),
      sidebar_collapsed boolean not null default false,
      cameras_view      text not null default 'grid' check (cameras_view in ('grid', 'list')),
      faces_view        text not null default 'grid' check (faces_view in ('grid', 'list'))
    )`.execute(db);

  await sql`
    create table session (
      id            uuid primary key,
      user_id       uuid not null references app_user (id) on delete cascade,
      -- Made by a browser: its refresh works only together with the cookie (C-203).
      is_browser    boolean not null,
      -- SES-005: false ends with the browser, and its access tokens need the cookie too.
      is_remembered boolean not null,
      -- SHA-256 of the cookie's value; null for a client that is no browser.
      cookie_hash   bytea check (length(cookie_hash) = 32),
      -- Counts refreshes; a token of an older generation than the last is a replay (C-202).
      generation    integer not null default 0,
      ip            text not null,
      user_agent    text not null check (length(user_agent) <= 300),
      created_at    timestamptz not null,
      -- Moves with each refresh, never beyond absolute_expires_at (C-204).
      expires_at    timestamptz not null,
      absolute_expires_at timestamptz not null,
      ended_at      timestamptz,
      -- Why it ended: a person, an administrator, a replayed token, time.
      ended_reason  text check (ended_reason in ('logout', 'replay', 'stolen', 'password', 'disabled', 'limit')),
      check ((ended_at is null) = (ended_reason is null)),
      check (is_browser = (cookie_hash is not null))
    )`.execute(db);
  await sql`create index session_of_user on session (user_id) where ended_at is null`.execute(db);

  await sql`
    create table session_token (
      -- SHA-256 of the token. The token itself is nowhere.
      hash       bytea primary key check (length(hash) = 32),
      session_id uuid not null references session (id) on delete cascade,
      kind       text not null check (kind in ('access', 'refresh')),
      generation integer not null,
      expires_at timestamptz not null,
      -- When a refresh token was exchanged; the pair it was exchanged for, readable only with this token.
      used_at    timestamptz,
      successor  bytea,
      check ((used_at is null) = (successor is null))
    )`.execute(db);
  await sql`create index session_token_of_session on session_token (session_id)`.execute(db);
  await sql`create index session_token_by_expiry on session_token (expires_at)`.execute(db);

  await sql`
    create table throttle (
      -- What is counted, e.g. account:<sha256> or network:203.0.113.
      key        text primary key,
      failures   integer not null check (failures >= 0),
      last_at    timestamptz not null
    )`.execute(db);

  await sql`
    create table setup_code (
      -- SHA-256 of the one-time code that opens the first-run wizard (C-101).
      hash       bytea primary key check (length(hash) = 32),
      expires_at timestamptz not null,
      used_at    timestamptz
    )`.execute(db);

  await sql`
    create table account_policy (
      -- One row, ever.
      single       boolean primary key default true check (single),
      -- Who may register: anybody, anybody an administrator then approves, nobody.
      registration text not null default 'open' check (registration in ('open', 'approval', 'closed'))
    )`.execute(db);
  await sql`insert into account_policy default values`.execute(db);
}
