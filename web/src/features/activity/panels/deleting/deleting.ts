/** Marks visits as deleted: one, those of a day and person, or all that a filter finds, a batch per call. */
import { faceLogDeletionRoutes, type FaceLogDeletion } from '@nazar/contract/face-log-deletion.ts';
import { useQuery } from '@tanstack/react-query';
import { call } from '#api/call.ts';
import { useChange } from '#api/query.ts';
import { isAdministrator, mayChangeCameras } from '#api/rights.ts';
import { readerTimezone } from '#lib/local-day.ts';
import type { User } from '@nazar/contract/accounts.ts';
import { ownCamerasQuery } from '../queries.ts';

export type VisitFilter = Extract<FaceLogDeletion, { filter: unknown }>['filter'];

export const useDeleteVisit = () =>
  useChange('activity', (id: string) => call(faceLogDeletionRoutes.remove, { params: { id } }));

export const useDeleteDay = () =>
  useChange('activity', (id: string) =>
    call(faceLogDeletionRoutes.removeDay, {
      params: { id },
      query: { timezone: readerTimezone() },
    }),
  );

/** How many that would be, of those that the reader may delete; no visit is deleted. */
export const countDeletable = (filter: VisitFilter) =>
  call(faceLogDeletionRoutes.removeMany, { body: { filter, count_only: true } });

/** `onProgress` hears how many are deleted so far. What comes meanwhile stays. */
export async function deleteAll(
  filter: VisitFilter,
  onProgress: (deleted: number) => void,
): Promise<number> {
  let deleted = 0;
  let asOf: string | undefined;
  for (;;) {
    const body = { filter, count_only: false, ...(asOf !== undefined && { as_of: asOf }) };
    const batch = await call(faceLogDeletionRoutes.removeMany, { body });
    deleted += batch.deleted;
    asOf = batch.as_of;
    onProgress(deleted);
    if (batch.deleted === 0 || batch.left === 0) return deleted;
  }
}

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
