/** Whether face detection was started by hand, as the badges, the menu and the Live View show it. */
import type { Camera } from '@nazar/contract/cameras.ts';
import { faceDetectorRoutes } from '@nazar/contract/face-detector.ts';
import { useQuery } from '@tanstack/react-query';
import { ask } from '#api/query.ts';
import { useSeeing } from '#api/see-as.ts';
import { useSignal } from '#lib/signal.ts';
import { useDetection } from './detection-scope.tsx';

/** Others start and stop it, too. */
const STATUS_MS = 5_000;

/** The server stops nothing for a reader who sees as another user, and so starts nothing either. */
export function useMayDetect(camera: Camera | undefined): boolean {
  const isSeeing = useSeeing() !== null;
  return camera?.may_detect === true && !isSeeing;
}

/** How many watch the drawn pictures of a camera; 0: no user started it. */
export function useStreamViewers(cameraId: string): number {
  const { data } = useQuery({
    ...ask('cameras', faceDetectorRoutes.status, {}),
    staleTime: STATUS_MS,
    refetchInterval: STATUS_MS,
  });
  return data?.results.find(({ camera_id: id }) => id === cameraId)?.viewers ?? 0;
}

/** The own stream of that camera. */
export function useOwnDetection(cameraId: string) {
  const running = useSignal(useDetection().running);
  return running?.camera.id === cameraId ? running : null;
}

/** Whether the boxes of a camera that recognises by itself are to be seen. */
export function useBoxesShown({ id, status, enable_face_recognition: isOn }: Camera): boolean {
  const hidden = useSignal(useDetection().hidden);
  return isOn && status === 'active' && !hidden.has(id);
}
