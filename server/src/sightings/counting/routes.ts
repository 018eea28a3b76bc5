import {
  faceLogCountRoutes,
  type CountQuery,
  type DailyQuery,
} from '@nazar/contract/face-log-counts.ts';
import type { FaceReads } from '#faces/faces.ts';
import type { Scope } from '#http/scope.ts';
import { serve, type Api } from '#http/serve.ts';
import type { Sightings } from '../sightings.ts';

/** Who a count is for: in whose days, and whose eyes it is of. */
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
  sightings: Sightings,
  reads: FaceReads,
  readers: Readers,
): void {
  const { counting } = sightings;
  /** C-806: asking for one person is a search. */
  const reader = async (scope: Scope, query: Readable): Promise<[Scope, string]> => {
    const term = query.person_id ?? query.person_name;
    if (term) await reads.searched(scope, 'face_logs', term);
    return [await readers.seenBy(scope, query.user), await readers.zoneOf(scope, query.timezone)];
  };
  const stats = async (scope: Scope, query: CountQuery) => {
    const [as, timeZone] = await reader(scope, query);
    return counting.stats(as, query, timeZone);
  };
  const people = async (scope: Scope, query: CountQuery) => {
    const [as, timeZone] = await reader(scope, query);
    return { results: await counting.byPerson(as, query, timeZone) };
  };
  const cameras = async (scope: Scope, query: CountQuery) => {
    const [as, timeZone] = await reader(scope, query);
    return counting.byCamera(as, query, timeZone);
  };
  const daily = async (scope: Scope, query: DailyQuery) => {
    const [as, timeZone] = await reader(scope, query);
    return counting.daily(as, query, timeZone);
  };

  serve(api, faceLogCountRoutes.grouped, async ({ scope, query }) => {
    const [as, timeZone] = await reader(scope, query);
    return counting.grouped(as, query, timeZone);
  });
  serve(api, faceLogCountRoutes.cameraDetails, async ({ scope, query }) => {
    const [as, timeZone] = await reader(scope, query);
    const details = await counting.cameraDetails(as, query, timeZone);
    const { camera_id, start_date, end_date } = query;
    const newest = { camera_id, start_date, end_date, page: 1, limit: recentLogs };
    return { ...details, recent_logs: (await sightings.list(as, newest, timeZone)).results };
  });
  serve(api, faceLogCountRoutes.stats, ({ scope, query }) => stats(scope, query));
  serve(api, faceLogCountRoutes.statsOfFaceLogs, ({ scope, query }) => stats(scope, query));
  serve(api, faceLogCountRoutes.statsOfRecognition, ({ scope, query }) => stats(scope, query));
  serve(api, faceLogCountRoutes.byPerson, ({ scope, query }) => people(scope, query));
  serve(api, faceLogCountRoutes.byPersonConfidence, ({ scope, query }) => people(scope, query));
  serve(api, faceLogCountRoutes.byPersonOfRecognition, ({ scope, query }) => people(scope, query));
  serve(api, faceLogCountRoutes.byCamera, ({ scope, query }) => cameras(scope, query));
  serve(api, faceLogCountRoutes.byCameraOfRecognition, ({ scope, query }) => cameras(scope, query));
  serve(api, faceLogCountRoutes.daily, ({ scope, query }) => daily(scope, query));
  serve(api, faceLogCountRoutes.dailyOfActivity, ({ scope, query }) => daily(scope, query));
  serve(api, faceLogCountRoutes.dailyAll, ({ scope, query }) => daily(scope, query));
  serve(api, faceLogCountRoutes.dailyByPerson, ({ scope, query }) => daily(scope, query));
  serve(api, faceLogCountRoutes.dailyOfRecognition, ({ scope, query }) => daily(scope, query));
  serve(api, faceLogCountRoutes.dailyByPersonOfRecognition, ({ scope, query }) =>
    daily(scope, query),
  );
  serve(api, faceLogCountRoutes.dailyByDateOfRecognition, ({ scope, query }) =>
    daily(scope, query),
  );
}

interface Readable {
  readonly timezone?: string | undefined;
  readonly user?: string | undefined;
  readonly person_id?: string | undefined;
  readonly person_name?: string | undefined;
}
