/** What this feature asks the server, and what it sends. */
import {
  alertRuleRoutes,
  type AlertRuleChange,
  type AlertRuleFields,
} from '@nazar/contract/alert-rules.ts';
import { alertRoutes, type Alert, type AlertPage } from '@nazar/contract/alerts.ts';
import { cameraGroupRoutes } from '@nazar/contract/access.ts';
import { faceRoutes } from '@nazar/contract/faces.ts';
import { houseModeRoutes, type HouseMode } from '@nazar/contract/house-mode.ts';
import { userRoutes } from '@nazar/contract/users.ts';
import { call } from '#api/call.ts';
import { ask, useChange, useRemoval } from '#api/query.ts';
import { askedInstants } from '#lib/asked-instants.ts';
import type { AlertsSearch } from './search.ts';

export const PAGE_SIZE = 25;
/** The list is asked for again after this time, should the news not come. */
export const REFRESH_MS = 30_000;

export type { Alert, AlertPage };

/** Days are the reader's. `ids`: of the reader's cameras, where they are named (ALR-011). */
export function listQueryOf(search: AlertsSearch, ids: string | undefined) {
  const { camera } = search;
  return {
    status: search.status,
    level: search.level,
    // Some alerts that are assigned to the reader are about no camera.
    camera__in: camera ?? (search.mine === true ? undefined : ids),
    open: search.open,
    mine: search.mine,
    ...askedInstants(search),
    ordering: search.order ?? ('-created_at' as const),
    page: search.page ?? 1,
    page_size: PAGE_SIZE,
  };
}

export const alertsQuery = (search: AlertsSearch, ids: string | undefined) => ({
  ...ask('alerts', alertRoutes.list, { query: listQueryOf(search, ids) }),
  refetchInterval: REFRESH_MS,
});

export const countsQuery = () => ({
  ...ask('alerts', alertRoutes.counts, {}),
  refetchInterval: REFRESH_MS,
});

/** The one shown before it is not shown meanwhile. */
export function alertQuery(id: string) {
  const { placeholderData: _before, ...query } = ask('alerts', alertRoutes.read, {
    params: { id },
  });
  return query;
}

export const useAssign = () =>
  useChange('alerts', ({ id, user_id }: { id: string; user_id: string }) =>
    call(alertRoutes.assign, { params: { id }, body: { user_id } }),
  );

/** As many as the API answers at once. */
export const usersQuery = ask('users', userRoutes.list, {
  query: { is_active: true, page_size: 1000 },
});
export const categoriesQuery = ask('faces', faceRoutes.categories, {});
export const cameraGroupsQuery = ask('access', cameraGroupRoutes.list, {});
export const rulesQuery = ask('alerts', alertRuleRoutes.list, {});

/** News of it come with no event: another user, or a key, may have changed it. */
export const modeQuery = () => ({
  ...ask('alerts', houseModeRoutes.read, {}),
  refetchInterval: REFRESH_MS,
});
export const useChangeMode = () =>
  useChange('alerts', (mode: HouseMode) => call(houseModeRoutes.change, { body: { mode } }));

export const useAddRule = () =>
  useChange('alerts', (body: AlertRuleFields) => call(alertRuleRoutes.add, { body }));
export const useChangeRule = () =>
  useChange('alerts', ({ id, change: body }: { id: string; change: AlertRuleChange }) =>
    call(alertRuleRoutes.change, { params: { id }, body }),
  );
export const useRemoveRule = () =>
  useRemoval(
    'alerts',
    (id: string) => id,
    (id) => call(alertRuleRoutes.remove, { params: { id } }),
  );
