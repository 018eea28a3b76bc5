/// <reference lib="dom" />
/** Recording of a camera from the first press to the last byte, on its pages. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, type Page } from '@playwright/test';
import type { Camera } from '@nazar/contract/cameras.ts';
import type { CameraTimeline, Recording } from '@nazar/contract/recordings.ts';
import { contentsOf } from '../server/src/testing/film.ts';
import { readCamera, untilLive } from './cameras.ts';
import { makeFilm } from './farm/film.ts';
import { RtspCamera } from './farm/rtsp-camera.ts';
import { administrator, Installation, kill, root, until } from './installation.ts';
import { choose, look } from './look.ts';
import { signInOn } from './people.ts';
import { test } from './test.ts';

test.describe.configure({ mode: 'serial' });

const run = promisify(execFile);
/** Longer than two files of ten seconds. */
const recordedMs = 26_000;

let nazar: Installation;
let farm: RtspCamera;
let access: string;
let cameraId: string;

const camera = (): Promise<Camera> => readCamera(nazar, access, cameraId);
const recordings = async (): Promise<Recording[]> => {
  const path = `/secure-api/recordings/?camera=${cameraId}`;
  return (await nazar.get<{ results: Recording[] }>(path, access)).results;
};
const timeline = (): Promise<CameraTimeline> =>
  nazar.get(`/secure-api/cameras/${cameraId}/timeline/`, access);

test.beforeAll(async () => {
  farm = await RtspCamera.start({ film: makeFilm() });
  nazar = await Installation.ready();
  access = await nazar.signIn();
  const form = { name: 'Вход', location: 'Hall', type: 'rtsp', status: 'active', url: farm.url };
  ({ id: cameraId } = await nazar.addUnrecorded(access, form));
  await untilLive(nazar, access, cameraId, 40_000);
});
test.afterAll(async () => {
  await nazar.remove();
  await farm[Symbol.asyncDispose]();
});

/** What the player shows: the second of its time and whether it has a picture. */
const shown = (page: Page) =>
  page.evaluate(() => {
    const video = document.querySelector('main video');
    if (!(video instanceof HTMLVideoElement)) return null;
    const moment = document.querySelector('main time[datetime]')?.getAttribute('datetime');
    return {
      atMs: moment ? Date.parse(moment) : Number.NaN,
      hasPicture: video.videoWidth > 0 && video.readyState >= 2,
      isPaused: video.paused,
    };
  });

/** Waits until the picture moves: its time is later than that. */
async function playsPast(page: Page, atMs: number): Promise<void> {
  await expect
    .poll(async () => {
      const now = await shown(page);
      return now !== null && now.hasPicture && now.atMs > atMs;
    })
    .toBe(true);
}

const inMenu = async (page: Page, entry: string): Promise<void> => {
  await page.goto(`${nazar.origin}/cameras`);
  await page.getByRole('button', { name: 'Actions for Вход' }).first().click();
  await page.getByRole('menuitem', { name: entry, exact: true }).click();
};

test('CAM-050, CAM-051, ~NSH-020 a recording is started and stopped in the camera’s menu', async ({
  page,
}) => {
  test.setTimeout(120_000);
  await signInOn(page, nazar);
  await inMenu(page, 'Start Recording');
  await until('recorded', camera, ({ is_recording }) => is_recording, 20_000);
  await page.waitForTimeout(recordedMs);
  await inMenu(page, 'Stop Recording');
  await expect(page.getByText('Recording stopped and saved for camera: Вход')).toBeVisible();
  const [saved] = await until('saved', recordings, ([one]) => one?.isActive === false, 20_000);
  expect(saved?.type).toBe('manual');
  expect(saved?.duration).toBeGreaterThan(20);
  expect(saved?.size).toBeGreaterThan(0);
  expect([saved?.faceCount, saved?.hasFaces]).toEqual([0, false]);
  const headers = { authorization: `Bearer ${access}` };
  const thumbnail = await fetch(nazar.origin + saved!.thumbnail, { headers });
  const picture = new Uint8Array(await thumbnail.arrayBuffer());
  expect([thumbnail.status, ...picture.subarray(0, 3)]).toEqual([200, 0xff, 0xd8, 0xff]);
});

