import { sql, type Kysely } from 'kysely';

const quarters = [0, 1, 2, 3] as const;
const each = (line: (quarter: number) => string) => sql.raw(quarters.map(line).join(', '));

/**
 * Owner: sightings. Naming a stranger, or taking the name back, moves the counts of their visits in batches of days, each
 * a transaction of its own (decision 0028).
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await countByEdge(db);
  await makeNaming(db);
  await makeMoving(db);
  await makeMovingOfHours(db);
  await makeMovingOfDays(db);
  await makeRecount(db);
}

const edge = 'left join sighting_naming naming using (identity_id)';
const isKnown = 'coalesce(started_at >= naming.known_from, identity.is_known)';

/** Who adds visits, or takes them out, does it on the side of the edge where they are counted. */
async function countByEdge(db: Kysely<unknown>): Promise<void> {
  const join = /join identity on identity\.id = identity_id/g;
  const joined = `$& ${edge}`;
  for (const name of ['sighting_count_many', 'sighting_recount_hours']) {
    await redefine(db, name, [
      [join, joined],
      [/identity\.is_known/g, `${isKnown} as is_known`],
    ]);
  }
  await redefine(db, 'sighting_count_camera_days', [
    [join, joined],
    [/identity\.is_known/g, isKnown],
  ]);
  const made = `$& and not exists (
    select from sighting_naming naming
    where naming.identity_id = identity.id and not naming.has_quarters)`;
  await redefine(db, 'sighting_count_person_quarters', [[/where identity\.is_known/g, made]]);
  await redefine(db, 'sighting_count_quarters', [
    [/where id = identities\[1\] and is_known/g, made],
  ]);
  // Read once the identity is locked: who moves its counts holds that lock.
  await redefine(db, 'sighting_count_days', [
    [
      /for share;/g,
      `$&
      known := coalesce(
        (select at >= known_from from sighting_naming where identity_id = identities[1]), known);`,
    ],
  ]);
}

/** Nothing else of it changes. */
async function redefine(
  db: Kysely<unknown>,
  name: string,
  changes: readonly (readonly [RegExp, string])[],
): Promise<void> {
  const { rows } = await sql<{ definition: string }>`
    select pg_get_functiondef(${name}::regproc) as definition`.execute(db);
  let { definition } = rows[0]!;
  for (const [before, after] of changes) {
    const changed = definition.replace(before, after);
    if (changed === definition) throw new Error(`${name} does not hold ${before}`);
    definition = changed;
  }
  await sql.raw(definition).execute(db);
}

/** Who is unknown again has no quarters; these rows are of the identity alone, and few. */
async function makeNaming(db: Kysely<unknown>): Promise<void> {
  await sql`
    create or replace function sighting_identity_named() returns trigger language plpgsql as $$
    begin
      -- A naming that is taken back while it goes on has its edge already.
      insert into sighting_naming (identity_id, known_from, has_quarters)
      values (new.id, case when new.is_known then timestamptz 'infinity' else '-infinity' end,
              not new.is_known)
      on conflict (identity_id) do update set has_quarters = excluded.has_quarters;
      perform pg_notify('sightings_named', '');
      return null;
    end $$`.execute(db);
  await sql`drop trigger identity_is_recounted_by_day on identity`.execute(db);
  await sql`drop function sighting_identity_named_by_day()`.execute(db);
  await sql`
    create or replace function sighting_identity_named_by_quarter() returns trigger language plpgsql as $$
    begin
      if not new.is_known then
        delete from sighting_person_quarter where identity_id = new.id;
        delete from sighting_identity_quarter where identity_id = new.id;
      end if;
      return null;
    end $$`.execute(db);
}

/**
 * Moves the counts of whole days with as many visits of the identity, or one day with more: newest first when it is named,
 * oldest first when the name is taken back, so that one edge tells both apart, whatever is said in between. Rows are locked
 * in the order of all who count: hours, days of people, days of cameras. The first batch is that of the quarters.
 */
