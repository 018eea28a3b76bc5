/** The list of the page: what the server says, held still while it is read, without what was deleted here. */
import { useQuery } from '@tanstack/react-query';
import { useHeld } from '#lib/use-held.ts';
import { listQuery } from './queries.ts';
import type { NotificationsSearch } from './search.ts';

export function useNotifications(search: NotificationsSearch, deleted: ReadonlySet<string>) {
  const query = useQuery(listQuery(search));
  const { data, isPlaceholderData } = query;
  const { filter, page } = search;
  const { held, release } = useHeld(
    isPlaceholderData ? undefined : data?.results,
    JSON.stringify([filter, page]),
  );
  const isLeft = ({ id }: { readonly id: string }): boolean => !deleted.has(id);
  const gone = (data?.results ?? []).filter((one) => !isLeft(one)).length;
  return {
    query,
    rows: (held?.rows ?? data?.results ?? []).filter(isLeft),
    waiting: (held?.waiting ?? []).filter(isLeft),
    count: (data?.count ?? 0) - gone,
    /** Shows what waits. */
    showWaiting: release,
  };
}
