/** The list of the page: what the server says, held still while it is read, and the copy for when it cannot be asked. */
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { isNoAnswer } from '#api/offline-alerts.ts';
import { useSeeing } from '#api/see-as.ts';
import { useUser } from '#api/session.ts';
import type { Held } from '#lib/hold.ts';
import { useHeld } from '#lib/use-held.ts';
import { useOwnCameras } from '#parts/alerts/use-own-cameras.ts';
import { keepAlerts, lastAlerts, type LastAlerts } from './last-alerts.ts';
import { alertsQuery, listQueryOf, type Alert, type AlertPage } from './queries.ts';
import { isFiltered, type AlertsSearch } from './search.ts';

export interface Alerts extends Held<Alert> {
  readonly query: UseQueryResult<AlertPage>;
  readonly count: number;
  readonly hasMore: boolean;
  /** Nothing is known yet, and nothing is kept. */
  readonly isBlank: boolean;
  /** The last question failed; what is shown is from then. Null: all is well. */
  readonly staleAt: number | null;
  /** Shows what waits. */
  readonly showWaiting: () => void;
}

export function useAlerts(search: AlertsSearch): Alerts {
  const { ids, isKnown } = useOwnCameras();
  const query = useQuery({ ...alertsQuery(search, ids), enabled: isKnown });
  const { data, isPlaceholderData, dataUpdatedAt } = query;
  const copy = useCopy(search, query);
  const key = JSON.stringify(listQueryOf(search, ids));
  const { held, release } = useHeld(isPlaceholderData ? undefined : data?.results, key);
  const isAway = useAway(query);
  const kept = data === undefined && isAway ? copy : null;
  const staleAt = isAway && data !== undefined ? dataUpdatedAt : (kept?.at ?? null);
  return {
    query,
    rows: kept?.page.results ?? held?.rows ?? data?.results ?? [],
    waiting: held?.waiting ?? [],
    count: data?.count ?? kept?.page.count ?? 0,
    hasMore: data?.more === true,
    isBlank: data === undefined && kept === null,
    staleAt,
    showWaiting: release,
  };
}

/** Whether the server could not be asked. It stays so while that is tried again, or the list would come and go. */
function useAway({ data, error }: UseQueryResult<AlertPage>): boolean {
  const [wasAway, setAway] = useState(false);
  const isTriedAgain = data === undefined && error === null && wasAway;
  const isAway = isNoAnswer(error) || isTriedAgain;
  if (isAway !== wasAway) setAway(isAway);
  return isAway;
}

/** The copy is of the whole list: one that is filtered would look like all there is. */
function useCopy(search: AlertsSearch, query: UseQueryResult<AlertPage>): LastAlerts | null {
  const user = useUser();
  // What another user sees is not kept while the reader sees as them.
  const asAnother = useSeeing() !== null;
  const [last] = useState(() => lastAlerts(user.id, Date.now()));
  const isWhole = !isFiltered(search) && search.page === undefined && search.order === undefined;
  const { data, dataUpdatedAt, isPlaceholderData } = query;
  const keeps = isWhole && !isPlaceholderData && !asAnother;
  useEffect(() => {
    if (keeps && data !== undefined) keepAlerts(user.id, data, dataUpdatedAt);
  }, [keeps, data, dataUpdatedAt, user.id]);
  return isWhole ? last : null;
}
