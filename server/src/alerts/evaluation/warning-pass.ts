/** What warnings make of alerts, in the transaction that takes their changes. */
import type { Clock } from '#lib/clock.ts';
import { uuidv7 } from '#lib/ids.ts';
import type { Tx } from '#db/database.ts';
import type { TakenChange } from '#feed/feed.ts';
import type { ChangedAlert } from './changed-alert.ts';
import type { Rule } from './enabled-rules.ts';
import { SeenStore } from './seen-store.ts';
import { WarningAlertStore } from './warning-alert-store.ts';
import { ruleFor, wasRaised, type SeenWarning } from './warning-alerts.ts';

export interface EvaluatedWarnings {
  readonly alerts: readonly ChangedAlert[];
  /** Ids of those that are over. */
  readonly over: readonly string[];
}

export class WarningPass {
  readonly #clock: Clock;
  readonly #seen = new SeenStore();
  readonly #store = new WarningAlertStore();

  constructor({ clock }: { readonly clock: Clock }) {
    this.#clock = clock;
  }

  async evaluate(
    tx: Tx,
    changes: readonly TakenChange[],
    rules: readonly Rule[],
  ): Promise<EvaluatedWarnings> {
    if (changes.length === 0) return { alerts: [], over: [] };
    const times = Map.groupBy(changes, ({ subject }) => subject);
    const warnings = await this.#seen.warnings(tx, [...times.keys()]);
    const known = await this.#store.known(tx, [...times.keys()]);
    const alerts: ChangedAlert[] = [];
    const over: string[] = [];
    for (const warning of warnings) {
      const at = (times.get(warning.id) ?? []).map((change) => change.at);
      const isNew = !known.has(warning.id);
      if (isNew && !(await this.#begin(tx, warning, at, rules))) continue;
      const alert = await this.#store.mirror(tx, warning);
      if (!alert) continue;
      const kind = isNew ? 'raised' : 'updated';
      if (alert.ended_at !== null) over.push(alert.id);
      alerts.push({ alertId: alert.id, cameraId: alert.camera_id, kind });
    }
    return { alerts, over };
  }

  async #begin(
    tx: Tx,
    warning: SeenWarning,
    changedAt: readonly Date[],
    rules: readonly Rule[],
  ): Promise<boolean> {
    const rule = wasRaised(warning, changedAt) ? ruleFor(warning, rules) : null;
    if (!rule) return false;
    const nowMs = this.#clock.now();
    await this.#store.begin(tx, uuidv7(nowMs), warning, rule, new Date(nowMs));
    return true;
  }
}
