/**
 * What users do about alerts: take, assign, resolve, dismiss. Each change is one transaction with its entry in the
 * activity log; of two users who act at once the second is refused, and reads who was first.
 */
import { nextStatuses, type AlertStatusFields } from '@nazar/contract/alerts.ts';
import type { Activity, Warnings } from '#activity/activity.ts';
import type { Tx } from '#db/database.ts';
import { addChange } from '#feed/feed.ts';
import type { Scope } from '#http/scope.ts';
import type { Clock } from '#lib/clock.ts';
import { Problem } from '#lib/problem.ts';
import type { AlertRow, AlertStore } from './store.ts';

/** Who was first where no account was: the server itself, or an account that is gone. */
const ownName = 'Nazar';

export interface WorkflowOptions {
  readonly store: AlertStore;
  readonly activity: Pick<Activity, 'record'>;
  readonly warnings: Pick<Warnings, 'acknowledgeWith'>;
  /** The rights of another user who may sign in; null: there is no such user. */
  readonly scopeOfUser: (scope: Scope, userId: string) => Promise<Scope | null>;
  /** Called after a change was committed. */
  readonly changed: (alert: { readonly alertId: string; readonly cameraId: string | null }) => void;
  readonly clock: Clock;
}

export class Workflow {
  readonly #options: WorkflowOptions;

  constructor(options: WorkflowOptions) {
    this.#options = options;
  }

  /** Throws alert_not_found, alert_status_changed. */
  async updateStatus(scope: Scope, id: string, fields: AlertStatusFields): Promise<void> {
    const { status, resolution_notes: notes = '' } = fields;
    await this.#change(scope, id, async (tx, alert) => {
      if (!nextStatuses[alert.status].includes(status)) await this.#refuse(tx, alert);
      if (status === 'in_progress') return this.#assign(tx, scope, alert, scope.userId);
      const at = new Date(this.#options.clock.now());
      await this.#options.store.close(tx, id, { status, notes, by: scope.userId, at });
      await this.#record(tx, scope, alert, `alert.${status}`);
      if (alert.warning_id !== null) {
        await this.#options.warnings.acknowledgeWith(tx, scope, alert.warning_id);
      }
    });
  }

  /**
   * Throws alert_not_found, alert_status_changed, alert_assignee_unknown (no such user, or one who may not see it), and
   * forbidden where a user who is no administrator assigns it to another one.
   */
  async assign(scope: Scope, id: string, userId: string): Promise<void> {
    await this.#change(scope, id, async (tx, alert) => {
      if (userId !== scope.userId && !scope.seesAll) throw new Problem('forbidden');
      const assignee = await this.#assignee(scope, userId);
      const isOpen = alert.status === 'new' || alert.status === 'in_progress';
      // A user takes what is new; only administrators take it from the user who has it.
      const isTaken = alert.assigned_to !== null && alert.assigned_to !== scope.userId;
      if (!isOpen || (isTaken && !scope.seesAll)) await this.#refuse(tx, alert);
      if (!(await this.#maySee(tx, assignee, alert))) {
        throw new Problem('alert_assignee_unknown', { field: 'user_id' });
      }
      await this.#assign(tx, scope, alert, userId);
    });
  }

  /** An alert about no camera is shown to whom it is assigned. */
  async #maySee(tx: Tx, assignee: Scope, { id, camera_id }: AlertRow): Promise<boolean> {
    const { store } = this.#options;
    if (!(await store.isActive(tx, assignee.userId))) return false;
    return camera_id === null || (await store.locked(tx, assignee, id)) !== null;
  }

  async #assignee(scope: Scope, userId: string): Promise<Scope> {
    const assignee = await this.#options.scopeOfUser(scope, userId);
    if (!assignee) throw new Problem('alert_assignee_unknown', { field: 'user_id' });
    return assignee;
  }

  async #change(
    scope: Scope,
    id: string,
    change: (tx: Tx, alert: AlertRow) => Promise<void>,
  ): Promise<void> {
    const { store, changed } = this.#options;
    const cameraId = await store.transaction(async (tx) => {
      const alert = await store.locked(tx, scope, id);
      if (!alert) throw new Problem('alert_not_found');
      await change(tx, alert);
      return alert.camera_id;
    });
    changed({ alertId: id, cameraId });
  }

  async #assign(tx: Tx, scope: Scope, alert: AlertRow, to: string): Promise<void> {
    const at = new Date(this.#options.clock.now());
    await this.#options.store.assign(tx, alert.id, { to, by: scope.userId, at });
    if (to !== scope.userId) await addChange(tx, { kind: 'assignment', subject: alert.id, at });
    await this.#record(tx, scope, alert, 'alert.assigned', { to });
  }

  /** Notes are not in the activity log: they may name a person, and the chain cannot forget. */
  async #record(
    tx: Tx,
    scope: Scope,
    { id, kind, camera_id }: AlertRow,
    action: 'alert.assigned' | 'alert.resolved' | 'alert.dismissed',
    details: { readonly to?: string } = {},
  ): Promise<void> {
    const object = { type: 'alert', id } as const;
    const about = { kind, camera: camera_id, ...details };
    await this.#options.activity.record(tx, { actor: scope, action, object, details: about });
  }

  async #refuse(tx: Tx, alert: AlertRow): Promise<never> {
    const first = alert.resolved_by ?? alert.assigned_to;
    const by = first === null ? null : await this.#options.store.nameOf(tx, first);
    throw new Problem('alert_status_changed', { status: alert.status, by: by ?? ownName });
  }
}
