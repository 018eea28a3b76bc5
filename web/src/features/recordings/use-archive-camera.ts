/** Of which camera the recordings are: one that can be seen, one that was deleted, or none of this reader's. */
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { Camera } from '@nazar/contract/cameras.ts';
import { Problem } from '#api/problem.ts';
import { isAdministrator } from '#api/rights.ts';
import { useUser } from '#api/session.ts';
import { cameraQuery, deletedCamerasQuery } from './queries.ts';

export interface ArchiveCamera {
  readonly id: string;
  readonly name: string;
  readonly mayPlay: boolean;
  /** ISO 8601; null: it is there. */
  readonly deletedAt: string | null;
}

export type FoundCamera =
  | {
      readonly kind: 'found';
      readonly camera: ArchiveCamera;
      readonly query: UseQueryResult<Camera>;
    }
  | { readonly kind: 'unknown' }
  /** On its way, or failed: the query says which. */
  | { readonly kind: 'asked'; readonly query: UseQueryResult };

const isUnknown = (error: unknown): boolean =>
  error instanceof Problem && [400, 403, 404].includes(error.status);

export function useArchiveCamera(id: string): FoundCamera {
  const administrates = isAdministrator(useUser());
  const query = useQuery(cameraQuery(id));
  const isMissing = isUnknown(query.error);
  const deleted = useQuery({ ...deletedCamerasQuery(), enabled: isMissing && administrates });
  if (isMissing) {
    if (!administrates) return { kind: 'unknown' };
    if (deleted.data === undefined) return { kind: 'asked', query: deleted };
    const found = deleted.data.results.find((one) => one.id === id.toLowerCase());
    if (found === undefined) return { kind: 'unknown' };
    const { name, deleted_at: deletedAt } = found;
    return { kind: 'found', camera: { id: found.id, name, mayPlay: true, deletedAt }, query };
  }
  if (query.data === undefined) return { kind: 'asked', query };
  const { name, may_play: mayPlay } = query.data;
  return { kind: 'found', camera: { id: query.data.id, name, mayPlay, deletedAt: null }, query };
}
