/** Alerts as a year of five busy rules leaves them: nearly all are dealt with, one of twenty is about no camera. */
import { sql } from 'kysely';
import type { Database } from '../../server/src/db/database.ts';
import { inBulk, step, vacuum, withoutIndexes } from '../rig/fill.ts';
import { idOf } from '../rig/visits.ts';

export interface AlertsWanted {
  readonly alerts: number;
  /** The newest alerts have a visit each. */
  readonly visits: number;
  readonly cameraIds: readonly string[];
  readonly userIds: readonly string[];
  readonly until: Date;
  readonly days: number;
}

const alertId = idOf(8, sql`n`);

/** Numbers of alerts grow with their age, as numbers of visits do from the last one backwards. */
export async function fillAlerts(db: Database, wanted: AlertsWanted): Promise<void> {
  await step('alerts', () =>
    inBulk(db, (tx) => withoutIndexes(tx, 'alert', () => addAlerts(tx, wanted))),
  );
  await step('visits of alerts', () =>
    inBulk(db, async (tx) => {
      await sql`
        insert into alert_visit (alert_id, visit_id, identity_id, started_at)
        select ${alertId}, visit.id, visit.identity_id, visit.started_at
          from (select id, identity_id, started_at, row_number() over (order by started_at desc) as n
                  from visit) visit
          join alert on alert.id = ${alertId} and alert.people is not null`.execute(tx);
    }),
  );
  await vacuum(db, 'alert', 'alert_visit');
}

type Tx = Parameters<Parameters<typeof inBulk>[1]>[0];

async function addAlerts(
  tx: Tx,
  { alerts, cameraIds, userIds, until, days }: AlertsWanted,
): Promise<void> {
  const cameras = cameraIds.length;
  const dayMs = 86_400_000;
  const eachMs = (days * dayMs) / alerts;
  await sql`
    insert into alert (id, kind, level, status, subject, camera_id, warning_kind, count, people, created_at, last_at,
                       ended_at, assigned_to, resolved_by, resolved_at)
    select ${alertId}, kind, level, status, n::text,
           case when not is_of_none then (${[...cameraIds]}::uuid[])[1 + floor(${cameras}::int * (n * 37 % 1000 / 1000.0) ^ 2)] end,
           case when is_of_none then 'disk_low' end, 1 + n % 9, case when is_of_none then null else 1 + n % 3 end, at,
           at + interval '1 second' * (n * 7 % 600), at + interval '10 minutes',
           case when status <> 'new' then (${[...userIds]}::uuid[])[1 + n % ${userIds.length}::int] end,
           case when is_done then (${[...userIds]}::uuid[])[1 + n % ${userIds.length}::int] end,
           case when is_done then at + interval '1 hour' end
      from (
        select *, status in ('resolved', 'dismissed') as is_done,
               case when is_of_none then 'storage_low' when n % 10 < 7 then 'unknown_person'
                    when n % 10 < 9 then 'watched_person' else 'camera_down' end as kind,
               case when is_of_none then 'info' when n % 10 < 7 then 'warning'
                    when n % 10 < 9 then 'critical' else 'error' end as level
          from (
            select n, n % 20 = 3 as is_of_none, ${until}::timestamptz - interval '1 millisecond' * (n * ${eachMs}::float8) as at,
                   -- New ones are among the newest; a few were forgotten in progress at any time.
                   case when n < 500 and n % 2 = 0 then 'new' when n % 997 = 5 then 'in_progress'
                        when n % 12 = 1 then 'dismissed' else 'resolved' end as status
              from generate_series(1, ${alerts}::int) n) as numbered) as alert`.execute(tx);
}
