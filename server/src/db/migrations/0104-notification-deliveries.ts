import { sql, type Kysely } from 'kysely';

/** Owners: feed and notifications. What goes out of the house waits here, and is the log of what became of it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table feed_change
      drop constraint feed_change_kind_check,
      add constraint feed_change_kind_check check (kind in ('visit', 'warning', 'alert', 'alert_over', 'assignment',
        'known_visit', 'account', 'export'))`.execute(db);
  await sql`
    create table notification_delivery (
      notification_id uuid not null,
      user_id uuid not null references app_user (id) on delete cascade,
      channel text not null check (channel in ('email')),
      message text not null check (message in ('first', 'over')),
      state text not null default 'waiting' check (state in ('waiting', 'sent', 'summed', 'dropped')),
      reason text,
      created_at timestamptz not null,
      due_at timestamptz not null,
      done_at timestamptz,
      primary key (notification_id, channel, message),
      check ((done_at is null) = (state = 'waiting'))
    )`.execute(db);
  await sql`
    create index notification_delivery_waiting on notification_delivery (due_at, user_id)
      where state = 'waiting'`.execute(db);
  await sql`
    create index notification_delivery_of_user on notification_delivery (user_id, channel, done_at)`.execute(
    db,
  );
  await sql`create index notification_delivery_by_age on notification_delivery (created_at)`.execute(
    db,
  );
}
