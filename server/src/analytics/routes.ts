import { analyticsRoutes } from '@nazar/contract/analytics.ts';
import { faceRoutes } from '@nazar/contract/faces.ts';
import { readerLanguage } from '#http/sentences.ts';
import { serve, type Api } from '#http/serve.ts';
import type { Analytics } from './analytics.ts';
import type { LogKinds } from './log-kinds.ts';

export function analyticsEndpoints(api: Api, analytics: Analytics, kinds: LogKinds): void {
  serve(api, analyticsRoutes.summary, ({ scope }) => analytics.summary(scope));
  serve(api, analyticsRoutes.logKinds, ({ scope, query, raw }) =>
    kinds.count(scope, query, readerLanguage(raw.headers['accept-language'])),
  );
  // Counts people and unknown visits together, so it belongs to neither of their modules.
  serve(api, faceRoutes.statistics, ({ scope }) => analytics.faceStatistics(scope));
}
