/** What the address of the notifications says: its tab, which of them are listed, and the page. */

/** The first is the usual one, which is not written. */
export const filters = ['all', 'unread', 'alerts', 'system'] as const;
export type Filter = (typeof filters)[number];

export interface NotificationsSearch {
  tab?: 'settings';
  filter?: Exclude<Filter, 'all'>;
  page?: number;
}

type Change = { [K in keyof NotificationsSearch]?: NotificationsSearch[K] | undefined };

/** The address with some of its parts changed; what is undefined leaves it. */
export function changed(search: NotificationsSearch, change: Change): NotificationsSearch {
  const entries = Object.entries({ ...search, ...change });
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

export const filterOf = (given: unknown): NotificationsSearch['filter'] => {
  const found = filters.find((one) => one === given);
  return found === 'all' ? undefined : found;
};

/** From the query string as the router reads it: digits are numbers. */
export function notificationsSearch(given: Record<string, unknown>): NotificationsSearch {
  const { page } = given;
  return changed(
    {},
    {
      tab: given['tab'] === 'settings' ? 'settings' : undefined,
      filter: filterOf(given['filter']),
      page: typeof page === 'number' && Number.isInteger(page) && page > 1 ? page : undefined,
    },
  );
}
