/** The panels of the Analytics Dashboard with two days of figures; a test answers itself what it is about. */
import type { User } from '@nazar/contract/accounts.ts';
import { activityRoutes } from '@nazar/contract/activity.ts';
import { analyticsRoutes } from '@nazar/contract/analytics.ts';
import { cameraRoutes } from '@nazar/contract/cameras.ts';
import {
  visitCountRoutes,
  type CameraStats,
  type DailyVisits,
  type GroupedCounts,
  type PersonStats,
  type SeenPeople,
  type SeenPerson,
} from '@nazar/contract/visit-counts.ts';
import { savedSearchRoutes } from '@nazar/contract/saved-searches.ts';
import { visitRoutes } from '@nazar/contract/visits.ts';
import { systemLogRoutes } from '@nazar/contract/system-logs.ts';
import { userRoutes } from '@nazar/contract/users.ts';
import { aUser } from './builders.ts';
import { renderApp } from './render-app.tsx';
import { answer, refusal } from './server.ts';

export const lobby = '44444444-4444-4444-8444-444444444444';
export const leyla = '55555555-5555-4555-8555-555555555555';

export const aPerson = (over: Partial<PersonStats> = {}): PersonStats => ({
  person_name: 'Leyla Orucova',
  person_id: leyla,
  key: leyla,
  total_detections: 12,
  recognized_count: 12,
  unrecognized_count: 0,
  first_seen: '2026-03-01T05:06:07.000Z',
  last_seen: '2026-03-04T05:06:07.000Z',
  cameras: 2,
  ...over,
});

export const aSeenPerson = (over: Partial<SeenPerson> = {}): SeenPerson => ({
  key: leyla,
  name: 'Leyla Orucova',
  visits: 12,
  ...over,
});

/** A list of people that is one page. */
export const seenPeople = (results: readonly SeenPerson[], over: Partial<SeenPeople> = {}) => ({
  count: results.length,
  most: Math.max(0, ...results.map(({ visits }) => visits)),
  results: [...results],
  ...over,
});

/** A row of the daily table. */
export const aDay: DailyVisits = {
  id: `2026-03-04.${leyla}`,
  date: '2026-03-04',
  person_name: 'Leyla Orucova',
  person_id: leyla,
  detection_count: 5,
  recognized_count: 5,
  unrecognized_count: 0,
  first_seen: '2026-03-04T05:06:07.000Z',
  last_seen: '2026-03-04T15:06:07.000Z',
};

export function counts(
  results: readonly { key: string; recognized: number; unrecognized: number }[],
): GroupedCounts {
  const rows = results.map((row) => ({
    ...row,
    name: '',
    total: row.recognized + row.unrecognized,
  }));
  const sum = (key: 'total' | 'recognized' | 'unrecognized'): number =>
    rows.reduce((all, row) => all + row[key], 0);
  return {
    total: sum('total'),
    recognized: sum('recognized'),
    unrecognized: sum('unrecognized'),
    results: rows,
  };
}

export const aCameraRow = (over: Partial<CameraStats> = {}): CameraStats => ({
  camera_id: lobby,
  camera_name: 'Lobby',
  total_detections: 40,
  recognized_count: 30,
  unrecognized_count: 10,
  ...over,
});

export const noVisits = { total: 0, recognized: 0, unrecognized: 0, success_rate: null };

export function answerPanels(): void {
  answer(analyticsRoutes.logKinds, [
    { name: 'activity', value: 1500 },
    { name: 'system', value: 2463 },
    { name: 'face_recognition', value: 40 },
  ]);
  answer(systemLogRoutes.countByLevel, [
    { name: 'error', value: 3 },
    { name: 'info', value: 2460 },
  ]);
  answer(activityRoutes.countByAction, { results: [{ name: 'view', value: 1500 }] });
  const stats = { total: 40, recognized: 30, unrecognized: 10, success_rate: 75 };
  answer(visitCountRoutes.stats, stats);
  answer(visitCountRoutes.people, seenPeople([aSeenPerson()]));
  answer(visitCountRoutes.byPerson, { results: [aPerson()] });
  answer(visitCountRoutes.byCamera, [aCameraRow()]);
  const days = counts([
    { key: '2026-03-03', recognized: 20, unrecognized: 4 },
    { key: '2026-03-04', recognized: 10, unrecognized: 6 },
  ]);
  answer(visitCountRoutes.grouped, days);
  answer(cameraRoutes.namesForLogs, { results: [{ id: lobby, name: 'Lobby' }] });
  answer(userRoutes.list, { count: 0, results: [] });
  answer(savedSearchRoutes.list, { results: [] });
  answer(visitRoutes.faceLogs, { count: 0, results: [] });
  answer(visitRoutes.picture, refusal(404, 'sighting_has_no_picture', ''));
}

/** Period of the figures above. */
const dates = 'from=2026-03-03&to=2026-03-04';

export function openPanel(
  panel: string,
  more = '',
  user = aUser(),
  logUser: User | Response = user,
) {
  const path = `/activity-log?tab=analytics&${dates}${panel === '' ? '' : `&panel=${panel}`}${more}`;
  return renderApp({ path, user, logUser });
}

/** What stands behind the `?` of the page now. */
export const searchOfPage = (): string => decodeURIComponent(location.search);

export const broken = (status: number): Response => refusal(status, 'internal', 'It broke.');
