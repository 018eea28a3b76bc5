import { sql, type RawBuilder } from 'kysely';
import { kindsOfPeople } from '@nazar/contract/alert-rules.ts';
import type { Tx } from '#db/database.ts';
import { longestVisit } from '#visits/visits.ts';
import type { Lasting } from './lasting.ts';
import type {
  AlertAndVisit,
  CountedVisit,
  LivingAlert,
  PeopleAlert,
  VisitAlertsOutcome,
} from './visit-alerts.ts';

interface Tables {
  /** Columns of alerts about people; others leave these three empty. */
  alert: Omit<PeopleAlert, 'rule_id' | 'camera_id' | 'people'> & {
    readonly rule_id: string | null;
    readonly camera_id: string | null;
    readonly people: number | null;
  };
}

export interface OverdueAlert extends Lasting, Pick<PeopleAlert, 'id' | 'camera_id'> {
  /** Null: the rule was deleted. */
  readonly quiet_minutes: number | null;
}

/** A statement has 65,535 parameters at most. */
const rowsPerInsert = 1_000;

export type RecountedAlert = Pick<PeopleAlert, 'id' | 'camera_id' | 'ended_at'>;

const quiet = sql`rule.quiet_minutes * interval '1 minute'`;

/**
 * When a person of the alert was last in view. Asked of alerts that seem to be over: a visit is counted when it begins,
 * and may still last. Moments of visits are finer than they are kept here.
 */
const lastSeen = sql<Date>`greatest(alert.last_at, (
  select max(visit.ended_at)
  from alert_visit counted
  join visits_v_visit visit on visit.id = counted.visit_id
    and visit.started_at >= counted.started_at
    and visit.started_at < counted.started_at + interval '1 millisecond'
  where counted.alert_id = alert.id and counted.started_at >= alert.last_at - ${longestVisit}))`;

/** SQL of alerts about people, as passes write them. */
export class PeopleAlertStore {
  /** Alerts that last, by rule and subject, and who of these strangers is in them; locks them. */
  async living(
    tx: Tx,
    wanted: readonly { readonly ruleId: string; readonly subject: string }[],
    strangerIds: readonly string[],
    now: Date,
  ): Promise<LivingAlert[]> {
    if (wanted.length === 0) return [];
    const { rows } = await sql<PeopleAlert>`
      select alert.id, alert.rule_id, alert.kind, alert.level, alert.status, alert.subject, alert.camera_id,
             alert.count, alert.people, alert.created_at, alert.ended_at,
             case when alert.last_at + ${quiet} < ${now} then ${lastSeen} else alert.last_at end as last_at
      from unnest(${wanted.map(({ ruleId }) => ruleId)}::uuid[],
                  ${wanted.map(({ subject }) => subject)}::text[]) as wanted (rule_id, subject)
      join alert on alert.rule_id = wanted.rule_id and alert.subject = wanted.subject and alert.ended_at is null
      join alert_rule rule on rule.id = alert.rule_id
      for update of alert`.execute(tx.as<Tables>());
    const strangers = await this.#strangersIn(tx, rows, strangerIds);
    return rows.map((alert) => ({ ...alert, strangers: strangers.get(alert.id) ?? [] }));
  }

