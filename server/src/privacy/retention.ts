/**
 * Removes what is older than the settings allow, each day: pictures and vectors of strangers, visits,
 * notes of clients, and people who were not seen for a time. It works in batches, so that nothing waits long, takes
 * whole months of visits at once, and runs only while the clock can be trusted.
 */
import type { RetentionReport } from '@nazar/contract/privacy.ts';
import type { Clock } from '#lib/clock.ts';
import type { Log } from '#lib/log.ts';
import { alone } from '#db/alone.ts';
import type { Database, Tx } from '#db/database.ts';
import { systemActor, type Activity, type Actor } from '#activity/activity.ts';
import type { FaceErasing } from '#faces/faces.ts';
import type { Settings } from '#settings/settings.ts';
import type { VisitErasing } from '#visits/visits.ts';
import { BelievedTime, type Reading } from '#lib/believed-time.ts';
import type { Erasures } from './erasures.ts';
import { RetentionStore } from './retention-store.ts';

export interface RetentionOptions {
  readonly db: Database;
  readonly activity: Activity;
  readonly settings: Pick<Settings, 'get'>;
  readonly faces: FaceErasing;
  readonly visits: VisitErasing;
  readonly erasures: Pick<Erasures, 'ask'>;
  readonly clock: Clock;
  readonly log: Log;
}

const dayMs = 24 * 60 * 60_000;
/** Asked each hour: nothing stays a day longer than it may. */
const runEveryMs = 23 * 60 * 60_000;
const batch = 1_000;

export class Retention {
  readonly #options: RetentionOptions;
  readonly #store: RetentionStore;
  readonly #time = new BelievedTime();

  constructor(options: RetentionOptions) {
    this.#options = options;
    this.#store = new RetentionStore(options.db);
  }

  /** Hourly: runs when a day is over and the hour can be believed. Null: did not run. */
  async runWhenDue(signal: AbortSignal): Promise<RetentionReport | null> {
    const times = await this.#store.times();
    const now = this.#now();
    if (!this.#time.isBelieved(now, times?.believed_at.getTime() ?? null)) {
      this.#options.log.warn('the clock jumped: nothing is removed by age until it is steady');
      return null;
    }
    await this.#store.believed(new Date(now.wallMs));
    if (times?.ran_at && now.wallMs - times.ran_at.getTime() < runEveryMs) return null;
    return this.#run(systemActor, signal);
  }

  /** Runs now, because an administrator confirmed the time. Null: another node runs it. */
  async runNow(actor: Actor, signal: AbortSignal): Promise<RetentionReport | null> {
    const now = this.#now();
    this.#time.confirm(now);
    await this.#store.believed(new Date(now.wallMs));
    return this.#run(actor, signal);
  }

  #run(actor: Actor, stop: AbortSignal): Promise<RetentionReport | null> {
    const { db, activity, settings, clock, log } = this.#options;
    return alone(db, 'privacy.retention', async (lost) => {
      const signal = AbortSignal.any([stop, lost]);
      const limits = await settings.get('privacy');
      const report = {
        people: await this.#people(limits.unseenPersonDays, signal),
        unknown_faces: await this.#strangers(limits.unknownFaceDays, signal),
        ...(await this.#visits(limits.faceLogDays, signal)),
        notes: await this.#notes(limits.activityNoteDays, signal),
      };
      if (signal.aborted) return null;
      await this.#store.transaction(async (tx) => {
        await this.#store.ran(tx, new Date(clock.now()));
        const details = { ...report };
        await activity.record(tx, { actor, action: 'privacy.retention', object: null, details });
      });
      log.info(report, 'what was too old was removed');
      return report;
    });
  }

  /** Queues them: their erasure is the same as a requested one. */
  async #people(days: number, signal: AbortSignal): Promise<number> {
    if (days === 0) return 0;
    const { visits, faces, erasures } = this.#options;
    let people = 0;
    for (;;) {
      const ids = signal.aborted ? [] : await visits.unseenSince(this.#before(days), batch);
      if (ids.length === 0) return people;
      for (const id of ids) {
        await this.#store.transaction(async (tx) => {
          await erasures.ask(tx, id, 'retention');
          await faces.person(tx, id);
        });
      }
      people += ids.length;
    }
  }

  async #strangers(days: number, signal: AbortSignal): Promise<number> {
    const { visits, faces } = this.#options;
    let strangers = 0;
    // What a run left that was interrupted.
    await this.#inBatches(signal, (tx) => visits.unreadable(tx, batch));
    for (;;) {
      const before = this.#before(days);
      const ids = signal.aborted ? [] : await visits.strangersBefore(before, batch);
      if (ids.length === 0) {
        if (!signal.aborted) await this.#strangersWhoCameAgain(before, signal);
        return strangers;
      }
      await this.#store.transaction((tx) => faces.strangers(tx, ids));
      // Nothing can open them any more.
      await this.#inBatches(signal, (tx) => visits.pictures(tx, ids, batch));
      strangers += ids.length;
    }
  }

  async #inBatches(signal: AbortSignal, remove: (tx: Tx) => Promise<number>): Promise<void> {
    for (let removed = batch; removed === batch && !signal.aborted;) {
      removed = await this.#store.transaction(remove);
    }
  }

  /** They stay who they are; what was kept of them before then goes. */
  async #strangersWhoCameAgain(before: Date, signal: AbortSignal): Promise<void> {
    const { visits, faces } = this.#options;
    for (let removed = batch; removed === batch && !signal.aborted;) {
      removed = await this.#store.transaction(async (tx) => {
        await faces.referencesBefore(tx, before);
        return visits.strangerPicturesBefore(tx, before, batch);
      });
    }
  }

  async #visits(
    days: number,
    signal: AbortSignal,
  ): Promise<Pick<RetentionReport, 'months' | 'visits' | 'pictures'>> {
    const total = { months: 0, visits: 0, pictures: 0 };
    if (days === 0) return total;
    const { visits, faces } = this.#options;
    const before = this.#before(days);
    total.months = (await visits.monthsBefore(before)).length;
    while (!signal.aborted) {
      const gone = await this.#store.transaction(async (tx) => {
        await faces.referencesBefore(tx, before);
        return visits.before(tx, before, batch);
      });
      total.visits += gone.visits;
      total.pictures += gone.pictures;
      if (gone.visits < batch && gone.pictures < batch) break;
    }
    return total;
  }

  /** What clients noted in the activity log; their lines and the chain stay. */
  async #notes(days: number, signal: AbortSignal): Promise<number> {
    const before = this.#before(days);
    let notes = 0;
    for (let emptied = batch; days > 0 && emptied === batch && !signal.aborted; notes += emptied) {
      emptied = await this.#store.transaction((tx) =>
        this.#options.activity.erasing.before(tx, before, batch),
      );
    }
    return notes;
  }

  #before(days: number): Date {
    return new Date(this.#options.clock.now() - days * dayMs);
  }

  #now(): Reading {
    const { clock } = this.#options;
    return { wallMs: clock.now(), monotonicMs: clock.monotonicMs() };
  }
}
