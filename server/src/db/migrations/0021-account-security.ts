import { sql, type Kysely } from 'kysely';

/** Owner: accounts. What people demand of their own sessions, keys for their scripts, and time that never goes back. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table account_security (
      -- No row: as the defaults say.
      user_id         uuid primary key references app_user (id) on delete cascade,
      -- Minutes; null: never, only the system's limit holds (SEC-011, CFL-021).
      session_timeout smallint default 30 check (session_timeout in (15, 30, 60, 120)),
      -- 'All', or addresses and networks with commas between them (SEC-012).
      allowed_ips     text not null default 'All' check (length(allowed_ips) <= 4000),
      api_access      boolean not null default false
    )`.execute(db);

  // The last deed of a person; polling moves it not (C-204, H-15). To within ten seconds.
  await sql`alter table session add column last_active_at timestamptz`.execute(db);
  await sql`update session set last_active_at = created_at`.execute(db);
  await sql`alter table session alter column last_active_at set not null`.execute(db);
  // Idle: nobody did anything for too long. Expired: its time was over. The list of reasons is the code's.
  await sql`alter table session drop constraint session_ended_reason_check`.execute(db);
  await sql`
    alter table session add constraint session_ended_reason_check
      check (ended_reason ~ '^[a-z]+$')`.execute(db);

  await sql`
    create table time_mark (
      -- One row, ever: the latest moment that sessions were judged by (C-210).
      single boolean primary key default true check (single),
      at     timestamptz not null
    )`.execute(db);

  await sql`
    create table api_key (
      id           uuid primary key,
      user_id      uuid not null references app_user (id) on delete cascade,
      name         text not null check (length(name) between 1 and 100),
      -- SHA-256 of the key. The key itself is nowhere.
      hash         bytea not null unique check (length(hash) = 32),
      -- From the closed list in contract/src/route.ts.
      scopes       text[] not null check (cardinality(scopes) > 0),
      created_at   timestamptz not null,
      expires_at   timestamptz not null check (expires_at <= created_at + interval '366 days'),
      revoked_at   timestamptz,
      -- To within a minute.
      last_used_at timestamptz,
      last_used_ip text check (length(last_used_ip) <= 45),
      check ((last_used_at is null) = (last_used_ip is null))
    )`.execute(db);
  await sql`create index api_key_of_user on api_key (user_id) where revoked_at is null`.execute(db);

  await sql`
    create table api_key_address (
      -- Where a key was used from: the first time is told to its owner.
      key_id        uuid not null references api_key (id) on delete cascade,
      ip            text not null check (length(ip) <= 45),
      first_used_at timestamptz not null,
      primary key (key_id, ip)
    )`.execute(db);
}