  async #strangersIn(
    tx: Tx,
    alerts: readonly PeopleAlert[],
    strangerIds: readonly string[],
  ): Promise<ReadonlyMap<string, string[]>> {
    const ids = alerts.filter(({ kind }) => kind === 'unknown_person').map(({ id }) => id);
    if (ids.length === 0) return new Map();
    const { rows } = await sql<{ alert_id: string; stranger_id: string }>`
      select distinct counted.alert_id, identity.stranger_id
      from faces_v_identity identity
      join alert_visit counted on counted.identity_id = identity.id
      where identity.stranger_id = any(${[...strangerIds]}::uuid[])
        and counted.alert_id = any(${ids}::uuid[])`.execute(tx.as<Tables>());
    const found = new Map<string, string[]>();
    for (const { alert_id, stranger_id } of rows) {
      found.set(alert_id, [...(found.get(alert_id) ?? []), stranger_id]);
    }
    return found;
  }

  /** In which alerts these visits are counted. */
  async counted(tx: Tx, visitIds: readonly string[]): Promise<CountedVisit[]> {
    const { rows } = await sql<CountedVisit>`
      select counted.alert_id, counted.visit_id, counted.identity_id, alert.rule_id, alert.kind, alert.subject
      from alert_visit counted
      join alert on alert.id = counted.alert_id
      where counted.visit_id = any(${[...visitIds]}::uuid[])`.execute(tx.as<Tables>());
    return rows;
  }

  /** Returns the alerts that visits have left, or moved within. */
  async write(tx: Tx, outcome: VisitAlertsOutcome, now: Date): Promise<RecountedAlert[]> {
    const { changed, begun, joined, moved, left } = outcome;
    // First what ends: a rule has one alert of a subject that lasts.
    if (changed.length > 0) await this.#change(tx, changed);
    for (let from = 0; from < begun.length; from += rowsPerInsert) {
      const rows = begun.slice(from, from + rowsPerInsert);
      await tx.as<Tables>().insertInto('alert').values(rows).execute();
    }
    if (joined.length > 0) {
      const starts = joined.map(({ started_at }) => started_at.toISOString());
      await sql`
        insert into alert_visit (alert_id, visit_id, identity_id, started_at)
        select * from unnest(${columnsOf(joined)}, ${starts}::timestamptz[])`.execute(
        tx.as<Tables>(),
      );
    }
    return this.#moveAndRemove(tx, moved, left, now);
  }

  async #moveAndRemove(
    tx: Tx,
    moved: readonly AlertAndVisit[],
    left: readonly AlertAndVisit[],
    now: Date,
  ): Promise<RecountedAlert[]> {
    const isSame = sql`alert_visit.alert_id = given.alert_id and alert_visit.visit_id = given.visit_id`;
    if (moved.length > 0) {
      await sql`
        update alert_visit set identity_id = given.identity_id from ${asGiven(moved)} where ${isSame}`.execute(
        tx.as<Tables>(),
      );
    }
    if (left.length > 0) {
      await sql`delete from alert_visit using ${asGiven(left)} where ${isSame}`.execute(
        tx.as<Tables>(),
      );
    }
    return this.#countAgain(tx, [...moved, ...left], now);
  }

  async #change(tx: Tx, alerts: readonly PeopleAlert[]): Promise<void> {
    await sql`
      update alert set count = now.count, people = now.people, last_at = now.last_at, ended_at = now.ended_at
      from unnest(${alerts.map(({ id }) => id)}::uuid[], ${alerts.map(({ count }) => count)}::integer[],
                  ${alerts.map(({ people }) => people)}::integer[],
                  ${alerts.map(({ last_at }) => last_at.toISOString())}::timestamptz[],
                  ${alerts.map(({ ended_at }) => ended_at?.toISOString() ?? null)}::timestamptz[])
        as now (id, count, people, last_at, ended_at)
      where alert.id = now.id`.execute(tx.as<Tables>());
  }

  /** An alert that has no visit left was none; the server dismisses it unless a user has taken it. */
  async #countAgain(tx: Tx, of: readonly AlertAndVisit[], now: Date): Promise<RecountedAlert[]> {
    if (of.length === 0) return [];
    const ids = [...new Set(of.map(({ alert_id }) => alert_id))];
    const isNone = sql`counted.count = 0 and alert.status = 'new' and alert.assigned_to is null`;
    const { rows } = await sql<RecountedAlert>`
      update alert set
        count = counted.count,
        people = case alert.kind when 'unknown_person' then counted.people else least(counted.count, 1) end,
        status = case when ${isNone} then 'dismissed' else alert.status end,
        resolved_at = case when ${isNone} then ${now}::timestamptz else alert.resolved_at end,
        ended_at = coalesce(alert.ended_at, case when ${isNone} then ${now}::timestamptz end)
      from (
        select asked.id, count(visit_id)::integer as count, count(distinct stranger_id)::integer as people
        from unnest(${ids}::uuid[]) as asked (id)
        left join alert_visit on alert_visit.alert_id = asked.id
        left join faces_v_identity identity on identity.id = alert_visit.identity_id
        group by asked.id
      ) as counted
      where alert.id = counted.id
      returning alert.id, alert.camera_id, alert.ended_at`.execute(tx.as<Tables>());
    return rows;
  }

  /** Alerts about people that may be over, with when a person of them was last in view; locks them. */
  async overdue(tx: Tx, now: Date, boundedBefore: Date): Promise<OverdueAlert[]> {
    const { rows } = await sql<OverdueAlert>`
      select alert.id, alert.kind, alert.camera_id, alert.created_at, ${lastSeen} as last_at, rule.quiet_minutes
      from alert
      left join alert_rule rule on rule.id = alert.rule_id
      where alert.ended_at is null and alert.kind = any(${[...kindsOfPeople]}::text[])
        and (rule.id is null or alert.last_at + ${quiet} <= ${now}
          or (alert.kind = 'unknown_person' and alert.created_at <= ${boundedBefore}))
      for update of alert`.execute(tx.as<Tables>());
    return rows;
  }

  /** `ended_at` null: they are still in view. */
  async setLast(
    tx: Tx,
    alerts: readonly Pick<PeopleAlert, 'id' | 'last_at' | 'ended_at'>[],
  ): Promise<void> {
    if (alerts.length === 0) return;
    await sql`
      update alert set last_at = now.last_at, ended_at = now.ended_at
      from unnest(${alerts.map(({ id }) => id)}::uuid[],
                  ${alerts.map(({ last_at }) => last_at.toISOString())}::timestamptz[],
                  ${alerts.map(({ ended_at }) => ended_at?.toISOString() ?? null)}::timestamptz[])
        as now (id, last_at, ended_at)
      where alert.id = now.id`.execute(tx.as<Tables>());
  }
}

/** Three columns for `unnest`. */
const columnsOf = (rows: readonly AlertAndVisit[]): RawBuilder<unknown> => sql`
  ${rows.map(({ alert_id }) => alert_id)}::uuid[], ${rows.map(({ visit_id }) => visit_id)}::uuid[],
  ${rows.map(({ identity_id }) => identity_id)}::uuid[]`;

const asGiven = (rows: readonly AlertAndVisit[]): RawBuilder<unknown> =>
  sql`unnest(${columnsOf(rows)}) as given (alert_id, visit_id, identity_id)`;
