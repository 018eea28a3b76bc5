/**
 * What happened to each camera, and why. The server's half of media reports every state; this module stores a row
 * for each change, in that order, and retries until the database accepts it.
 */
import { blameOf } from '@nazar/contract/blame.ts';
import type {
  HistoryCause,
  HistoryEntry,
  HistoryPart,
  HistoryQuery,
} from '@nazar/contract/camera-history.ts';
import type { IngestState } from '@nazar/contract/cameras.ts';
import type { Clock } from '#lib/clock.ts';
import { every } from '#lib/every.ts';
import { uuidv7 } from '#lib/ids.ts';
import type { Log } from '#lib/log.ts';
import type { Database, Tx } from '#db/database.ts';
import { missingTarget } from '#db/refused.ts';
import type { Scope } from '#http/scope.ts';
import { HistoryStore, type StateRow } from './history-store.ts';

/** The state of a part of a camera, and since when. */
export interface Condition {
  readonly cameraId: string;
  readonly part: HistoryPart;
  readonly state: IngestState;
  readonly cause: HistoryCause;
  readonly sinceMs: number;
}

export interface HistoryOptions {
  readonly db: Database;
  /** Throws camera_not_found. */
  readonly cameraOf: (scope: Scope, id: string) => Promise<unknown>;
  readonly clock: Clock;
  readonly log: Log;
}

/** An unchanged state is confirmed this often: the state during a crash is not known more precisely. */
const beatMs = 30_000;
/** After this long without a report the state is unknown. */
export const unseenMs = 75_000;
const retryMs = 1_000;
const keptMs = 90 * 24 * 60 * 60_000;
/** A camera may flap all day long. */
const keptOfCamera = 10_000;

export class History implements AsyncDisposable {
  readonly #options: HistoryOptions;
  readonly #store: HistoryStore;
  /** By camera and part, as last reported. */
  readonly #reported = new Map<string, Condition>();
  /** The id of the stored row that lasts, by the same key. */
  readonly #rows = new Map<string, string>();
  readonly #stop = new AbortController();
  readonly #beating: Promise<void>;
  #work: Promise<void> = Promise.resolve();

  constructor(options: HistoryOptions) {
    this.#options = options;
    this.#store = new HistoryStore(options.db);
    this.#beating = this.#keepBeating();
  }

  /** A repeated report is no change. */
  note(condition: Condition): void {
    const key = keyOf(condition);
    const before = this.#reported.get(key);
    if (before?.state === condition.state && before.cause === condition.cause) return;
    this.#reported.set(key, condition);
    this.#work = this.#work.then(() => this.#untilDone(() => this.#keep(condition)));
  }

  /** Throws camera_not_found. */
  async list(
    scope: Scope,
    cameraId: string,
    query: HistoryQuery,
  ): Promise<{ count: number; results: HistoryEntry[] }> {
    await this.#options.cameraOf(scope, cameraId);
    const { count, rows } = await this.#store.list(cameraId, query);
    const results = rows.map(({ id, part, state, cause, started_at, ended_at }) => ({
      id,
      part,
      state,
      cause,
      blame: blameOf(cause),
      started_at: started_at.toISOString(),
      ended_at: ended_at?.toISOString() ?? null,
    }));
    return { count, results };
  }

  async removeOld(): Promise<void> {
    const before = new Date(this.#options.clock.now() - keptMs);
    await this.#store.removeOld(before, keptOfCamera);
  }

  /** Resolves when all reports so far are stored. */
  async settled(): Promise<void> {
    await this.#work;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#beating;
    await this.#work;
  }

  async #untilDone(work: () => Promise<void>): Promise<void> {
    const { clock, log } = this.#options;
    for (;;) {
      try {
        return await work();
      } catch (error) {
        // The camera itself is deleted.
        if (missingTarget(error) !== null) return;
        log.warn({ err: error }, 'the history of a camera could not be written');
      }
      await clock.wait(retryMs, this.#stop.signal).catch(() => undefined);
      if (this.#stop.signal.aborted) return;
    }
  }

  async #keep(condition: Condition): Promise<void> {
    const id = await this.#store.transaction(async (tx) => {
      const last = await this.#store.last(tx, condition.cameraId, condition.part);
      return await this.#follow(tx, last, condition);
    });
    if (id === null) this.#rows.delete(keyOf(condition));
    else this.#rows.set(keyOf(condition), id);
  }

  /** Id of the row with the current state; null: there is none, because nothing was ever wrong. */
  async #follow(tx: Tx, last: StateRow | null, condition: Condition): Promise<string | null> {
    const { part, state, cause } = condition;
    const isFine = part === 'recording' && state === 'live';
    if (!last && (isFine || state === 'off')) return null;
    const sinceMs = Math.max(condition.sinceMs, last?.started_at.getTime() ?? -Infinity);
    const isUnseen =
      last !== null &&
      last.state !== 'off' &&
      part !== 'recording' &&
      !this.#rows.has(keyOf(condition)) &&
      sinceMs > last.seen_at.getTime() + unseenMs;
    // No server was running: the state of that time is unknown, and the earlier state has ended.
    if (isUnseen) {
      const fromMs = last.seen_at.getTime();
      await this.#add(tx, {
        ...condition,
        state: 'off',
        cause: 'host_restarting',
        sinceMs: fromMs,
      });
    } else if (last?.state === state && last.cause === cause) {
      await this.#store.seen(tx, [last.id], new Date(this.#options.clock.now()));
      return last.id;
    }
    return await this.#add(tx, { ...condition, sinceMs });
  }

  async #add(tx: Tx, { cameraId, part, state, cause, sinceMs }: Condition): Promise<string> {
    const id = uuidv7(this.#options.clock.now());
    const startedAt = new Date(sinceMs);
    const row = { id, camera_id: cameraId, part, state, cause };
    await this.#store.add(tx, { ...row, started_at: startedAt, seen_at: startedAt });
    return id;
  }

  #keepBeating(): Promise<void> {
    const { clock, log } = this.#options;
    return every(
      { clock, everyMs: beatMs, signal: this.#stop.signal },
      () => {
        const ids = [...this.#rows.values()];
        const at = new Date(clock.now());
        return this.#store.transaction((tx) => this.#store.seen(tx, ids, at));
      },
      (error) => log.warn({ err: error }, 'states of cameras could not be noted'),
    );
  }
}

const keyOf = ({ cameraId, part }: Condition): string => `${cameraId} ${part}`;
