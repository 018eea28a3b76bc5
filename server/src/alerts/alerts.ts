/**
 * Alerts: what rules found in visits, cameras and warnings, and what users did about it. An alert names visits and no
 * person: each reader reads of them what the lists of visits would show. This module informs no one outside of the page:
 * notifications do.
 */
import type { Activity, Warnings } from '#activity/activity.ts';
import type { Cameras } from '#cameras/cameras.ts';
import type { Database } from '#db/database.ts';
import type { Clock } from '#lib/clock.ts';
import type { Log } from '#lib/log.ts';
import type { Topic } from '#lib/topic.ts';
import type { Faces } from '#faces/faces.ts';
import type { Visits } from '#visits/visits.ts';
import { AlertRunner } from './evaluation/alert-runner.ts';
import type { ChangedAlert } from './evaluation/changed-alert.ts';
import { AlertRemoval } from './evaluation/removal.ts';
import { EnabledRules } from './evaluation/enabled-rules.ts';
import { AlertErasing } from './erasing.ts';
import { House } from './house.ts';
import { AlertLists } from './lists.ts';
import { ModeStore } from './mode-store.ts';
import { AlertsOfVisits } from './of-visits-store.ts';
import { Rules } from './rules.ts';
import { RuleStore } from './rule-store.ts';
import { AlertStore } from './store.ts';
import { Workflow, type WorkflowOptions } from './workflow.ts';

export type { ChangedAlert } from './evaluation/changed-alert.ts';
export { AlertErasing } from './erasing.ts';
export { AlertsOfVisits, type AlertOfVisits } from './of-visits-store.ts';

export interface AlertsOptions {
  readonly db: Database;
  readonly activity: Pick<Activity, 'record'>;
  readonly warnings: Pick<Warnings, 'acknowledgeWith' | 'changed'>;
  readonly cameras: Pick<Cameras, 'visibleAmong' | 'groups'>;
  readonly faces: Pick<Faces, 'categories'>;
  readonly visits: Pick<Visits, 'news' | 'seen'>;
  readonly scopeOfUser: WorkflowOptions['scopeOfUser'];
  readonly clock: Clock;
  readonly log: Log;
}

export class Alerts implements AsyncDisposable {
  /** Published after the commit when an alert was raised, goes on, is over, or has another status. */
  readonly changed: Topic<ChangedAlert>;
  readonly lists: AlertLists;
  readonly workflow: Workflow;
  readonly rules: Rules;
  readonly house: House;
  readonly removal: AlertRemoval;
  readonly erasing = new AlertErasing();
  readonly ofVisits: AlertsOfVisits;
  readonly #runner: AlertRunner;

  constructor(options: AlertsOptions) {
    const { db, activity, warnings, cameras, faces, visits, scopeOfUser, clock, log } = options;
    const enabled = new EnabledRules({ log });
    const wakes = [visits.seen, warnings.changed];
    this.#runner = new AlertRunner({ db, rules: enabled, wakes, clock, log });
    this.changed = this.#runner.changed;
    this.removal = new AlertRemoval({ db, clock });
    const store = new AlertStore(db);
    this.ofVisits = new AlertsOfVisits(db);
    this.lists = new AlertLists({ store, visits });
    this.workflow = new Workflow({
      store,
      activity,
      warnings,
      scopeOfUser,
      changed: (alert) => this.changed.publish({ ...alert, kind: 'updated' }),
      clock,
    });
    this.house = new House({ store: new ModeStore(db), activity, clock, log });
    this.rules = new Rules({
      store: new RuleStore(db),
      activity,
      cameras,
      mustBeCameraGroup: (scope, id) => cameras.groups.read(scope, id),
      mustBeCategory: (id) => faces.categories.mustExist(id),
      changed: () => enabled.rulesChanged.publish(null),
      clock,
    });
  }

  /** Evaluates what is in the feed now, and not in half a second. */
  evaluate(): Promise<void> {
    return this.#runner.run();
  }

  /** What is in the feed then is evaluated by the next start. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.#runner[Symbol.asyncDispose]();
  }
}
