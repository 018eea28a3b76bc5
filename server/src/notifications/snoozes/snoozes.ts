/**
 * Snoozes: for a while a user, or everyone, is not notified of a camera or of what a rule raises. Alerts are raised and
 * listed as ever, and notifications of what was raised meanwhile don't come later. An assignment notifies all the
 * same: another user relies on it.
 */
import {
  longestSnoozeHours,
  maxSnoozes,
  type Snooze,
  type SnoozeFields,
} from '@nazar/contract/snoozes.ts';
import type { Action, Activity } from '#activity/activity.ts';
import type { Cameras } from '#cameras/cameras.ts';
import type { Tx } from '#db/database.ts';
import type { Scope } from '#http/scope.ts';
import type { Clock } from '#lib/clock.ts';
import { uuidv7 } from '#lib/ids.ts';
import { Problem } from '#lib/problem.ts';
import type { ListedSnooze, SnoozeRow, SnoozeStore } from './snooze-store.ts';

const longestMs = longestSnoozeHours * 60 * 60_000;

export interface SnoozesOptions {
  readonly store: SnoozeStore;
  readonly activity: Pick<Activity, 'record'>;
  readonly cameras: Pick<Cameras, 'visibleAmong'>;
  readonly clock: Clock;
}

export class Snoozes {
  readonly #options: SnoozesOptions;

  constructor(options: SnoozesOptions) {
    this.#options = options;
  }

  /** Those of cameras that the scope may no longer see are left out. */
  async list(scope: Scope): Promise<Snooze[]> {
    const { store, cameras, clock } = this.#options;
    const rows = await store.list(scope.userId, new Date(clock.now()));
    const visible = await cameras.visibleAmong(
      scope,
      rows.flatMap(({ camera_id }) => camera_id ?? []),
    );
    return rows
      .filter(({ camera_id: id }) => id === null || visible.has(id))
      .map((row) => asSnooze(row, scope));
  }

  /** Throws forbidden, camera_not_found, alert_rule_not_found, snooze_end and snoozes_too_many. */
  async add(scope: Scope, fields: SnoozeFields): Promise<Snooze> {
    const { store, clock } = this.#options;
    const nowMs = clock.now();
    const { for_everyone: isForEveryone } = fields;
    if (isForEveryone && !scope.seesAll) throw new Problem('forbidden');
    await this.#mustBeThere(scope, fields);
    const row = {
      id: uuidv7(nowMs),
      user_id: isForEveryone ? null : scope.userId,
      camera_id: fields.camera,
      rule_id: fields.rule,
      until: endOf(fields, nowMs),
      created_by: scope.userId,
    };
    const id = await store.transaction(async (tx) => {
      const put = await store.put(tx, row);
      const count = await store.count(tx, row.user_id, new Date(nowMs));
      if (count > maxSnoozes) throw new Problem('snoozes_too_many', { max: maxSnoozes });
      await this.#record(tx, scope, 'alert.snoozed', row);
      return put;
    });
    const added = (await this.list(scope)).find((one) => one.id === id);
    // The camera or the rule was deleted since.
    if (!added) throw new Problem('snooze_not_found');
    return added;
  }

  /** Throws snooze_not_found, and forbidden for one of everyone. */
  async remove(scope: Scope, id: string): Promise<void> {
    const { store, clock } = this.#options;
    await store.transaction(async (tx) => {
      const row = await store.locked(tx, id, scope.userId, new Date(clock.now()));
      if (!row) throw new Problem('snooze_not_found');
      if (row.user_id === null && !scope.seesAll) throw new Problem('forbidden');
      await store.remove(tx, id);
      await this.#record(tx, scope, 'alert.snooze_ended', row);
    });
  }

  async #mustBeThere(scope: Scope, { camera, rule }: SnoozeFields): Promise<void> {
    const { store, cameras } = this.#options;
    if (camera !== null && !(await cameras.visibleAmong(scope, [camera])).has(camera)) {
      throw new Problem('camera_not_found', { field: 'camera' });
    }
    if (rule !== null && !(await store.hasRule(rule))) {
      throw new Problem('alert_rule_not_found', { field: 'rule' });
    }
  }

  async #record(tx: Tx, scope: Scope, action: Action, row: SnoozeRow): Promise<void> {
    const { camera_id: camera, rule_id: rule } = row;
    const object =
      camera !== null
        ? ({ type: 'camera', id: camera } as const)
        : ({ type: 'alert_rule', id: rule! } as const);
    const details = { until: row.until.toISOString(), for_everyone: row.user_id === null };
    await this.#options.activity.record(tx, { actor: scope, action, object, details });
  }
}

function endOf({ until }: SnoozeFields, nowMs: number): Date {
  const end = new Date(until);
  const lastsMs = end.getTime() - nowMs;
  if (lastsMs > 0 && lastsMs <= longestMs) return end;
  throw new Problem('snooze_end', { field: 'until', hours: longestSnoozeHours });
}

const asSnooze = (row: ListedSnooze, scope: Scope): Snooze => ({
  id: row.id,
  camera: row.camera_id,
  camera_name: row.camera_name,
  rule: row.rule_id,
  rule_kind: row.rule_kind,
  until: row.until.toISOString(),
  for_everyone: row.user_id === null,
  created_by_name: row.created_by_name,
  may_end: row.user_id !== null || scope.seesAll,
});
