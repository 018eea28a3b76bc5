/**
 * Takes changes from the feed and raises, updates and ends alerts by the rules. A pass is one transaction: changes go
 * with what followed from them, so that a server that dies neither loses nor repeats any. Where several servers share a
 * database, one evaluates at a time.
 */
import { awaitAtMost, type Clock } from '#lib/clock.ts';
import { backoffMs } from '#lib/backoff.ts';
import type { Log } from '#lib/log.ts';
import { Topic } from '#lib/topic.ts';
import type { Database, Tx } from '#db/database.ts';
import { removeChanges, takeChanges } from '#feed/feed.ts';
import type { ChangedAlert } from './changed-alert.ts';
import { PeopleAlertStore } from './people-store.ts';
import type { EnabledRules } from './enabled-rules.ts';
import { VisitPass } from './visit-pass.ts';
import { WarningPass } from './warning-pass.ts';

/** Changes of other servers, and unknown people who have waited long enough, are found this late at most. */
const everyMs = 500;
/** Passes are this far apart, so that a hundred visits a second do not make a hundred passes. */
const leastMs = 100;
const endEveryMs = 2_000;
const changesPerPass = 1_000;
const retry = { firstMs: 500, maxMs: 30_000 };

/** Anything whose news may be in the feed. */
export interface Wakes {
  on(read: () => void): Disposable;
}

export interface AlertRunnerOptions {
  readonly db: Database;
  readonly rules: EnabledRules;
  readonly wakes: readonly Wakes[];
  readonly clock: Clock;
  readonly log: Log;
}

interface Passed {
  readonly read: number;
  readonly lastId: number;
  readonly alerts: readonly ChangedAlert[];
}

export class AlertRunner implements AsyncDisposable {
  /** Published after the commit. */
  readonly changed: Topic<ChangedAlert>;
  readonly #options: AlertRunnerOptions;
  readonly #people = new PeopleAlertStore();
  readonly #visits: VisitPass;
  readonly #warnings: WarningPass;
  readonly #stop = new AbortController();
  readonly #listening = new DisposableStack();
  readonly #running: Promise<void>;
  #evaluating: Promise<unknown> = Promise.resolve();
  #woken = Promise.withResolvers<void>();
  #endedAtMs = Number.NEGATIVE_INFINITY;

  constructor(options: AlertRunnerOptions) {
    this.#options = options;
    const { wakes, log } = options;
    this.changed = new Topic((error) => log.error({ err: error }, 'reader of alerts failed'));
    this.#visits = new VisitPass(options);
    this.#warnings = new WarningPass(options);
    for (const topic of wakes) this.#listening.use(topic.on(() => this.#woken.resolve()));
    this.#running = this.#keepRunning();
  }

  /** Evaluates what is in the feed now; does nothing while another server evaluates. */
  run(): Promise<void> {
    const mine = this.#evaluating.then(() => this.#runOnce());
    this.#evaluating = mine.catch(() => undefined);
    return mine;
  }

  /** What is in the feed then is evaluated by the next start. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#listening.dispose();
    this.#stop.abort();
    await this.#running;
    await this.#evaluating;
  }

  async #keepRunning(): Promise<void> {
    const { clock, log, rules } = this.#options;
    const { signal } = this.#stop;
    for (let failures = 0; !signal.aborted;) {
      try {
        await this.run();
        failures = 0;
      } catch (err) {
        failures += 1;
        rules.forget();
        log.warn({ err }, 'rules could not be evaluated; it goes on later');
      }
      const restMs = failures > 0 ? backoffMs(retry, failures, Math.random) : leastMs;
      await clock.wait(restMs, signal).catch(() => undefined);
      await awaitAtMost(clock, this.#woken.promise, everyMs - leastMs, signal);
      this.#woken = Promise.withResolvers();
    }
  }

  async #runOnce(): Promise<void> {
    const { db } = this.#options;
    for (let afterId = 0; ;) {
      const passed = await db.transaction((tx) => this.#pass(tx, afterId));
      if (!passed) return;
      for (const alert of passed.alerts) this.changed.publish(alert);
      if (passed.read < changesPerPass) break;
      afterId = passed.lastId;
    }
    await this.#endDue();
  }

  /** Null: another server evaluates. */
  async #pass(tx: Tx, afterId: number): Promise<Passed | null> {
    if (!(await this.#people.mayEvaluate(tx))) return null;
    const changes = await takeChanges(tx, { afterId, limit: changesPerPass });
    if (changes.length === 0) return { read: 0, lastId: afterId, alerts: [] };
    const rules = await this.#options.rules.enabled(tx);
    const { visit = [], warning = [] } = Object.groupBy(changes, ({ kind }) => kind);
    const ofVisits = await this.#visits.evaluate(tx, visit, rules);
    const ofWarnings = await this.#warnings.evaluate(tx, warning, rules);
    await removeChanges(tx, [...ofVisits.taken, ...warning.map(({ id }) => id)]);
    const lastId = changes.at(-1)!.id;
    return { read: changes.length, lastId, alerts: [...ofVisits.alerts, ...ofWarnings] };
  }

  async #endDue(): Promise<void> {
    const { db, clock } = this.#options;
    if (clock.monotonicMs() - this.#endedAtMs < endEveryMs) return;
    this.#endedAtMs = clock.monotonicMs();
    const ended = await db.transaction(async (tx) =>
      (await this.#people.mayEvaluate(tx)) ? this.#visits.end(tx) : [],
    );
    for (const alert of ended) this.changed.publish(alert);
  }
}
