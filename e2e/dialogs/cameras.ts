/** What opens above the cameras and the wall. */
import type { Page } from '@playwright/test';
import type { CameraAlignment } from '@nazar/contract/alignment.ts';
import { answer, item, press, sourceBelow, type Overlay, type Words } from './overlay.ts';

const path = (): string => '/cameras';
const in_ = sourceBelow('features/cameras/');

export const openMenu = (page: Page): Promise<void> =>
  page.locator('main button[aria-haspopup=menu]').last().click();
const ofCamera =
  (label: (words: Words) => string) =>
  async (page: Page, words: Words): Promise<void> => {
    await openMenu(page);
    await page.getByRole('menuitem', { name: label(words), exact: true }).click();
  };

const addCamera = (page: Page, { cameras }: Words): Promise<void> => press(page, cameras.add);
const file = Array.from(
  { length: 12 },
  (_, n) => `  channel_${n}: rtsp://192.0.2.${n + 1}:554/stream1`,
).join('\n');

async function importCameras(page: Page, words: Words): Promise<void> {
  await addCamera(page, words);
  await press(page, words.cameraImport.open);
  await press(page, words.cameraImport.pasteInstead);
  await page.locator('[role=dialog] textarea').fill(`streams:\n${file}\n`);
  await press(page, words.cameraImport.show);
  await page.locator('[role=dialog] input[maxlength="150"]').last().waitFor();
}

/** The first two of the table; they stay selected in a narrow window, which has no table. */
async function selectTwo(page: Page, { cameras, cameraSelection }: Words): Promise<void> {
  if (await page.getByRole('region', { name: cameraSelection.title }).isVisible()) return;
  await page.getByRole('radio', { name: cameras.list }).check({ force: true });
  const boxes = page.locator('main tbody input[type=checkbox]');
  await boxes.nth(0).check();
  await boxes.nth(1).check();
}

const aligned: CameraAlignment = {
  state: 'known',
  part: { x: 0, y: 0, width: 1, height: 1 },
  is_confirmed: false,
  confirmed_by: null,
  aligned_at: '2026-03-08T15:41:07.000Z',
  main: { width: 1920, height: 1080 },
  sub: { width: 640, height: 480 },
  streams: 'main 1920x1080, sub 640x480',
};

async function compareStreams(page: Page, words: Words): Promise<void> {
  await ofCamera(({ zones }) => zones.open)(page, words);
  await press(page, words.alignment.compare);
}

export const cameraOverlays: readonly Overlay[] = [
  { name: 'camera-menu', source: in_('camera-menu'), path, act: openMenu, kind: 'menu' },
  { name: 'camera-add', source: in_('add/add-camera'), path, act: addCamera },
  {
    name: 'camera-add-all',
    source: in_('add/add-camera'),
    path,
    act: async (page, words) => {
      await addCamera(page, words);
      await press(page, words.cameraAdding.allSettings);
    },
  },
  { name: 'camera-import', source: in_('add/add-camera'), path, act: importCameras },
  {
    name: 'camera-edit',
    source: in_('camera-modals'),
    path,
    act: ofCamera(({ cameras }) => cameras.edit),
  },
  {
    name: 'camera-copy',
    source: in_('camera-modals'),
    path,
    act: ofCamera(({ cameraAdding }) => cameraAdding.clone),
  },
  {
    name: 'camera-zones',
    source: in_('zones/zones-dialog'),
    path,
    act: ofCamera(({ zones }) => zones.open),
  },
  {
    name: 'camera-streams',
    depth: 2,
    source: in_('alignment/compare-streams'),
    path,
    given: (page) => answer(page, 'cameras/*/alignment/', aligned),
    act: compareStreams,
  },
  {
    name: 'camera-recording',
    source: 'parts/recording-settings/recording-settings-dialog.tsx',
    path,
    act: ofCamera(({ recordingControl }) => recordingControl.settings),
  },
  {
    name: 'camera-viewers',
    source: in_('camera-viewers'),
    path,
    act: ofCamera(({ access }) => access.viewers),
  },
  {
    name: 'camera-history',
    source: in_('camera-history'),
    path,
    act: ofCamera(({ history }) => history.open),
  },
  {
    name: 'camera-delete',
    source: in_('remove-camera'),
    path,
    act: ofCamera(({ cameras }) => cameras.delete),
  },
  {
    name: 'cameras-several-menu',
    source: in_('several/selection-bar'),
    path: () => '/cameras?page=1',
    kind: 'menu',
    act: async (page, words) => {
      await selectTwo(page, words);
      await press(page, words.cameraSelection.actions);
    },
  },
  {
    name: 'cameras-several',
    source: in_('several/several-dialog'),
    path: () => '/cameras?page=1',
    act: async (page, words) => {
      await selectTwo(page, words);
      await press(page, words.cameraSelection.actions);
      await item(page, words.cameraSelection.tasks.deactivate);
    },
  },
];

export const wallOverlays: readonly Overlay[] = [
  {
    name: 'wall-cameras',
    source: in_('wall/camera-picker'),
    path: () => '/cameras?view=wall',
    act: async (page, { wall }) => {
      await press(page, wall.create);
      await press(page, wall.chooseCameras);
    },
  },
  {
    name: 'wall-delete',
    source: in_('wall/layout-editor'),
    path: ({ layoutId }) => `/cameras?view=wall&layout=${layoutId}`,
    act: async (page, { wall }) => {
      await press(page, wall.edit);
      await press(page, wall.remove);
    },
  },
  {
    name: 'wall-leave',
    source: in_('wall/leave-draft'),
    path: ({ layoutId }) => `/cameras?view=wall&layout=${layoutId}`,
    // Not where another one left it, half arranged.
    given: () => Promise.resolve(),
    act: async (page, { wall, nav }) => {
      await press(page, wall.edit);
      await page.getByLabel(wall.name).fill('Night');
      await page.getByRole('link', { name: nav.faces, exact: true }).first().click();
    },
  },
];

export const liveOverlays: readonly Overlay[] = [
  {
    name: 'live-menu',
    depth: 2,
    source: in_('live/live-actions'),
    path: ({ cameraId }) => `/cameras/${cameraId}`,
    kind: 'menu',
    only: 'phone',
    act: (page, { liveView }) => press(page, liveView.more),
  },
];
