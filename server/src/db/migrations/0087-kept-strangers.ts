import { sql, type Kysely } from 'kysely';

/**
 * Owner: sightings. Strangers are listed by how often and when they came: of every identity with a number how often each
 * camera saw it, and of every stranger the same in all, those merged with them counted too. Erased identities stay out
 * of the second. Kept as the other counts are: by triggers, in the transaction that changes visits or who they show.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await makeTables(db);
  await makeAgain(db);
  await makeCounting(db);
  await makeIdentityTrigger(db);
  await makeRecount(db);
  await sql`select sighting_recount_strangers()`.execute(db);
}

async function makeTables(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table sighting_stranger_camera (
      camera_id   uuid not null references camera (id),
      identity_id uuid not null references identity (id),
      visits      integer not null check (visits > 0),
      first_at    timestamptz not null,
      last_at     timestamptz not null,
      primary key (camera_id, identity_id)
      -- A row changes with each visit: there is room for its next version on its page.
    ) with (fillfactor = 80)`.execute(db);
  await sql`
    create index sighting_stranger_camera_of_identity on sighting_stranger_camera (identity_id)`.execute(
    db,
  );
  await sql`
    create table sighting_stranger (
      -- The identity that stands for all that are merged with it.
      stranger_id uuid primary key references identity (id),
      visits      integer not null check (visits >= 0),
      first_at    timestamptz not null,
      last_at     timestamptz not null
    )`.execute(db);
  // An index for each order of the list; that of numbers is the one of identities.
  await sql`
    create index sighting_stranger_by_visits on sighting_stranger (visits, stranger_id)`.execute(
    db,
  );
  await sql`
    create index sighting_stranger_by_last on sighting_stranger (last_at, stranger_id)`.execute(db);
}

const sumOfStrangers = sql`
  select coalesce(identity.merged_into, identity.id) as stranger_id, sum(kept.visits)::integer as visits,
         min(kept.first_at) as first_at, max(kept.last_at) as last_at
  from sighting_stranger_camera kept join identity on identity.id = kept.identity_id
  where identity.data_key is not null`;

/**
 * Adds up again strangers whose parts changed. Each row is locked before its parts are read: who counts a visit of the
 * same stranger meanwhile has ended before, and is read, or waits and counts upon what is written here.
 */
async function makeAgain(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function sighting_strangers_again(strangers uuid[]) returns void language plpgsql as $$
    declare
      one uuid;
      summed record;
    begin
      for one in select distinct stranger from unnest(strangers) stranger order by 1 loop
        insert into sighting_stranger values (one, 0, 'epoch', 'epoch') on conflict do nothing;
        perform from sighting_stranger where stranger_id = one for update;
        ${sumOfStrangers} and coalesce(identity.merged_into, identity.id) = one group by 1 into summed;
        if found then
          update sighting_stranger
          set visits = summed.visits, first_at = summed.first_at, last_at = summed.last_at
          where stranger_id = one;
        else
          delete from sighting_stranger where stranger_id = one;
        end if;
      end loop;
    end $$`.execute(db);
}

const given = sql.raw('cameras uuid[], starts timestamptz[], identities uuid[], signs integer[]');

/** Rows are locked after those of all other counts: strangers at cameras, then strangers. */
async function makeCounting(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function sighting_count_strangers(${given}) returns void language plpgsql as $$
    declare
      change record;
    begin
      for change in
        select camera_id, identity_id, sum(sign)::integer as visits, min(sign) < 0 as has_lost,
               min(started_at) as first_at, max(started_at) as last_at
        from unnest(cameras, starts, identities, signs)
               as visit (camera_id, started_at, identity_id, sign)
        join identity on identity.id = identity_id
        where number is not null
        group by 1, 2 order by 1, 2
      loop
        if not change.has_lost then
          insert into sighting_stranger_camera as counted
            (camera_id, identity_id, visits, first_at, last_at)
          values (change.camera_id, change.identity_id, change.visits, change.first_at, change.last_at)
          on conflict (camera_id, identity_id) do update
          set visits = counted.visits + excluded.visits,
              first_at = least(counted.first_at, excluded.first_at),
              last_at = greatest(counted.last_at, excluded.last_at);
          continue;
        end if;
        -- Its first and last may have gone with it; whoever changes the row too waits here.
        perform from sighting_stranger_camera
        where (camera_id, identity_id) = (change.camera_id, change.identity_id) for update;
        delete from sighting_stranger_camera as counted
        where (camera_id, identity_id) = (change.camera_id, change.identity_id)
          and counted.visits + change.visits = 0;
        update sighting_stranger_camera as counted
        set visits = counted.visits + change.visits,
            first_at = coalesce(kept.first_at, counted.first_at),
            last_at = coalesce(kept.last_at, counted.last_at)
        from (select min(first_at) as first_at, max(last_at) as last_at from sighting_day
              where camera_id = change.camera_id and identity_id = change.identity_id) as kept
        where (counted.camera_id, counted.identity_id) = (change.camera_id, change.identity_id);
      end loop;
      perform sighting_strangers_again(array_agg(coalesce(merged_into, id)))
      from identity where id = any (identities) and number is not null having count(*) > 0;
    end $$`.execute(db);
  await sql`
    alter function sighting_count(uuid[], timestamptz[], uuid[], integer[])
    rename to sighting_count_quarters`.execute(db);
  await countOne(db);
}

