import { sql, type Kysely } from 'kysely';

const quarters = [0, 1, 2, 3] as const;
const sum = (name: string): string => quarters.map((q) => `${name}_${q}`).join(' + ');
const each = (line: (quarter: number) => string) => sql.raw(quarters.map(line).join(', '));

/**
 * Owner: sightings. The counts of visits are kept by the database itself: whatever adds, names, corrects, deletes or
 * removes visits, the same transaction moves their counts. A visit that a user deleted is not counted.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ definition: string }>`
    select pg_get_viewdef('sightings_v_stranger'::regclass) as definition`.execute(db);
  await sql`drop view sightings_v_hour, sightings_v_stranger`.execute(db);
  await sql`drop table sighting_hour, sighting_day`.execute(db);
  await makeHours(db);
  await makeDays(db);
  await sql`create view sightings_v_stranger as ${sql.raw(rows[0]!.definition)}`.execute(db);
  await makeCounting(db);
  await makeVisitTriggers(db);
  await makeNamingTrigger(db);
  await makeRecount(db);
  await sql`select sighting_recount('infinity')`.execute(db);
}

const countedIn = (quarter: number): string =>
  `count(*) filter (where quarter = ${quarter}),
   count(*) filter (where quarter = ${quarter} and is_known)`;

/** Clocks everywhere are ahead of UTC by a multiple of 15 minutes, so quarters make up the hours of every zone. */
async function makeHours(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table sighting_hour (
      -- Start of the hour, UTC.
      hour       timestamptz not null,
      camera_id  uuid not null references camera (id),
      -- Visits that began in each quarter of it, and of these the ones of people who have a name today.
      ${each(
        (q) => `visits_${q} integer not null default 0,
                recognized_${q} integer not null default 0,
                check (recognized_${q} between 0 and visits_${q})`,
      )},
      visits     integer not null generated always as (${sql.raw(sum('visits'))}) stored,
      recognized integer not null generated always as (${sql.raw(sum('recognized'))}) stored,
      primary key (hour, camera_id)
    )`.execute(db);
  await sql`
    create view sightings_v_hour as
      select hour, camera_id, visits, recognized from sighting_hour`.execute(db);
}

/** Days of known people stand apart: there are few of them, while each stranger is an identity. */
async function makeDays(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table sighting_day (
      -- The identity has a name today.
      is_known    boolean not null,
      -- The day in UTC.
      day         date not null,
      camera_id   uuid not null references camera (id),
      identity_id uuid not null references identity (id),
      visits      integer not null check (visits > 0),
      first_at    timestamptz not null,
      last_at     timestamptz not null,
      primary key (day, camera_id, identity_id, is_known)
    ) partition by list (is_known)`.execute(db);
  await sql`create table sighting_day_known partition of sighting_day for values in (true)`.execute(
    db,
  );
  await sql`create table sighting_day_stranger partition of sighting_day for values in (false)`.execute(
    db,
  );
  await sql`create index sighting_day_of_identity on sighting_day (identity_id, day)`.execute(db);
}

/**
 * `sighting_count` adds visits to the counts (sign 1) or takes them out (sign -1). The visits' identities are locked
 * first, so that naming one of them waits, or is waited for: without it neither transaction would see the other's
 * rows. Who changes many rows does it alone, and rows are locked in their order, so that nobody waits in a circle.
 */
