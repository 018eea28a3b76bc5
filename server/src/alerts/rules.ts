/** The rules that raise alerts, as administrators change them. `changed` wakes what evaluates them. */
import {
  kindsOfCameras,
  maxAlertRules,
  type AlertKind,
  type AlertRule,
  type AlertRuleChange,
  type AlertRuleFields,
} from '@nazar/contract/alerts.ts';
import type { Action, Activity } from '#activity/activity.ts';
import type { Tx } from '#db/database.ts';
import type { Scope } from '#http/scope.ts';
import type { Clock } from '#lib/clock.ts';
import { uuidv7 } from '#lib/ids.ts';
import { Problem } from '#lib/problem.ts';
import type { RuleRow, RuleStore } from './rule-store.ts';

export interface RulesOptions {
  readonly store: RuleStore;
  readonly activity: Pick<Activity, 'record'>;
  /** The cameras among these that the scope may see. */
  readonly visibleCameras: (scope: Scope, ids: readonly string[]) => Promise<ReadonlySet<string>>;
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

  /** Throws camera_not_found, category_not_found, alert_rule_categories, alert_rules_too_many. */
  async add(scope: Scope, fields: AlertRuleFields): Promise<AlertRule> {
    const { store, clock } = this.#options;
    const nowMs = clock.now();
    const { kind, level, is_enabled, cameras, categories, quiet_minutes } = fields;
    mustWatchSome(kind, categories);
    const row = {
      id: uuidv7(nowMs),
      kind,
      level,
      is_enabled,
      camera_ids: cameras,
      category_ids: categories,
      quiet_minutes,
      created_at: new Date(nowMs),
    };
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
      const row = await this.#checked(scope, changedRow(before, change));
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

  /** A rule names cameras and categories only where its kind asks for them. */
  async #checked(scope: Scope, row: RuleRow): Promise<RuleRow> {
    const { visibleCameras, mustBeCategory } = this.#options;
    const cameraIds = kindsOfCameras.includes(row.kind) ? row.camera_ids : null;
    const visible = await visibleCameras(scope, cameraIds ?? []);
    if (cameraIds?.some((id) => !visible.has(id))) {
      throw new Problem('camera_not_found', { field: 'cameras' });
    }
    const categoryIds = row.kind === 'watched_person' ? row.category_ids : [];
    for (const id of categoryIds) await this.#mustBeCategory(id, mustBeCategory);
    return { ...row, camera_ids: cameraIds, category_ids: [...new Set(categoryIds)] };
  }

  async #mustBeCategory(id: string, check: (id: string) => Promise<void>): Promise<void> {
    try {
      await check(id);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      throw new Problem('category_not_found', { field: 'categories' });
    }
  }

  async #record(tx: Tx, scope: Scope, row: RuleRow, action: Action): Promise<void> {
    const { id, kind, level, is_enabled, camera_ids, category_ids, quiet_minutes } = row;
    const details = {
      kind,
      level,
      is_enabled,
      cameras: camera_ids?.length ?? 'all',
      categories: category_ids.length,
      quiet_minutes,
    };
    const object = { type: 'alert_rule', id } as const;
    await this.#options.activity.record(tx, { actor: scope, action, object, details });
  }
}

/** The rule of the first start watches no category yet; after that a rule without one would only look as if it watched. */
function mustWatchSome(kind: AlertKind, categories: readonly string[]): void {
  if (kind !== 'watched_person' || categories.length > 0) return;
  throw new Problem('alert_rule_categories', { field: 'categories' });
}

function changedRow(before: RuleRow, change: AlertRuleChange): RuleRow {
  return {
    ...before,
    level: change.level ?? before.level,
    is_enabled: change.is_enabled ?? before.is_enabled,
    camera_ids: change.cameras === undefined ? before.camera_ids : change.cameras,
    category_ids: change.categories ?? before.category_ids,
    quiet_minutes: change.quiet_minutes ?? before.quiet_minutes,
  };
}

const asRule = (row: RuleRow): AlertRule => ({
  id: row.id,
  kind: row.kind,
  level: row.level,
  is_enabled: row.is_enabled,
  cameras: row.camera_ids,
  categories: row.category_ids,
  quiet_minutes: row.quiet_minutes,
});
