/**
 * Answers that take longer to send (recordings, exports, files with a user's data) end when the right
 * to them ends, as live views do: new masks, withdrawn grants and ended sessions also apply to
 * the part that is still to be sent.
 */
import type { FastifyReply } from 'fastify';
import type { Clock } from '#lib/clock.ts';
import { every } from '#lib/every.ts';
import type { Log } from '#lib/log.ts';
import { Problem } from '#lib/problem.ts';
import { withCurrentScopes, type Scope, type ScopesOf } from './scope.ts';

export interface LongAnswersOptions {
  readonly scopesOf: ScopesOf;
  readonly clock: Clock;
  readonly log: Log;
}

interface Answered {
  /** The rights as they were last read. */
  scope: Scope;
  /** Throws a Problem if this caller would be refused now. */
  readonly check: (scope: Scope) => unknown;
  end(): void;
}

/** C-403: lost rights end answers that show video within two seconds, including the check itself. */
const recheckMs = 1_500;
/** Not the caller's, or deleted; an unreachable disk or database withdraws no right. */
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
      // The database is away: rights cannot be read, and no one gains any meanwhile.
      (error) => log.warn({ err: error }, 'rights to answers under way could not be checked'),
    );
  }

  /** Closes the connection as soon as `check` refuses the caller, or the session has ended. */
  watch(reply: FastifyReply, scope: Scope, check: Answered['check']): void {
    // Left while its answer was made: 'close' does not come again.
    if (reply.raw.closed) return;
    const answered = { scope, check, end: () => void reply.raw.destroy() };
    this.#running.add(answered);
    reply.raw.once('close', () => this.#running.delete(answered));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#rechecking;
  }

  /** The rights of all callers at once, those of one session's answers as one. */
  async #recheck(): Promise<void> {
    const asked = await withCurrentScopes(this.#running, this.#options.scopesOf);
    for (const [answered, scope] of asked) {
      if (await this.#isRefused(answered, scope)) answered.end();
    }
  }

  async #isRefused(answered: Answered, now: Scope | null): Promise<boolean> {
    if (!now) return true;
    const { scope, check } = answered;
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
