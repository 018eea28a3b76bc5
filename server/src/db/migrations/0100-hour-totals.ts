import { sql, type Kysely } from 'kysely';

/**
 * Owner: visits. Visits of an hour at all cameras together, by parts of the cameras (decision 0030): 90 days by hour or
 * day are 8,640 rows where each camera had its own. They are counted after all else that a visit counts in, moved with the
 * batches of a naming, and made of the hours of cameras.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await makeTable(db);
  await makeCounting(db);
  await countOneVisit(db);
  await makeMoving(db);
  await makeRecount(db);
  await sql`select visit_recount_totals('infinity')`.execute(db);
  await sql`analyze visit_hour_total`.execute(db);
}

async function makeTable(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table visit_hour_total (
      -- As in visit_hour.
      hour timestamptz not null,
      -- Of the cameras, from 0 to 3.
      part integer not null,
      visits_0 integer not null default 0,
      recognized_0 integer not null default 0,
      visits_1 integer not null default 0,
      recognized_1 integer not null default 0,
      visits_2 integer not null default 0,
      recognized_2 integer not null default 0,
      visits_3 integer not null default 0,
      recognized_3 integer not null default 0,
      visits integer not null generated always as (visits_0 + visits_1 + visits_2 + visits_3) stored,
      recognized integer not null generated always as (recognized_0 + recognized_1 + recognized_2 + recognized_3) stored,
      constraint visit_hour_total_pkey primary key (hour, part)
    ) with (fillfactor=50)`.execute(db);
  await sql`
    create view visit_hour_total_now as
      select hour, visits, recognized,
             visits_0, recognized_0, visits_1, recognized_1, visits_2, recognized_2, visits_3, recognized_3
        from visit_hour_total
       union all
      select hour, 0, recognized,
             0, case quarter when 0 then recognized else 0 end,
             0, case quarter when 1 then recognized else 0 end,
             0, case quarter when 2 then recognized else 0 end,
             0, case quarter when 3 then recognized else 0 end
        from visit_pending()`.execute(db);
  await sql`
    create function visit_part_of_cameras(camera_id uuid) returns integer language sql immutable parallel safe
    return get_byte(uuid_send(camera_id), 15) % 4`.execute(db);
}

/** Any number of visits at once. */
async function makeCounting(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function visit_count_totals(cameras uuid[], starts timestamptz[], identities uuid[], signs integer[])
      returns void language plpgsql as $$
    begin
      insert into visit_hour_total as counted
        (hour, part, visits_0, recognized_0, visits_1, recognized_1, visits_2, recognized_2, visits_3, recognized_3)
      select date_trunc('hour', started_at, 'UTC') as hour, visit_part_of_cameras(camera_id) as part,
             coalesce(sum(sign) filter (where quarter = 0), 0),
             coalesce(sum(sign) filter (where quarter = 0 and is_known), 0),
             coalesce(sum(sign) filter (where quarter = 1), 0),
             coalesce(sum(sign) filter (where quarter = 1 and is_known), 0),
             coalesce(sum(sign) filter (where quarter = 2), 0),
             coalesce(sum(sign) filter (where quarter = 2 and is_known), 0),
             coalesce(sum(sign) filter (where quarter = 3), 0),
             coalesce(sum(sign) filter (where quarter = 3 and is_known), 0)
      from (select visit.*, coalesce(started_at >= naming.known_from, identity.is_known) as is_known,
                   extract(minute from started_at at time zone 'UTC')::integer / 15 as quarter
            from unnest(cameras, starts, identities, signs)
                   as visit (camera_id, started_at, identity_id, sign)
            join identity on identity.id = identity_id left join visit_naming naming using (identity_id)) as visit
      group by 1, 2 order by 1, 2
      on conflict (hour, part) do update set
        visits_0 = counted.visits_0 + excluded.visits_0, recognized_0 = counted.recognized_0 + excluded.recognized_0,
        visits_1 = counted.visits_1 + excluded.visits_1, recognized_1 = counted.recognized_1 + excluded.recognized_1,
        visits_2 = counted.visits_2 + excluded.visits_2, recognized_2 = counted.recognized_2 + excluded.recognized_2,
        visits_3 = counted.visits_3 + excluded.visits_3, recognized_3 = counted.recognized_3 + excluded.recognized_3;
      delete from visit_hour_total
      where visits = 0 and (hour, part) in (
        select date_trunc('hour', started_at, 'UTC'), visit_part_of_cameras(camera_id)
        from unnest(cameras, starts) as visit (camera_id, started_at));
    end
    $$`.execute(db);
}

/** One visit, the usual case, takes one statement more. */
async function countOneVisit(db: Kysely<unknown>): Promise<void> {
  await sql`
    create or replace function visit_count(cameras uuid[], starts timestamptz[], identities uuid[], signs integer[])
      returns void language plpgsql as $$
    declare
      at constant timestamptz := starts[1];
      quarter constant integer := extract(minute from at at time zone 'UTC')::integer / 15;
      who record;
    begin
      perform visit_count_quarters(cameras, starts, identities, signs);
      if cardinality(cameras) > 1 or signs[1] < 0 then
        perform visit_count_strangers(cameras, starts, identities, signs);
        perform visit_count_totals(cameras, starts, identities, signs);
        return;
      end if;
      select coalesce(merged_into, id) as stranger_id, number is not null as has_number, data_key is not null as is_readable,
             coalesce(at >= known_from, is_known)::integer as known
      into who from identity left join visit_naming on identity_id = id where id = identities[1];
      if who.has_number then
        insert into visit_stranger_camera as counted
          (camera_id, identity_id, visits, first_at, last_at)
        values (cameras[1], identities[1], 1, at, at)
        on conflict (camera_id, identity_id) do update
        set visits = counted.visits + 1, first_at = least(counted.first_at, at),
            last_at = greatest(counted.last_at, at);
      end if;
      if who.has_number and who.is_readable then
        insert into visit_stranger as counted (stranger_id, visits, first_at, last_at)
        values (who.stranger_id, 1, at, at)
        on conflict (stranger_id) do update
        set visits = counted.visits + 1, first_at = least(counted.first_at, at),
            last_at = greatest(counted.last_at, at);
      end if;
      insert into visit_hour_total as counted
        (hour, part, visits_0, recognized_0, visits_1, recognized_1, visits_2, recognized_2, visits_3, recognized_3)
      values (date_trunc('hour', at, 'UTC'), visit_part_of_cameras(cameras[1]),
              (quarter = 0)::integer, (quarter = 0)::integer * who.known,
              (quarter = 1)::integer, (quarter = 1)::integer * who.known,
              (quarter = 2)::integer, (quarter = 2)::integer * who.known,
              (quarter = 3)::integer, (quarter = 3)::integer * who.known)
      on conflict (hour, part) do update set
        visits_0 = counted.visits_0 + excluded.visits_0, recognized_0 = counted.recognized_0 + excluded.recognized_0,
        visits_1 = counted.visits_1 + excluded.visits_1, recognized_1 = counted.recognized_1 + excluded.recognized_1,
        visits_2 = counted.visits_2 + excluded.visits_2, recognized_2 = counted.recognized_2 + excluded.recognized_2,
        visits_3 = counted.visits_3 + excluded.visits_3, recognized_3 = counted.recognized_3 + excluded.recognized_3;
    end
    $$`.execute(db);
}

async function makeMoving(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function visit_move_totals(named uuid, from_at timestamptz, until_at timestamptz, sign integer)
      returns void language plpgsql as $$
    begin
      insert into visit_hour_total as counted (hour, part, recognized_0, recognized_1, recognized_2, recognized_3)
      select date_trunc('hour', started_at, 'UTC') as hour, visit_part_of_cameras(camera_id) as part,
             sign * count(*) filter (where quarter = 0), sign * count(*) filter (where quarter = 1),
             sign * count(*) filter (where quarter = 2), sign * count(*) filter (where quarter = 3)
      from (select *, extract(minute from started_at at time zone 'UTC')::integer / 15 as quarter
            from visit
            where identity_id = named and deleted_at is null
              and started_at >= from_at and started_at < until_at) as visit
      group by 1, 2 order by 1, 2
      on conflict (hour, part) do update set
        recognized_0 = counted.recognized_0 + excluded.recognized_0,
        recognized_1 = counted.recognized_1 + excluded.recognized_1,
        recognized_2 = counted.recognized_2 + excluded.recognized_2,
        recognized_3 = counted.recognized_3 + excluded.recognized_3;
    end
    $$`.execute(db);
  await redefine(db, 'visit_move_named', [
    /perform visit_move_days\(named, from_at, until_at, sign\);/,
    `$&
      perform visit_move_totals(named, from_at, until_at, sign);`,
  ]);
}

