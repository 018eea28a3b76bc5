/** What visits make of the alerts about people: computed for all visits of a pass, and written at once. */
import type { AlertLevel, AlertStatus } from '@nazar/contract/alerts.ts';
import { uuidv7 } from '#lib/ids.ts';
import { endOf, goesOn, type Lasting } from './lasting.ts';
import { isCaseOf, stillFits, subjectOf, type PeopleRule, type SeenVisit } from './visit-rules.ts';

export interface PeopleAlert extends Lasting {
  readonly id: string;
  readonly rule_id: string;
  readonly level: AlertLevel;
  readonly status: AlertStatus;
  readonly subject: string;
  readonly camera_id: string;
  readonly count: number;
  readonly people: number;
  readonly ended_at: Date | null;
}

/** An alert that lasts, and who of those that are seen now is in it. */
export interface LivingAlert extends PeopleAlert {
  readonly strangers: readonly string[];
}

/** A visit that is in an alert, as whom it was counted. */
export interface CountedVisit extends Pick<PeopleAlert, 'kind' | 'subject'> {
  readonly alert_id: string;
  readonly visit_id: string;
  readonly identity_id: string;
  /** Null: the rule was deleted. */
  readonly rule_id: string | null;
}

export type AlertAndVisit = Pick<CountedVisit, 'alert_id' | 'visit_id' | 'identity_id'>;

export interface VisitAlertsOutcome {
  readonly begun: readonly PeopleAlert[];
  readonly changed: readonly PeopleAlert[];
  readonly joined: readonly (AlertAndVisit & Pick<SeenVisit, 'started_at'>)[];
  /** Visits that are another unknown person's now. */
  readonly moved: readonly AlertAndVisit[];
  readonly left: readonly AlertAndVisit[];
}

/** One that changes while visits are taken. */
interface Open {
  alert: PeopleAlert;
  readonly strangers: Set<string>;
}

const keyOf = (ruleId: string, subject: string): string => `${ruleId} ${subject}`;

export class VisitAlerts {
  readonly #nowMs: number;
  readonly #rules: readonly PeopleRule[];
  readonly #counted: ReadonlyMap<string, readonly CountedVisit[]>;
  /** By rule and subject. */
  readonly #open = new Map<string, Open>();
  readonly #begun = new Map<string, PeopleAlert>();
  readonly #changed = new Map<string, PeopleAlert>();
  readonly #joined: (AlertAndVisit & Pick<SeenVisit, 'started_at'>)[] = [];
  readonly #moved: AlertAndVisit[] = [];
  readonly #left: AlertAndVisit[] = [];

  constructor(parts: {
    readonly nowMs: number;
    readonly rules: readonly PeopleRule[];
    readonly living: readonly LivingAlert[];
    readonly counted: readonly CountedVisit[];
  }) {
    this.#nowMs = parts.nowMs;
    this.#rules = parts.rules;
    this.#counted = Map.groupBy(parts.counted, ({ visit_id }) => visit_id);
    for (const { strangers, ...alert } of parts.living) {
      const open = { alert, strangers: new Set(strangers) };
      this.#open.set(keyOf(alert.rule_id, alert.subject), open);
    }
  }

  get outcome(): VisitAlertsOutcome {
    return {
      begun: [...this.#begun.values()],
      changed: [...this.#changed.values()],
      joined: this.#joined,
      moved: this.#moved,
      left: this.#left,
    };
  }

  /** In the order in which visits began. `visit`: as it is now; null: it is gone. */
  take(id: string, visit: SeenVisit | null): void {
    const staying = (this.#counted.get(id) ?? []).filter((counted) => {
      const stays = stillFits(counted, visit);
      if (!stays) this.#left.push(counted);
      return stays;
    });
    if (visit === null) return;
    for (const counted of staying) {
      if (counted.identity_id === visit.identity_id) continue;
      this.#moved.push({ ...counted, identity_id: visit.identity_id });
    }
    const counting = new Set(staying.map(({ rule_id }) => rule_id));
    for (const rule of this.#rules) {
      if (!counting.has(rule.id) && isCaseOf(rule, visit)) this.#count(rule, visit);
    }
  }

  #count(rule: PeopleRule, visit: SeenVisit): void {
    const key = keyOf(rule.id, subjectOf(rule.kind, visit));
    const isOfUnknown = rule.kind === 'unknown_person';
    const { started_at, stranger_id, id: visit_id, identity_id } = visit;
    let open = this.#open.get(key);
    const startedAtMs = started_at.getTime();
    const isNewcomer = isOfUnknown && open?.strangers.has(stranger_id) !== true;
    if (open && !goesOn(open.alert, rule.quiet_minutes, { startedAtMs, isNewcomer })) {
      this.#end(open, rule, startedAtMs);
      open = undefined;
    }
    open ??= this.#begin(rule, visit);
    this.#open.set(key, open);
    const { count, people, last_at } = open.alert;
    const isOneMore = isOfUnknown && !open.strangers.has(stranger_id);
    open.strangers.add(stranger_id);
    this.#change(open, {
      count: count + 1,
      people: isOneMore ? people + 1 : Math.max(people, 1),
      last_at: last_at > started_at ? last_at : started_at,
    });
    this.#joined.push({ alert_id: open.alert.id, visit_id, identity_id, started_at });
  }

  #begin({ id: rule_id, kind, level }: PeopleRule, visit: SeenVisit): Open {
    const alert: PeopleAlert = {
      id: uuidv7(this.#nowMs),
      rule_id,
      kind,
      level,
      status: 'new',
      subject: subjectOf(kind, visit),
      camera_id: visit.camera_id,
      count: 0,
      people: 0,
      created_at: new Date(this.#nowMs),
      last_at: visit.started_at,
      ended_at: null,
    };
    this.#begun.set(alert.id, alert);
    return { alert, strangers: new Set() };
  }

  /** Over by itself before the next visit, or by that visit, which begins another one. */
  #end(open: Open, { quiet_minutes }: PeopleRule, nextAtMs: number): void {
    const { alert } = open;
    const endMs = Math.min(endOf(alert, quiet_minutes), nextAtMs);
    this.#change(open, { ended_at: new Date(Math.max(alert.created_at.getTime(), endMs)) });
  }

  #change(open: Open, change: Partial<PeopleAlert>): void {
    open.alert = { ...open.alert, ...change };
    const { alert } = open;
    (this.#begun.has(alert.id) ? this.#begun : this.#changed).set(alert.id, alert);
  }
}
