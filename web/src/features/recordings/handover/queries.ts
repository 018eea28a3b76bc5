/** What the parts that hand recordings over ask the server. */
import { bookmarkRoutes, type BookmarkFields } from '@nazar/contract/bookmarks.ts';
import { exportRoutes, type ExportFields, type RecordingExport } from '@nazar/contract/exports.ts';
import type { HoldFields } from '@nazar/contract/recording-plans.ts';
import { recordingRoutes, type Recording } from '@nazar/contract/recordings.ts';
import { call } from '#api/call.ts';
import { ask, useChange, useRemoval } from '#api/query.ts';
import { saveFrom } from '#lib/save-file.ts';
import { asTimes, type Period } from './period.ts';

export const PAGE_SIZE = 10;
/** While one is being made its progress moves. */
const busyMs = 1000;
/** Another tab, or an administrator, may ask for exports, too. */
const idleMs = 15_000;

export const isUnfinished = ({ status }: RecordingExport): boolean =>
  status === 'waiting' || status === 'running';

export const exportsQuery = (camera: string | undefined, page: number) => {
  const query = ask('recordings', exportRoutes.list, {
    query: { page, page_size: PAGE_SIZE, ...(camera !== undefined && { camera }) },
  });
  return {
    ...query,
    refetchInterval: ({
      state,
    }: {
      state: { data?: { results: RecordingExport[] } | undefined };
    }) => (state.data?.results.some(isUnfinished) === true ? busyMs : idleMs),
  };
};

/** What is deleted is not shown from before. */
export const exportQuery = (id: string) => ({
  ...ask('recordings', exportRoutes.read, { params: { id } }),
  placeholderData: () => undefined,
  refetchInterval: ({ state }: { state: { data?: RecordingExport | undefined } }) =>
    state.data !== undefined && isUnfinished(state.data) ? busyMs : (false as const),
});

export const estimateQuery = (fields: ExportFields) =>
  ask('recordings', exportRoutes.estimate, { body: fields });

export const useAddExports = () =>
  useChange('recordings', (fields: ExportFields) => call(exportRoutes.add, { body: fields }));

export const useRemoveExport = () =>
  useRemoval(
    'recordings',
    (id: string) => id,
    (id) => call(exportRoutes.remove, { params: { id } }),
  );

/** The ticket is for this one file and dies by itself: nothing longer-lived stands in the address. */
export async function saveExport(id: string): Promise<void> {
  const { address } = await call(exportRoutes.ticket, { params: { id } });
  saveFrom(address);
}

/** All holds of a camera, or those that cover a moment of a recording. */
export const holdsQuery = (
  camera: string,
  page: number,
  recording: Pick<Recording, 'startTime' | 'endTime'> | null = null,
) =>
  ask('recordings', recordingRoutes.holds, {
    query: {
      camera,
      page,
      page_size: PAGE_SIZE,
      from: recording?.startTime,
      // What goes on has no end yet.
      until: recording?.endTime ?? undefined,
    },
  });

export const useAddHold = () =>
  useChange('recordings', (fields: HoldFields) => call(recordingRoutes.addHold, { body: fields }));

export const useReleaseHold = () =>
  useChange('recordings', (id: string) => call(recordingRoutes.removeHold, { params: { id } }));

export const bookmarksQuery = (id: string, page: number) =>
  ask('recordings', bookmarkRoutes.list, {
    params: { id },
    query: { ordering: '-at', page, page_size: PAGE_SIZE },
  });

/** More can't be distinguished on a screen. */
const mostMarks = 1000;

export const marksQuery = (id: string, period: Period) =>
  ask('recordings', bookmarkRoutes.list, {
    params: { id },
    query: { ...asTimes(period), page_size: mostMarks },
  });

export const useAddBookmark = (id: string) =>
  useChange('recordings', (fields: BookmarkFields) =>
    call(bookmarkRoutes.add, { params: { id }, body: fields }),
  );

export const useRemoveBookmark = () =>
  useRemoval(
    'recordings',
    (id: string) => id,
    (id) => call(bookmarkRoutes.remove, { params: { id } }),
  );
