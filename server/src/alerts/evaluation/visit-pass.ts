/** What visits make of alerts, in the transaction that takes their changes. */
import type { Clock } from '#lib/clock.ts';
import type { Tx } from '#db/database.ts';
import type { TakenChange } from '#feed/feed.ts';
import type { ChangedAlert } from './changed-alert.ts';
import { endOf, longestUnknownMs } from './lasting.ts';
import { PeopleAlertStore, type OverdueAlert, type RecountedAlert } from './people-store.ts';
import type { Rule } from './enabled-rules.ts';
import { SeenStore } from './seen-store.ts';
import { VisitAlerts, type VisitAlertsOutcome } from './visit-alerts.ts';
import { isCaseOf, isOfPeople, subjectOf, type PeopleRule, type SeenVisit } from './visit-rules.ts';

/** Recognition often names a person a moment after it saw them: until then an unknown person raises nothing. */
export const settleMs = 5_000;

export interface Evaluated {
  /** Changes that are dealt with; the others wait. */
  readonly taken: readonly number[];
  readonly alerts: readonly ChangedAlert[];
  /** Ids of those that are over. */
  readonly over: readonly string[];
  /** Visits among them that show a known person. */
  readonly known: readonly string[];
}

export class VisitPass {
  readonly #clock: Clock;
  readonly #seen = new SeenStore();
  readonly #store = new PeopleAlertStore();

  constructor({ clock }: { readonly clock: Clock }) {
    this.#clock = clock;
  }

  async evaluate(
    tx: Tx,
    changes: readonly TakenChange[],
    enabled: readonly Rule[],
  ): Promise<Evaluated> {
    if (changes.length === 0) return { taken: [], alerts: [], over: [], known: [] };
    const nowMs = this.#clock.now();
    const rules = enabled.filter(isOfPeople);
    const countsReturns = rules.some(({ kind }) => kind === 'returning_stranger');
    const ids = changes.map(({ subject }) => subject);
    const seen = await this.#seen.visits(tx, ids, countsReturns);
    const due = changes.filter(
      ({ subject, at }) =>
        seen.get(subject)?.shows !== 'unknown' || at.getTime() + settleMs <= nowMs,
    );
    const outcome = await this.#outcome(tx, due, seen, rules);
    const recounted = await this.#store.write(tx, outcome, new Date(nowMs));
    const known = new Set(due.map(({ subject }) => subject)).values();
    return {
      taken: due.map(({ id }) => id),
      alerts: alertsIn(outcome, recounted),
      over: [...outcome.changed, ...recounted]
        .filter(({ ended_at }) => ended_at !== null)
        .map(({ id }) => id),
      known: known.filter((id) => seen.get(id)?.shows === 'person').toArray(),
    };
  }

  async #outcome(
    tx: Tx,
    due: readonly TakenChange[],
    seen: ReadonlyMap<string, SeenVisit>,
    rules: readonly PeopleRule[],
  ): Promise<VisitAlertsOutcome> {
    const nowMs = this.#clock.now();
    const ids = [...new Set(due.map(({ subject }) => subject))];
    const visits = ids.flatMap((id) => seen.get(id) ?? []);
    const strangers = [...new Set(visits.map(({ stranger_id }) => stranger_id))];
    const wanted = wantedOf(visits, rules);
    const living = await this.#store.living(tx, wanted, strangers, new Date(nowMs));
    const counted = await this.#store.counted(tx, ids);
    const alerts = new VisitAlerts({ nowMs, rules, living, counted });
    for (const id of ids.filter((one) => !seen.has(one))) alerts.take(id, null);
    for (const visit of visits.toSorted(byStart)) alerts.take(visit.id, visit);
    return alerts.outcome;
  }

  /** Ends alerts that have had no visit for long enough; visits that wait in the feed may still belong to them. */
  async end(tx: Tx): Promise<readonly ChangedAlert[]> {
    const nowMs = this.#clock.now();
    const boundedBefore = new Date(nowMs - longestUnknownMs);
    const overdue = await this.#store.overdue(tx, new Date(nowMs), boundedBefore);
    const alerts = overdue.map((alert) => ({ ...alert, ended_at: endedAt(alert, nowMs) }));
    await this.#store.setLast(tx, alerts);
    return alerts
      .filter(({ ended_at }) => ended_at !== null)
      .map((alert) => asChanged(alert, 'updated'));
  }
}

function endedAt(alert: OverdueAlert, nowMs: number): Date | null {
  if (alert.quiet_minutes === null) return new Date(nowMs);
  const endMs = endOf(alert, alert.quiet_minutes);
  return endMs + settleMs <= nowMs ? new Date(endMs) : null;
}

const byStart = (one: SeenVisit, other: SeenVisit): number =>
  one.started_at.getTime() - other.started_at.getTime() || (one.id < other.id ? -1 : 1);

/** The alerts to which these visits may belong. */
function wantedOf(visits: readonly SeenVisit[], rules: readonly PeopleRule[]) {
  const wanted = new Map<string, { readonly ruleId: string; readonly subject: string }>();
  for (const visit of visits) {
    for (const rule of rules) {
      if (!isCaseOf(rule, visit)) continue;
      const subject = subjectOf(rule.kind, visit);
      wanted.set(`${rule.id} ${subject}`, { ruleId: rule.id, subject });
    }
  }
  return [...wanted.values()];
}

function alertsIn(
  { begun, changed }: VisitAlertsOutcome,
  recounted: readonly RecountedAlert[],
): ChangedAlert[] {
  const raised = new Map(begun.map((alert) => [alert.id, asChanged(alert, 'raised')]));
  const updated = [...changed, ...recounted].filter(({ id }) => !raised.has(id));
  const byId = new Map(updated.map((alert) => [alert.id, asChanged(alert, 'updated')]));
  return [...raised.values(), ...byId.values()];
}

const asChanged = (
  { id, camera_id }: { readonly id: string; readonly camera_id: string | null },
  kind: ChangedAlert['kind'],
): ChangedAlert => ({ alertId: id, cameraId: camera_id, kind });
