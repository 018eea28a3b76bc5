/** What the panels ask the server. Visits are counted there, never here. */
import { activityRoutes } from '@nazar/contract/activity.ts';
import { analyticsRoutes, type LogKindCount } from '@nazar/contract/analytics.ts';
import { cameraRoutes } from '@nazar/contract/cameras.ts';
import {
  faceLogCountRoutes,
  type CameraDetails,
  type CameraStats,
  type DailyFaceLog,
  type GroupedCounts,
  type PersonStats,
  type RecognitionStats,
} from '@nazar/contract/face-log-counts.ts';
import { visitRoutes } from '@nazar/contract/visits.ts';
import { userRoutes } from '@nazar/contract/users.ts';
import { queryOptions } from '@tanstack/react-query';
import type { AnyRoute, CallOptions } from '#api/call.ts';
import { ask } from '#api/query.ts';
import { isAdministrator } from '#api/rights.ts';
import type { User } from '@nazar/contract/accounts.ts';
import { readerTimezone } from '#lib/local-day.ts';
import { isId } from '#lib/is-id.ts';
import { isRefused } from './failures.ts';
import { forgetAnswer, keepAnswer, lastAnswer } from './last-answers.ts';
import { filtersOf } from './panel-filters.ts';
import type { Panel } from './panels.ts';
import { datesOf, instantsOf, type Period } from './period.ts';
import {
  cameraStatsOf,
  isObject,
  listOf,
  pageOf,
  seenPeopleOf,
  shaped,
  visitPageOf,
  visitsOf,
} from './shapes.ts';
import type { ActivitySearch } from '../search.ts';

/** What a panel asks with: the filters that it obeys, and nothing else. */
export interface Asked {
  readonly me: User;
  readonly search: ActivitySearch;
  readonly period: Period;
  /** What its figures are compared with. */
  readonly before: Period;
}

/** The same, of the period before. */
export const askedBefore = (asked: Asked): Asked => ({ ...asked, period: asked.before });

/** Visits of one answer of the timeline (NSH-042). */
export const VISITS_PER_LOAD = 100;
export const DAYS_PER_PAGE = 20;
export const PEOPLE_PER_PAGE = 50;
/** The newest visits in the details of a person or camera (CON-022). */
export const RECENT_VISITS = 5;

export interface PeopleWanted {
  readonly search?: string | undefined;
  readonly page?: number;
  readonly limit?: number;
}

/** A user who is no administrator asks as themselves. */
export const userOf = (me: User, search: ActivitySearch): string | undefined =>
  isAdministrator(me) ? search.user : me.id;

const whoIs = (person: string) => (isId(person) ? { person_id: person } : { person_name: person });

export function filtersAsked(panel: Panel, { me, search, period }: Asked) {
  const obeyed = new Set(filtersOf(panel, true));
  return {
    ...datesOf(panel === 'timeline' ? period : { ...period, hour: null }),
    timezone: readerTimezone(),
    ...(obeyed.has('camera') && search.camera !== undefined && { camera_id: search.camera }),
    ...(obeyed.has('person') && search.person !== undefined && whoIs(search.person)),
    user: userOf(me, search),
  };
}

const asking = (route: AnyRoute, query: object) =>
  ask('activity', route, { query } as unknown as Omit<CallOptions<AnyRoute>, 'signal'> & object);

/** Answers by what is counted, checked for their shape: an older server or a proxy may answer anything. */
export function checked<T>(route: AnyRoute, query: object, check: (reply: unknown) => T) {
  const { queryKey, queryFn, placeholderData } = asking(route, query);
  return queryOptions<T>({
    queryKey,
    queryFn: async (context) => check(await (queryFn as (of: typeof context) => unknown)(context)),
    placeholderData: placeholderData as never,
  });
}

/** The same for counts that name no person: if the server can't be reached, its last answer to this user is shown. */
export function counted<T>(
  { me }: Asked,
  route: AnyRoute,
  query: object,
  check: (reply: unknown) => T,
) {
  const { queryFn, ...options } = checked(route, query, (reply) => ({ reply, told: check(reply) }));
  const key = JSON.stringify([route.path, query]);
  return queryOptions<T>({
    ...(options as object),
    queryKey: options.queryKey,
    queryFn: async (context) => {
      try {
        type Told = { reply: unknown; told: T };
        const { reply, told } = await (queryFn as (of: typeof context) => Promise<Told>)(context);
        keepAnswer(me.id, key, reply, Date.now());
        return told;
      } catch (error) {
        if (isRefused(error)) forgetAnswer(me.id, key, Date.now());
        throw error;
      }
    },
    // Asked for when the query is new, not each time a panel is drawn.
    initialData: () => lastOf(me.id, key, check)?.told,
    initialDataUpdatedAt: () => lastOf(me.id, key, check)?.at,
  });
}

/** Another version of the application may have kept something else. */
function lastOf<T>(userId: string, key: string, check: (reply: unknown) => T) {
  const last = lastAnswer(userId, key, Date.now());
  if (last === undefined) return undefined;
  try {
    return { told: check(last.value), at: last.at };
  } catch {
    return undefined;
  }
}

