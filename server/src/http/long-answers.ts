/**
 * Answers that are sent for longer than a moment (recordings, exports, files with somebody's data) end when the right
 * to them ends, as live views do: masks that were set, grants that were taken away and sessions that ended hold for
 * what is still to be sent.
 */
import type { FastifyReply } from 'fastify';
import type { Clock } from '#lib/clock.ts';
import { every } from '#lib/every.ts';
import type { Log } from '#lib/log.ts';
import { Problem } from '#lib/problem.ts';
import { askerOf, type Scope, type ScopeOf } from './scope.ts';

export interface LongAnswersOptions {
  readonly scopeOf: ScopeOf;
  readonly clock: Clock;
  readonly log: Log;
}

interface Answered {
  /** As it was asked last. */
  scope: Scope;
  /** Throws a Problem where this caller would be refused now. */
  readonly check: (scope: Scope) => unknown;
  end(): void;
}

/** C-403: lost rights end what shows pictures within two seconds, the asking included. */
const recheckMs = 1_500;
/** Not theirs, or not there any more; a disk or a database that is away takes nothing away. */
const refusals: ReadonlySet<number> = new Set([401, 403, 404]);

export class LongAnswers implements AsyncDisposable {
  readonly #options: LongAnswersOptions;
  readonly #running = new Set<Answered>();
  readonly #stop = new AbortController();
  readonly #rechecking: Promise<void>;

  constructor(options: LongAnswersOptions) {
    const { clock, log } = options;
    this.#options = options;
    this.#rechecking = every(
      { clock, everyMs: recheckMs, signal: this.#stop.signal },
      () => this.#recheck(),
      // The database is away: rights cannot be asked, and no one gains any meanwhile.
      (error) => log.warn({ err: error }, 'rights to answers under way could not be checked'),
    );
  }

  /** Cuts the connection off as soon as `check` refuses the caller, or the session has ended. */
  watch(reply: FastifyReply, scope: Scope, check: Answered['check']): void {
    const answered = { scope, check, end: () => void reply.raw.destroy() };
    this.#running.add(answered);
    reply.raw.once('close', () => this.#running.delete(answered));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#rechecking;
  }

  async #recheck(): Promise<void> {
    for (const answered of this.#running) {
      if (await this.#isRefused(answered)) answered.end();
    }
  }

  async #isRefused(answered: Answered): Promise<boolean> {
    const { scope, check } = answered;
    const now = await this.#options.scopeOf(askerOf(scope), scope.ip);
    if (!now) return true;
    answered.scope = { ...now, userAgent: scope.userAgent };
    try {
      await check(answered.scope);
      return false;
    } catch (error) {
      if (error instanceof Problem) return refusals.has(error.status);
      throw error;
    }
  }
}
