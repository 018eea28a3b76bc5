/** How many notifications the user has not read: the number at the bell. */
import { notificationRoutes } from '@nazar/contract/notifications.ts';
import { Problem } from '#api/problem.ts';
import { ask } from '#api/query.ts';

/** It is asked for again after this time, should the news not come. */
export const REFRESH_MS = 30_000;

interface Asked {
  readonly state: { readonly error: unknown };
}

/** What was refused is not asked again by itself. */
export const unreadQuery = () => ({
  ...ask('notifications', notificationRoutes.unreadCount, {}),
  refetchInterval: ({ state: { error } }: Asked) =>
    error instanceof Problem && error.status === 403 ? false : (REFRESH_MS as number),
});
