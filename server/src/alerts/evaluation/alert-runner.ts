/**
 * Takes changes of visits and warnings from the feed and raises, updates and ends alerts by the rules. What notifications
 * follow from (an alert was raised, a known person was seen) is added to the feed in the same transaction.
 */
import type { Clock } from '#lib/clock.ts';
import type { Log } from '#lib/log.ts';
import type { Topic } from '#lib/topic.ts';
import type { Database, Tx } from '#db/database.ts';
import {
  addChanges,
  FeedRunner,
  mayRead,
  type Change,
  type Followed,
  type TakenChange,
  type Wakes,
} from '#feed/feed.ts';
import type { ChangedAlert } from './changed-alert.ts';
import type { EnabledRules } from './enabled-rules.ts';
import { VisitPass } from './visit-pass.ts';
import { WarningPass } from './warning-pass.ts';

const reader = 'alerts.evaluation';
const endEveryMs = 2_000;

export interface AlertRunnerOptions {
  readonly db: Database;
  readonly rules: EnabledRules;
  readonly wakes: readonly Wakes[];
  readonly clock: Clock;
  readonly log: Log;
}

export class AlertRunner implements AsyncDisposable {
  /** Published after the commit. */
  readonly changed: Topic<ChangedAlert>;
  readonly #options: AlertRunnerOptions;
  readonly #visits: VisitPass;
  readonly #warnings: WarningPass;
  readonly #runner: FeedRunner<ChangedAlert>;
  #endedAtMs = Number.NEGATIVE_INFINITY;

  constructor(options: AlertRunnerOptions) {
    this.#options = options;
    const { rules, log } = options;
    this.#visits = new VisitPass(options);
    this.#warnings = new WarningPass(options);
    this.#runner = new FeedRunner({
      ...options,
      reader,
      kinds: ['visit', 'warning'],
      follow: (tx, changes) => this.#follow(tx, changes),
      afterwards: () => this.#endDue(),
      failed: (err) => {
        rules.forget();
        log.warn({ err }, 'rules could not be evaluated; it goes on later');
      },
    });
    this.changed = this.#runner.happened;
    this.#runner.start();
  }

  /** Evaluates what is in the feed now; does nothing while another server evaluates. */
  run(): Promise<void> {
    return this.#runner.run();
  }

  /** What is in the feed then is evaluated by the next start. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.#runner[Symbol.asyncDispose]();
  }

  async #follow(tx: Tx, changes: readonly TakenChange[]): Promise<Followed<ChangedAlert>> {
    const rules = await this.#options.rules.enabled(tx);
    const { visit = [], warning = [] } = Object.groupBy(changes, ({ kind }) => kind);
    const ofVisits = await this.#visits.evaluate(tx, visit, rules);
    const ofWarnings = await this.#warnings.evaluate(tx, warning, rules);
    const happened = [...ofVisits.alerts, ...ofWarnings.alerts];
    await addChanges(
      tx,
      this.#following(happened, ofVisits.known, [...ofVisits.over, ...ofWarnings.over]),
    );
    return { taken: [...ofVisits.taken, ...warning.map(({ id }) => id)], happened };
  }

  #following(
    alerts: readonly ChangedAlert[],
    knownVisits: readonly string[],
    over: readonly string[],
  ): Change[] {
    const at = new Date(this.#options.clock.now());
    return [
      ...alerts
        .filter(({ kind }) => kind === 'raised')
        .map(({ alertId: subject }) => ({ kind: 'alert', subject, at }) as const),
      ...asOver(over, at),
      ...knownVisits.map((subject) => ({ kind: 'known_visit', subject, at }) as const),
    ];
  }

  async #endDue(): Promise<void> {
    const { db, clock } = this.#options;
    if (clock.monotonicMs() - this.#endedAtMs < endEveryMs) return;
    this.#endedAtMs = clock.monotonicMs();
    const ended = await db.transaction(async (tx) => {
      if (!(await mayRead(tx, reader))) return [];
      const alerts = await this.#visits.end(tx);
      const ids = alerts.map(({ alertId }) => alertId);
      await addChanges(tx, asOver(ids, new Date(clock.now())));
      return alerts;
    });
    for (const alert of ended) this.changed.publish(alert);
  }
}

const asOver = (alertIds: readonly string[], at: Date): Change[] =>
  alertIds.map((subject) => ({ kind: 'alert_over', subject, at }));
