import { analyticsRoutes } from '@nazar/contract/analytics.ts';
import { faceRoutes } from '@nazar/contract/faces.ts';
import { readerLanguage } from '#http/sentences.ts';
import type { Scope } from '#http/scope.ts';
import { once, serve, type Api } from '#http/serve.ts';
import type { Analytics } from './analytics.ts';
import type { LogKinds } from './log-kinds.ts';

export interface Readers {
  /** The time zone of a reader: what is asked for, else what they prefer. */
  readonly zoneOf: (scope: Scope, asked: string | undefined) => Promise<string>;
}

export function analyticsEndpoints(
  api: Api,
  analytics: Analytics,
  kinds: LogKinds,
  { zoneOf }: Readers,
): void {
  serve(api, analyticsRoutes.summary, async ({ scope, query }) => {
    const zone = await zoneOf(scope, query.timezone);
    const asking = { scope, asked: { zone } };
    return once(api, analyticsRoutes.summary, asking, () => analytics.summary(scope, zone));
  });
  serve(api, analyticsRoutes.logKinds, ({ scope, query, raw }) =>
    kinds.count(scope, query, readerLanguage(raw.headers['accept-language'])),
  );
  // Counts people and unknown visits together, so it belongs to neither of their modules.
  serve(api, faceRoutes.statistics, async ({ scope, query }) => {
    const zone = await zoneOf(scope, query.timezone);
    const asking = { scope, asked: { zone } };
    return once(api, faceRoutes.statistics, asking, () => analytics.faceStatistics(scope, zone));
  });
}
