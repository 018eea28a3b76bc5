/** What this feature asks the server, and what it sends. */
import { activityRoutes, type ActivityEntry, type ActivityKind } from '@nazar/contract/activity.ts';
import { savedSearchRoutes, type SavedSearchForm } from '@nazar/contract/saved-searches.ts';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call, type Reply } from '#api/call.ts';
import { download } from '#api/download.ts';
import { Problem } from '#api/problem.ts';
import { ask, useChange, useRemoval } from '#api/query.ts';
import { askedInstants } from '#lib/asked-instants.ts';
import { dayOf } from '#lib/local-day.ts';
import type { ActivitySearch } from './search.ts';

export const PAGE_SIZE = 20;

export type EntryPage = Reply<typeof activityRoutes.list>;
export type { ActivityEntry, ActivityKind };

/** Days are the reader's. */
function filtersOf(search: ActivitySearch) {
  return {
    search: search.search,
    action: search.action,
    ...askedInstants(search),
    content_type: search.type,
    object_id: search.object,
    ip_address: search.ip,
    user: search.user,
    not_action: search.notAction,
    not_content_type: search.notType,
    not_ip_address: search.notIp,
    not_user: search.notUser,
  };
}

export function listQueryOf(search: ActivitySearch) {
  return {
    ...filtersOf(search),
    sort_by: search.sort,
    sort_direction: search.order ?? (search.sort === undefined ? undefined : ('asc' as const)),
    page: search.page ?? 1,
    limit: PAGE_SIZE,
  };
}

const { list } = activityRoutes;
export const listWithoutSlash = { ...list, path: list.alsoAt[0] };

/**
 * What a proxy in between loses on one way may come on another: the address without its last slash, then the filters
 * in a body. They stand in for asking the same again.
 */
export function entriesQuery(search: ActivitySearch) {
  const query = listQueryOf(search);
  return queryOptions({
    queryKey: ask('activity', list, { query }).queryKey,
    placeholderData: keepPreviousData,
    retry: false,
    queryFn: async ({ signal }): Promise<EntryPage> => {
      const otherWays = [
        () => call(listWithoutSlash, { query, signal }),
        () => call(activityRoutes.filter, { body: query, signal }),
      ];
      try {
        return await call(list, { query, signal });
      } catch (error) {
        return firstOf(otherWays, error);
      }
    },
  });
}

/** A refusal is an answer: on another way the server says the same. */
async function firstOf(
  ways: readonly (() => Promise<EntryPage>)[],
  before: unknown,
): Promise<EntryPage> {
  const isAnswered = before instanceof Problem && before.status > 0 && before.status < 500;
  const [way, ...others] = ways;
  if (isAnswered || way === undefined) throw before;
  try {
    return await way();
  } catch (error) {
    return firstOf(others, error);
  }
}

/** Reads this entry; the one shown before it is not shown meanwhile. */
export function entryQuery(id: string) {
  const { placeholderData: _before, ...query } = ask('activity', activityRoutes.read, {
    params: { id },
  });
  return query;
}

export const savedSearchesQuery = () => ask('activity', savedSearchRoutes.list, {});

export const useSaveSearch = () =>
  useChange('activity', (body: SavedSearchForm) => call(savedSearchRoutes.save, { body }));
export const useRemoveSearch = () =>
  useRemoval(
    'activity',
    (id: string) => id,
    (id) => call(savedSearchRoutes.remove, { params: { id } }),
  );
export const useRemoveEntries = () =>
  useChange('activity', (ids: string[]) => call(activityRoutes.removeMany, { body: { ids } }));
export const useRemoveAll = () =>
  useChange<void, { deleted: number }>('activity', () => call(activityRoutes.removeAll, {}));
export const useAddMock = () =>
  useChange('activity', (count: number) => call(activityRoutes.addMock, { body: { count } }));

/** A user who is no administrator asks for their own entries. */
export async function downloadCsv(
  search: ActivitySearch,
  userId: string | undefined,
): Promise<void> {
  const query = { ...filtersOf(search), ...(userId !== undefined && { user: userId }) };
  await download(activityRoutes.export, `activity_logs_${dayOf(Date.now())}.csv`, { query });
}
