/** Which visits may be marked deleted, and by which calls: one, those of a day and person, all that a filter finds. */
import { visitDeletionRoutes, type VisitDeletion } from '@nazar/contract/visit-deletion.ts';
import { useQuery } from '@tanstack/react-query';
import { call } from '#api/call.ts';
import { isAdministrator, mayChangeCameras } from '#api/rights.ts';
import { readerTimezone } from '#lib/local-day.ts';
import type { User } from '@nazar/contract/accounts.ts';
import { ownCamerasQuery } from '../queries.ts';
import type { RemoveMany } from './delete-all.ts';

export type VisitFilter = Extract<VisitDeletion, { filter: unknown }>['filter'];

export const deleteVisit = (id: string) => call(visitDeletionRoutes.remove, { params: { id } });

export const deleteDay = (id: string) =>
  call(visitDeletionRoutes.removeDay, {
    params: { id },
    query: { timezone: readerTimezone() },
  });

export const removeVisits: RemoveMany<VisitFilter> = (body) =>
  call(visitDeletionRoutes.removeMany, { body });

/** Section 6 of the matrix: administrators any, others what cameras saw that they added. */
export function useMayDelete(me: User): (cameraId: string) => boolean {
  const isAny = isAdministrator(me);
  const own = useQuery({ ...ownCamerasQuery(me), enabled: !isAny });
  const ids = new Set(own.data?.results.map(({ id }) => id));
  return (cameraId) => isAny || ids.has(cameraId);
}

/** Whether there is any visit that they might delete. */
export function useMayDeleteSome(me: User): boolean {
  const isAny = isAdministrator(me);
  const own = useQuery({ ...ownCamerasQuery(me), enabled: !isAny });
  return isAny || mayChangeCameras(me) || (own.data?.count ?? 0) > 0;
}
