/**
 * Equal requests answered once. A caller whose request equals one that is being answered, with the same rights, gets
 * the same answer: usually only while the work runs, and never across a change. News make all readers ask at once
 * (`share`): for a second from then on a finished answer is given again, even if visits come meanwhile,
 * because the next news follow.
 */
import type { Clock } from '#lib/clock.ts';
import { rightsOf, type Scope } from './scope.ts';

/** A request: the path of the route, and all else that the answer depends on beside the rights. */
export interface Question {
  readonly path: string;
  readonly asked: object;
}

interface SharedAnswer {
  readonly answer: Promise<unknown>;
  isHere: boolean;
}

/** Long enough for a thousand browsers to ask, too short to be noticed. */
const sharedMs = 1_000;

export class SharedAnswers {
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  readonly #answers = new Map<string, SharedAnswer>();
  #sharedUntilMs = Number.NEGATIVE_INFINITY;

  constructor(clock: Pick<Clock, 'monotonicMs'>) {
    this.#clock = clock;
  }

  /** `work` must read with nothing but this scope. All callers that wait get a failure, and it is not kept. */
  once<R>(scope: Scope, { path, asked }: Question, work: () => Promise<R>): Promise<R> {
    const key = JSON.stringify([path, rightsOf(scope), asked]);
    const found = this.#answers.get(key);
    if (found && (!found.isHere || this.#isSharing)) return found.answer as Promise<R>;
    if (!this.#isSharing) this.#forgetThoseHere();
    const shared: SharedAnswer = { answer: work(), isHere: false };
    this.#answers.set(key, shared);
    void this.#settle(key, shared);
    return shared.answer as Promise<R>;
  }

  async #settle(key: string, shared: SharedAnswer): Promise<void> {
    try {
      await shared.answer;
      shared.isHere = true;
      if (this.#isSharing) return;
    } catch {
      // The callers that wait receive the error.
    }
    if (this.#answers.get(key) === shared) this.#answers.delete(key);
  }

  /** Something was changed: no later request gets an answer that was read before. */
  forget(): void {
    this.#answers.clear();
    this.#sharedUntilMs = Number.NEGATIVE_INFINITY;
  }

  /** New visits were stored: the same, except for answers that are being shared. */
  visitsCame(): void {
    if (!this.#isSharing) this.#answers.clear();
  }

  /** All readers are about to ask. */
  share(): void {
    this.forget();
    this.#sharedUntilMs = this.#clock.monotonicMs() + sharedMs;
  }

  get #isSharing(): boolean {
    return this.#clock.monotonicMs() < this.#sharedUntilMs;
  }

  #forgetThoseHere(): void {
    for (const [key, { isHere }] of this.#answers) if (isHere) this.#answers.delete(key);
  }
}
