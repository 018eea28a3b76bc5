import { sql, type Kysely } from 'kysely';

/** Owner: notifications. Browsers and phones that are sent push messages, and the messages that wait for them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table notification_delivery drop constraint notification_delivery_channel_check`.execute(
    db,
  );
  await sql`
    alter table notification_delivery add constraint notification_delivery_channel_check
      check (channel in ('email', 'push'))`.execute(db);
  await sql`
    create table push_settings (
      id smallint primary key default 1 check (id = 1),
      content text not null default 'event' check (content in ('event', 'names', 'pictures')),
      public_key text,
      sealed_private_key bytea,
      constraint push_settings_check check ((public_key is null) = (sealed_private_key is null))
    )`.execute(db);
  await sql`insert into push_settings default values`.execute(db);
  await sql`
    create table push_device (
      id uuid primary key,
      user_id uuid not null references app_user (id) on delete cascade,
      session_id uuid not null,
      sealed_subscription bytea not null,
      endpoint_hash bytea not null unique check (length(endpoint_hash) = 32),
      service text not null,
      name text not null check (length(name) between 1 and 100),
      created_at timestamptz not null,
      renewed_at timestamptz not null,
      delivered_at timestamptz,
      failures integer not null default 0,
      paused_until timestamptz,
      fault text
    )`.execute(db);
  await sql`create index push_device_of_user on push_device (user_id)`.execute(db);
  await sql`create index push_device_of_session on push_device (session_id)`.execute(db);
  await sql`
    create table push_message (
      id uuid primary key,
      device_id uuid not null references push_device (id) on delete cascade,
      message text not null check (message in ('first', 'over', 'summary')),
      notification_id uuid,
      summed integer,
      summed_from timestamptz,
      is_critical boolean not null,
      created_at timestamptz not null,
      due_at timestamptz not null,
      give_up_at timestamptz not null,
      leased_until timestamptz,
      tries integer not null default 0,
      state text not null default 'waiting' check (state in ('waiting', 'delivered', 'failed', 'dropped')),
      fault text,
      ticket_hash bytea unique check (length(ticket_hash) = 32),
      acted_at timestamptz,
      shown_at timestamptz,
      constraint push_message_check check ((notification_id is null) = (message = 'summary')),
      constraint push_message_check1 check ((summed is null) = (message <> 'summary')),
      constraint push_message_check2 check ((summed_from is null) = (message <> 'summary'))
    )`.execute(db);
  await sql`
    create index push_message_waiting on push_message (device_id, created_at) where (state = 'waiting')`.execute(
    db,
  );
  await sql`create index push_message_of_device on push_message (device_id)`.execute(db);
  await sql`create index push_message_by_age on push_message (created_at)`.execute(db);
  await sql`
    create view accounts_v_session as
      select id, ended_reason
        from session`.execute(db);
}
