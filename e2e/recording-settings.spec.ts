/// <reference lib="dom" />
/** A camera is recorded by hand, tried, and set to be recorded by a table, all from its menu. */
import { expect, type Locator, type Page } from '@playwright/test';
import type { Camera } from '@nazar/contract/cameras.ts';
import type { RecordingSettings } from '@nazar/contract/recording-plans.ts';
import type { Recording } from '@nazar/contract/recordings.ts';
import { untilLive } from './cameras.ts';
import { makeFilm } from './farm/film.ts';
import { RtspCamera } from './farm/rtsp-camera.ts';
import { Installation, until } from './installation.ts';
import { choose, look } from './look.ts';
import { signInOn } from './people.ts';
import { test } from './test.ts';

let nazar: Installation;
let farm: RtspCamera;
let camera: Camera;
let access: string;

test.beforeAll(async () => {
  farm = await RtspCamera.start({ film: makeFilm() });
  nazar = await Installation.ready();
  access = await nazar.signIn();
  camera = await nazar.addUnrecorded(access, {
    name: 'Entrance',
    location: 'Hall',
    type: 'rtsp',
    status: 'active',
    url: farm.url,
  });
  await untilLive(nazar, access, camera.id, 20_000);
});
test.afterAll(async () => {
  await nazar.remove();
  await farm[Symbol.asyncDispose]();
});

async function openCameras(page: Page): Promise<void> {
  await signInOn(page, nazar);
  await page.locator('nav a[href="/cameras"]').first().click();
}

async function entry(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Actions for Entrance' }).click();
  await page.getByRole('menuitem', { name }).click();
}

async function openSettings(page: Page): Promise<Locator> {
  await page.getByRole('article').getByRole('button').last().click();
  await page.getByRole('menuitem', { name: /^(Recording Settings|Настройки записи)$/ }).click();
  return page.getByRole('dialog');
}

async function newest(): Promise<Recording | null> {
  const path = `/secure-api/recordings/newest/?camera=${camera.id}`;
  return (await nazar.get<{ newest: Recording | null }>(path, access)).newest;
}

test('CAM-049, CAM-050, ~CAM-051 a recording is started and stopped from the menu', async ({
  page,
}) => {
  await openCameras(page);
  await entry(page, 'Start Recording');
  await expect(page.getByText('Recording started for camera: Entrance')).toBeVisible();
  const card = page.getByRole('article', { name: 'Entrance' });
  await expect(card.getByText('Recording, started manually')).toBeVisible();
  // The file is listed once it has its first picture.
  await until('a recording', newest, (found) => found?.isActive === true, 10_000);
  const wrong: string[] = [];
  await look(page, 'cameras-recording', wrong);
  // On a phone the link is in a menu.
  await page.setViewportSize({ width: 1280, height: 800 });
  await card.getByRole('link', { name: 'Entrance' }).click();
  await expect(page.getByRole('link', { name: 'View recordings' })).toBeVisible();
  await look(page, 'live-recording', wrong);
  expect(wrong).toEqual([]);
  await page.getByRole('link', { name: 'Back to Cameras' }).click();
  await entry(page, 'Stop Recording');
  await expect(page.getByText('Recording stopped and saved for camera: Entrance')).toBeVisible();
  await expect(card.getByText('Not Recording')).toBeVisible();
  const saved = await until('its end', newest, (found) => found?.isActive === false, 10_000);
  expect(saved).toMatchObject({ type: 'manual', faceCount: 0 });
  expect(saved?.duration).toBeGreaterThan(1);
  expect(saved?.bytes).toBeGreaterThan(1000);
  await entry(page, 'View Recordings');
  await expect(page).toHaveURL(new RegExp(`/recordings/${camera.id}`));
});

test('~REC-030, ~REC-031 the table is painted with a mouse, forecast and saved', async ({
  page,
}) => {
  const wrong: string[] = [];
  await openCameras(page);
  const dialog = await openSettings(page);
  await dialog.getByRole('switch', { name: /^Schedule/ }).click();
  const grid = dialog.getByRole('grid');
  await grid.scrollIntoViewIfNeeded();
  const from = (await grid.locator('td').nth(18).boundingBox())!;
  const end = (await grid
    .locator('td')
    .nth(48 * 4 + 33)
    .boundingBox())!;
  await page.mouse.move(from.x + 2, from.y + 2);
  await page.mouse.down();
  await page.mouse.move(end.x + 2, end.y + 2, { steps: 5 });
  await expect(dialog.getByText('Mon – Fri, 09:00 to 17:00')).toBeVisible();
  await page.mouse.up();
  await expect(dialog.getByText(/a day\./)).toBeVisible();
  await look(page, 'recording-settings', wrong);
  const save = dialog.getByRole('button', { name: 'Save Changes' });
  await save.click();
  await expect(page.getByText('Recording settings saved.')).toBeVisible();
  const path = `/secure-api/cameras/${camera.id}/recording_settings/`;
  const { schedule } = await nazar.get<RecordingSettings>(path, access);
  expect(schedule?.spans).toEqual(
    [1, 2, 3, 4, 5].map((day) => ({ day, from: '09:00', until: '17:00' })),
  );
  expect(wrong).toEqual([]);
});

test('the settings are there in the dark and in Russian', async ({ page }) => {
  const wrong: string[] = [];
  await choose(page.context(), 'ru', 'dark');
  await openCameras(page);
  const dialog = await openSettings(page);
  const schedule = dialog.getByRole('switch').nth(2);
  if (!(await schedule.isChecked())) await schedule.click();
  await expect(dialog.getByRole('grid')).toBeVisible();
  await dialog.locator('button[type=submit]').scrollIntoViewIfNeeded();
  await look(page, 'recording-settings-end', wrong);
  expect(wrong).toEqual([]);
});