test('CAM-032, NAV-009, ~REC-016 it is found, played, skipped through and saved', async ({
  page,
}) => {
  test.setTimeout(120_000);
  await signInOn(page, nazar);
  await inMenu(page, 'View Recordings');
  await page.waitForURL(`${nazar.origin}/recordings/${cameraId}**`);
  await expect(page.getByRole('heading', { name: 'Вход' })).toBeVisible();
  await expect(page.getByText('1 recording found')).toBeVisible();
  const [recording] = await recordings();
  const startedAtMs = Date.parse(recording!.startTime);
  await page.getByRole('listitem').getByRole('button').first().click();
  await playsPast(page, startedAtMs + 1_500);

  await test.step('REC-005, REC-006 it pauses, and goes 10 s forward and back', async () => {
    await page.getByRole('button', { name: 'Forward 10 seconds' }).click();
    await playsPast(page, startedAtMs + 11_000);
    await page.getByRole('button', { name: 'Pause' }).click();
    const before = (await shown(page))!.atMs;
    await page.getByRole('button', { name: 'Back 10 seconds' }).click();
    await expect.poll(async () => (await shown(page))!.atMs).toBeLessThan(before - 8_000);
    expect((await shown(page))!.isPaused).toBe(true);
  });

  await test.step('REC-007 the seek bar leads to another time', async () => {
    const seekBar = page.getByRole('slider', { name: 'Timeline of Вход' });
    const from = (await shown(page))!.atMs;
    for (let press = 0; press < 12; press++) await seekBar.press('+');
    await seekBar.press('ArrowRight');
    await expect.poll(async () => (await shown(page))!.atMs).toBeGreaterThan(from);
    await expect(seekBar).toHaveAttribute('aria-valuetext', /manual recording/);
  });

  await test.step('REC-009 it fills the screen', async () => {
    await page.getByRole('button', { name: 'Full screen' }).click();
    await expect.poll(() => page.evaluate(() => document.fullscreenElement !== null)).toBe(true);
    await page.keyboard.press('Escape');
    await page.evaluate(() => document.fullscreenElement && document.exitFullscreen());
  });

  await test.step('REC-010 the recording is downloaded, whole, under its name', async () => {
    const waiting = page.waitForEvent('download', { timeout: 60_000 });
    await page.getByRole('button', { name: 'Download' }).click();
    const download = await waiting;
    expect(download.suggestedFilename()).toMatch(/^Вход.*\.mp4$/);
    const file = join(nazar.folder, 'saved.mp4');
    await download.saveAs(file);
    const { seconds } = await contentsOf(file);
    expect(Math.abs(seconds - recording!.duration)).toBeLessThan(1.5);
    const { stdout: proof } = await run(
      process.execPath,
      [join(root, 'server/src/commands/check-recordings.ts'), 'verify-export', file],
      { env: { ...process.env, NAZAR_DATA: join(nazar.folder, 'data') } },
    );
    expect(proof).toContain('Whole, and exported by this installation.');
  });
});

test('REC-011, ~REC-037 a held recording is not deleted; a deleted one leaves a gap with its cause', async ({
  page,
}) => {
  test.setTimeout(90_000);
  const [recording] = await recordings();
  await signInOn(page, nazar);
  const hold = await nazar.post<{ id: string }>('/secure-api/recordings/holds/', access, {
    camera: cameraId,
    from: recording!.startTime,
    until: recording!.endTime,
    reason: 'A case',
  });
  await page.goto(`${nazar.origin}/recordings/${cameraId}?recording=${recording!.id}`);
  const remove = page.getByRole('button', { name: 'Delete', exact: true });
  await expect(remove).toBeDisabled();
  await expect(page.getByText('Held', { exact: true }).first()).toBeVisible();
  const released = await nazar.call('DELETE', `/secure-api/recordings/holds/${hold.id}/`, {
    access,
  });
  expect(released.ok).toBe(true);
  await expect(remove).toBeEnabled();
  await remove.click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('Вход');
  await dialog.locator('input[type=password]').fill(administrator.password);
  await dialog.getByRole('button', { name: 'Delete recording' }).click();
  await expect(page.getByText('Recording deleted.')).toBeVisible();
  await expect(page.getByText('No recordings yet')).toBeVisible();
  // Nothing of it stays in the player.
  await expect(page.locator('main video[aria-hidden=false]')).toHaveCount(0);
  expect((await timeline()).gaps.map(({ cause }) => cause)).toContain('deleted');
});

test('a camera that hangs and a killed media host leave gaps that say why', async ({ page }) => {
  test.setTimeout(180_000);
  const patched = await nazar.call('PATCH', `/secure-api/cameras/${cameraId}/recording_settings/`, {
    access,
    body: { continuousRecording: true },
  });
  expect(patched.ok).toBe(true);
  await until('recorded', recordings, ([one]) => one?.isActive === true, 30_000);
  await page.waitForTimeout(4_000);
  const [host] = nazar.pids('media-1.sock');
  kill(host!);
  const causes = async () => (await timeline()).gaps.map(({ cause }) => cause);
  await until('gap of the host', causes, (found) => found.includes('restart'), 60_000);
  await page.waitForTimeout(4_000);
  farm.behaviour = { kind: 'hang', after: 0 };
  await until('not live', camera, ({ health }) => health.state !== 'live', 60_000);
  await page.waitForTimeout(2_000);
  farm.behaviour = { kind: 'ok' };
  await untilLive(nazar, access, cameraId, 60_000);
  await until(
    'gap of the camera',
    causes,
    (found) => found.some((one) => one === 'network' || one === 'camera'),
    60_000,
  );
  await signInOn(page, nazar);
  const wrong: string[] = [];
  await choose(page.context(), 'en', 'dark');
  await page.goto(`${nazar.origin}/recordings/${cameraId}`);
  await page.getByRole('listitem').getByRole('button').last().click();
  await playsPast(page, 0);
  await look(page, 'recordings-played', wrong);
  expect(wrong).toEqual([]);
});
