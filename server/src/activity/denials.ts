/**
 * Repeated requests for what a caller may not have: twenty refusals within a minute are probing, not a mistake, and
 * administrators are warned. Each server counts for itself.
 */
import type { Warnings } from './activity.ts';
import type { Scope } from '#http/scope.ts';
import type { Clock } from '#lib/clock.ts';
import type { ProblemCode } from '@nazar/contract/problem.ts';

const allowedPerMinute = 19;
const minuteMs = 60_000;
/** Beyond it the counts are reset. */
const maxUsers = 10_000;

/** Whether a problem counts as a denial: an image that does not exist yet is no secret. */
const isDenial = (code: ProblemCode): boolean =>
  code === 'forbidden' || /^(?!category_|link_).*_not_found$/.test(code);

export class Denials {
  readonly #warnings: Pick<Warnings, 'raiseSoon'>;
  readonly #clock: Clock;
  readonly #counts = new Map<string, { readonly sinceMs: number; readonly count: number }>();

  constructor(warnings: Pick<Warnings, 'raiseSoon'>, clock: Clock) {
    this.#warnings = warnings;
    this.#clock = clock;
  }

  count({ userId }: Pick<Scope, 'userId'>, code: ProblemCode): void {
    if (!isDenial(code)) return;
    const nowMs = this.#clock.monotonicMs();
    const before = this.#counts.get(userId);
    const isSame = before !== undefined && nowMs - before.sinceMs < minuteMs;
    const count = isSame ? before.count + 1 : 1;
    if (this.#counts.size >= maxUsers && !before) this.#counts.clear();
    this.#counts.set(userId, { sinceMs: isSame ? before.sinceMs : nowMs, count });
    // Once per minute and user.
    if (count === allowedPerMinute + 1) {
      this.#warnings.raiseSoon({ kind: 'many_denials', subject: userId, details: { count } });
    }
  }
}
