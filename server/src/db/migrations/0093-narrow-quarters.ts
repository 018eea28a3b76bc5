import { sql, type Kysely } from 'kysely';

/**
 * Owner: sightings. Quarters of known people hold the days that have visits, where they held all 92: most people come to
 * a camera on few days, so that a row of 400 bytes becomes one of about 130. Beside them quarters of people at all
 * cameras together, for who sees every camera: two rows a person in 90 days, where popular people have 200.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await makePacked(db);
  await narrow(db);
  await sql`
    create table sighting_identity_quarter (
      -- The first day of the quarter, UTC.
      quarter     date not null,
      -- Is known today, or was and is erased.
      identity_id uuid not null references identity (id),
      -- As in sighting_person_quarter, at all cameras together.
      through     integer[] not null check (cardinality(through) > 0),
      primary key (quarter, identity_id)
      -- Rows of this quarter change with each visit: there is room for their next versions on their pages.
    ) with (fillfactor = 80)`.execute(db);
  await sql`
    create index sighting_identity_quarter_of_identity on sighting_identity_quarter (identity_id)`.execute(
    db,
  );
  await makeCounting(db);
  await makeCountingOfOne(db);
  await makeNaming(db);
  await makeRecount(db);
  await sumOfIdentities(sql`true`).execute(db);
}

const given = sql.raw('cameras uuid[], starts timestamptz[], identities uuid[], signs integer[]');

/**
 * An element of `through` is a day of the quarter (the first is 1) times 2^24, and how many came from the beginning of
 * the quarter through that day. So it is sorted, and what came through any day is found without reading all of it.
 */
const dayUnit = sql.lit(2 ** 24);
const visitBits = sql.lit(2 ** 24 - 1);
const lastDay = sql.lit(92);