async function makeMoving(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function sighting_move_named(named uuid, max_visits integer) returns void
    language plpgsql
    -- The planner supposes that visits of one who came often are soon met by reading on.
    set enable_seqscan = off set enable_bitmapscan = off as $$
    declare
      known boolean;
      naming sighting_naming;
      bound date;
      from_at timestamptz;
      until_at timestamptz;
      sign integer;
    begin
      perform pg_advisory_xact_lock(hashtextextended('sightings.counts', 0));
      select is_known into known from identity where id = named for no key update;
      select * into naming from sighting_naming where identity_id = named;
      if not found then return; end if;
      if not naming.has_quarters then
        insert into sighting_person_quarter select * from sighting_person_quarters_of(named);
        insert into sighting_identity_quarter select * from sighting_identity_quarters_of(named);
        update sighting_naming set has_quarters = true where identity_id = named;
        return;
      end if;
      if known then
        select max(day) into bound from (
          select day, sum(visits) over (order by day desc) as through
          from (select day, visits from sighting_day
                where identity_id = named and not is_known order by day desc limit max_visits) as pending
        ) as running where through >= max_visits;
        from_at := coalesce(bound::timestamp at time zone 'UTC', '-infinity');
        until_at := naming.known_from;
      else
        select min(day) into bound from (
          select day, sum(visits) over (order by day) as through
          from (select day, visits from sighting_day
                where identity_id = named and is_known order by day limit max_visits) as pending
        ) as running where through >= max_visits;
        from_at := naming.known_from;
        until_at := coalesce((bound + 1)::timestamp at time zone 'UTC', 'infinity');
      end if;
      sign := case when known then 1 else -1 end;
      perform sighting_move_hours(named, from_at, until_at, sign);
      perform sighting_move_days(named, from_at, until_at, sign);
      if bound is null then
        delete from sighting_naming where identity_id = named;
      else
        update sighting_naming set known_from = case when known then from_at else until_at end
        where identity_id = named;
      end if;
    end $$`.execute(db);
}

const moved = sql.raw(
  'named uuid, from_at timestamptz, until_at timestamptz, sign integer) returns void language plpgsql as $$',
);

async function makeMovingOfHours(db: Kysely<unknown>): Promise<void> {
  const visits = sql`
    sighting where identity_id = named and deleted_at is null
      and started_at >= from_at and started_at < until_at`;
  await sql`
    create function sighting_move_hours(${moved}
    begin
      perform from sighting_hour as counted
      join (select distinct date_trunc('hour', started_at, 'UTC') as hour, camera_id
            from ${visits}) as visit
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
              from ${visits}) as visit
        group by 1, 2
      ) as change
      where counted.hour = change.hour and counted.camera_id = change.camera_id;
    end $$`.execute(db);
}

const daysOf = (theirs: string) => sql`
  ${sql.ref(`${theirs}.identity_id`)} = named
    and ${sql.ref(`${theirs}.day`)} >= (from_at at time zone 'UTC')::date
    and ${sql.ref(`${theirs}.day`)} < (until_at at time zone 'UTC')::date`;

async function makeMovingOfDays(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function sighting_move_days(${moved}
    begin
      update sighting_day set is_known = sign > 0 where ${daysOf('sighting_day')};
      perform from sighting_camera_day as counted
      join sighting_day as theirs using (day, camera_id)
      where ${daysOf('theirs')}
      order by day, camera_id for update of counted;
      update sighting_camera_day as counted set recognized = recognized + sign * theirs.visits
      from sighting_day as theirs
      where ${daysOf('theirs')} and (counted.day, counted.camera_id) = (theirs.day, theirs.camera_id);
    end $$`.execute(db);
}

/** Whoever is named meanwhile waits: their quarters are made of what is counted here. */
async function makeRecount(db: Kysely<unknown>): Promise<void> {
  await redefine(db, 'sighting_recount_hours', [
    [
      /perform pg_advisory_xact_lock\(.*\);/g,
      `$&
      lock table sighting_naming in share row exclusive mode;`,
    ],
  ]);
  await redefine(db, 'sighting_recount_quarters', [
    [
      /from sighting_day\s+where is_known/g,
      `from sighting_known_day_now
        where identity_id in (
          select id from identity where is_known
          except select identity_id from sighting_naming where not has_quarters)`,
    ],
  ]);
}
