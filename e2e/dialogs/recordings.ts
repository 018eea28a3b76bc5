/** What opens above recordings. */
import type { Page } from '@playwright/test';
import type { Bookmark } from '@nazar/contract/bookmarks.ts';
import type { RecordingExport } from '@nazar/contract/exports.ts';
import type { Hold } from '@nazar/contract/recording-plans.ts';
import type { Recording } from '@nazar/contract/recordings.ts';
import { idOf } from '../busy-week.ts';
import { answer, press, said, sourceBelow, type Overlay, type World } from './overlay.ts';

const from = '2026-03-08T15:00:00.000Z';
const until = '2026-03-08T16:00:00.000Z';
const by = { id: idOf(1), name: 'Test Administrator' };
const camera_name = 'Entrance';
const in_ = sourceBelow('features/recordings/');

const heldOf = (camera_id: string): Hold => ({
  id: idOf(2),
  camera_id,
  camera_name,
  from,
  until,
  reason: 'Case 26-118',
  created_by: by,
  created_at: until,
});
const bookmarkOf = (camera_id: string): Bookmark => ({
  id: idOf(3),
  camera_id,
  at: from,
  note: 'A parcel is left at the door',
  created_by: by,
  created_at: until,
  may_delete: true,
});
const exportOf = (camera_id: string): RecordingExport => ({
  id: idOf(4),
  camera_id,
  camera_name,
  file_name: 'Entrance-2026-03-08-15-00-00.mp4',
  from,
  until,
  created_by: by,
  created_at: until,
  status: 'done',
  progress: 1,
  fault: null,
  bytes: 184_000_000,
  sha256: 'b4'.repeat(32),
  seconds: 3540,
  encoded_seconds: 1.2,
  left_out_seconds: 2,
  expires_at: '2026-03-09T16:00:00.000Z',
  masked: true,
});
const recordingOf = (cameraId: string): Recording => ({
  id: idOf(5),
  cameraId,
  cameraName: camera_name,
  cameraDeleted: false,
  name: camera_name,
  type: 'motion',
  date: '2026-03-08',
  startTime: from,
  endTime: until,
  isActive: false,
  duration: 3540,
  size: 184,
  bytes: 184_000_000,
  segments: 354,
  hasMotion: true,
  hasFaces: true,
  faceCount: 4,
  held: false,
  path: `/secure-api/recordings/${idOf(5)}/download/`,
  thumbnail: `/secure-api/recordings/${idOf(5)}/thumbnail/`,
});

const one = (row: object): object => ({ count: 1, results: [row] });

async function beRecorded(page: Page, { cameraId }: World): Promise<void> {
  await answer(page, 'recordings/holds/?*', one(heldOf(cameraId)));
  await answer(page, 'cameras/*/bookmarks/?*', one(bookmarkOf(cameraId)));
  await answer(page, 'recordings/exports/?*', one(exportOf(cameraId)));
  const recording = recordingOf(cameraId);
  await answer(page, 'recordings/?*', one(recording));
  await answer(page, `recordings/${recording.id}/?*`, recording);
}

const ofCamera = {
  path: ({ cameraId }: World) => `/recordings/${cameraId}?date=2026-03-08&recording=${idOf(5)}`,
  given: beRecorded,
} as const;

export const recordingOverlays: readonly Overlay[] = [
  {
    name: 'export',
    source: in_('handover/export-dialog'),
    ...ofCamera,
    act: (page, { handover }) => press(page, handover.openExport),
  },
  {
    name: 'hold',
    source: in_('handover/hold-dialog'),
    ...ofCamera,
    act: (page, { handover }) => press(page, handover.openHold),
  },
  {
    name: 'hold-release',
    depth: 2,
    source: in_('handover/holds'),
    ...ofCamera,
    act: async (page, { handover }) => {
      await press(page, handover.openHold);
      await press(page, said(handover.releaseOf, { reason: 'Case 26-118' }));
    },
  },
  {
    name: 'bookmark-delete',
    source: in_('handover/bookmarks'),
    ...ofCamera,
    act: (page, { handover }) =>
      press(page, said(handover.removeBookmarkOf, { note: 'A parcel is left at the door' })),
  },
  {
    name: 'export-verify',
    source: in_('handover/export-details'),
    ...ofCamera,
    act: async (page, { handover }) => {
      await page.getByRole('tab', { name: handover.exports }).click();
      await press(page, said(handover.verifyOf, { name: camera_name }));
    },
  },
  {
    name: 'export-delete',
    source: in_('handover/export-rows'),
    ...ofCamera,
    act: async (page, { handover }) => {
      await page.getByRole('tab', { name: handover.exports }).click();
      await press(page, said(handover.removeOf, { name: camera_name }));
    },
  },
  {
    name: 'recording-delete',
    source: in_('delete-recording'),
    ...ofCamera,
    act: (page, { recordings }) => press(page, recordings.delete),
  },
  {
    name: 'cameras-in-step',
    source: in_('several/camera-chooser'),
    ...ofCamera,
    act: (page, { several }) => press(page, several.choose),
  },
  {
    name: 'player-keys',
    source: 'parts/player/recorded/key-list.tsx',
    ...ofCamera,
    act: (page, { recorded }) => press(page, recorded.keys),
  },
  {
    name: 'one-export',
    source: in_('handover/one-export'),
    path: () => `/recordings?export=${idOf(4)}`,
    given: (page) => answer(page, `recordings/exports/${idOf(4)}/`, exportOf(idOf(1))),
  },
  {
    name: 'recordings-person',
    source: 'parts/person-dialog.tsx',
    path: () => '/recordings',
    act: (page, { person }) => press(page, person.choose),
  },
];
