/** What the panels ask the server. Visits are counted there, never here. */
import { ActionCount, activityRoutes } from '@nazar/contract/activity.ts';
import { analyticsRoutes, LogKindCount } from '@nazar/contract/analytics.ts';
import { cameraRoutes } from '@nazar/contract/cameras.ts';
import {
  CameraStats,
  DailyVisits,
  visitCountRoutes,
  GroupedCounts,
  PersonStats,
  RecognitionStats,
} from '@nazar/contract/visit-counts.ts';
import { Named } from '@nazar/contract/fields.ts';
import { visitRoutes } from '@nazar/contract/visits.ts';
import { userRoutes } from '@nazar/contract/users.ts';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call, type AnyRoute, type Carried } from '#api/call.ts';
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
  cameraDetailsOf,
  cameraStatsOf,
  listOf,
  pageOf,
  parsed,
  seenPeopleOf,
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

/** Answers of the server, parsed: an older server or a proxy may answer anything. */
function asking<const R extends AnyRoute, T>(
  route: R,
  carried: Carried<R> & object,
  read: (reply: unknown) => T,
) {
  return {
    queryKey: ['activity', route.path, carried] as const,
    queryFn: async ({ signal }: { signal: AbortSignal }): Promise<T> =>
      read(await call(route, { ...carried, signal })),
  };
}

/** The answer before stays in sight while the next one loads. */
export function checked<const R extends AnyRoute, T>(
  route: R,
  carried: Carried<R> & object,
  read: (reply: unknown) => T,
) {
  return queryOptions({
    ...asking(route, carried, read),
    placeholderData: keepPreviousData,
  });
}

/** The same for counts that name no person: if the server can't be reached, its last answer to this user is shown. */
export function counted<const R extends AnyRoute, T>(
  { me }: Asked,
  route: R,
  carried: Carried<R> & object,
  read: (reply: unknown) => T,
) {
  const { queryKey, queryFn } = asking(route, carried, (reply) => ({ reply, value: read(reply) }));
  const key = JSON.stringify([route.path, carried]);
  return queryOptions({
    queryKey,
    queryFn: async ({ signal }): Promise<T> => {
      try {
        const { reply, value } = await queryFn({ signal });
        keepAnswer(me.id, key, reply, Date.now());
        return value;
      } catch (error) {
        if (isRefused(error)) forgetAnswer(me.id, key, Date.now());
        throw error;
      }
    },
    placeholderData: keepPreviousData,
    // Asked for when the query is new, not each time a panel is drawn.
    initialData: () => lastOf(me.id, key, read)?.value,
    initialDataUpdatedAt: () => lastOf(me.id, key, read)?.at,
  });
}

/** Another version of the application may have kept something else. */
function lastOf<T>(userId: string, key: string, read: (reply: unknown) => T) {
  const last = lastAnswer(userId, key, Date.now());
  if (last === undefined) return undefined;
  try {
    return { value: read(last.value), at: last.at };
  } catch {
    return undefined;
  }
}

export const statsQuery = (panel: Panel, asked: Asked) =>
  counted(asked, visitCountRoutes.stats, { query: filtersAsked(panel, asked) }, (reply) =>
    parsed(RecognitionStats, reply),
  );

export const groupedQuery = (panel: Panel, asked: Asked, by: 'hour' | 'day' | 'weekday_hour') =>
  counted(
    asked,
    visitCountRoutes.grouped,
    { query: { ...filtersAsked(panel, asked), by } },
    (reply) => parsed(GroupedCounts, reply),
  );

/** A page of the people whom a panel counts, or of those with a part of a name. */
export const peopleQuery = (
  panel: Panel,
  asked: Asked,
  { search, page = 1, limit = PEOPLE_PER_PAGE }: PeopleWanted = {},
) =>
  checked(
    visitCountRoutes.people,
    { query: { ...filtersAsked(panel, asked), search, page, limit } },
    seenPeopleOf,
  );

