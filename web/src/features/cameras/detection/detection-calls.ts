/** What face detection by hand asks of the server. */
import { faceDetectorRoutes, type DetectedFace } from '@nazar/contract/face-detector.ts';
import type { FaceBox } from '@nazar/contract/live.ts';
import { address, call, fetchSigned } from '#api/call.ts';
import { readProblem } from '#api/problem.ts';
import { accessToken } from '#api/tokens.ts';
import { browserClock } from '#parts/player/recorded/clock.ts';
import type { DetectionOptions } from './detection.ts';

/** By `fetch` and not as the address of an image, so that status and format are known; opening it starts it. */
function openStream(cameraId: string, signal: AbortSignal): Promise<Response> {
  const { path } = faceDetectorRoutes.stream;
  return fetchSigned(
    address(path, { query: { camera_id: cameraId, t: Date.now() } }),
    { signal },
    path,
  );
}

const asBox = (face: DetectedFace): FaceBox => ({
  ...face,
  name: face.state === 'known' ? face.name : null,
});

/** A form, as the documents say. */
async function detectedFaces(cameraId: string, signal: AbortSignal): Promise<FaceBox[]> {
  const body = new URLSearchParams({ action: 'list_detected_faces', camera_id: cameraId });
  const { method, path } = faceDetectorRoutes.recognition;
  const response = await fetchSigned(path, { method, body, signal });
  if (!response.ok) throw await readProblem(response);
  const { faces } = (await response.json()) as { faces: DetectedFace[] };
  return faces.map(asBox);
}

async function stopForAll(cameraId: string): Promise<number> {
  const { stopped } = await call(faceDetectorRoutes.stop, { body: { camera_id: cameraId } });
  return stopped;
}

export const detectionCalls: DetectionOptions = {
  clock: browserClock,
  hasToken: () => accessToken() !== null,
  open: openStream,
  faces: detectedFaces,
  stop: stopForAll,
};
