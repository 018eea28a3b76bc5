/** What this feature asks the server, and what it sends. */
import {
  webhookDeliveryRoutes,
  webhookRoutes,
  type WebhookChange,
} from '@nazar/contract/webhooks.ts';
import { call } from '#api/call.ts';
import { ask, useChange, useRemoval } from '#api/query.ts';
import { askedInstants } from '#lib/asked-instants.ts';
import type { WebhooksSearch } from './search.ts';

export const PAGE_SIZE = 25;
/** No news tell of deliveries: both lists are asked for again after this time. */
const REFRESH_MS = 10_000;

export const webhooksQuery = () => ({
  ...ask('webhooks', webhookRoutes.list, {}),
  refetchInterval: REFRESH_MS,
});

export const deliveriesQuery = ({
  webhook: receiver,
  state,
  order,
  page,
  ...days
}: WebhooksSearch) => ({
  ...ask('webhooks', webhookDeliveryRoutes.list, {
    query: {
      receiver,
      state,
      ...askedInstants(days),
      ordering: order ?? ('-created_at' as const),
      page: page ?? 1,
      page_size: PAGE_SIZE,
    },
  }),
  refetchInterval: REFRESH_MS,
});

export const useChangeWebhook = () =>
  useChange('webhooks', ({ id, change: body }: { id: string; change: WebhookChange }) =>
    call(webhookRoutes.change, { params: { id }, body }),
  );
export const useRemoveWebhook = () =>
  useRemoval(
    'webhooks',
    (id: string) => id,
    (id) => call(webhookRoutes.remove, { params: { id } }),
  );
export const useRotateSecret = () =>
  useChange('webhooks', (id: string) => call(webhookRoutes.rotate, { params: { id } }));
export const useEndOldSecret = () =>
  useChange('webhooks', (id: string) => call(webhookRoutes.endOldSecret, { params: { id } }));
export const useTestWebhook = () =>
  useChange('webhooks', (id: string) => call(webhookRoutes.test, { params: { id } }));
export const useSendFailedAgain = () =>
  useChange('webhooks', (id: string) => call(webhookRoutes.replayFailed, { params: { id } }));
export const useSendAgain = () =>
  useChange('webhooks', (id: string) => call(webhookDeliveryRoutes.replay, { params: { id } }));