export const statsQuery = (panel: Panel, asked: Asked) =>
  counted(asked, faceLogCountRoutes.stats, filtersAsked(panel, asked), (reply) =>
    shaped<RecognitionStats>(reply, ({ total }) => typeof total === 'number'),
  );

export const groupedQuery = (panel: Panel, asked: Asked, by: 'hour' | 'day' | 'weekday_hour') =>
  counted(asked, faceLogCountRoutes.grouped, { ...filtersAsked(panel, asked), by }, (reply) =>
    shaped<GroupedCounts>(reply, ({ results }) => Array.isArray(results)),
  );

/** A page of the people whom a panel counts, or of those with a part of a name. */
export const peopleQuery = (
  panel: Panel,
  asked: Asked,
  { search, page = 1, limit = PEOPLE_PER_PAGE }: PeopleWanted = {},
) =>
  checked(
    faceLogCountRoutes.people,
    { ...filtersAsked(panel, asked), search, page, limit },
    seenPeopleOf,
  );

/** For the filter: the people seen in this time, whichever person is chosen, or who that is. */
export const peopleSeenQuery = (
  { me, search, period }: Asked,
  of: { search?: string | undefined; person?: string },
) =>
  checked(
    faceLogCountRoutes.people,
    {
      ...datesOf({ ...period, hour: null }),
      timezone: readerTimezone(),
      user: userOf(me, search),
      search: of.search,
      limit: PEOPLE_PER_PAGE,
      ...(of.person !== undefined && whoIs(of.person)),
    },
    seenPeopleOf,
  );

export const personQuery = (asked: Asked, person: string) =>
  checked(
    faceLogCountRoutes.byPerson,
    { ...filtersAsked('people', asked), ...whoIs(person) },
    (reply) => listOf<PersonStats>(reply).find((row) => row.recognized_count > 0) ?? null,
  );

export const recentOfPersonQuery = (asked: Asked, person: string) =>
  checked(
    visitRoutes.faceLogs,
    { ...filtersAsked('people', asked), ...whoIs(person), limit: RECENT_VISITS },
    visitsOf,
  );

export const camerasQuery = (asked: Asked) =>
  counted(asked, faceLogCountRoutes.byCamera, filtersAsked('cameras', asked), listOf<CameraStats>);

/** The newest 1000 visits, counted here, where the server's counts are not to be had. */
export const rawCamerasQuery = (asked: Asked) =>
  checked(visitRoutes.faceLogs, { ...filtersAsked('cameras', asked), limit: 1000 }, (reply) =>
    cameraStatsOf(visitsOf(reply)),
  );

export function cameraDetailsQuery({ me, search, period }: Asked, camera: string) {
  const query = {
    ...datesOf({ ...period, hour: null }),
    timezone: readerTimezone(),
    user: userOf(me, search),
    camera_id: camera,
  };
  return checked(faceLogCountRoutes.cameraDetails, query, (reply) => {
    const details = shaped<CameraDetails>(reply, ({ recent_logs }) => Array.isArray(recent_logs));
    return { ...details, recent_logs: visitsOf(details.recent_logs) };
  });
}

const filterOfKind = {
  yes: { is_recognized: true },
  no: { is_recognized: false },
  erased: { kind: 'erased' },
} as const;

/** What the timeline lists, as filter of a query and of a deletion. */
export function visitFilters(panel: 'timeline' | 'daily', asked: Asked) {
  const { known } = asked.search;
  return {
    ...filtersAsked(panel, asked),
    ...(panel === 'timeline' && known !== undefined && filterOfKind[known]),
  };
}

export const visitsQuery = (asked: Asked, loads: number) =>
  checked(
    visitRoutes.faceLogs,
    { ...visitFilters('timeline', asked), limit: Math.min(1000, loads * VISITS_PER_LOAD) },
    visitPageOf,
  );

export const dailyQuery = (asked: Asked, page: number) =>
  checked(
    faceLogCountRoutes.daily,
    { ...filtersAsked('daily', asked), page, limit: DAYS_PER_PAGE },
    pageOf<DailyFaceLog>,
  );

export const timesAsked = ({ me, search, period }: Asked) => ({
  ...instantsOf(period),
  user: userOf(me, search),
});

export function actionsAsked(asked: Asked) {
  const { search, type } = asked.search;
  return { ...timesAsked(asked), search, content_type: type };
}

export function actionsQuery(asked: Asked) {
  return counted(asked, activityRoutes.countByAction, actionsAsked(asked), (reply) =>
    listOf<{ name: string; value: number }>(reply).filter(isObject),
  );
}

/** Only one of the logs has keywords and content types, so they narrow none. */
export const logKindsQuery = (asked: Asked) =>
  counted(asked, analyticsRoutes.logKinds, timesAsked(asked), listOf<LogKindCount>);

export const cameraNamesQuery = () =>
  checked(cameraRoutes.namesForLogs, {}, listOf<{ id: string; name: string }>);

/** Enough to choose from; a reader finds any other user on the page Users. */
export const usersQuery = () => ask('users', userRoutes.list, { query: { page_size: 100 } });

/** At which cameras a user who is no administrator may delete visits. */
export const ownCamerasQuery = (me: User) =>
  ask('cameras', cameraRoutes.list, { query: { created_by: me.id, page: 1, page_size: 100 } });
