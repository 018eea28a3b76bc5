import { sql, type Kysely } from 'kysely';

const quarters = [0, 1, 2, 3] as const;
const each = (line: (quarter: number) => string) => sql.raw(quarters.map(line).join(', '));

/**
 * Owner: sightings. Naming a stranger, or taking a name back, moves hours and days of cameras by one statement each, in
 * place of one for every hour and day: 40,000 visits have 40,000 hours and 20,000 days, and who writes a visit at the
 * same camera in the same hour waits. Rows are locked in their order before, so that nobody waits in a circle.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create or replace function sighting_identity_named() returns trigger language plpgsql as $$
    declare
      sign constant integer := case when new.is_known then 1 else -1 end;
    begin
      perform pg_advisory_xact_lock(hashtextextended('sightings.counts', 0));
      perform from sighting_hour as counted
      join (select distinct date_trunc('hour', started_at, 'UTC') as hour, camera_id
            from sighting where identity_id = new.id and deleted_at is null) as visit
        using (hour, camera_id)
      order by hour, camera_id for update of counted;
      update sighting_hour as counted set ${each(
        (q) => `recognized_${q} = counted.recognized_${q} + change.recognized_${q}`,
      )}
      from (
        select date_trunc('hour', started_at, 'UTC') as hour, camera_id, ${each(
          (q) => `sign * count(*) filter (where quarter = ${q})::integer as recognized_${q}`,
        )}
        from (select *, extract(minute from started_at at time zone 'UTC')::integer / 15 as quarter
              from sighting where identity_id = new.id and deleted_at is null) as visit
        group by 1, 2
      ) as change
      where counted.hour = change.hour and counted.camera_id = change.camera_id;
      update sighting_day set is_known = new.is_known where identity_id = new.id;
      return null;
    end $$`.execute(db);
  await sql`
    create or replace function sighting_identity_named_by_day() returns trigger language plpgsql as $$
    declare
      sign constant integer := case when new.is_known then 1 else -1 end;
    begin
      perform from sighting_camera_day as counted
      join sighting_day as theirs using (day, camera_id)
      where theirs.identity_id = new.id
      order by day, camera_id for update of counted;
      update sighting_camera_day as counted set recognized = recognized + sign * theirs.visits
      from sighting_day as theirs
      where theirs.identity_id = new.id
        and (counted.day, counted.camera_id) = (theirs.day, theirs.camera_id);
      return null;
    end $$`.execute(db);
}
