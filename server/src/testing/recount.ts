/** Counts visits again from their rows, by other SQL than that which keeps the counts. */
import assert from 'node:assert/strict';
import { sql } from 'kysely';
import type { Database } from '#db/database.ts';

/** Fails when a count kept beside the visits is not that of the visits. */
export async function assertCountsAreExact(db: Database, said = ''): Promise<void> {
  const [hours, days] = [await keptHours(db), await keptDays(db)];
  assert.deepEqual(hours, await rawHours(db), `hours ${said}`);
  assert.deepEqual(days, await rawDays(db), `days ${said}`);
  assert.deepEqual(await keptCameraDays(db), await rawCameraDays(db), `days of cameras ${said}`);
  assert.deepEqual(await keptQuarters(db), await rawQuarters(db), `quarters ${said}`);
  assert.deepEqual(await keptQuarterDays(db), await rawKnownDays(db), `days in quarters ${said}`);
  assert.deepEqual(await keptIdentityDays(db), await rawIdentityDays(db), `people ${said}`);
  assert.deepEqual(await keptAtCameras(db), await rawAtCameras(db), `strangers at cameras ${said}`);
  assert.deepEqual(await keptStrangers(db), await rawStrangers(db), `strangers ${said}`);
}

const read = async (db: Database, query: ReturnType<typeof sql<object>>): Promise<object[]> =>
  (await query.execute(db.read())).rows;

const keptHours = (db: Database): Promise<object[]> =>
  read(
    db,
    sql<object>`
      select extract(epoch from hour)::bigint / 900 + quarter as quarter, camera_id, kept.visits, kept.recognized
      from sighting_hour,
           lateral (values (0, visits_0, recognized_0), (1, visits_1, recognized_1),
                           (2, visits_2, recognized_2), (3, visits_3, recognized_3))
             as kept (quarter, visits, recognized)
      where kept.visits > 0 order by 1, 2`,
  );

const rawHours = (db: Database): Promise<object[]> =>
  read(
    db,
    sql<object>`
      select floor(extract(epoch from started_at) / 900)::bigint as quarter, camera_id,
             count(*)::integer as visits, count(*) filter (where person_id is not null or was_known)::integer as recognized
      from sighting left join identity on identity.id = identity_id
      where deleted_at is null group by 1, 2 order by 1, 2`,
  );

const keptCameraDays = (db: Database): Promise<object[]> =>
  read(
    db,
    sql<object>`
      select day::text, camera_id, visits, recognized from sighting_camera_day order by 1, 2`,
  );

const rawCameraDays = (db: Database): Promise<object[]> =>
  read(
    db,
    sql<object>`
      select to_char(started_at at time zone 'UTC', 'YYYY-MM-DD') as day, camera_id,
             count(*)::integer as visits, count(*) filter (where person_id is not null or was_known)::integer as recognized
      from sighting left join identity on identity.id = identity_id
      where deleted_at is null group by 1, 2 order by 1, 2`,
  );

const keptDays = (db: Database): Promise<object[]> =>
  read(
    db,
    sql<object>`
      select day::text, camera_id, identity_id, is_known, visits, first_at, last_at
      from sighting_day order by day, camera_id, identity_id`,
  );

const rawDays = (db: Database): Promise<object[]> =>
  read(
    db,
    sql<object>`
      select to_char(started_at at time zone 'UTC', 'YYYY-MM-DD') as day, camera_id, identity_id,
             bool_or(person_id is not null or was_known) as is_known, count(*)::integer as visits,
             min(started_at) as first_at, max(started_at) as last_at
      from sighting left join identity on identity.id = identity_id
      where deleted_at is null group by 1, 2, 3 order by 1, 2, 3`,
  );

const keptQuarters = (db: Database): Promise<object[]> =>
  read(
    db,
    sql<object>`
      select quarter::text, camera_id, identity_id,
             through[cardinality(through)] % 16777216 as visits, first_at, last_at
      from sighting_person_quarter order by 1, 2, 3`,
  );

const rawQuarters = (db: Database): Promise<object[]> =>
  read(
    db,
    sql<object>`
      select to_char(date_trunc('quarter', started_at, 'UTC') at time zone 'UTC', 'YYYY-MM-DD') as quarter,
             camera_id, identity_id, count(*)::integer as visits, min(started_at) as first_at,
             max(started_at) as last_at
      from sighting join identity on identity.id = identity_id
      where deleted_at is null and (person_id is not null or was_known) group by 1, 2, 3 order by 1, 2, 3`,
  );

const keptQuarterDays = (db: Database): Promise<object[]> =>
  read(
    db,
    sql<object>`
      select (quarter + through[place] / 16777216 - 1)::text as day, camera_id, identity_id,
             through[place] % 16777216 - coalesce(through[place - 1] % 16777216, 0) as visits
      from sighting_person_quarter, generate_series(1, cardinality(through)) as place
      order by 1, 2, 3`,
  );

const keptIdentityDays = (db: Database): Promise<object[]> =>
  read(
    db,
    sql<object>`
      select (quarter + through[place] / 16777216 - 1)::text as day, identity_id,
             through[place] % 16777216 - coalesce(through[place - 1] % 16777216, 0) as visits
      from sighting_identity_quarter, generate_series(1, cardinality(through)) as place
      order by 1, 2`,
  );

const rawIdentityDays = (db: Database): Promise<object[]> =>
  read(
    db,
    sql<object>`
      select to_char(started_at at time zone 'UTC', 'YYYY-MM-DD') as day, identity_id,
             count(*)::integer as visits
      from sighting join identity on identity.id = identity_id
      where deleted_at is null and (person_id is not null or was_known) group by 1, 2 order by 1, 2`,
  );

const rawKnownDays = (db: Database): Promise<object[]> =>
  read(
    db,
    sql<object>`
      select to_char(started_at at time zone 'UTC', 'YYYY-MM-DD') as day, camera_id, identity_id,
             count(*)::integer as visits
      from sighting join identity on identity.id = identity_id
      where deleted_at is null and (person_id is not null or was_known) group by 1, 2, 3 order by 1, 2, 3`,
  );

const keptAtCameras = (db: Database): Promise<object[]> =>
  read(
    db,
    sql<object>`
      select camera_id, identity_id, visits, first_at, last_at
      from sighting_stranger_camera order by 1, 2`,
  );

const rawAtCameras = (db: Database): Promise<object[]> =>
  read(
    db,
    sql<object>`
      select camera_id, identity_id, count(*)::integer as visits, min(started_at) as first_at,
             max(started_at) as last_at
      from sighting join identity on identity.id = identity_id
      where deleted_at is null and number is not null group by 1, 2 order by 1, 2`,
  );

const keptStrangers = (db: Database): Promise<object[]> =>
  read(
    db,
    sql<object>`
      select stranger_id, visits, first_at, last_at from sighting_stranger order by 1`,
  );

const rawStrangers = (db: Database): Promise<object[]> =>
  read(
    db,
    sql<object>`
      select coalesce(merged_into, identity.id) as stranger_id, count(*)::integer as visits,
             min(started_at) as first_at, max(started_at) as last_at
      from sighting join identity on identity.id = identity_id
      where deleted_at is null and number is not null and data_key is not null
      group by 1 order by 1`,
  );
