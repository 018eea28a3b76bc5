import { analyticsRoutes } from '@nazar/contract/analytics.ts';
import { faceRoutes } from '@nazar/contract/faces.ts';
import { serve, type Api } from '#http/serve.ts';
import type { Analytics } from './analytics.ts';

export function analyticsEndpoints(api: Api, analytics: Analytics): void {
  serve(api, analyticsRoutes.summary, ({ scope }) => analytics.summary(scope));
  // Counts people and unknown visits together, so it belongs to neither of their modules.
  serve(api, faceRoutes.statistics, ({ scope }) => analytics.faceStatistics(scope));
}
