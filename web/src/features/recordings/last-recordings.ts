/**
 * The last list of recordings the server gave this user, for when it cannot be asked. The schema below is
 * all that is kept: when something was recorded, why, and how much it is. Where pictures and files are had stays with
 * the server.
 */
import { Recording } from '@nazar/contract/recordings.ts';
import { z } from 'zod/mini';
import { copyOf, keepCopy } from '#lib/copies.ts';
import type { RecordingPage } from './queries.ts';

const KeptRecording = z.omit(Recording, { path: true, thumbnail: true });

const KeptList = z.object({
  camera_id: z.string(),
  camera_name: z.string(),
  day: z.string(),
  timezone: z.string(),
  count: z.int(),
  results: z.array(KeptRecording),
});

/** Which list it is. */
export interface ListName {
  readonly cameraId: string;
  readonly day: string;
  readonly timezone: string;
}

export interface LastRecordings {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly cameraName: string;
  readonly day: string;
  readonly timezone: string;
  readonly page: RecordingPage;
}

export function keepRecordings(
  userId: string,
  { cameraId, day, timezone }: ListName,
  cameraName: string,
  page: RecordingPage,
  at: number,
): void {
  const value = { camera_id: cameraId, camera_name: cameraName, day, timezone, ...page };
  const kept = KeptList.safeParse(value);
  // A newer server may answer what this page does not know.
  if (kept.success) keepCopy('recordings', { user_id: userId, at, value: kept.data });
}

/** The last list of this user, if it is of this camera. */
export function lastRecordings(
  userId: string,
  cameraId: string,
  nowMs: number,
): LastRecordings | null {
  const copy = copyOf('recordings', userId, nowMs);
  const kept = KeptList.safeParse(copy?.value);
  if (copy === null || !kept.success || kept.data.camera_id !== cameraId) return null;
  const { camera_name: cameraName, day, timezone, count, results } = kept.data;
  // Without the server there is neither a file nor a picture to be had.
  const listed = results.map((one) => ({ ...one, path: '', thumbnail: '' }));
  return { at: copy.at, cameraName, day, timezone, page: { count, results: listed } };
}
