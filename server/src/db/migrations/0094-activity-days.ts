import { sql, type Kysely } from 'kysely';

/**
 * Owner: activity. How many entries each day has by whose, of what and about what: 250,000 of 90 days are
 * counted by 5,172 rows. The sealer counts entries as it seals them, so that no deed waits for the count of another one.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table activity_day (
      -- UTC.
      day          date not null,
      -- Null: no account's.
      user_id      uuid,
      action       text not null,
      -- As the log shows it: of an entry about nothing in particular "system".
      content_type text not null,
      is_mock      boolean not null,
      -- Sealed ones, also those that were taken out of the log.
      entries      integer not null,
      -- Taken out of the log, sealed or not.
      buried       integer not null,
      unique nulls not distinct (day, user_id, action, content_type, is_mock)
      -- Rows of today change with each pass of the sealer: there is room for their next versions on their pages.
    ) with (fillfactor = 80)`.execute(db);
  // Counts all anew. Whoever seals or takes out meanwhile waits, or is waited for.
  await sql`
    create function count_activity_days() returns void language plpgsql as $$
    begin
      lock table activity_day in exclusive mode;
      delete from activity_day;
      insert into activity_day
        select (recorded_at at time zone 'UTC')::date, user_id, action,
               coalesce(object_type, details->>'content_type', 'system'), is_mock,
               count(sequence), count(entry_id)
          from audit_entry left join activity_tombstone on entry_id = id
         where sequence is not null or entry_id is not null
         group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5;
    end $$`.execute(db);
  await sql`select count_activity_days()`.execute(db);
  await sql`analyze activity_day`.execute(db);
}
