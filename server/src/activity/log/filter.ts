/** A reader's filters for the activity log, limited to what they may read. */
import type { ActivityFilters } from '@nazar/contract/activity.ts';
import type { Language } from '@nazar/contract/accounts.ts';
import { granted, type Scope } from '#http/scope.ts';
import { actionsOf } from './kinds.ts';
import type { LogFilter } from './rows.ts';
import { searchOf } from './search-words.ts';

const dayMs = 24 * 60 * 60_000;

/** Users who are not administrators read their own entries, whatever `user` they request. */
export function filterOf(scope: Scope, query: ActivityFilters, language: Language): LogFilter {
  const { action, start_date, end_date, search = '' } = query;
  const { userId, seesAll } = scope;
  return {
    reader: { userId, seesAll, cameraIds: granted(scope, 'live') },
    userId: scope.seesAll ? (query.user ?? null) : scope.userId,
    actions: action === undefined ? null : actionsOf(action),
    from: start_date === undefined ? null : new Date(start_date),
    until: end_date === undefined ? null : endOf(end_date),
    contentType: orNull(query.content_type),
    objectId: orNull(query.object_id),
    ip: orNull(query.ip_address),
    not: {
      actions: query.not_action === undefined ? null : actionsOf(query.not_action),
      contentType: orNull(query.not_content_type),
      ip: orNull(query.not_ip_address),
      userId: query.not_user ?? null,
    },
    search: search === '' ? null : searchOf(search, language),
    withMock: true,
  };
}

/** The earlier of the two; null: no end. */
export const earlier = (a: Date | null, b: Date): Date => (a !== null && a < b ? a : b);

/** An empty field of a form filters nothing. */
const orNull = (text: string | undefined): string | null =>
  text === undefined || text === '' ? null : text;

/** A date means the end of that day, an instant means itself. */
function endOf(dateOrInstant: string): Date {
  const at = new Date(dateOrInstant);
  return dateOrInstant.length === 10 ? new Date(at.getTime() + dayMs) : at;
}
