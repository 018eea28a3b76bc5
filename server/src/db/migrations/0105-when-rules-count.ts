import { sql, type Kysely } from 'kysely';

/**
 * Owners: alerts and cameras. Rules count at the cameras of groups, too, at times of a week and in modes of the house;
 * rules from before count as they did.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table alert_rule
      add column camera_group_ids uuid[] not null default '{}',
      add column schedule jsonb,
      add column modes text[] not null default '{home,away}'
        check (cardinality(modes) > 0 and modes <@ '{home,away}')`.execute(db);
  await sql`
    create table house_mode (
      since timestamptz primary key,
      mode text not null check (mode in ('home', 'away', 'off'))
    )`.execute(db);
  await sql`
    create view cameras_v_group_member as
      select group_id, camera_id from camera_group_member`.execute(db);
}