/** One visit is counted without a loop; one of somebody known without a write. */
async function countOne(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function sighting_count(${given}) returns void language plpgsql as $$
    declare
      at constant timestamptz := starts[1];
      stranger record;
    begin
      perform sighting_count_quarters(cameras, starts, identities, signs);
      if cardinality(cameras) > 1 or signs[1] < 0 then
        perform sighting_count_strangers(cameras, starts, identities, signs);
        return;
      end if;
      select coalesce(merged_into, id) as id, data_key is not null as is_readable into stranger
      from identity where id = identities[1] and number is not null;
      if not found then return; end if;
      insert into sighting_stranger_camera as counted
        (camera_id, identity_id, visits, first_at, last_at)
      values (cameras[1], identities[1], 1, at, at)
      on conflict (camera_id, identity_id) do update
      set visits = counted.visits + 1, first_at = least(counted.first_at, at),
          last_at = greatest(counted.last_at, at);
      if not stranger.is_readable then return; end if;
      insert into sighting_stranger as counted (stranger_id, visits, first_at, last_at)
      values (stranger.id, 1, at, at)
      on conflict (stranger_id) do update
      set visits = counted.visits + 1, first_at = least(counted.first_at, at),
          last_at = greatest(counted.last_at, at);
    end $$`.execute(db);
}

const ofIdentities = (which: ReturnType<typeof sql>) => sql`
  insert into sighting_stranger_camera (camera_id, identity_id, visits, first_at, last_at)
  select camera_id, identity_id, sum(visits), min(first_at), max(last_at)
  from sighting_day where ${which} group by 1, 2`;

/** A number makes an identity a stranger; merging, and erasing, change what a stranger is made of. */
async function makeIdentityTrigger(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function sighting_identity_is_part() returns trigger language plpgsql as $$
    begin
      if old.number is null and new.number is not null then
        ${ofIdentities(sql`identity_id = new.id`)};
      end if;
      perform sighting_strangers_again(
        array[coalesce(old.merged_into, old.id), coalesce(new.merged_into, new.id)]);
      return null;
    end $$`.execute(db);
  await sql`
    create trigger identity_is_part after update of number, merged_into, data_key on identity for each row
      when ((old.number is null) <> (new.number is null)
            or old.merged_into is distinct from new.merged_into
            or (old.data_key is null) <> (new.data_key is null))
      execute function sighting_identity_is_part()`.execute(db);
}

async function makeRecount(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function sighting_recount_strangers() returns void language plpgsql as $$
    begin
      delete from sighting_stranger;
      delete from sighting_stranger_camera;
      ${ofIdentities(sql`identity_id in (select id from identity where number is not null)`)};
      insert into sighting_stranger ${sumOfStrangers} group by 1;
    end $$`.execute(db);
  await sql`
    alter function sighting_recount(timestamptz) rename to sighting_recount_quarters`.execute(db);
  await sql`
    create function sighting_recount(until timestamptz) returns void language plpgsql as $$
    begin
      perform sighting_recount_quarters(until);
      perform sighting_recount_strangers();
    end $$`.execute(db);
}