async function makePacked(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function sighting_quarter_visits(through integer[], day integer)
    returns integer language sql immutable parallel safe
    return coalesce(through[width_bucket((day + 1) * ${dayUnit} - 1, through)] & ${visitBits}, 0)`.execute(
    db,
  );
  // Of days of a quarter, each once, and the visits on each.
  await sql`
    create or replace function sighting_quarter_through(days integer[], visits integer[])
    returns integer[] language sql immutable parallel safe
    return (select array_agg((day * ${dayUnit} + through)::integer order by day)
            from (select day, sum(counted.visits) over (order by day) as through
                  from unnest(days, visits) as counted (day, visits)
                  where counted.visits <> 0) as running)`.execute(db);
  await sql`
    create or replace function sighting_quarter_moved(through integer[], day integer, more integer)
    returns integer[] language plpgsql immutable parallel safe as $$
    declare
      latest constant integer := through[cardinality(through)];
    begin
      -- Nearly all visits are of the latest day, or begin one.
      if more > 0 and latest / ${dayUnit} = day then
        return through[:cardinality(through) - 1] || (latest + more);
      elsif more > 0 and latest / ${dayUnit} < day then
        return through || (day * ${dayUnit} + (latest & ${visitBits}) + more);
      end if;
      return (
        select sighting_quarter_through(array_agg(counted.day), array_agg(counted.visits))
        from (
          select change.day, sum(change.visits)::integer as visits
          from (
            select element / ${dayUnit} as day,
                   (element & ${visitBits}) - lag(element & ${visitBits}, 1, 0) over (order by element) as visits
            from unnest(through) as element
            union all
            select sighting_quarter_moved.day, more
          ) as change group by 1
        ) as counted);
    end $$`.execute(db);
}

async function narrow(db: Kysely<unknown>): Promise<void> {
  // Of how many came through each of 92 days.
  await sql`
    create function sighting_quarter_narrowed(every integer[])
    returns integer[] language sql immutable parallel safe
    return (select array_agg((day * ${dayUnit} + through)::integer order by day)
            from (select day, through, lag(through, 1, 0) over (order by day) as before
                  from unnest(every) with ordinality as counted (through, day)) as running
            where through <> before)`.execute(db);
  await sql`
    alter table sighting_person_quarter
      drop constraint sighting_person_quarter_through_check,
      alter column through type integer[] using sighting_quarter_narrowed(through),
      add constraint sighting_person_quarter_through_check check (cardinality(through) > 0)`.execute(
    db,
  );
  await sql`drop function sighting_quarter_narrowed(integer[])`.execute(db);
}

const sumOfPeople = (which: ReturnType<typeof sql>) => sql`
  insert into sighting_person_quarter (quarter, camera_id, identity_id, through, first_at, last_at)
  select quarter, camera_id, identity_id,
         sighting_quarter_through(array_agg(day - quarter + 1), array_agg(visits)),
         min(first_at), max(last_at)
  from (select *, date_trunc('quarter', day)::date as quarter from sighting_day
        where is_known and ${which}) as counted
  group by 1, 2, 3`;

const sumOfIdentities = (which: ReturnType<typeof sql>) => sql`
  insert into sighting_identity_quarter (quarter, identity_id, through)
  select quarter, identity_id,
         sighting_quarter_through(array_agg(day - quarter + 1), array_agg(visits))
  from (select date_trunc('quarter', day)::date as quarter, day, identity_id,
               sum(visits)::integer as visits
        from sighting_day where is_known and ${which} group by 1, 2, 3) as counted
  group by 1, 2`;

const changes = sql`
  (select *, (started_at at time zone 'UTC')::date as day,
          date_trunc('quarter', started_at at time zone 'UTC')::date as quarter
   from unnest(cameras, starts, identities, signs)
          as visit (camera_id, started_at, identity_id, sign)) as visit
  join identity on identity.id = identity_id`;

/** Rows are locked in this order by everybody: hours, days, quarters of people at cameras, quarters of people. */
async function makeCounting(db: Kysely<unknown>): Promise<void> {
  await sql`
    create or replace function sighting_count_person_quarters(${given}) returns void language plpgsql as $$
    declare
      change record;
    begin
      for change in
        select quarter, camera_id, identity_id, day - quarter + 1 as day, min(sign) < 0 as has_lost,
               sum(sign)::integer as visits, min(started_at) as first_at, max(started_at) as last_at
        from ${changes}
        where identity.is_known
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
          and sighting_quarter_visits(through, ${lastDay}) + change.visits = 0;
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
      for change in
        select quarter, identity_id, day - quarter + 1 as day, sum(sign)::integer as visits
        from ${changes}
        where identity.is_known
        group by 1, 2, 3 having sum(sign) <> 0 order by 1, 2, 3
      loop
        if change.visits > 0 then
          insert into sighting_identity_quarter as counted (quarter, identity_id, through)
          values (change.quarter, change.identity_id,
                  sighting_quarter_through(array[change.day], array[change.visits]))
          on conflict (quarter, identity_id) do update
          set through = sighting_quarter_moved(counted.through, change.day, change.visits);
          continue;
        end if;
        perform from sighting_identity_quarter
        where (quarter, identity_id) = (change.quarter, change.identity_id) for update;
        delete from sighting_identity_quarter
        where (quarter, identity_id) = (change.quarter, change.identity_id)
          and sighting_quarter_visits(through, ${lastDay}) + change.visits = 0;
        update sighting_identity_quarter
        set through = sighting_quarter_moved(through, change.day, change.visits)
        where (quarter, identity_id) = (change.quarter, change.identity_id);
      end loop;
    end $$`.execute(db);
}

/** One visit of somebody known is counted without a loop. */
async function makeCountingOfOne(db: Kysely<unknown>): Promise<void> {
  await sql`
    create or replace function sighting_count_quarters(${given}) returns void language plpgsql as $$
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
      perform from identity where id = identities[1] and is_known;
      if not found then return; end if;
      insert into sighting_person_quarter as counted
        (quarter, camera_id, identity_id, through, first_at, last_at)
      values (first_day, cameras[1], identities[1], array[today * ${dayUnit} + 1], at, at)
      on conflict (quarter, camera_id, identity_id) do update
      set through = sighting_quarter_moved(counted.through, today, 1),
          first_at = least(counted.first_at, at), last_at = greatest(counted.last_at, at);
      insert into sighting_identity_quarter as counted (quarter, identity_id, through)
      values (first_day, identities[1], array[today * ${dayUnit} + 1])
      on conflict (quarter, identity_id) do update
      set through = sighting_quarter_moved(counted.through, today, 1);
    end $$`.execute(db);
}

async function makeNaming(db: Kysely<unknown>): Promise<void> {
  await sql`
    create or replace function sighting_identity_named_by_quarter() returns trigger language plpgsql as $$
    begin
      if not new.is_known then
        delete from sighting_person_quarter where identity_id = new.id;
        delete from sighting_identity_quarter where identity_id = new.id;
      else
        ${sumOfPeople(sql`identity_id = new.id`)};
        ${sumOfIdentities(sql`identity_id = new.id`)};
      end if;
      return null;
    end $$`.execute(db);
}

async function makeRecount(db: Kysely<unknown>): Promise<void> {
  await sql`
    create or replace function sighting_recount_quarters(until timestamptz) returns void language plpgsql as $$
    declare
      last constant date := (until at time zone 'UTC')::date;
    begin
      perform sighting_recount_days(until);
      delete from sighting_person_quarter where quarter < last;
      ${sumOfPeople(sql`date_trunc('quarter', day)::date < last`)};
      delete from sighting_identity_quarter where quarter < last;
      ${sumOfIdentities(sql`date_trunc('quarter', day)::date < last`)};
    end $$`.execute(db);
}
