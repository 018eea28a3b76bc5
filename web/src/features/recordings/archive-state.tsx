/** How it is with the camera whose recordings are shown. */
import type { Camera } from '@nazar/contract/cameras.ts';
import { CameraStateLine } from '#parts/camera-state/camera-state-line.tsx';
import { useCameraState } from '#parts/camera-state/use-camera-state.ts';

export interface ArchiveStateProps {
  camera: Camera;
  /** When it was last asked for, where the server can't be asked now; null: it is of now. */
  knownAtMs: number | null;
}

export function ArchiveState({ camera, knownAtMs }: ArchiveStateProps) {
  return <CameraStateLine state={useCameraState(camera, { knownAtMs })} />;
}
