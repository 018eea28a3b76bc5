/** The rules that raise alerts, as administrators change them. `changed` wakes what evaluates them. */
import {
  maxAlertRules,
  type AlertRule,
  type AlertRuleChange,
  type AlertRuleFields,
} from '@nazar/contract/alert-rules.ts';
import type { ProblemCode } from '@nazar/contract/problem.ts';
import type { Action, Activity } from '#activity/activity.ts';
import { addedIds, mustSeeAdded, type VisibleCameras } from '#cameras/cameras.ts';
import type { Tx } from '#db/database.ts';
import type { Scope } from '#http/scope.ts';
import type { Clock } from '#lib/clock.ts';
import { uuidv7 } from '#lib/ids.ts';
import { Problem } from '#lib/problem.ts';
import {
  asRule,
  changedRow,
  fittingKind,
  mustWatchSome,
  newRow,
  recordedOf,
} from './rule-fields.ts';
import type { RuleRow, RuleStore } from './rule-store.ts';

export interface RulesOptions {
  readonly store: RuleStore;
  readonly activity: Pick<Activity, 'record'>;
  readonly cameras: VisibleCameras;
  /** Throws group_not_found. */
  readonly mustBeCameraGroup: (scope: Scope, id: string) => Promise<unknown>;
  /** Throws category_not_found. */
  readonly mustBeCategory: (id: string) => Promise<void>;
  /** Called after a change was committed. */
  readonly changed: () => void;
  readonly clock: Clock;
}

export class Rules {
  readonly #options: RulesOptions;

  constructor(options: RulesOptions) {
    this.#options = options;
  }

  async list(): Promise<AlertRule[]> {
    return (await this.#options.store.list()).map(asRule);
  }

  /** Throws camera_not_found, group_not_found, category_not_found, alert_rule_categories, alert_rules_too_many. */
  async add(scope: Scope, fields: AlertRuleFields): Promise<AlertRule> {
    const { store, clock } = this.#options;
    const nowMs = clock.now();
    mustWatchSome(fields.kind, fields.categories);
    const row = newRow(fields, uuidv7(nowMs), new Date(nowMs));
    const added = await this.#checked(scope, row);
    await store.transaction(async (tx) => {
      if ((await store.count(tx)) >= maxAlertRules) {
        throw new Problem('alert_rules_too_many', { max: maxAlertRules });
      }
      await store.add(tx, added);
      await this.#record(tx, scope, added, 'alert.rule_added');
    });
    this.#options.changed();
    return asRule(added);
  }

  /** Throws alert_rule_not_found, and as `add`. */
  async change(scope: Scope, id: string, change: AlertRuleChange): Promise<AlertRule> {
    const { store } = this.#options;
    const changed = await store.transaction(async (tx) => {
      const before = await store.locked(tx, id);
      if (!before) throw new Problem('alert_rule_not_found');
      if (change.categories) mustWatchSome(before.kind, change.categories);
      const row = await this.#checked(scope, changedRow(before, change), before);
      await store.change(tx, row);
      await this.#record(tx, scope, row, 'alert.rule_changed');
      return row;
    });
    this.#options.changed();
    return asRule(changed);
  }

  /** Throws alert_rule_not_found. */
  async remove(scope: Scope, id: string): Promise<void> {
    const { store, clock } = this.#options;
    await store.transaction(async (tx) => {
      const row = await store.locked(tx, id);
      if (!row) throw new Problem('alert_rule_not_found');
      await store.remove(tx, id, new Date(clock.now()));
      await this.#record(tx, scope, row, 'alert.rule_deleted');
    });
    this.#options.changed();
  }

  /**
   * What it names must be there, where its kind asks for it. What it named `before` may be gone: a camera that was
   * deleted since hinders no change of the rule.
   */
  async #checked(scope: Scope, given: RuleRow, before?: RuleRow): Promise<RuleRow> {
    const { cameras, mustBeCameraGroup, mustBeCategory } = this.#options;
    const row = fittingKind(given);
    await mustSeeAdded(cameras, scope, row.camera_ids, before?.camera_ids);
    const groups = addedIds(row.camera_group_ids, before?.camera_group_ids);
    const isGroup = (id: string) => mustBeCameraGroup(scope, id);
    await mustAllBe(groups, isGroup, ['group_not_found', 'camera_groups']);
    const categories = addedIds(row.category_ids, before?.category_ids);
    await mustAllBe(categories, mustBeCategory, ['category_not_found', 'categories']);
    return row;
  }

  async #record(tx: Tx, scope: Scope, row: RuleRow, action: Action): Promise<void> {
    const object = { type: 'alert_rule', id: row.id } as const;
    const details = recordedOf(row);
    await this.#options.activity.record(tx, { actor: scope, action, object, details });
  }
}

/** Throws the problem with the field that named what is not there. */
async function mustAllBe(
  ids: readonly string[],
  check: (id: string) => Promise<unknown>,
  [code, field]: readonly [ProblemCode, string],
): Promise<void> {
  for (const id of ids) {
    try {
      await check(id);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      throw new Problem(code, { field });
    }
  }
}
