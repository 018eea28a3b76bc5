/**
 * Visits as places have them: few people and cameras make most of them, work hours and weekdays too, and some come in
 * bursts. Every value is a hash of its number, so that the same size is the same data on every machine, in whatever
 * order the database makes the rows.
 */
import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { Database } from '../../server/src/db/database.ts';
import { inBulk, vacuum } from './fill.ts';
import { idOf, inBatches, makeMonths, type VisitsWanted } from './visits.ts';

const dayMs = 86_400_000;
const seed = 41;

/**
 * Six tenths of 10 million visits are of 2,000 known people, the first of whom has 55,000; the first of 20,000
 * strangers has 38,000. Shares fall as rank to the power of -0.38 and -0.53.
 */
const ranks = { people: 1.618, strangers: 2.127 } as const;
/** The cameras that one person comes to: over half of all, most often to a few. */
const ownCameras = 0.55;

/** The identity of the most popular person, and of the most frequent stranger. */
export const popular = {
  personId: '00000001-0000-7000-8000-000000000001',
  strangerId: (people: number) =>
    `00000002-0000-7000-8000-${(people + 1).toString(16).padStart(12, '0')}`,
} as const;

/** A number from 0 up to 1 for the row `n`, another one for each `use`. */
const chance = (use: number): RawBuilder<number> =>
  sql`((hashint8extended(n::bigint, ${sql.lit(seed * 100 + use)}) & 1073741823)::float8 / 1073741824)`;

export async function fillUnevenVisits(db: Database, wanted: VisitsWanted): Promise<void> {
  await makeMonths(db, wanted);
  await inBulk(db, (tx) => addIdentities(tx, wanted));
  await vacuum(db, 'person', 'identity');
  await inBatches(db, wanted, addVisits);
}

/**
 * Strangers, by their numbers: each fiftieth is merged into the one before, each hundredth got a name, some are erased,
 * a tenth are ignored.
 */
async function addIdentities(
  tx: Kysely<unknown>,
  { people, strangers, until, days }: VisitsWanted,
): Promise<void> {
  await sql`
    insert into person (id, first_name, last_name, category_id, created_by, created_at, updated_at)
    select ${idOf(1, sql`n`)}, (array['Elvin', 'Əli', 'İlqar', 'Ольга', 'Person'])[1 + n % 5], 'Əliyev ' || n,
           category.id, app_user.id, ${until}, ${until}
    from generate_series(1, ${people}::int) n,
         (select id from face_category order by id limit 1) category,
         (select id from app_user order by id limit 1) app_user`.execute(tx);
  await sql`
    insert into identity (id, person_id, data_key, created_at)
    select ${idOf(2, sql`n`)}, ${idOf(1, sql`n`)}, '\\x00', ${until}
    from generate_series(1, ${people}::int) n`.execute(tx);
  const isNamed = sql`n % 100 = 1 and n > 1`;
  await sql`
    insert into identity (id, person_id, number, status, merged_into, data_key, created_at)
    select ${idOf(2, sql`${people}::int + n`)}, case when ${isNamed} then ${idOf(1, sql`1 + n % ${people}::int`)} end, n,
           case when ${isNamed} then 'identified' when n % 10 = 4 then 'ignored' when n % 20 = 5 then 'reviewing'
                else 'new' end,
           case when n % 50 = 0 then ${idOf(2, sql`${people}::int + n - 1`)} end,
           case when n % 500 = 3 then null else '\\x00'::bytea end,
           ${until}::timestamptz - interval '1 day' * ${days}::int
    from generate_series(1, ${strangers}::int) n`.execute(tx);
}

async function addVisits(
  tx: Kysely<unknown>,
  { visits, people, strangers, cameraIds, until, days }: VisitsWanted,
  first: number,
  last: number,
): Promise<void> {
  const from = new Date(until.getTime() - days * dayMs);
  const weights = dayWeights(from, days);
  const cameras = sql.lit(cameraIds.length);
  await sql`
    insert into visit (id, camera_id, identity_id, started_at, ended_at, confidence, quality, deleted_at,
                          recognized_as, recognized_at, recognized_by)
    select ${idOf(3, sql`n`)}, (${cameraIds}::uuid[])[1 + place],
           ${idOf(2, sql`case when is_known then who else ${people}::int + who end`)}, at,
           at + interval '1 second' * (2 + floor(120 * ${chance(1)} ^ 3)),
           case when is_known then 0.7 + 0.3 * ${chance(2)} end, 0.2 + 0.8 * ${chance(3)},
           case when n % 500 = 0 then at end,
           case when is_known then ${idOf(1, sql`who`)} end, case when is_known then at end,
           case when is_known then 'pack@1' end
    from (
      select *,
             case when is_known
               then (who * 37 + floor(${ownCameras}::float8 * ${cameras} * ${chance(4)} ^ 3)::int) % ${cameras}
               else floor(${cameras} * ${chance(4)} ^ 1.6)::int end as place,
             ${from}::timestamptz + interval '1 day' * day
               -- One of ten comes in a burst: in the first five minutes of its hour.
               + interval '1 hour' * (hour + case when ${chance(5)} < 0.1 then ${chance(6)} / 12 else ${chance(6)} end) as at
      from (
        select *,
               case when is_known then 1 + floor(${people}::int * ${chance(7)} ^ ${sql.lit(ranks.people)})::int
                    else 1 + floor(${strangers}::int * ${chance(7)} ^ ${sql.lit(ranks.strangers)})::int end as who,
               case when (${weights.weekends}::boolean[])[1 + day]
                 then width_bucket(${chance(8)}, ${hoursOfWeekend}::float8[])
                 else width_bucket(${chance(8)}, ${hoursOfWork}::float8[]) end as hour
        from (
          select n, ${chance(9)} < 0.6 as is_known,
                 width_bucket((n + 0.5) / ${visits}::float8, ${weights.through}::float8[]) as day
          from generate_series(${first}::int, ${last}::int) n
        ) as numbered
      ) as drawn
    ) as visit`.execute(tx);
}

/** Weekends have a third of a weekday, and each 29th day more than twice as much. */
function dayWeights(from: Date, days: number) {
  const dates = Array.from({ length: days }, (_, day) => new Date(from.getTime() + day * dayMs));
  const weekends = dates.map((date) => date.getUTCDay() % 6 === 0);
  const through = cumulated(
    weekends.map((isWeekend, day) => (isWeekend ? 0.35 : 1) * (day % 29 === 28 ? 2.5 : 1)),
  );
  return { weekends, through };
}

/** What is left of 1 before each part but the first. */
function cumulated(weights: readonly number[]): number[] {
  const all = weights.reduce((sum, weight) => sum + weight, 0);
  let sum = 0;
  return weights.slice(0, -1).map((weight) => (sum += weight) / all);
}

const hoursOfWork = cumulated([
  0.2, 0.1, 0.1, 0.1, 0.1, 0.3, 1, 4, 9, 7, 5, 5, 8, 7, 5, 5, 6, 9, 6, 3, 2, 1, 0.6, 0.3,
]);
const hoursOfWeekend = cumulated([
  1, 0.6, 0.3, 0.2, 0.2, 0.3, 0.5, 1, 2, 3, 4, 5, 5, 5, 5, 5, 5, 5, 4, 4, 3, 3, 2, 1.5,
]);
