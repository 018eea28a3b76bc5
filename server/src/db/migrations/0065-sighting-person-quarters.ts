import { sql, type Kysely } from 'kysely';

/** The longest quarters of a year. */
const maxDays = 92;

/**
 * Owner: sightings. Visits of known people by camera, quarter of the year and day in it, kept beside their days: who came
 * in 90 days is read from two rows a person and camera instead of up to 90. Filled from the days: 4.4 s on a busy machine for the
 * 461,000 of 1,000,000 visits, and 10,000,000 visits of as many people at as many cameras have 1,000,000 at most.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table sighting_person_quarter (
      -- The first day of the quarter, UTC.
      quarter     date not null,
      camera_id   uuid not null references camera (id),
      -- Has a name today.
      identity_id uuid not null references identity (id),
      -- Visits from the beginning of the quarter to the end of each day of it: those of its days 5 to 9 are
      -- through[9] - through[4]. After its last day it goes on with their sum.
      through     integer[] not null
        check (cardinality(through) = ${sql.lit(maxDays)} and through[${sql.lit(maxDays)}] > 0),
      first_at    timestamptz not null,
      last_at     timestamptz not null,
      primary key (quarter, camera_id, identity_id)
      -- Rows of this quarter change with each visit: there is room for their next versions on their pages.
    ) with (fillfactor = 80)`.execute(db);
  await sql`
    create index sighting_person_quarter_of_identity on sighting_person_quarter (identity_id)`.execute(
    db,
  );
  await makeThrough(db);
  await makeCounting(db);
  await makeCountingOfOne(db);
  await makeNaming(db);
  await makeRecount(db);
  await sumOfDays(sql`true`).execute(db);
  // Strangers are counted by sightings alone, so that nobody reads these any more.
  await sql`drop view sightings_v_day, sightings_v_stranger`.execute(db);
}

const given = sql.raw('cameras uuid[], starts timestamptz[], identities uuid[], signs integer[]');

/** `which`: days of known people, each quarter with all of them. */
const sumOfDays = (which: ReturnType<typeof sql>) => sql`
  insert into sighting_person_quarter (quarter, camera_id, identity_id, through, first_at, last_at)
  select quarter, camera_id, identity_id,
         sighting_quarter_through(array_agg(day - quarter + 1), array_agg(visits)),
         min(first_at), max(last_at)
  from (select *, date_trunc('quarter', day)::date as quarter from sighting_day
        where is_known and ${which}) as counted
  group by 1, 2, 3`;

async function makeThrough(db: Kysely<unknown>): Promise<void> {
  // Of days of a quarter, the first is 1, each once, and the visits on each.
  await sql`
    create function sighting_quarter_through(days integer[], visits integer[])
    returns integer[] language sql immutable parallel safe
    return (select array_agg(coalesce(through, 0)::integer order by day)
            from (select day, sum(counted.visits) over (order by day) as through
                  from generate_series(1, ${sql.lit(maxDays)}) as day
                  left join unnest(days, visits) as counted (day, visits) using (day)) as running)`.execute(
    db,
  );
  await sql`
    create function sighting_quarter_moved(through integer[], day integer, more integer)
    returns integer[] language sql immutable parallel safe
    return through[:day - 1] || array(select visits + more from unnest(through[day:]) as visits)`.execute(
    db,
  );
}

