import {
  visitCountRoutes as routes,
  type CountQuery,
  type DailyQuery,
  type GroupedQuery,
  type SeenPeopleQuery,
} from '@nazar/contract/visit-counts.ts';
import type { Route } from '@nazar/contract/route.ts';
import type { FaceReads } from '#faces/faces.ts';
import type { Scope } from '#http/scope.ts';
import { once, serve, type Api } from '#http/serve.ts';
import type { Visits } from '../visits.ts';
import type { Counting } from './counting.ts';

/** Whom a count is for: in whose days it counts, and as which user it sees. */
export interface Readers {
  /** The time zone of a reader: what is asked for, else what they prefer. */
  zoneOf(scope: Scope, asked: string | undefined): Promise<string>;
  /** What an administrator asks about a user: as that user sees. Throws user_not_found. */
  seenBy(scope: Scope, userId: string | undefined): Promise<Scope>;
}

/** LDC-006: visits that the details of a camera show. */
const recentLogs = 5;

export function countingEndpoints(
  api: Api,
  visits: Visits,
  reads: FaceReads,
  readers: Readers,
): void {
  const { counting } = visits;
  const reader = readerOf(reads, readers);
  const { grouped, stats, people, seen, cameras, daily } = sharedCounts(api, counting, reader);
  serve(api, routes.grouped, ({ scope, query }) => grouped(scope, query));
  serve(api, routes.cameraDetails, async ({ scope, query }) => {
    const [as, timeZone] = await reader(scope, query);
    const details = await counting.cameraDetails(as, query, timeZone);
    const { camera_id, start_date, end_date } = query;
    const newest = { camera_id, start_date, end_date, page: 1, limit: recentLogs };
    return { ...details, recent_logs: (await visits.list(as, newest, timeZone)).results };
  });
  serve(api, routes.stats, ({ scope, query }) => stats(scope, query));
  serve(api, routes.people, ({ scope, query }) => seen(scope, query));
  serve(api, routes.byPerson, ({ scope, query }) => people(scope, query));
  serve(api, routes.byCamera, ({ scope, query }) => cameras(scope, query));
  serve(api, routes.daily, ({ scope, query }) => daily(scope, query));
}

type ReaderOf = (caller: Scope, query: Readable) => Promise<readonly [Scope, string]>;

/** In whose eyes and in which time zone something is counted. */
const readerOf =
  (reads: FaceReads, readers: Readers): ReaderOf =>
  async (scope, query) => {
    // Asking for one person is a search.
    const term = query.person_id ?? query.person_name ?? query.search;
    if (term) await reads.searched(scope, 'face_logs', term);
    return [await readers.seenBy(scope, query.user), await readers.zoneOf(scope, query.timezone)];
  };

/** Many readers ask for the same panel at once, and counting takes long enough to be worth one answer for all. */
function sharedCounts(api: Api, counting: Counting, readerOf: ReaderOf) {
  const shared =
    <Q extends Readable, R>(
      route: Route,
      count: (as: Scope, query: Q, timeZone: string) => Promise<R>,
    ) =>
    async (caller: Scope, query: Q): Promise<R> => {
      const [scope, timeZone] = await readerOf(caller, query);
      const asked = { query, timeZone };
      return once(api, route, { scope, asked }, () => count(scope, query, timeZone));
    };
  return {
    grouped: shared(routes.grouped, (as, query: GroupedQuery, timeZone) =>
      counting.grouped(as, query, timeZone),
    ),
    stats: shared(routes.stats, (as, query: CountQuery, timeZone) =>
      counting.stats(as, query, timeZone),
    ),
    people: shared(routes.byPerson, async (as, query: CountQuery, timeZone) => ({
      results: await counting.byPerson(as, query, timeZone),
    })),
    seen: shared(routes.people, (as, query: SeenPeopleQuery, timeZone) =>
      counting.people(as, query, timeZone),
    ),
    cameras: shared(routes.byCamera, (as, query: CountQuery, timeZone) =>
      counting.byCamera(as, query, timeZone),
    ),
    daily: shared(routes.daily, (as, query: DailyQuery, timeZone) =>
      counting.daily(as, query, timeZone),
    ),
  };
}

interface Readable {
  readonly timezone?: string | undefined;
  readonly user?: string | undefined;
  readonly person_id?: string | undefined;
  readonly person_name?: string | undefined;
  readonly search?: string | undefined;
}
