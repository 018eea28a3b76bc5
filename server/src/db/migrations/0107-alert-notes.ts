import { sql, type Kysely } from 'kysely';

/**
 * Owner: alerts. What a user notes when an alert is closed may name a person. Erasing rewrites the tables that hold such
 * texts, so that no byte is left: notes have a small table of their own, without statistics of their words.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table alert_note (
      alert_id uuid primary key references alert (id) on delete cascade,
      text text not null
    )`.execute(db);
  await sql`alter table alert_note alter text set statistics 0`.execute(db);
  await sql`
    insert into alert_note (alert_id, text)
    select id, resolution_notes from alert where resolution_notes <> ''`.execute(db);
  await sql`alter table alert drop column resolution_notes`.execute(db);
}
