/**
 * The query cache. Every key begins with the list it belongs to, so that news ("cameras changed") and
 * mutations refresh everything that shows it.
 */
import {
  MutationCache,
  QueryCache,
  QueryClient,
  keepPreviousData,
  queryOptions,
  useMutation,
  useQueryClient,
  type Query,
  type QueryFilters,
} from '@tanstack/react-query';
import { call, type AnyRoute, type Carried } from './call.ts';
import { Problem } from './problem.ts';
import { reportError } from './report-error.ts';

export const areas = [
  'cameras',
  'faces',
  'detections',
  'analytics',
  'system',
  'account',
  'settings',
  'users',
  'access',
  'privacy',
  'recordings',
  'activity',
  'alerts',
  'notifications',
  'webhooks',
] as const;
export type Area = (typeof areas)[number];

/** Lists that change with another: a new visit changes the figures, a camera says how it is recorded. */
const follows: Readonly<Record<Area, readonly Area[]>> = {
  cameras: ['analytics', 'detections'],
  faces: ['analytics', 'detections', 'privacy'],
  detections: ['analytics'],
  analytics: [],
  system: [],
  account: [],
  settings: ['account'],
  users: ['access'],
  access: [],
  privacy: [],
  recordings: ['cameras'],
  activity: [],
  alerts: [],
  notifications: [],
  webhooks: [],
};

/** The path of the route, when `ask` made the key. */
const askedOf = ([, path]: readonly unknown[]): string => (typeof path === 'string' ? path : '');

export function makeQueryClient(): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({
      onError: (error, { queryKey }) => void reportError('load', error, askedOf(queryKey)),
    }),
    mutationCache: new MutationCache({ onError: (error) => void reportError('load', error) }),
    defaultOptions: {
      queries: {
        networkMode: 'offlineFirst',
        staleTime: 10_000,
        gcTime: 30 * 60_000,
        // A refusal stays a refusal; only what did not reach a working server is asked again.
        retry: (failures, error) =>
          failures < 2 && error instanceof Problem && (error.status === 0 || error.status >= 502),
        refetchIntervalInBackground: false,
      },
      mutations: { networkMode: 'offlineFirst' },
    },
  });
}

/**
 * One route as a query: `useQuery(ask('cameras', cameraRoutes.list, { query: { search } }))`. While the
 * next page or filter loads, the previous answer stays in sight.
 */
export function ask<const R extends AnyRoute>(area: Area, route: R, options: Carried<R> & object) {
  return queryOptions({
    queryKey: [area, route.path, options] as const,
    queryFn: ({ signal }) => call(route, { ...options, signal }),
    placeholderData: keepPreviousData,
  });
}

/** By client: the ids of what is being deleted, or is. Ids never come back. */
const removed = new WeakMap<QueryClient, Set<string>>();

/** `isKept`: what is not asked again, because the news themselves said how it is now. */
export interface Refreshing {
  readonly isKept?: (query: Query) => boolean;
}

/** Nothing is asked again about what is gone: a page that still shows it would be answered 404. */
export async function refresh(
  client: QueryClient,
  area: Area,
  { isKept = () => false }: Refreshing = {},
): Promise<void> {
  const ids = [...(removed.get(client) ?? [])];
  const isLeft = (query: Query): boolean => {
    const asked = ids.length === 0 ? '' : JSON.stringify(query.queryKey);
    return !ids.some((id) => asked.includes(id)) && !isKept(query);
  };
  await Promise.all(
    [area, ...follows[area]].map((key) => outdate(client, { queryKey: [key], predicate: isLeft })),
  );
}

/** A page that is hidden asks nothing: what is out of date by then is asked once when it is shown again. */
export const outdate = (client: QueryClient, queries: QueryFilters): Promise<void> =>
  client.invalidateQueries({ ...queries, refetchType: isHidden() ? 'none' : 'active' });

export const isHidden = (): boolean => document.visibilityState === 'hidden';

/** A mutation that refreshes an area when it is done, whatever came of it. */
export function useChange<Input, Output>(area: Area, change: (input: Input) => Promise<Output>) {
  const client = useQueryClient();
  return useMutation({ mutationFn: change, onSettled: () => refresh(client, area) });
}

/** The same for what deletes the object of that id; news of it may come before the answer does. */
export function useRemoval<Input, Output>(
  area: Area,
  idOf: (input: Input) => string,
  remove: (input: Input) => Promise<Output>,
) {
  const client = useQueryClient();
  const ids = removed.get(client) ?? new Set<string>();
  removed.set(client, ids);
  return useMutation({
    mutationFn: remove,
    onMutate: (input) => void ids.add(idOf(input)),
    onError: (_error, input) => void ids.delete(idOf(input)),
    onSettled: () => refresh(client, area),
  });
}
