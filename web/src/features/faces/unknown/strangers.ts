/** What the screens of unknown people ask the server, and what they send. */
import { visitRoutes } from '@nazar/contract/visits.ts';
import {
  unknownFaceRoutes,
  type Identification,
  type UnknownFace,
  type UnknownStatus,
} from '@nazar/contract/unknown-faces.ts';
import { call } from '#api/call.ts';
import { ask } from '#api/query.ts';
import type { FacesSearch } from '../search.ts';

/** FACE-015 holds for strangers as it does for people. */
export const STRANGERS_PAGE_SIZE = 12;

export const strangersQuery = ({ progress, order = '-timestamp', page = 1 }: FacesSearch) =>
  ask('detections', unknownFaceRoutes.list, {
    query: {
      ...(progress !== undefined && { status: progress }),
      ordering: order,
      page,
      page_size: STRANGERS_PAGE_SIZE,
    },
  });

/** People on the page whom an unknown person may be the same as: no user has named them. */
export const mergeable = (
  page: readonly UnknownFace[],
  { id }: Pick<UnknownFace, 'id'>,
): readonly UnknownFace[] => page.filter((other) => other.id !== id && other.face === null);

/** Whether there is another whom a stranger may be the same as; on a page that is not shown there may be. */
export const hasMergeable = (
  { count, results }: { readonly count: number; readonly results: readonly UnknownFace[] },
  stranger: Pick<UnknownFace, 'id'>,
): boolean => count > results.length || mergeable(results, stranger).length > 0;

export const strangerQuery = (id: string) =>
  ask('detections', unknownFaceRoutes.read, { params: { id } });

export const visitsOf = (id: string, page: number) =>
  ask('detections', visitRoutes.faceLogs, {
    query: { unknown: id, page, limit: STRANGERS_PAGE_SIZE },
  });

/** One change of a stranger; each answers with the stranger as they are now. */
export const changes = {
  status: (id: string, status: UnknownStatus): Promise<UnknownFace> =>
    call(unknownFaceRoutes.updateStatus, { params: { id }, body: { status } }),
  identify: (id: string, body: Identification): Promise<UnknownFace> =>
    call(unknownFaceRoutes.identify, { params: { id }, body }),
  merge: (id: string, other: string): Promise<UnknownFace> =>
    call(unknownFaceRoutes.merge, { params: { id }, body: { with: other } }),
  split: (id: string, visits: readonly string[]): Promise<UnknownFace> =>
    call(unknownFaceRoutes.split, { params: { id }, body: { visits: [...visits] } }),
  undo: (id: string, correction: string): Promise<UnknownFace> =>
    call(unknownFaceRoutes.undo, { params: { id }, body: { correction } }),
};
