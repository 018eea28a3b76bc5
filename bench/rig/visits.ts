/** Ninety days of visits at many cameras, with their counts. */
import assert from 'node:assert/strict';
import { sql, type Kysely } from 'kysely';
import type { Database } from '../../server/src/db/database.ts';
import { inBulk, step, vacuum, withoutIndexes } from './fill.ts';

export interface VisitsWanted {
  readonly visits: number;
  readonly people: number;
  readonly strangers: number;
  readonly cameraIds: readonly string[];
  /** They end before this midnight in UTC. */
  readonly until: Date;
  readonly days: number;
}

const dayMs = 86_400_000;
/** Rows that one statement writes. */
const batch = 500_000;

export const idOf = (kind: number, number: ReturnType<typeof sql>) =>
  sql`(${sql.lit(`0000000${kind}-0000-7000-8000-`)} || lpad(to_hex(${number}::bigint), 12, '0'))::uuid`;

/** Writes visits from number `first` to `last`. */
type AddVisits = (
  tx: Kysely<unknown>,
  wanted: VisitsWanted,
  first: number,
  last: number,
) => Promise<void>;

/** Each person comes to six cameras, most at work hours; strangers come anywhere. */
export async function fillVisits(db: Database, wanted: VisitsWanted): Promise<void> {
  await makeMonths(db, wanted);
  await step('people and strangers', () => inBulk(db, (tx) => addIdentities(tx, wanted)));
  await vacuum(db, 'person', 'identity');
  await step('visits', () => inBatches(db, wanted, addVisits));
}

export async function inBatches(db: Database, wanted: VisitsWanted, add: AddVisits): Promise<void> {
  await inBulk(db, (tx) =>
    withoutIndexes(tx, 'visit', async () => {
      for (let first = 0; first < wanted.visits; first += batch) {
        await add(tx, wanted, first, Math.min(first + batch, wanted.visits) - 1);
      }
    }),
  );
  await vacuum(db, 'visit');
}

/** The counts of all visits, as the migration makes them: one `group by` for each kept count. */
export async function countAll(db: Database): Promise<number> {
  const startedAtMs = performance.now();
  await step('counting', () =>
    inBulk(db, (tx) => sql`select visit_recount('infinity')`.execute(tx)),
  );
  const tookMs = performance.now() - startedAtMs;
  // As they come to lie when visits come: one day after the other.
  await inBulk(db, (tx) => sql`cluster visit_day_known using visit_day_known_pkey`.execute(tx));
  await vacuum(
    db,
    'visit_hour',
    'visit_hour_total',
    'visit_day',
    'visit_camera_day',
    'visit_person_quarter',
    'visit_identity_quarter',
    'visit_stranger_camera',
    'visit_stranger',
  );
  return tookMs;
}

/**
 * What was counted at once is what the product's own transactions make: visits of a sample of hours are taken out of
 * the counts and put back by the triggers, which must leave nothing in between and the same figures afterwards.
 */
export async function checkCounts(db: Database, { until }: VisitsWanted): Promise<void> {
  const undone = new Error('nothing is kept');
  const checked = db.transaction(async (tx) => {
    const write = tx.as<unknown>();
    for (const daysBefore of [3, 40, 80]) {
      const hour = new Date(until.getTime() - daysBefore * dayMs + 10 * 3_600_000);
      await checkHour(write, hour);
    }
    throw undone;
  });
  await assert.rejects(checked, undone);
}

