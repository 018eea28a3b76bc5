import type { Camera } from '@nazar/contract/cameras.ts';
import { useTranslation } from '#lib/i18n.ts';

const size = (width: number, height: number): string => `${width}×${height}`;

/** Whether face detection is really running. */
export const detectsFaces = (camera: Camera): boolean =>
  camera.status === 'active' && camera.enable_face_recognition && camera.health.state === 'live';

/**
 * What is recorded now, or is to be by hand, is asked to stop. A camera that only waits for motion can be
 * recorded by hand beside it.
 */
export const isStoppedByHand = ({ is_recording, recording_reason }: Camera): boolean =>
  is_recording || recording_reason === 'manual' || recording_reason === 'test';

/** The second stream is missed where all else is well; of a camera that is down it says nothing new. */
export const lacksSub = ({ state, sub }: Camera['health']): boolean =>
  state === 'live' && sub !== null && sub.state !== 'live' && sub.cause !== 'starting';

/** What really arrives, and beside it what was asked for where that differs. */
export function useResolution({ resolution, health }: Camera): string {
  const { t } = useTranslation();
  const asked = resolution.replace('x', '×');
  if (health.width === null || health.height === null) return asked;
  const arriving = size(health.width, health.height);
  return arriving === asked ? asked : t('cameras.arriving', { arriving, asked });
}