/** For the filter: the people seen in this time, whichever person is chosen, or who that is. */
export const peopleSeenQuery = (
  { me, search, period }: Asked,
  of: { search?: string | undefined; person?: string },
) =>
  checked(
    visitCountRoutes.people,
    {
      query: {
        ...datesOf({ ...period, hour: null }),
        timezone: readerTimezone(),
        user: userOf(me, search),
        search: of.search,
        limit: PEOPLE_PER_PAGE,
        ...(of.person !== undefined && whoIs(of.person)),
      },
    },
    seenPeopleOf,
  );

/** Another person's details are never shown in the meantime. */
export const personQuery = (asked: Asked, person: string) =>
  queryOptions(
    asking(
      visitCountRoutes.byPerson,
      { query: { ...filtersAsked('people', asked), ...whoIs(person) } },
      (reply) => listOf(PersonStats, reply).find((row) => row.recognized_count > 0) ?? null,
    ),
  );

export const recentOfPersonQuery = (asked: Asked, person: string) =>
  queryOptions(
    asking(
      visitRoutes.faceLogs,
      { query: { ...filtersAsked('people', asked), ...whoIs(person), limit: RECENT_VISITS } },
      visitsOf,
    ),
  );

export const camerasQuery = (asked: Asked) =>
  counted(asked, visitCountRoutes.byCamera, { query: filtersAsked('cameras', asked) }, (reply) =>
    listOf(CameraStats, reply),
  );

/** The newest 1000 visits, counted here, where the server's counts are not to be had. */
export const rawCamerasQuery = (asked: Asked) =>
  checked(
    visitRoutes.faceLogs,
    { query: { ...filtersAsked('cameras', asked), limit: 1000 } },
    (reply) => cameraStatsOf(visitsOf(reply)),
  );

/** Another camera's details are never shown in the meantime. */
export function cameraDetailsQuery({ me, search, period }: Asked, camera: string) {
  const query = {
    ...datesOf({ ...period, hour: null }),
    timezone: readerTimezone(),
    user: userOf(me, search),
    camera_id: camera,
  };
  return queryOptions(asking(visitCountRoutes.cameraDetails, { query }, cameraDetailsOf));
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
    {
      query: { ...visitFilters('timeline', asked), limit: Math.min(1000, loads * VISITS_PER_LOAD) },
    },
    visitPageOf,
  );

export const dailyQuery = (asked: Asked, page: number) =>
  checked(
    visitCountRoutes.daily,
    { query: { ...filtersAsked('daily', asked), page, limit: DAYS_PER_PAGE } },
    (reply) => pageOf(DailyVisits, reply),
  );

export const timesAsked = ({ me, search, period }: Asked) => ({
  ...instantsOf(period),
  user: userOf(me, search),
});

export function actionsAsked(asked: Asked) {
  const { search, type } = asked.search;
  return { ...timesAsked(asked), search, content_type: type };
}

export const actionsQuery = (asked: Asked) =>
  counted(asked, activityRoutes.countByAction, { query: actionsAsked(asked) }, (reply) =>
    listOf(ActionCount, reply),
  );

/** Only one of the logs has keywords and content types, so they narrow none. */
export const logKindsQuery = (asked: Asked) =>
  counted(asked, analyticsRoutes.logKinds, { query: timesAsked(asked) }, (reply) =>
    listOf(LogKindCount, reply),
  );

export const cameraNamesQuery = () =>
  checked(cameraRoutes.namesForLogs, {}, (reply) => listOf(Named, reply));

/** Enough to choose from; a reader finds any other user on the page Users. */
export const usersQuery = () => ask('users', userRoutes.list, { query: { page_size: 100 } });

/** At which cameras a user who is no administrator may delete visits. */
export const ownCamerasQuery = (me: User) =>
  ask('cameras', cameraRoutes.list, { query: { created_by: me.id, page: 1, page_size: 100 } });
