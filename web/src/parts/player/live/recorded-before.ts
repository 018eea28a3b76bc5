/** Finds the last picture of a camera that was gone when it was opened: in its recordings, if it was recorded then. */
import { playbackRoutes } from '@nazar/contract/playback.ts';
import { address, call } from '#api/call.ts';

/** Silence is noticed after 5 s, and a still is kept for each ten seconds that are recorded. */
const BEFORE_DOWN_MS = 20_000;

/**
 * The address of what a camera recorded right before it went away; null: nothing. What there is is asked for first: a picture
 * that is not there would be an error in the browser's console.
 */
export async function recordedBefore(cameraId: string, downSince: string): Promise<string | null> {
  const params = { id: cameraId };
  const from = new Date(Date.parse(downSince) - BEFORE_DOWN_MS).toISOString();
  const query = { from, until: downSince, count: 1 };
  const { results } = await call(playbackRoutes.stills, { params, query });
  const [still] = results;
  if (!still) return null;
  return address(playbackRoutes.thumbnail.path, { params, query: { at: still.at } });
}