async function makeRecount(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function visit_recount_totals(until timestamptz) returns void language plpgsql as $$
    begin
      delete from visit_hour_total where hour < until;
      insert into visit_hour_total
        (hour, part, visits_0, recognized_0, visits_1, recognized_1, visits_2, recognized_2, visits_3, recognized_3)
      select hour, visit_part_of_cameras(camera_id), sum(visits_0), sum(recognized_0), sum(visits_1), sum(recognized_1),
             sum(visits_2), sum(recognized_2), sum(visits_3), sum(recognized_3)
      from visit_hour where hour < until group by 1, 2 order by 1, 2;
    end
    $$`.execute(db);
  await redefine(db, 'visit_recount', [
    /perform visit_recount_strangers\(\);/,
    `$&
      perform visit_recount_totals(until);`,
  ]);
}

/** Nothing else of it changes. */
async function redefine(
  db: Kysely<unknown>,
  name: string,
  [before, after]: readonly [RegExp, string],
): Promise<void> {
  const { rows } = await sql<{ definition: string }>`
    select pg_get_functiondef(${name}::regproc) as definition`.execute(db);
  const { definition } = rows[0]!;
  const changed = definition.replace(before, after);
  if (changed === definition) throw new Error(`${name} does not hold ${before}`);
  await sql.raw(changed).execute(db);
}
