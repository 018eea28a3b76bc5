import { analyticsRoutes } from '@nazar/contract/analytics.ts';
import { faceRoutes } from '@nazar/contract/faces.ts';
import { serve, type Doors } from '#http/serve.ts';
import type { Analytics } from './analytics.ts';

export function analyticsEndpoints(doors: Doors, analytics: Analytics): void {
  serve(doors, analyticsRoutes.summary, ({ scope }) => analytics.summary(scope));
  // Counts people and unknown visits together, so it belongs to neither of their modules.
  serve(doors, faceRoutes.statistics, ({ scope }) => analytics.faceStatistics(scope));
}
