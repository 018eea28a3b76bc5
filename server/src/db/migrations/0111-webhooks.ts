import { sql, type Kysely } from 'kysely';

/**
 * Owners: notifications and alerts. Webhooks: programs of others that are sent what happens to alerts, each event once
 * for each of them, with what became of it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table webhook (
        id uuid primary key,
        name text not null check (length(name) between 1 and 100),
        sealed_address bytea not null,
        origin text not null,
        sealed_secret bytea not null,
        sealed_old_secret bytea,
        old_secret_until timestamptz,
        content text not null check (content in ('event', 'cameras', 'people')),
        least_level text not null check (least_level in ('info', 'warning', 'error', 'critical')),
        kinds text[],
        camera_ids uuid[],
        allow_loopback boolean not null,
        is_enabled boolean not null,
        is_gone boolean not null default false,
        failures integer not null default 0 check (failures >= 0),
        paused_until timestamptz,
        last_delivered_at timestamptz,
        created_at timestamptz not null,
        constraint webhook_old_secret_check check ((sealed_old_secret is null) = (old_secret_until is null))
    )`.execute(db);
  await sql`
    create table webhook_delivery (
        id uuid primary key,
        webhook_id uuid not null references webhook (id) on delete cascade,
        event text not null check (event in ('alert.raised', 'alert.over', 'webhook.test')),
        alert_id uuid,
        is_critical boolean not null,
        state text not null check (state in ('waiting', 'delivered', 'failed')),
        created_at timestamptz not null,
        tries integer not null default 0,
        tries_of_round integer not null default 0,
        due_at timestamptz not null,
        give_up_at timestamptz not null,
        leased_until timestamptz,
        last_tried_at timestamptz,
        status integer,
        fault text check (fault in ('status', 'gone', 'redirected', 'timeout', 'unreachable', 'name_unknown',
          'address_refused', 'certificate_refused', 'expired', 'disabled', 'alert_gone')),
        took_ms integer
    )`.execute(db);
  await sql`
    create unique index webhook_delivery_of_alert on webhook_delivery (webhook_id, alert_id, event)`.execute(
    db,
  );
  await sql`
    create index webhook_delivery_waiting on webhook_delivery (webhook_id, is_critical desc, created_at, id)
        where (state = 'waiting')`.execute(db);
  await sql`
    create index webhook_delivery_failed on webhook_delivery (webhook_id) where (state = 'failed')`.execute(
    db,
  );
  await sql`
    create index webhook_delivery_by_time on webhook_delivery (created_at, id)`.execute(db);
  await sql`
    create index webhook_delivery_of_webhook on webhook_delivery (webhook_id, created_at, id)`.execute(
    db,
  );
  await sql`
    create index webhook_delivery_by_state on webhook_delivery (state, created_at, id)`.execute(db);
  await sql`
    create or replace view alerts_v_alert as
      select id, kind, level, camera_id, assigned_to, rule_id, warning_kind, count, people, created_at, last_at,
             ended_at
        from alert`.execute(db);
}
