import { sql, type Kysely } from 'kysely';

/**
 * Owner: alerts. Rules may be about an unknown person who comes again, about enrolled people except some categories, and
 * may ask how sure recognition is.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ['alert_rule', 'alert']) {
    await sql`
      alter table ${sql.table(table)}
        drop constraint ${sql.id(`${table}_kind_check`)},
        add constraint ${sql.id(`${table}_kind_check`)} check (kind in ('unknown_person', 'returning_stranger',
          'watched_person', 'known_person', 'camera_down', 'storage_low', 'recorder_failed',
          'system_warning'))`.execute(db);
  }
  await sql`
    alter table alert_rule
      add column visits integer not null default 3 check (visits between 2 and 100),
      add column confidence_percent integer not null default 0
        check (confidence_percent between 0 and 100)`.execute(db);
}
