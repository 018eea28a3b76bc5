/** What the address of the webhooks says: how the deliveries are filtered and ordered, and their page. */
import type { WebhookDeliveryState } from '@nazar/contract/webhooks.ts';
import { idOf } from '#lib/is-id.ts';
import { changed, day, known, laterPage, type SearchChange } from '#lib/search-values.ts';

// The contract has them, too: its schemas would weigh on every page, as the router reads addresses.
export const states = [
  'waiting',
  'delivered',
  'failed',
] as const satisfies readonly WebhookDeliveryState[];

export interface WebhooksSearch {
  webhook?: string;
  state?: WebhookDeliveryState;
  /** Days by the reader's clock. */
  from?: string;
  to?: string;
  /** Absent: the newest first. */
  order?: 'created_at';
  page?: number;
}

export type Change = SearchChange<WebhooksSearch>;

/** From the query string as the router reads it: digits are numbers. */
export function webhooksSearch(given: Record<string, unknown>): WebhooksSearch {
  return changed<WebhooksSearch>(
    {},
    {
      webhook: idOf(given['webhook']),
      state: known(states, given['state']),
      from: day(given['from']),
      to: day(given['to']),
      order: known(['created_at'], given['order']),
      page: laterPage(given['page']),
    },
  );
}
