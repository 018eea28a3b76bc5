/** How many entries each of the three logs has, of what the caller may read. */
import type { Language } from '@nazar/contract/accounts.ts';
import type { ActivityStatsQuery } from '@nazar/contract/activity.ts';
import type { LogKindCount } from '@nazar/contract/analytics.ts';
import type { SystemLogCount, SystemLogStatsQuery } from '@nazar/contract/system-logs.ts';
import type { ActivityLog } from '#activity/activity.ts';
import type { Scope } from '#http/scope.ts';
import type { Clock } from '#lib/clock.ts';
import type { Counting } from '#visits/visits.ts';

export interface LogKindsOptions {
  readonly activityLog: Pick<ActivityLog, 'countByAction'>;
  readonly systemLog: {
    stats(scope: Scope, query: SystemLogStatsQuery): Promise<readonly SystemLogCount[]>;
  };
  readonly visits: { readonly counting: Pick<Counting, 'total'> };
  /** What an administrator asks about a user: as that user sees. Throws user_not_found. */
  readonly seenBy: (scope: Scope, userId: string | undefined) => Promise<Scope>;
  readonly clock: Clock;
}

const dayMs = 24 * 60 * 60_000;

export class LogKinds {
  readonly #options: LogKindsOptions;

  constructor(options: LogKindsOptions) {
    this.#options = options;
  }

  /** Throws user_not_found. */
  async count(
    scope: Scope,
    query: ActivityStatsQuery,
    language: Language,
  ): Promise<LogKindCount[]> {
    const { activityLog, systemLog } = this.#options;
    const { user, start_date, end_date } = query;
    const deeds = await activityLog.countByAction(scope, query, language);
    const lines = await systemLog.stats(scope, { user, start_date, end_date });
    return [
      { name: 'activity', value: sum(deeds.map(({ value }) => value)) },
      {
        name: 'system',
        value: sum(lines.map((line) => line.error + line.warning + line.info + line.debug)),
      },
      { name: 'face_recognition', value: await this.#visits(scope, query) },
    ];
  }

  async #visits(scope: Scope, { user, start_date, end_date }: ActivityStatsQuery): Promise<number> {
    const { visits, seenBy, clock } = this.#options;
    const from = new Date(start_date ?? 0);
    const until = end_date === undefined ? new Date(clock.now() + dayMs) : endOf(end_date);
    if (until <= from) return 0;
    const counted = await visits.counting.total(await seenBy(scope, user), from, until);
    return counted.visits;
  }
}

const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);

/** A day, of UTC as in the other two logs, means to its end; an instant means itself. */
function endOf(dateOrInstant: string): Date {
  const at = new Date(dateOrInstant);
  return dateOrInstant.length === 10 ? new Date(at.getTime() + dayMs) : at;
}