async function makeCounting(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function sighting_count(cameras uuid[], starts timestamptz[], identities uuid[], signs integer[])
    returns void language plpgsql as $$
    declare
      change record;
      kept record;
    begin
      if cardinality(cameras) > 2 then
        perform pg_advisory_xact_lock(hashtextextended('sightings.counts', 0));
      end if;
      perform from identity where id = any (identities) order by id for share;
      for change in
        select date_trunc('hour', started_at, 'UTC') as hour, camera_id, ${each(
          (q) => `coalesce(sum(sign) filter (where quarter = ${q}), 0)::integer as visits_${q},
                  coalesce(sum(sign) filter (where quarter = ${q} and is_known), 0)::integer as recognized_${q}`,
        )}
        from (select visit.*, person_id is not null as is_known,
                     extract(minute from started_at at time zone 'UTC')::integer / 15 as quarter
              from unnest(cameras, starts, identities, signs)
                     as visit (camera_id, started_at, identity_id, sign)
              join identity on identity.id = identity_id) as visit
        group by 1, 2 order by 1, 2
      loop
        if ${sql.raw(
          quarters
            .map((q) => `change.recognized_${q} between 0 and change.visits_${q}`)
            .join(' and '),
        )} then
          insert into sighting_hour as counted
            (hour, camera_id, ${each((q) => `visits_${q}, recognized_${q}`)})
          values (change.hour, change.camera_id,
                  ${each((q) => `change.visits_${q}, change.recognized_${q}`)})
          on conflict (hour, camera_id) do update set ${each(
            (q) => `visits_${q} = counted.visits_${q} + excluded.visits_${q},
                    recognized_${q} = counted.recognized_${q} + excluded.recognized_${q}`,
          )};
        else
          update sighting_hour as counted set ${each(
            (q) => `visits_${q} = counted.visits_${q} + change.visits_${q},
                    recognized_${q} = counted.recognized_${q} + change.recognized_${q}`,
          )}
          where counted.hour = change.hour and counted.camera_id = change.camera_id;
          delete from sighting_hour as empty
          where empty.hour = change.hour and empty.camera_id = change.camera_id and visits = 0;
        end if;
      end loop;

      for change in
        select (started_at at time zone 'UTC')::date as day, camera_id, identity_id,
               identity.person_id is not null as is_known, min(sign) < 0 as has_lost,
               count(*)::integer as visits, min(started_at) as first_at, max(started_at) as last_at
        from unnest(cameras, starts, identities, signs)
               as visit (camera_id, started_at, identity_id, sign)
        join identity on identity.id = identity_id
        group by 1, 2, 3, 4 order by 1, 2, 3
      loop
        if change.has_lost then
          -- Its first and last may have gone with it; whoever changes the day too waits here.
          perform from sighting_day
          where (day, camera_id, identity_id) = (change.day, change.camera_id, change.identity_id)
          for update;
          select count(*)::integer as visits, min(started_at) as first_at, max(started_at) as last_at
          into kept from sighting
          where camera_id = change.camera_id and identity_id = change.identity_id
            and started_at >= change.day::timestamp at time zone 'UTC'
            and started_at < (change.day + 1)::timestamp at time zone 'UTC' and deleted_at is null;
          delete from sighting_day
          where (day, camera_id, identity_id) = (change.day, change.camera_id, change.identity_id)
            and kept.visits = 0;
          update sighting_day set visits = kept.visits, first_at = kept.first_at, last_at = kept.last_at
          where (day, camera_id, identity_id) = (change.day, change.camera_id, change.identity_id)
            and kept.visits > 0;
        else
          insert into sighting_day as counted
            (is_known, day, camera_id, identity_id, visits, first_at, last_at)
          values (change.is_known, change.day, change.camera_id, change.identity_id, change.visits,
                  change.first_at, change.last_at)
          on conflict (day, camera_id, identity_id, is_known) do update
          set visits = counted.visits + excluded.visits,
              first_at = least(counted.first_at, excluded.first_at),
              last_at = greatest(counted.last_at, excluded.last_at);
        end if;
      end loop;
    end $$`.execute(db);
}

/** Counts again, from the visits themselves, the days and hours before a moment that begins a day in UTC. */
async function makeRecount(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function sighting_recount(until timestamptz) returns void language plpgsql as $$
    begin
      perform pg_advisory_xact_lock(hashtextextended('sightings.counts', 0));
      delete from sighting_hour where hour < until;
      delete from sighting_day where day < (until at time zone 'UTC')::date;
      insert into sighting_hour (hour, camera_id, ${each((q) => `visits_${q}, recognized_${q}`)})
      select date_trunc('hour', started_at, 'UTC'), camera_id, ${each(countedIn)}
      from (select started_at, camera_id, person_id is not null as is_known,
                   extract(minute from started_at at time zone 'UTC')::integer / 15 as quarter
            from sighting join identity on identity.id = identity_id
            where deleted_at is null and started_at < until) as visit
      group by 1, 2;
      insert into sighting_day (is_known, day, camera_id, identity_id, visits, first_at, last_at)
      select person_id is not null, (started_at at time zone 'UTC')::date, camera_id, identity_id,
             count(*), min(started_at), max(started_at)
      from sighting join identity on identity.id = identity_id
      where deleted_at is null and started_at < until
      group by 1, 2, 3, 4;
    end $$`.execute(db);
}

