/**
 * Visits as events: those that come together are read once for all readers and sent as one message, and readers
 * request the counts at one moment, so that equal requests are answered once.
 */
import type { SharedAnswers } from '#http/shared-answers.ts';
import type { Scope } from '#http/scope.ts';
import type { Clock } from '#lib/clock.ts';
import type { Log } from '#lib/log.ts';
import { Paced } from '#lib/limits/paced.ts';
import type { ChangedVisit, Visits, SentVisits } from '#visits/visits.ts';
import { tell, type EventReaders, type Reader } from './event-readers.ts';

/** A reader of 20 visits a second gets five messages. */
const visitsPauseMs = 200;
/** About 100 kB for a reader; where more come at once, they ask for the list. */
const maxVisits = 250;
/** So often what counts visits is asked for while they come. */
const figuresPauseMs = 5_000;

export interface VisitEventsOptions {
  readonly news: Visits['news'];
  readonly readers: EventReaders;
  readonly answers: Pick<SharedAnswers, 'visitsCame' | 'share'>;
  readonly clock: Clock;
  readonly log: Log;
}

export class VisitEvents implements AsyncDisposable {
  readonly #options: VisitEventsOptions;
  readonly #visits: Paced;
  readonly #figures: Paced;
  /** By their ids, in the order in which they changed last; null: more than are sent one by one. */
  #pending: Map<string, ChangedVisit> | null = new Map();

  constructor(options: VisitEventsOptions) {
    this.#options = options;
    const { clock, log } = options;
    const failed = (error: unknown) => log.error({ err: error }, 'visits could not be told');
    const [often, seldom] = [visitsPauseMs, figuresPauseMs];
    this.#visits = new Paced({ clock, pauseMs: often, failed }, () => this.#tellVisits());
    this.#figures = new Paced({ clock, pauseMs: seldom, failed }, () => this.#tellFigures());
  }

  changed(visit: ChangedVisit): void {
    this.#options.answers.visitsCame();
    if (this.#options.readers.size === 0) return;
    this.#pending?.delete(visit.visitId);
    this.#pending?.set(visit.visitId, visit);
    if (this.#pending && this.#pending.size > maxVisits) this.#pending = null;
    this.#visits.want();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#visits[Symbol.asyncDispose]();
    await this.#figures[Symbol.asyncDispose]();
  }

  async #tellVisits(): Promise<void> {
    const visits = this.#pending && [...this.#pending.values()];
    this.#pending = new Map();
    const { readers } = this.#options;
    if (!visits) return this.#owe(readers, 'detections');
    const eventFor = await this.#read(visits);
    if (!eventFor) return;
    const sentTo = readers.tellEach((scope) => {
      const { seen, gone } = eventFor(scope);
      return seen.length + gone.length > 0 ? { kind: 'visits', seen, gone } : null;
    });
    this.#owe(sentTo, 'visits');
  }

  /** Null where they could not be read: they are sent when they can be read. */
  async #read(visits: readonly ChangedVisit[]): Promise<((scope: Scope) => SentVisits) | null> {
    try {
      return await this.#options.news.read(visits);
    } catch (error) {
      this.#options.log.warn({ err: error }, 'news of visits could not be read');
      for (const visit of visits) if (!this.#pending?.has(visit.visitId)) this.changed(visit);
      return null;
    }
  }

  #owe(readers: Iterable<Reader>, what: NonNullable<Reader['owed']>): void {
    for (const reader of readers) {
      if (reader.owed !== 'detections') reader.owed = what;
      this.#figures.want();
    }
  }

  /** Readers who saw no visit are not informed: it would reveal that a person was seen elsewhere. */
  #tellFigures(): void {
    const { answers, readers } = this.#options;
    answers.share();
    for (const reader of readers) {
      const { owed } = reader;
      reader.owed = null;
      if (owed) tell(reader, { kind: 'changed', what: owed });
    }
  }
}
