/** Finds the cameras of recordings: ones that the reader can see, deleted ones, or ones unknown to this reader. */
import { useQueries, useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { Camera } from '@nazar/contract/cameras.ts';
import type { DeletedCamera } from '@nazar/contract/recordings.ts';
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

interface Known {
  readonly isAdministrator: boolean;
  readonly deleted: UseQueryResult<{ results: DeletedCamera[] }>;
}

function found(id: string, query: UseQueryResult<Camera>, known: Known): FoundCamera {
  if (isUnknown(query.error)) {
    if (!known.isAdministrator) return { kind: 'unknown' };
    const { data } = known.deleted;
    if (data === undefined) return { kind: 'asked', query: known.deleted };
    const one = data.results.find((camera) => camera.id === id.toLowerCase());
    if (one === undefined) return { kind: 'unknown' };
    const { name, deleted_at: deletedAt } = one;
    return { kind: 'found', camera: { id: one.id, name, mayPlay: true, deletedAt }, query };
  }
  if (query.data === undefined) return { kind: 'asked', query };
  const { name, may_play: mayPlay } = query.data;
  return { kind: 'found', camera: { id: query.data.id, name, mayPlay, deletedAt: null }, query };
}

/** In the order of the ids. */
export function useArchiveCameras(ids: readonly string[]): FoundCamera[] {
  const administrates = isAdministrator(useUser());
  const queries = useQueries({ queries: ids.map(cameraQuery) });
  const isMissing = queries.some(({ error }) => isUnknown(error));
  const deleted = useQuery({ ...deletedCamerasQuery(), enabled: isMissing && administrates });
  return queries.map((query, index) =>
    found(ids[index] ?? '', query, { isAdministrator: administrates, deleted }),
  );
}

export function useArchiveCamera(id: string): FoundCamera {
  const [camera = { kind: 'unknown' as const }] = useArchiveCameras([id]);
  return camera;
}
