/** Counts visits again from their rows, by other SQL than that which keeps the counts. */
import assert from 'node:assert/strict';
import { sql } from 'kysely';
import type { Database } from '#db/database.ts';

/** Fails when a count kept beside the visits is not that of the visits, or a reader gets another one. */
export async function assertCountsAreExact(db: Database, said = ''): Promise<void> {
  // What a naming has not moved yet is kept as it was before.
  const kept = {
    hours: sql`visit_hour`,
    totals: sql`visit_hour_total`,
    days: sql`visit_camera_day`,
    isKnown: isMoved,
  };
  const read = {
    hours: sql`visit_hour_now`,
    totals: sql`visit_hour_total_now`,
    days: sql`visit_camera_day_now`,
    isKnown,
  };
  for (const { hours, totals, days, isKnown: is } of [kept, read]) {
    assert.deepEqual(await hoursIn(db, hours), await rawHours(db, is), `hours ${said}`);
    assert.deepEqual(
      await hoursIn(db, totals, allCameras),
      await rawHours(db, is, allCameras),
      `hours of all cameras ${said}`,
    );
    assert.deepEqual(
      await cameraDaysIn(db, days),
      await rawCameraDays(db, is),
      `days of cameras ${said}`,
    );
  }
  assert.deepEqual(await emptyTotals(db), [], `hours without visits ${said}`);
  assert.deepEqual(await keptDays(db), await rawDays(db), `days ${said}`);
  assert.deepEqual(await readDays(db), await rawKnownDays(db, isKnown), `known days ${said}`);
  await assertQuartersAreExact(db, said);
  assert.deepEqual(await keptAtCameras(db), await rawAtCameras(db), `strangers at cameras ${said}`);
  assert.deepEqual(await keptStrangers(db), await rawStrangers(db), `strangers ${said}`);
}

async function assertQuartersAreExact(db: Database, said: string): Promise<void> {
  const kept = { at: sql`visit_person_quarter`, all: sql`visit_identity_quarter` };
  const now = { at: sql`visit_person_quarter_now`, all: sql`visit_identity_quarter_now` };
  for (const [{ at, all }, is] of [
    [kept, hasQuarters],
    [now, isKnown],
  ] as const) {
    assert.deepEqual(await quartersIn(db, at), await rawQuarters(db, is), `quarters ${said}`);
    const days = await rawKnownDays(db, is);
    assert.deepEqual(await quarterDaysIn(db, at), days, `days in quarters ${said}`);
    assert.deepEqual(
      await identityDaysIn(db, all),
      await rawIdentityDays(db, is),
      `people ${said}`,
    );
  }
}

const read = async (db: Database, query: ReturnType<typeof sql<object>>): Promise<object[]> =>
  (await query.execute(db.read())).rows;

const isKnown = sql`(person_id is not null or was_known)`;
const hasQuarters = sql`(${isKnown} and not exists (
  select from visit_naming naming where naming.identity_id = identity.id and not has_quarters))`;
const isMoved = sql`coalesce(
  started_at >= (select known_from from visit_naming naming where naming.identity_id = identity.id), ${isKnown})`;

const allCameras = sql`null::uuid`;

const emptyTotals = (db: Database): Promise<object[]> =>
  read(db, sql<object>`select hour, part from visit_hour_total where visits <= 0`);

const hoursIn = (
  db: Database,
  table: ReturnType<typeof sql>,
  camera = sql`camera_id`,
): Promise<object[]> =>
  read(
    db,
    sql<object>`
      select extract(epoch from hour)::bigint / 900 + quarter as quarter, ${camera} as camera_id,
             sum(kept.visits)::integer as visits, sum(kept.recognized)::integer as recognized
      from ${table},
           lateral (values (0, visits_0, recognized_0), (1, visits_1, recognized_1),
                           (2, visits_2, recognized_2), (3, visits_3, recognized_3))
             as kept (quarter, visits, recognized)
      group by 1, 2 having sum(kept.visits) <> 0 or sum(kept.recognized) <> 0 order by 1, 2`,
  );

const rawHours = (
  db: Database,
  is: ReturnType<typeof sql>,
  camera = sql`camera_id`,
): Promise<object[]> =>
  read(
    db,
    sql<object>`
      select floor(extract(epoch from started_at) / 900)::bigint as quarter, ${camera} as camera_id,
             count(*)::integer as visits, count(*) filter (where ${is})::integer as recognized
      from visit left join identity on identity.id = identity_id
      where deleted_at is null group by 1, 2 order by 1, 2`,
  );

const cameraDaysIn = (db: Database, table: ReturnType<typeof sql>): Promise<object[]> =>
  read(
    db,
    sql<object>`
      select day::text, camera_id, sum(visits)::integer as visits, sum(recognized)::integer as recognized
      from ${table} group by 1, 2 order by 1, 2`,
  );

