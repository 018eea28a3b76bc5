/** What the dashboard asks, again every 30 s and whenever news says that something changed. */
import { analyticsRoutes } from '@nazar/contract/analytics.ts';
import { cameraRoutes } from '@nazar/contract/cameras.ts';
import { visitRoutes } from '@nazar/contract/visits.ts';
import { systemRoutes } from '@nazar/contract/system.ts';
import { ask } from '#api/query.ts';
import { readerTimezone } from '#lib/local-day.ts';

/** Figures are asked for again after this time (DASH-002). */
const refetchInterval = 30_000;
/** Visits in the list of the Dashboard (DASH-010, CON-014). */
export const DETECTIONS_SHOWN = 5;

export const summaryQuery = () => ({
  ...ask('analytics', analyticsRoutes.summary, { query: { timezone: readerTimezone() } }),
  refetchInterval,
});

export const detectionsQuery = () => ({
  ...ask('detections', visitRoutes.detections, { query: { limit: DETECTIONS_SHOWN } }),
  refetchInterval,
  // The newest visits come with the news (app/following.tsx).
  meta: { isWrittenByNews: true },
});

export const camerasQuery = () => ({ ...ask('cameras', cameraRoutes.list, {}), refetchInterval });

export const healthQuery = () => ({
  ...ask('system', systemRoutes.health, {}),
  refetchInterval,
});
