import type { Camera, CameraHealth } from '@nazar/contract/cameras.ts';
import { useTranslation } from '#lib/i18n.ts';
import { useNow } from '#lib/use-now.ts';
import { noView, type ViewFacts } from './camera-facts.ts';
import { cameraState, type CameraState } from './camera-state.ts';

export interface CameraStateOptions {
  /** What this viewer gets; left out where no picture is shown. */
  readonly view?: ViewFacts | undefined;
  /** When the camera was last asked for, where the server can't be asked now. */
  readonly knownAtMs?: number | null | undefined;
}

/** How it is with a camera now: the sentence counts down and grows older by itself. */
export function useCameraState(
  camera: Camera,
  { view = noView, knownAtMs = null }: CameraStateOptions = {},
): CameraState {
  const { t } = useTranslation();
  const nowMs = useNow(camera.health.retry_at !== null || view.kind === 'reconnecting');
  return cameraState(t, { camera, view, knownAtMs }, nowMs);
}

/**
 * `camera`: as it was asked for. Its picture's own stream has news of its health before the next asking; where the
 * server can't be asked (`knownAtMs`), they are of another time than the sentence says and are left out.
 */
export function useReportedState(
  camera: Camera,
  { view, health }: { readonly view: ViewFacts; readonly health: CameraHealth | null },
  knownAtMs: number | null,
): CameraState {
  const isNewer = health !== null && knownAtMs === null;
  return useCameraState(isNewer ? { ...camera, health } : camera, { view, knownAtMs });
}