const rawCameraDays = (db: Database, is: ReturnType<typeof sql>): Promise<object[]> =>
  read(
    db,
    sql<object>`
      select to_char(started_at at time zone 'UTC', 'YYYY-MM-DD') as day, camera_id,
             count(*)::integer as visits, count(*) filter (where ${is})::integer as recognized
      from visit left join identity on identity.id = identity_id
      where deleted_at is null group by 1, 2 order by 1, 2`,
  );

const keptDays = (db: Database): Promise<object[]> =>
  read(
    db,
    sql<object>`
      select day::text, camera_id, identity_id, is_known, visits, first_at, last_at
      from visit_day order by day, camera_id, identity_id`,
  );

const rawDays = (db: Database): Promise<object[]> =>
  read(
    db,
    sql<object>`
      select to_char(started_at at time zone 'UTC', 'YYYY-MM-DD') as day, camera_id, identity_id,
             bool_or(${isMoved}) as is_known, count(*)::integer as visits,
             min(started_at) as first_at, max(started_at) as last_at
      from visit left join identity on identity.id = identity_id
      where deleted_at is null group by 1, 2, 3 order by 1, 2, 3`,
  );

const readDays = (db: Database): Promise<object[]> =>
  read(
    db,
    sql<object>`
      select day::text, camera_id, identity_id, visits
      from visit_known_day_now join identity on identity.id = identity_id
      where ${isKnown} order by 1, 2, 3`,
  );

const quartersIn = (db: Database, table: ReturnType<typeof sql>): Promise<object[]> =>
  read(
    db,
    sql<object>`
      select quarter::text, camera_id, identity_id,
             through[cardinality(through)] % 16777216 as visits, first_at, last_at
      from ${table} order by 1, 2, 3`,
  );

const rawQuarters = (db: Database, is: ReturnType<typeof sql>): Promise<object[]> =>
  read(
    db,
    sql<object>`
      select to_char(date_trunc('quarter', started_at, 'UTC') at time zone 'UTC', 'YYYY-MM-DD') as quarter,
             camera_id, identity_id, count(*)::integer as visits, min(started_at) as first_at,
             max(started_at) as last_at
      from visit join identity on identity.id = identity_id
      where deleted_at is null and ${is} group by 1, 2, 3 order by 1, 2, 3`,
  );

const quarterDaysIn = (db: Database, table: ReturnType<typeof sql>): Promise<object[]> =>
  read(
    db,
    sql<object>`
      select (quarter + through[place] / 16777216 - 1)::text as day, camera_id, identity_id,
             through[place] % 16777216 - coalesce(through[place - 1] % 16777216, 0) as visits
      from ${table}, generate_series(1, cardinality(through)) as place
      order by 1, 2, 3`,
  );

const identityDaysIn = (db: Database, table: ReturnType<typeof sql>): Promise<object[]> =>
  read(
    db,
    sql<object>`
      select (quarter + through[place] / 16777216 - 1)::text as day, identity_id,
             through[place] % 16777216 - coalesce(through[place - 1] % 16777216, 0) as visits
      from ${table}, generate_series(1, cardinality(through)) as place
      order by 1, 2`,
  );

const rawIdentityDays = (db: Database, is: ReturnType<typeof sql>): Promise<object[]> =>
  read(
    db,
    sql<object>`
      select to_char(started_at at time zone 'UTC', 'YYYY-MM-DD') as day, identity_id,
             count(*)::integer as visits
      from visit join identity on identity.id = identity_id
      where deleted_at is null and ${is} group by 1, 2 order by 1, 2`,
  );

const rawKnownDays = (db: Database, is: ReturnType<typeof sql>): Promise<object[]> =>
  read(
    db,
    sql<object>`
      select to_char(started_at at time zone 'UTC', 'YYYY-MM-DD') as day, camera_id, identity_id,
             count(*)::integer as visits
      from visit join identity on identity.id = identity_id
      where deleted_at is null and ${is} group by 1, 2, 3 order by 1, 2, 3`,
  );

const keptAtCameras = (db: Database): Promise<object[]> =>
  read(
    db,
    sql<object>`
      select camera_id, identity_id, visits, first_at, last_at
      from visit_stranger_camera order by 1, 2`,
  );

const rawAtCameras = (db: Database): Promise<object[]> =>
  read(
    db,
    sql<object>`
      select camera_id, identity_id, count(*)::integer as visits, min(started_at) as first_at,
             max(started_at) as last_at
      from visit join identity on identity.id = identity_id
      where deleted_at is null and number is not null group by 1, 2 order by 1, 2`,
  );

const keptStrangers = (db: Database): Promise<object[]> =>
  read(
    db,
    sql<object>`
      select stranger_id, visits, first_at, last_at from visit_stranger order by 1`,
  );

const rawStrangers = (db: Database): Promise<object[]> =>
  read(
    db,
    sql<object>`
      select coalesce(merged_into, identity.id) as stranger_id, count(*)::integer as visits,
             min(started_at) as first_at, max(started_at) as last_at
      from visit join identity on identity.id = identity_id
      where deleted_at is null and number is not null and data_key is not null
      group by 1 order by 1`,
  );
