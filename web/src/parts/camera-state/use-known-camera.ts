/** A camera as a page that has asked for it knows it; nothing is asked of the server. */
import { cameraRoutes, type Camera } from '@nazar/contract/cameras.ts';
import { useQuery } from '@tanstack/react-query';
import { ask } from '#api/query.ts';

/** Undefined: it is not known. */
export function useKnownCamera(id: string): Camera | undefined {
  const query = ask('cameras', cameraRoutes.read, { params: { id } });
  return useQuery({ ...query, enabled: false }).data;
}

/** Whether there is a live view to lead to; true where it is not known. */
export const hasLiveView = (camera: Camera | undefined): boolean =>
  camera === undefined || (camera.status === 'active' && camera.health.state === 'live');
