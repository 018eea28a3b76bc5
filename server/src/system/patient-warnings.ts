/**
 * Warnings of one kind about things that come and go (cameras, folders), each by its id: raised once what they warn of
 * has lasted for a while, ended with it, and neither raised anew nor forgotten when the server starts again.
 */
import type { WarningKind } from '@nazar/contract/warnings.ts';
import type { Details, Warnings } from '#activity/activity.ts';
import type { Clock } from '#lib/clock.ts';

export interface PatientWarningsOptions {
  readonly kind: WarningKind;
  /** What is over before that is not warned of. */
  readonly patienceMs: number;
  readonly warnings: Pick<Warnings, 'raise' | 'end' | 'subjects'>;
  readonly clock: Pick<Clock, 'monotonicMs'>;
}

interface Seen {
  readonly sinceMs: number;
  /** Whether a warning of it stands. */
  readonly isSaid: boolean;
}

/** What is wrong now, with what a warning says of it. */
export type Wrong = ReadonlyMap<string, Details>;

export class PatientWarnings {
  readonly #options: PatientWarningsOptions;
  /** What is wrong, and what an earlier run warned of. Null before the first check. */
  #seen: Map<string, Seen> | null = null;

  constructor(options: PatientWarningsOptions) {
    this.#options = options;
  }

  /** `unsure`: of these it can't be said whether something is wrong; what was said of them stands. */
  async follow(wrong: Wrong, unsure: ReadonlySet<string> = new Set()): Promise<void> {
    const { kind, patienceMs, warnings, clock } = this.#options;
    const nowMs = clock.monotonicMs();
    this.#seen ??= await this.#warnedOf(nowMs);
    for (const [subject, details] of wrong) {
      const { sinceMs, isSaid } = this.#seen.get(subject) ?? { sinceMs: nowMs, isSaid: false };
      const isLong = nowMs - sinceMs >= patienceMs;
      if (isLong && !isSaid) await warnings.raise({ kind, subject, details });
      this.#seen.set(subject, { sinceMs, isSaid: isSaid || isLong });
    }
    for (const [subject, { isSaid }] of this.#seen) {
      if (wrong.has(subject) || unsure.has(subject)) continue;
      if (isSaid) await warnings.end(kind, subject);
      this.#seen.delete(subject);
    }
  }

  async #warnedOf(sinceMs: number): Promise<Map<string, Seen>> {
    const subjects = await this.#options.warnings.subjects(this.#options.kind);
    return new Map(subjects.map((subject) => [subject, { sinceMs, isSaid: true }]));
  }
}
