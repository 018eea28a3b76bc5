/** What the page of a camera's recordings asks the server. */
import { cameraRoutes } from '@nazar/contract/cameras.ts';
import { recordingRoutes, type RecordingQuery } from '@nazar/contract/recordings.ts';
import { call, type Reply } from '#api/call.ts';
import { ask } from '#api/query.ts';
import type { FreshProof } from '@nazar/contract/proof.ts';
import type { RecordingFilter, RecordingsSearch } from './recordings-address.ts';

/** Each has a picture of its own: a telephone loads no more at once. */
export const PAGE_SIZE = 20;
/** The list is asked for again after this time (REC-038, CON-003). */
export const REFRESH_MS = 2000;
/** What is counted over all recordings of a camera, or over a month of them. */
const slowRefreshMs = 30_000;

/** What was answered about another camera, day or recording never stands for it. */
const alone = { placeholderData: () => undefined };

export type RecordingPage = Reply<typeof recordingRoutes.list>;

export const narrowed: Readonly<Record<RecordingFilter, Partial<RecordingQuery>>> = {
  motion: { has_motion: true },
  scheduled: { type: 'scheduled' },
  faces: { has_faces: true },
};

export interface ListOf {
  readonly cameraId: string;
  /** By the clocks of `timezone`. */
  readonly day: string;
  readonly timezone: string;
}

export const recordingsQuery = (
  { cameraId, day, timezone }: ListOf,
  { filter, search, person, page = 1 }: RecordingsSearch,
) => ({
  ...ask('recordings', recordingRoutes.list, {
    query: {
      camera: cameraId,
      date: day,
      timezone,
      ...(filter !== undefined && narrowed[filter]),
      ...(search !== undefined && { search }),
      ...(person !== undefined && { person }),
      page,
      page_size: PAGE_SIZE,
    },
  }),
  refetchInterval: REFRESH_MS,
});

export const recordingQuery = (id: string, timezone: string) => ({
  ...ask('recordings', recordingRoutes.read, { params: { id }, query: { timezone } }),
  ...alone,
});

export const newestQuery = (cameraId: string, timezone: string) => ({
  ...ask('recordings', recordingRoutes.newest, { query: { camera: cameraId, timezone } }),
  ...alone,
  // It is asked for when a day turns out to be empty: what was the newest before does not count.
  staleTime: 0,
});

export const daysQuery = (cameraId: string, month: string, timezone: string) => ({
  ...ask('recordings', recordingRoutes.days, {
    params: { id: cameraId },
    query: { month, timezone },
  }),
  ...alone,
  refetchInterval: slowRefreshMs,
});

export const statisticsQuery = (cameraId: string) => ({
  ...ask('recordings', recordingRoutes.statistics, { query: { camera: cameraId } }),
  refetchInterval: slowRefreshMs,
});

export const cameraQuery = (id: string) => ({
  ...ask('cameras', cameraRoutes.read, { params: { id } }),
  refetchInterval: slowRefreshMs,
});

export const deletedCamerasQuery = () => ask('recordings', recordingRoutes.deletedCameras, {});

export const deleteRecording = (id: string, proof: FreshProof): Promise<unknown> =>
  call(recordingRoutes.delete, { params: { id }, body: proof });
