/// <reference lib="dom" />
/** The page of a camera's recordings in a real browser: found, played, linked, deleted. */
import { expect, type Page } from '@playwright/test';
import type { Camera } from '@nazar/contract/cameras.ts';
import type { Recording } from '@nazar/contract/recordings.ts';
import { untilLive } from './cameras.ts';
import { makeFilm } from './farm/film.ts';
import { RtspCamera } from './farm/rtsp-camera.ts';
import { administrator, Installation, until } from './installation.ts';
import { signInOn } from './people.ts';
import { test } from './test.ts';

test.describe.configure({ mode: 'serial' });

let nazar: Installation;
let farm: RtspCamera;
let access: string;
let camera: Camera;

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

const list = (): Promise<{ results: Recording[] }> =>
  nazar.get(`/secure-api/recordings/?camera=${camera.id}`, access);

async function record(is_recording: boolean): Promise<void> {
  const path = `/secure-api/cameras/${camera.id}/toggle_recording/`;
  const { status } = await nazar.call('PATCH', path, { access, body: { is_recording } });
  expect(status).toBe(200);
}

const open = (page: Page, search = '') =>
  page.goto(`${nazar.origin}/recordings/${camera.id}${search}`);
const items = (page: Page) =>
  page.getByRole('list', { name: 'Recordings of this day' }).getByRole('button');
const mediaTime = (page: Page): Promise<number> =>
  page.locator('main video').evaluate((video: HTMLVideoElement) => video.currentTime);

/** The picture moves on. */
const plays = async (page: Page): Promise<void> => {
  await expect(page.locator('main video')).toHaveAttribute('aria-hidden', 'false');
  const before = await mediaTime(page);
  await expect.poll(() => mediaTime(page)).toBeGreaterThan(before);
};

test('REC-037, ~REC-038 a new recording appears by itself; a finished one is counted', async ({
  page,
}) => {
  test.setTimeout(120_000);
  await signInOn(page, nazar);
  await open(page);
  await expect(page.getByText('No recordings yet')).toBeVisible();
  await record(true);
  await expect(items(page)).toHaveCount(1, { timeout: 30_000 });
  await expect(items(page).first()).toContainText('In progress');
  await until('it was recorded', list, ({ results: [one] }) => (one?.duration ?? 0) > 15, 60_000);
  await record(false);
  await expect(items(page).first()).not.toContainText('In progress', { timeout: 30_000 });
  await expect(items(page).first()).toContainText('Manual');
  await expect(page.getByText('1 recording found')).toBeVisible();
  await expect(page.getByText(/^\d+% remaining$/)).toBeVisible();
});

test('~REC-005, ~REC-006, REC-021 by keyboard alone: an item plays, skips, and its moment is linked', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await signInOn(page, nazar);
  await open(page);
  await items(page).first().focus();
  await page.keyboard.press('Enter');
  await plays(page);
  await page.getByRole('button', { name: 'Pause' }).focus();
  await page.keyboard.press('Enter');
  const paused = await mediaTime(page);
  await page.getByRole('button', { name: 'Forward 10 seconds' }).press('Enter');
  await expect.poll(() => mediaTime(page)).toBeCloseTo(paused + 10, 0);
  await page.getByRole('button', { name: 'Copy link to this moment' }).press('Enter');
  await expect(page.getByText('Link copied.')).toBeVisible();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  const shown = await page.locator('main time').getAttribute('datetime');
  await page.goto('about:blank');
  await page.goto(link);
  await expect(page.locator('main video')).toHaveAttribute('aria-hidden', 'false');
  // The player reports the time of the picture to the frame.
  const again = await page.locator('main time').getAttribute('datetime');
  expect(Math.abs(Date.parse(again!) - Date.parse(shown!))).toBeLessThan(100);
  await expect(page.getByRole('button', { name: 'Play', exact: true })).toBeVisible();
});

test('REC-011 deleted with fresh proof: its row goes, the list and the address follow', async ({
  page,
}) => {
  await signInOn(page, nazar);
  await open(page);
  await items(page).first().click();
  await page.getByRole('button', { name: 'Delete' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete recording?' });
  await expect(dialog).toContainText('recording of Entrance');
  await dialog.getByLabel('Your password').fill('wrong');
  await dialog.getByRole('button', { name: 'Delete recording' }).click();
  await expect(dialog.locator('[aria-invalid=true]')).toBeVisible();
  await dialog.getByLabel('Your password').fill(administrator.password);
  await dialog.getByRole('button', { name: 'Delete recording' }).click();
  await expect(page.getByText('Recording deleted.')).toBeVisible();
  await expect(page.getByText('No recordings yet')).toBeVisible();
  expect(new URL(page.url()).searchParams.has('recording')).toBe(false);
  expect((await list()).results).toEqual([]);
});
