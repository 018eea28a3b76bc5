/**
 * From which level on the lines of each source are kept, on every node. The default is info. Debug
 * ends by itself: it fills the log, and the user who turned it on has found the fault, or forgot it.
 */
import {
  systemLogLevels,
  type SystemLogLevel,
  type SystemLogSource,
} from '@nazar/contract/system-logs.ts';
import type { Activity } from '#activity/activity.ts';
import type { Database } from '#db/database.ts';
import type { Scope } from '#http/scope.ts';
import type { Clock } from '#lib/clock.ts';
import type { Log } from '#lib/log.ts';
import { Problem } from '#lib/problem.ts';
import { LevelStore, type ChosenLevel } from './level-store.ts';
import { browserSource } from './line.ts';

export interface SourceLevelsOptions {
  readonly db: Database;
  readonly activity: Activity;
  readonly clock: Clock;
  /** None of it comes back into the system log. */
  readonly log: Log;
}

export const debugMs = 60 * 60_000;
const usualLevel = 'info';
const changedChannel = 'system_log_levels';
/** A source is a module or a kind of process: there are about twenty. */
const maxReceived = 200;

export class SourceLevels implements Disposable {
  readonly #options: SourceLevelsOptions;
  readonly #store: LevelStore;
  readonly #listening: Disposable;
  #chosen: ReadonlyMap<string, ChosenLevel> = new Map();
  /** Sources that said something since the start, kept or not. */
  readonly #received = new Set<string>();

  private constructor(options: SourceLevelsOptions) {
    this.#options = options;
    this.#store = new LevelStore(options.db);
    this.#listening = options.db.listen(changedChannel, () => void this.#read());
  }

  static async open(options: SourceLevelsOptions): Promise<SourceLevels> {
    const levels = new SourceLevels(options);
    await levels.#read();
    return levels;
  }

  keeps(source: string, level: SystemLogLevel): boolean {
    if (this.#received.size < maxReceived) this.#received.add(source);
    return rank(level) <= rank(this.#of(source).level);
  }

  /** All sources that are known, by name. Browsers report errors only, so that there is nothing to choose. */
  async list(): Promise<SystemLogSource[]> {
    const known = [...(await this.#store.sources()), ...this.#received, ...this.#chosen.keys()];
    return [...new Set(known)]
      .filter((source) => source !== browserSource)
      .sort()
      .map((source) => this.#of(source));
  }

  /** Debug once more lasts its whole time from now. Throws log_source_not_found. */
  async choose(scope: Scope, source: string, level: SystemLogLevel): Promise<SystemLogSource> {
    const known = await this.list();
    if (!known.some((one) => one.source === source)) throw new Problem('log_source_not_found');
    const { db, activity, clock } = this.#options;
    const debug_until = level === 'debug' ? new Date(clock.now() + debugMs) : null;
    const chosen = { source, level, debug_until };
    await this.#store.transaction(async (tx) => {
      const usual = { source, level: usualLevel, debug_until: null } as const;
      const before = this.#now(await this.#store.forUpdate(tx, usual));
      if (before.level === level && level !== 'debug') return;
      await this.#store.save(tx, chosen);
      await activity.record(tx, {
        actor: scope,
        action: 'system.log_level_changed',
        object: null,
        details: { source, changes: { level: { from: before.level, to: level } } },
      });
      await db.notify(tx, changedChannel, source);
    });
    this.#chosen = new Map(this.#chosen).set(source, chosen);
    return this.#of(source);
  }

  [Symbol.dispose](): void {
    this.#listening[Symbol.dispose]();
  }

  #of(source: string): SystemLogSource {
    const chosen = this.#chosen.get(source);
    return chosen ? this.#now(chosen) : { source, level: usualLevel, debug_until: null };
  }

  #now({ source, level, debug_until }: ChosenLevel): SystemLogSource {
    if (debug_until !== null && debug_until.getTime() <= this.#options.clock.now()) {
      return { source, level: usualLevel, debug_until: null };
    }
    return { source, level, debug_until: debug_until?.toISOString() ?? null };
  }

  /** While the levels cannot be read, those of before hold. */
  async #read(): Promise<void> {
    try {
      const all = await this.#store.all();
      this.#chosen = new Map(all.map((one) => [one.source, one]));
    } catch (error) {
      this.#options.log.warn({ err: error }, 'levels of the system log could not be read');
    }
  }
}

/** 0 is the gravest. */
const rank = (level: SystemLogLevel): number => systemLogLevels.indexOf(level);
