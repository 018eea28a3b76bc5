/**
 * Equal questions answered once. Who asks what somebody of the same rights is being answered gets the same answer: by
 * itself only while that is worked on, and never across a change. News ask all readers to ask at the same moment
 * (`share`): for a second from then on an answer that is there already is given again, even if visits come meanwhile,
 * because the next news follow.
 */
import type { Clock } from '#lib/clock.ts';
import { rightsOf, type Scope } from './scope.ts';

/** What was asked: the path of the route, and all that the answer depends on beside the rights. */
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

  /** `work` must read with nothing but this scope. A failure is everybody's who waited for it, and is not kept. */
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
      // Told to those who waited.
    }
    if (this.#answers.get(key) === shared) this.#answers.delete(key);
  }

  /** Something was changed: what was read before is given to nobody who asks from now on. */
  forget(): void {
    this.#answers.clear();
    this.#sharedUntilMs = Number.NEGATIVE_INFINITY;
  }

  /** Visits came: the same, but for answers that are being shared. */
  visitsCame(): void {
    if (!this.#isSharing) this.#answers.clear();
  }

  /** Readers are about to ask, all of them. */
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