const counting = (visits: string): string => `
  perform sighting_count(array_agg(camera_id), array_agg(started_at), array_agg(identity_id),
                         array_agg(sign))
  from (${visits}) as visit having count(*) > 0;
  return null;`;

async function makeVisitTriggers(db: Kysely<unknown>): Promise<void> {
  const functions = {
    sighting_added: `select *, 1 as sign from added where deleted_at is null`,
    sighting_removed: `select *, -1 as sign from removed where deleted_at is null`,
    // What only goes on, or got a better picture, changes no count.
    sighting_changed: `
      select old_row.camera_id, old_row.started_at, old_row.identity_id, -1 as sign
      from removed as old_row join added as new_row using (started_at, id)
      where old_row.deleted_at is null
        and (new_row.deleted_at is not null or new_row.identity_id <> old_row.identity_id)
      union all
      select new_row.camera_id, new_row.started_at, new_row.identity_id, 1
      from removed as old_row join added as new_row using (started_at, id)
      where new_row.deleted_at is null
        and (old_row.deleted_at is not null or new_row.identity_id <> old_row.identity_id)`,
  };
  for (const [name, visits] of Object.entries(functions)) {
    const body = sql.raw(`begin ${counting(visits)} end`);
    await sql`
      create function ${sql.ref(name)}() returns trigger language plpgsql as $$ ${body} $$`.execute(
      db,
    );
  }
  await sql`
    create trigger sighting_is_counted after insert on sighting
      referencing new table as added for each statement execute function sighting_added()`.execute(
    db,
  );
  await sql`
    create trigger sighting_is_uncounted after delete on sighting
      referencing old table as removed for each statement execute function sighting_removed()`.execute(
    db,
  );
  await sql`
    create trigger sighting_is_recounted after update on sighting
      referencing old table as removed new table as added
      for each statement execute function sighting_changed()`.execute(db);
}

/** All visits of an identity become those of a known person at once, or cease to be. */
async function makeNamingTrigger(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function sighting_identity_named() returns trigger language plpgsql as $$
    declare
      sign constant integer := case when new.person_id is null then -1 else 1 end;
      change record;
    begin
      perform pg_advisory_xact_lock(hashtextextended('sightings.counts', 0));
      for change in
        select date_trunc('hour', started_at, 'UTC') as hour, camera_id, ${each(
          (q) => `sign * count(*) filter (where quarter = ${q})::integer as recognized_${q}`,
        )}
        from (select *, extract(minute from started_at at time zone 'UTC')::integer / 15 as quarter
              from sighting where identity_id = new.id and deleted_at is null) as visit
        group by 1, 2 order by 1, 2
      loop
        update sighting_hour as counted set ${each(
          (q) => `recognized_${q} = counted.recognized_${q} + change.recognized_${q}`,
        )}
        where counted.hour = change.hour and counted.camera_id = change.camera_id;
      end loop;
      update sighting_day set is_known = new.person_id is not null where identity_id = new.id;
      return null;
    end $$`.execute(db);
  await sql`
    create trigger identity_is_recounted after update of person_id on identity for each row
      when ((old.person_id is null) <> (new.person_id is null))
      execute function sighting_identity_named()`.execute(db);
}
