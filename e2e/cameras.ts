/** Cameras of an installation: read, and awaited until their video arrives. */
import type { Camera } from '@nazar/contract/cameras.ts';
import { until, type Installation } from './installation.ts';

export const readCamera = (nazar: Installation, access: string, id: string): Promise<Camera> =>
  nazar.get(`/secure-api/cameras/${id}/`, access);

export const untilLive = (
  nazar: Installation,
  access: string,
  id: string,
  timeoutMs: number,
): Promise<Camera> =>
  until(
    'live',
    () => readCamera(nazar, access, id),
    ({ health }) => health.state === 'live',
    timeoutMs,
  );
