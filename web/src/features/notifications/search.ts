/** What the address of the notifications says: its tab, which of them are listed, and the page. */
import { changed, laterPage } from '#lib/search-values.ts';

/** The first is the usual one, which is not written. */
export const filters = ['all', 'unread', 'alerts', 'system'] as const;
export type Filter = (typeof filters)[number];

export interface NotificationsSearch {
  tab?: 'settings';
  filter?: Exclude<Filter, 'all'>;
  page?: number;
}

export const filterOf = (given: unknown): NotificationsSearch['filter'] => {
  const found = filters.find((one) => one === given);
  return found === 'all' ? undefined : found;
};

/** From the query string as the router reads it: digits are numbers. */
export function notificationsSearch(given: Record<string, unknown>): NotificationsSearch {
  return changed<NotificationsSearch>(
    {},
    {
      tab: given['tab'] === 'settings' ? 'settings' : undefined,
      filter: filterOf(given['filter']),
      page: laterPage(given['page']),
    },
  );
}
