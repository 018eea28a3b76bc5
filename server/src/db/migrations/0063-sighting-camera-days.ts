import { sql, type Kysely } from 'kysely';

const quarters = [0, 1, 2, 3] as const;
const each = (line: (quarter: number) => string) => sql.raw(quarters.map(line).join(', '));

/**
 * Owner: sightings. Visits of a day at a camera, kept beside those of its hours: how many there are, on which page one
 * is, and what cameras saw in months is read from a row a day instead of 24. Recording one visit is counted without a
 * loop, because that happens all the time, and the rest seldom.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table sighting_camera_day (
      -- The day in UTC.
      day        date not null,
      camera_id  uuid not null references camera (id),
      visits     integer not null check (visits > 0),
      -- Of these the ones of people who have a name today.
      recognized integer not null check (recognized between 0 and visits),
      primary key (day, camera_id)
    )`.execute(db);
  // Where each identity was seen: enough to count whom one may see, without a look at whom they were merged into.
  await sql`
    create view sightings_v_day as select day, camera_id, identity_id from sighting_day`.execute(db);
  await makeCounting(db);
  await makeCountingOfOne(db);
  await makeNaming(db);
  await makeRecount(db);
  await sql`${sumOfHours} group by 1, 2`.execute(db);
}

const sumOfHours = sql`
  insert into sighting_camera_day (day, camera_id, visits, recognized)
  select (hour at time zone 'UTC')::date, camera_id, sum(visits), sum(recognized)
  from sighting_hour`;

/** Rows are locked in this order by everybody: hours, days of people, days of cameras. */
async function makeCounting(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter function sighting_count(uuid[], timestamptz[], uuid[], integer[])
    rename to sighting_count_many`.execute(db);
  await sql`
    create function sighting_count_camera_days(
      cameras uuid[], starts timestamptz[], identities uuid[], signs integer[])
    returns void language plpgsql as $$
    declare
      change record;
    begin
      for change in
        select (started_at at time zone 'UTC')::date as day, camera_id, sum(sign)::integer as visits,
               coalesce(sum(sign) filter (where person_id is not null), 0)::integer as recognized
        from unnest(cameras, starts, identities, signs)
               as visit (camera_id, started_at, identity_id, sign)
        join identity on identity.id = identity_id
        group by 1, 2 order by 1, 2
      loop
        if change.visits > 0 and change.recognized between 0 and change.visits then
          insert into sighting_camera_day as counted (day, camera_id, visits, recognized)
          values (change.day, change.camera_id, change.visits, change.recognized)
          on conflict (day, camera_id) do update
          set visits = counted.visits + excluded.visits,
              recognized = counted.recognized + excluded.recognized;
        else
          delete from sighting_camera_day as empty
          where (empty.day, empty.camera_id) = (change.day, change.camera_id)
            and empty.visits + change.visits = 0;
          update sighting_camera_day as counted
          set visits = counted.visits + change.visits,
              recognized = counted.recognized + change.recognized
          where (counted.day, counted.camera_id) = (change.day, change.camera_id);
        end if;
      end loop;
    end $$`.execute(db);
}

/** The same identity lock as for many: naming it waits, or is waited for. */
async function makeCountingOfOne(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function sighting_count(cameras uuid[], starts timestamptz[], identities uuid[], signs integer[])
    returns void language plpgsql as $$
    declare
      at constant timestamptz := starts[1];
      today constant date := (at at time zone 'UTC')::date;
      quarter constant integer := extract(minute from at at time zone 'UTC')::integer / 15;
      known boolean;
    begin
      if cardinality(cameras) > 1 or signs[1] < 0 then
        perform sighting_count_many(cameras, starts, identities, signs);
        perform sighting_count_camera_days(cameras, starts, identities, signs);
        return;
      end if;
      select person_id is not null into strict known from identity
      where id = identities[1] for share;
      insert into sighting_hour as counted (hour, camera_id, ${each((q) => `visits_${q}, recognized_${q}`)})
      values (date_trunc('hour', at, 'UTC'), cameras[1], ${each(
        (q) => `(quarter = ${q})::integer, (quarter = ${q} and known)::integer`,
      )})
      on conflict (hour, camera_id) do update set ${each(
        (q) => `visits_${q} = counted.visits_${q} + excluded.visits_${q},
                recognized_${q} = counted.recognized_${q} + excluded.recognized_${q}`,
      )};
      insert into sighting_day as counted
        (is_known, day, camera_id, identity_id, visits, first_at, last_at)
      values (known, today, cameras[1], identities[1], 1, at, at)
      on conflict (day, camera_id, identity_id, is_known) do update
      set visits = counted.visits + 1, first_at = least(counted.first_at, at),
          last_at = greatest(counted.last_at, at);
      insert into sighting_camera_day as counted (day, camera_id, visits, recognized)
      values (today, cameras[1], 1, known::integer)
      on conflict (day, camera_id) do update
      set visits = counted.visits + 1, recognized = counted.recognized + excluded.recognized;
    end $$`.execute(db);
}

async function makeNaming(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function sighting_identity_named_by_day() returns trigger language plpgsql as $$
    declare
      sign constant integer := case when new.person_id is null then -1 else 1 end;
      change record;
    begin
      for change in
        select day, camera_id, visits from sighting_day where identity_id = new.id order by 1, 2
      loop
        update sighting_camera_day set recognized = recognized + sign * change.visits
        where (day, camera_id) = (change.day, change.camera_id);
      end loop;
      return null;
    end $$`.execute(db);
  // Triggers go by their names: the hours first.
  await sql`
    create trigger identity_is_recounted_by_day after update of person_id on identity for each row
      when ((old.person_id is null) <> (new.person_id is null))
      execute function sighting_identity_named_by_day()`.execute(db);
}

async function makeRecount(db: Kysely<unknown>): Promise<void> {
  await sql`alter function sighting_recount(timestamptz) rename to sighting_recount_hours`.execute(
    db,
  );
  await sql`
    create function sighting_recount(until timestamptz) returns void language plpgsql as $$
    begin
      perform sighting_recount_hours(until);
      delete from sighting_camera_day where day < (until at time zone 'UTC')::date;
      ${sumOfHours} where hour < until group by 1, 2;
    end $$`.execute(db);
}
