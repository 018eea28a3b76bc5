import { sql, type Kysely } from 'kysely';

/**
 * Owner: cameras. A camera that was turned leaves open whether what it shows turned with the picture: zones count in every
 * place where they may be until they are saved again, and what was recorded before that hides masks in each. By how much a
 * camera was turned before is not on record, only that it was: then it may have been by any quarter.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table camera_zone
      -- By how much the points may have to be turned clockwise on the picture as it is shown now.
      add column turns smallint[] not null default '{0}' constraint camera_zone_turns
        check (turns <@ array[0, 90, 180, 270]::smallint[] and cardinality(turns) > 0)`.execute(db);
  await sql`
    alter table camera
      -- By how much a place of now may be turned on pictures from before turned_until; null: on all, as the zones were
      -- not saved since the camera was turned.
      add column turned_by smallint[] not null default '{0}' constraint camera_turned_by
        check (turned_by <@ array[0, 90, 180, 270]::smallint[] and 0 = any(turned_by)),
      add column turned_until timestamptz`.execute(db);
  await sql`
    with turned as (
      select entry.object_id::uuid as camera_id, max(entry.recorded_at) as at from audit_entry entry
       where entry.object_type = 'camera' and entry.action = 'camera.replaced'
         and (entry.details -> 'fields')::jsonb ? 'rotation'
       group by entry.object_id
    ), saved as (
      select turned.camera_id, (
        select min(entry.recorded_at) from audit_entry entry
         where entry.object_type = 'camera' and entry.object_id = turned.camera_id::text
           and entry.action = 'camera.zones_changed' and entry.recorded_at > turned.at) as at
        from turned
    ), open_zones as (
      update camera_zone set turns = '{0,90,180,270}'
       where camera_id in (select camera_id from saved where at is null)
    )
    update camera set turned_by = '{0,90,180,270}', turned_until = saved.at
      from saved where saved.camera_id = camera.id`.execute(db);
}
