/** What the address of the webhooks says: how the deliveries are filtered and ordered, and their page. */
import type { WebhookDeliveryState } from '@nazar/contract/webhooks.ts';
import { idOf } from '#lib/is-id.ts';
import { isDay } from '#lib/local-day.ts';

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

export type Change = { [K in keyof WebhooksSearch]?: WebhooksSearch[K] | undefined };

/** The address with some of its parts changed; what is undefined leaves it. */
export function changed(search: WebhooksSearch, change: Change): WebhooksSearch {
  const entries = Object.entries({ ...search, ...change });
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

const day = (value: unknown): string | undefined =>
  typeof value === 'string' && isDay(value) ? value : undefined;

/** From the query string as the router reads it: digits are numbers. */
export function webhooksSearch(given: Record<string, unknown>): WebhooksSearch {
  const { page } = given;
  return changed(
    {},
    {
      webhook: idOf(given['webhook']),
      state: states.find((one) => one === given['state']),
      from: day(given['from']),
      to: day(given['to']),
      order: given['order'] === 'created_at' ? 'created_at' : undefined,
      page: typeof page === 'number' && Number.isInteger(page) && page > 1 ? page : undefined,
    },
  );
}

export const isFiltered = ({ webhook, state, from, to }: WebhooksSearch): boolean =>
  [webhook, state, from, to].some((value) => value !== undefined);