async function checkHour(tx: Kysely<unknown>, hour: Date): Promise<void> {
  const next = new Date(hour.getTime() + 3_600_000);
  const ofHour = sql`started_at >= ${hour} and started_at < ${next}`;
  const kept = async (): Promise<unknown> => {
    const hours = await sql`
      select * from visit_hour where hour = ${hour} order by camera_id`.execute(tx);
    const days = await sql`
      select * from visit_day counted
      where day = (${hour}::timestamptz at time zone 'UTC')::date and (camera_id, identity_id) in (
        select camera_id, identity_id from visit where ${ofHour})
      order by camera_id, identity_id`.execute(tx);
    const quarters = await sql`
      select * from visit_person_quarter
      where quarter = date_trunc('quarter', ${hour}::timestamptz, 'UTC')::date
        and (camera_id, identity_id) in (select camera_id, identity_id from visit where ${ofHour})
      order by camera_id, identity_id`.execute(tx);
    return { hours: hours.rows, days: days.rows, quarters: quarters.rows };
  };
  const before = await kept();
  const { rows } = await sql<{ visits: number }>`
    select count(*)::integer as visits from visit where ${ofHour}`.execute(tx);
  assert.ok(rows[0]!.visits > 0, 'a sample of no visits shows nothing');
  await sql`update visit set deleted_at = now() where ${ofHour}`.execute(tx);
  const left = await sql`select from visit_hour where hour = ${hour}`.execute(tx);
  assert.equal(left.rows.length, 0, 'more was counted in that hour than is there');
  await sql`update visit set deleted_at = null where ${ofHour}`.execute(tx);
  assert.deepEqual(await kept(), before);
}

export async function makeMonths(
  db: Database,
  { until, days }: Pick<VisitsWanted, 'until' | 'days'>,
): Promise<void> {
  const from = new Date(until.getTime() - days * dayMs);
  for (let month = 0; ; month += 1) {
    const first = new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + month, 1));
    if (first >= until) return;
    const next = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 1));
    const name = `visit_${first.toISOString().slice(0, 7).replace('-', '_')}`;
    await sql`
      create table if not exists ${sql.table(name)} partition of visit
      for values from (${sql.lit(first.toISOString())}) to (${sql.lit(next.toISOString())})`.execute(
      db.write(),
    );
  }
}

async function addIdentities(
  tx: Kysely<unknown>,
  { people, strangers }: VisitsWanted,
): Promise<void> {
  await sql`
    insert into person (id, first_name, last_name, category_id, created_by, created_at, updated_at)
    select ${idOf(1, sql`n`)}, 'Person ' || n, 'Example', category.id, app_user.id, now(), now()
    from generate_series(1, ${people}::int) n,
         (select id from face_category limit 1) category, (select id from app_user limit 1) app_user`.execute(
    tx,
  );
  await sql`
    insert into identity (id, person_id, number, data_key, created_at)
    select ${idOf(2, sql`n`)}, case when n <= ${people}::int then ${idOf(1, sql`n`)} end,
           case when n > ${people}::int then n end, '\\x00', now()
    from generate_series(1, ${people + strangers}::int) n`.execute(tx);
}

async function addVisits(
  tx: Kysely<unknown>,
  { visits, people, strangers, cameraIds, until, days }: VisitsWanted,
  first: number,
  last: number,
): Promise<void> {
  const from = new Date(until.getTime() - days * dayMs);
  await sql`
    insert into visit (id, camera_id, identity_id, started_at, ended_at, confidence, quality)
    select ${idOf(3, sql`n`)},
           (${cameraIds}::uuid[])[1 + case when is_known then (who * 7 + floor(random() * 6)::int) % ${cameraIds.length}::int
                                           else floor(random() * ${cameraIds.length}::int)::int end],
           ${idOf(2, sql`who`)}, at, at + interval '8 seconds', 0.9, 0.9
    from (
      select n, is_known,
             case when is_known then 1 + floor(random() * ${people}::int)::int
                  else ${people}::int + 1 + floor(random() * ${strangers}::int)::int end as who,
             -- Whole days from the first; eight of ten visits between 7:00 and 19:00.
             ${from}::timestamptz + interval '1 day' * (n::bigint * ${days}::int / ${visits}::int)
               + interval '1 hour' * (case when random() < 0.8 then 7 + random() * 12 else random() * 24 end) as at
      from (select n, random() < 0.6 as is_known
            from generate_series(${first}::int, ${last}::int) n) as drawn
    ) as visit`.execute(tx);
}
