import { webhookDeliveryRoutes, webhookRoutes } from '@nazar/contract/webhooks.ts';
import type { Scope } from '#http/scope.ts';
import { serve, type Api } from '#http/serve.ts';
import type { Notifications } from '../notifications.ts';

/** Which time zone the days of a question are in: the one that is asked for, else the reader's. */
export type ZoneOf = (scope: Scope, asked: string | undefined) => Promise<string>;

export function webhookEndpoints(
  api: Api,
  { webhooks, webhookDeliveries: deliveries }: Notifications,
  zoneOf: ZoneOf,
): void {
  // Before webhooks: `deliveries` is no id of one.
  serve(api, webhookDeliveryRoutes.list, async ({ scope, query }) =>
    deliveries.list(query, await zoneOf(scope, query.timezone)),
  );
  serve(api, webhookDeliveryRoutes.replay, ({ scope, params }) =>
    deliveries.sendAgain(scope, params.id),
  );
  serve(api, webhookRoutes.list, async () => ({ results: await webhooks.list() }));
  serve(api, webhookRoutes.add, ({ scope, body }) => webhooks.add(scope, body));
  serve(api, webhookRoutes.change, ({ scope, params, body }) =>
    webhooks.change(scope, params.id, body),
  );
  serve(api, webhookRoutes.remove, ({ scope, params }) => webhooks.remove(scope, params.id));
  serve(api, webhookRoutes.rotate, ({ scope, params }) => webhooks.rotate(scope, params.id));
  serve(api, webhookRoutes.endOldSecret, ({ scope, params }) =>
    webhooks.endOldSecret(scope, params.id),
  );
  serve(api, webhookRoutes.test, ({ scope, params }) => webhooks.test(scope, params.id));
  serve(api, webhookRoutes.replayFailed, async ({ scope, params }) => ({
    count: await deliveries.sendFailedAgain(scope, params.id),
  }));
}
