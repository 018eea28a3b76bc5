import { sql, type Kysely } from 'kysely';

const quarters = [0, 1, 2, 3] as const;
const each = (line: (quarter: number) => string) => sql.raw(quarters.map(line).join(', '));

/**
 * Owner: sightings. Which namings are under way: the counts of a stranger's visits follow their name in batches (decision
 * 0028). Views with `_now` in their names add what is not moved yet, so that readers see the counts of the end from the
 * first moment on.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table sighting_naming (
      identity_id  uuid primary key references identity (id) on delete cascade,
      -- A midnight of UTC, or infinite. Visits from then on are counted as a known person's, those before as unknown.
      known_from   timestamptz not null,
      -- False: the first batch makes the quarters of the person who is known now.
      has_quarters boolean not null
    )`.execute(db);
  await makePending(db);
  await makeQuarters(db);
  await makePendingQuarters(db);
  await makeViews(db);
}

/** Functions, because the planner supposes that a table without rows has a thousand of them, each with visits. */
async function makePending(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function sighting_pending_visits()
    returns table (hour timestamptz, camera_id uuid, quarter integer, recognized integer)
    language plpgsql stable parallel safe rows 1 as $$
    declare
      naming record;
    begin
      for naming in
        select identity.id, is_known, case when is_known then '-infinity' else known_from end as from_at,
               case when is_known then known_from else 'infinity' end as until_at
        from sighting_naming join identity on identity.id = identity_id
      loop
        return query
        select date_trunc('hour', visit.started_at, 'UTC'), visit.camera_id,
               extract(minute from visit.started_at at time zone 'UTC')::integer / 15,
               case when naming.is_known then 1 else -1 end
        from sighting as visit
        where visit.identity_id = naming.id and visit.deleted_at is null
          and visit.started_at >= naming.from_at and visit.started_at < naming.until_at;
      end loop;
    end $$`.execute(db);
  await sql`
    create function sighting_pending_days() returns setof sighting_day
    language plpgsql stable parallel safe rows 1 as $$
    declare
      naming record;
    begin
      for naming in
        select identity.id, is_known from sighting_naming join identity on identity.id = identity_id
      loop
        return query
        select * from sighting_day as counted
        where counted.identity_id = naming.id and counted.is_known = not naming.is_known;
      end loop;
    end $$`.execute(db);
}

/** Quarters of an identity, made of its days. */
async function makeQuarters(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function sighting_person_quarters_of(named uuid) returns setof sighting_person_quarter
    language sql stable parallel safe as $$
      select quarter, camera_id, identity_id,
             sighting_quarter_through(array_agg(day - quarter + 1), array_agg(visits)),
             min(first_at), max(last_at)
      from (select *, date_trunc('quarter', day)::date as quarter
            from sighting_day where identity_id = named) as counted
      group by 1, 2, 3
    $$`.execute(db);
  await sql`
    create function sighting_identity_quarters_of(named uuid) returns setof sighting_identity_quarter
    language sql stable parallel safe as $$
      select quarter, identity_id,
             sighting_quarter_through(array_agg(day - quarter + 1), array_agg(visits))
      from (select date_trunc('quarter', day)::date as quarter, day, identity_id,
                   sum(visits)::integer as visits
            from sighting_day where identity_id = named group by 1, 2, 3) as counted
      group by 1, 2
    $$`.execute(db);
}

async function makePendingQuarters(db: Kysely<unknown>): Promise<void> {
  for (const kind of ['person', 'identity']) {
    const table = sql.ref(`sighting_${kind}_quarter`);
    const pending = sql.ref(`sighting_pending_${kind}_quarters`);
    await sql`
      create function ${pending}() returns setof ${table}
      language plpgsql stable parallel safe rows 1 as $$
      declare
        named uuid;
      begin
        for named in
          select id from sighting_naming join identity on id = identity_id
          where is_known and not has_quarters
        loop
          return query select * from ${sql.ref(`sighting_${kind}_quarters_of`)}(named);
        end loop;
      end $$`.execute(db);
    await sql`
      create view ${sql.ref(`sighting_${kind}_quarter_now`)} as
        select * from ${table} union all select * from ${pending}()`.execute(db);
  }
}

async function makeViews(db: Kysely<unknown>): Promise<void> {
  await sql`
    create view sighting_hour_now as
      select hour, camera_id, visits, recognized, ${each((q) => `visits_${q}, recognized_${q}`)}
      from sighting_hour
      union all
      select hour, camera_id, 0, recognized,
             ${each((q) => `0, case quarter when ${q} then recognized else 0 end`)}
      from sighting_pending_visits()`.execute(db);
  await sql`
    create view sighting_camera_day_now as
      select day, camera_id, visits, recognized from sighting_camera_day
      union all
      select day, camera_id, 0, case when is_known then -visits else visits end
      from sighting_pending_days()`.execute(db);
  // Who was known until the name was taken back is among them: readers join who is known.
  await sql`
    create view sighting_known_day_now as
      select day, camera_id, identity_id, visits, first_at, last_at from sighting_day where is_known
      union all
      select day, camera_id, identity_id, visits, first_at, last_at
      from sighting_pending_days() where not is_known`.execute(db);
}