/** Rows are locked in this order by everybody: hours, days of people, days of cameras, quarters of people. */
async function makeCounting(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function sighting_count_person_quarters(${given}) returns void language plpgsql as $$
    declare
      change record;
    begin
      for change in
        select quarter, camera_id, identity_id, day - quarter + 1 as day, min(sign) < 0 as has_lost,
               sum(sign)::integer as visits, min(started_at) as first_at, max(started_at) as last_at
        from (select *, (started_at at time zone 'UTC')::date as day,
                     date_trunc('quarter', started_at at time zone 'UTC')::date as quarter
              from unnest(cameras, starts, identities, signs)
                     as visit (camera_id, started_at, identity_id, sign)) as visit
        join identity on identity.id = identity_id
        where person_id is not null
        group by 1, 2, 3, 4 order by 1, 2, 3, 4
      loop
        if not change.has_lost then
          insert into sighting_person_quarter as counted
            (quarter, camera_id, identity_id, through, first_at, last_at)
          values (change.quarter, change.camera_id, change.identity_id,
                  sighting_quarter_through(array[change.day], array[change.visits]),
                  change.first_at, change.last_at)
          on conflict (quarter, camera_id, identity_id) do update
          set through = sighting_quarter_moved(counted.through, change.day, change.visits),
              first_at = least(counted.first_at, excluded.first_at),
              last_at = greatest(counted.last_at, excluded.last_at);
          continue;
        end if;
        -- Its first and last may have gone with it; whoever changes the quarter too waits here.
        perform from sighting_person_quarter
        where (quarter, camera_id, identity_id)
              = (change.quarter, change.camera_id, change.identity_id)
        for update;
        delete from sighting_person_quarter
        where (quarter, camera_id, identity_id)
              = (change.quarter, change.camera_id, change.identity_id)
          and through[${sql.lit(maxDays)}] + change.visits = 0;
        update sighting_person_quarter as counted
        set through = sighting_quarter_moved(through, change.day, change.visits),
            first_at = coalesce(kept.first_at, counted.first_at),
            last_at = coalesce(kept.last_at, counted.last_at)
        from (select min(first_at) as first_at, max(last_at) as last_at from sighting_day
              where camera_id = change.camera_id and identity_id = change.identity_id
                and day >= change.quarter and day < change.quarter + interval '3 months') as kept
        where (quarter, camera_id, identity_id)
              = (change.quarter, change.camera_id, change.identity_id);
      end loop;
    end $$`.execute(db);
}

/** One visit of somebody known is counted without a loop. */
async function makeCountingOfOne(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter function sighting_count(uuid[], timestamptz[], uuid[], integer[])
    rename to sighting_count_days`.execute(db);
  await sql`
    create function sighting_count(${given}) returns void language plpgsql as $$
    declare
      at constant timestamptz := starts[1];
      first_day constant date := date_trunc('quarter', at at time zone 'UTC')::date;
      today constant integer := (at at time zone 'UTC')::date - first_day + 1;
    begin
      perform sighting_count_days(cameras, starts, identities, signs);
      if cardinality(cameras) > 1 or signs[1] < 0 then
        perform sighting_count_person_quarters(cameras, starts, identities, signs);
        return;
      end if;
      insert into sighting_person_quarter as counted
        (quarter, camera_id, identity_id, through, first_at, last_at)
      select first_day, cameras[1], id,
             array_fill(0, array[today - 1]) || array_fill(1, array[${sql.lit(maxDays)} + 1 - today]), at, at
      from identity where id = identities[1] and person_id is not null
      on conflict (quarter, camera_id, identity_id) do update
      set through = sighting_quarter_moved(counted.through, today, 1),
          first_at = least(counted.first_at, at), last_at = greatest(counted.last_at, at);
    end $$`.execute(db);
}

async function makeNaming(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function sighting_identity_named_by_quarter() returns trigger language plpgsql as $$
    begin
      if new.person_id is null then
        delete from sighting_person_quarter where identity_id = new.id;
      else
        ${sumOfDays(sql`identity_id = new.id`)};
      end if;
      return null;
    end $$`.execute(db);
  // Triggers go by their names: hours and days first.
  await sql`
    create trigger identity_is_recounted_by_quarter after update of person_id on identity for each row
      when ((old.person_id is null) <> (new.person_id is null))
      execute function sighting_identity_named_by_quarter()`.execute(db);
}

async function makeRecount(db: Kysely<unknown>): Promise<void> {
  await sql`alter function sighting_recount(timestamptz) rename to sighting_recount_days`.execute(
    db,
  );
  await sql`
    create function sighting_recount(until timestamptz) returns void language plpgsql as $$
    declare
      last constant date := (until at time zone 'UTC')::date;
    begin
      perform sighting_recount_days(until);
      delete from sighting_person_quarter where quarter < last;
      ${sumOfDays(sql`date_trunc('quarter', day)::date < last`)};
    end $$`.execute(db);
}
