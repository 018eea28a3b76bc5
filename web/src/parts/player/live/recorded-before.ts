/** Where the last picture is of a camera that was gone before it was looked at: in its recordings, if it was recorded then. */
import { playbackRoutes } from '@nazar/contract/playback.ts';
import { address } from '#api/call.ts';

/** Silence is noticed after 5 s, and what is recorded ends with the last picture that came. */
const BEFORE_DOWN_MS = 10_000;

/** The address of what a camera recorded right before it went away. */
export const recordedBefore = (cameraId: string, downSince: string): string =>
  address(playbackRoutes.thumbnail.path, {
    params: { id: cameraId },
    query: { at: new Date(Date.parse(downSince) - BEFORE_DOWN_MS).toISOString() },
  });
