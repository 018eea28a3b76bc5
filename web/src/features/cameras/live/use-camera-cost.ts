import { cameraCostRoutes, type CameraCost } from '@nazar/contract/camera-cost.ts';
import type { Camera } from '@nazar/contract/cameras.ts';
import { useQuery } from '@tanstack/react-query';
import { ask } from '#api/query.ts';

/** Its host measures anew so often. */
const everyMs = 10_000;

/** A reader who isn't shown how a camera is reached isn't shown what it costs. */
export const mayKnowCost = (camera: Camera): boolean => camera.url !== undefined;

/** What a camera costs by stage; null: not known yet, or not now. */
export function useCameraCost({ id }: Pick<Camera, 'id'>): CameraCost | null {
  const { data, isError } = useQuery({
    ...ask('cameras', cameraCostRoutes.read, { params: { id } }),
    refetchInterval: everyMs,
    gcTime: 0,
  });
  return isError ? null : (data ?? null);
}
