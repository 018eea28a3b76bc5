/**
 * Once a day one of the servers verifies the whole activity log, using a tenth of a core, warns if it was changed, and
 * removes entries that are older than the policy.
 */
import type { Clock } from '#lib/clock.ts';
import type { Log } from '#lib/log.ts';
import { warnIfBroken } from './broken-warning.ts';
import { prune } from './prune.ts';
import { verify, type VerifyParts } from './verify.ts';
import type { Warnings } from './warnings.ts';

const dayMs = 24 * 60 * 60_000;
/** A server that died during its check delays the next one by no more than this. */
const claimMs = 60 * 60_000;
/** Rest for each millisecond of work: live views and requests are on the same loop. */
const restPerWork = 9;

export interface DailyCheckParts extends VerifyParts {
  readonly warnings: Warnings;
  readonly clock: Clock;
  readonly log: Log;
  /** How long entries are kept. */
  readonly days: number;
}

export class DailyCheck {
  readonly #parts: DailyCheckParts;

  constructor(parts: DailyCheckParts) {
    this.#parts = parts;
  }

  /** True: the check was due, and was done. */
  async run(signal: AbortSignal): Promise<boolean> {
    const { store, clock, log } = this.#parts;
    const nowMs = clock.now();
    const mine = await store.claimCheck({
      now: new Date(nowMs),
      claimedBefore: new Date(nowMs - claimMs),
      finishedBefore: new Date(nowMs - dayMs),
    });
    if (!mine) return false;
    try {
      const { fault, entries } = await verify(this.#parts, {
        rest: (ms) => this.#rest(ms, signal),
      });
      await warnIfBroken(this.#parts.warnings, fault);
      if (!fault) await this.#prune();
      await store.finishCheck(new Date(clock.now()));
      log.info({ entries, whole: fault === null }, 'the chain was checked');
    } catch (error) {
      if (!signal.aborted) throw error;
    }
    return true;
  }

  async #prune(): Promise<void> {
    const { removed, fault } = await prune(this.#parts, this.#parts);
    if (removed > 0) this.#parts.log.info({ removed }, 'old entries of the chain were removed');
    if (fault) await warnIfBroken(this.#parts.warnings, fault);
  }

  async #rest(workedMs: number, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const restMs = workedMs * restPerWork;
    if (restMs > 0) await this.#parts.clock.wait(restMs, signal);
  }
}
