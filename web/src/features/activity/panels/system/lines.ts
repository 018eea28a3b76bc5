/** What the panel of the system log asks the server. */
import {
  SystemLogCount,
  SystemLogEntry,
  SystemLogLevelCount,
  systemLogRoutes,
  type SystemLogDeletion,
  type SystemLogLevel,
} from '@nazar/contract/system-logs.ts';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { call } from '#api/call.ts';
import { ask } from '#api/query.ts';
import { isAdministrator } from '#api/rights.ts';
import type { RemoveMany } from '../deleting/delete-all.ts';
import { instantsOf } from '../period.ts';
import { checked, counted, type Asked } from '../queries.ts';
import { listOf, pageOf } from '../shapes.ts';

/** Lines of one page of the system log (LDS-009). */
export const LINES_PER_PAGE = 20;
/** While the log is followed. */
const FOLLOW_MS = 3_000;

export type LineFilter = Extract<SystemLogDeletion, { filter: unknown }>['filter'];

/** The last so many days have no end: what is said after midnight belongs to them. */
function timesAsked({ period }: Asked): Pick<LineFilter, 'start_date' | 'end_date'> {
  const { start_date, end_date } = instantsOf(period);
  return {
    start_date,
    ...(period.isByDates && { end_date }),
  };
}

/** Only administrators choose whose entries they read; the server knows it for all other users. */
const userAsked = ({ me, search: { user } }: Asked): Pick<LineFilter, 'user'> =>
  isAdministrator(me) && user !== undefined ? { user } : {};

export function linesAsked(asked: Asked): LineFilter {
  const { search, level, source } = asked.search;
  return {
    ...timesAsked(asked),
    ...userAsked(asked),
    ...(search !== undefined && { search }),
    ...(level !== undefined && { level }),
    ...(source !== undefined && { source }),
  };
}

/** A page is asked for when the one before was full; what came meanwhile may stand in both. */
export function useLines(filter: LineFilter, isFollowed: boolean) {
  return useInfiniteQuery({
    queryKey: ['activity', systemLogRoutes.list.path, filter],
    queryFn: async ({ pageParam, signal }) => {
      const query = { ...filter, page: pageParam, page_size: LINES_PER_PAGE };
      return pageOf(SystemLogEntry, await call(systemLogRoutes.list, { query, signal }));
    },
    initialPageParam: 1,
    getNextPageParam: ({ results }, pages) =>
      results.length === LINES_PER_PAGE ? pages.length + 1 : undefined,
    placeholderData: keepPreviousData,
    refetchInterval: isFollowed ? FOLLOW_MS : false,
  });
}

/** Each once, as the first page that has it says. */
export function linesOf(pages: readonly { results: readonly SystemLogEntry[] }[]) {
  const seen = new Set<string>();
  return pages.flatMap(({ results }) => results).filter(({ id }) => !seen.has(id) && seen.add(id));
}

/** By source, of all levels, as far as their lines are searched for. */
export const countsQuery = (asked: Asked) =>
  checked(systemLogRoutes.stats, { query: countsAsked(asked) }, (reply) =>
    listOf(SystemLogCount, reply),
  );

/** What is asked of the counts of all sources; the one that is chosen is taken out of the answer. */
export function countsAsked(asked: Asked): Omit<LineFilter, 'level' | 'source'> {
  const { level: _level, source: _source, ...others } = linesAsked(asked);
  return others;
}

export const levelsAsked = (asked: Asked) => ({ ...timesAsked(asked), ...userAsked(asked) });

export const levelsQuery = (asked: Asked) =>
  counted(asked, systemLogRoutes.countByLevel, { query: levelsAsked(asked) }, (reply) =>
    listOf(SystemLogLevelCount, reply),
  );

/** The counts of all sources, or of one, summed. */
export function sumsOf(
  counts: readonly SystemLogCount[],
  source: string | undefined,
): Record<SystemLogLevel, number> {
  const meant = counts.filter((count) => source === undefined || count.source === source);
  const sum = (level: SystemLogLevel): number =>
    meant.reduce((all, count) => all + (count[level] ?? 0), 0);
  return {
    error: sum('error'),
    warning: sum('warning'),
    info: sum('info'),
    debug: sum('debug'),
  };
}

export const lineQuery = (id: string) => ask('activity', systemLogRoutes.read, { params: { id } });

export const neighboursQuery = (id: string, count: number) =>
  ask('activity', systemLogRoutes.neighbours, { params: { id }, query: { count } });

export const deleteLine = (id: string) => call(systemLogRoutes.remove, { params: { id } });

export const removeLines: RemoveMany<LineFilter> = (body) =>
  call(systemLogRoutes.removeMany, { body });
