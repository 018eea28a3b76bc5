/** A moment is found: over all cameras, and by what moved in a part of the picture. */
import { expect } from '@playwright/test';
import type { Recording } from '@nazar/contract/recordings.ts';
import { untilLive } from './cameras.ts';
import { makeFilm } from './farm/film.ts';
import { RtspCamera } from './farm/rtsp-camera.ts';
import { Installation, until } from './installation.ts';
import { choose, look } from './look.ts';
import { signInOn } from './people.ts';
import { test } from './test.ts';

test.describe.configure({ mode: 'serial' });

let nazar: Installation;
let farm: RtspCamera;
let access: string;
let cameraId: string;

const recordings = async (): Promise<Recording[]> => {
  const path = `/secure-api/recordings/?camera=${cameraId}`;
  return (await nazar.get<{ results: Recording[] }>(path, access)).results;
};

test.beforeAll(async () => {
  farm = await RtspCamera.start({ film: makeFilm() });
  nazar = await Installation.ready();
  access = await nazar.signIn();
  const form = { name: 'Вход', location: 'Hall', type: 'rtsp', status: 'active', url: farm.url };
  ({ id: cameraId } = await nazar.addUnrecorded(access, form));
  await untilLive(nazar, access, cameraId, 40_000);
  const settings = { continuousRecording: true, motionDetection: true };
  const path = `/secure-api/cameras/${cameraId}/recording_settings/`;
  const patched = await nazar.call('PATCH', path, { access, body: settings });
  expect(patched.status).toBe(200);
  await until('recorded', recordings, ([one]) => (one?.duration ?? 0) > 20, 60_000);
});
test.afterAll(async () => {
  await nazar.remove();
  await farm[Symbol.asyncDispose]();
});

test('motion in a drawn region is found and played', async ({ page }) => {
  test.setTimeout(90_000);
  await signInOn(page, nazar);
  await page.goto(`${nazar.origin}/recordings/${cameraId}`);
  await page.getByRole('button', { name: 'Find motion' }).click();
  const card = page.getByRole('region', { name: 'Find motion' });
  await expect(card.getByRole('img', { name: 'Recorded picture of Вход' })).toBeVisible();
  const box = (await card.getByRole('img').first().boundingBox())!;
  await page.mouse.move(box.x + 5, box.y + 5);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width - 5, box.y + box.height - 5, { steps: 4 });
  await page.mouse.up();
  await expect(card.getByRole('button', { name: /^Corner 3: (9\d|100)%/ })).toBeVisible();
  await card.getByRole('button', { name: 'Search for motion' }).click();
  const first = card.getByRole('list').getByRole('button').first();
  await expect(first).toBeVisible();
  await first.click();
  await expect
    .poll(() =>
      page.locator('main video').evaluate((video) => (video as HTMLVideoElement).videoWidth),
    )
    .toBeGreaterThan(0);
});

for (const theme of ['light', 'dark']) {
  test(`finding looks right on a phone and on a desk, ${theme}`, async ({ browser }) => {
    test.setTimeout(120_000);
    const context = await browser.newContext();
    await choose(context, theme === 'light' ? 'en' : 'ru', theme);
    const page = await context.newPage();
    const wrong: string[] = [];
    await signInOn(page, nazar);
    await page.goto(`${nazar.origin}/recordings`);
    await expect(page.locator('main ul a').first()).toBeVisible();
    await look(page, `find-recordings-${theme}`, wrong);
    await page.goto(`${nazar.origin}/recordings/${cameraId}`);
    await page.locator('button[aria-expanded]:has(.lucide-scan-search)').click();
    const card = page.locator('section:has(input[type=radio])');
    await expect(card.locator('form img')).toBeVisible();
    await card.locator('input[type=radio]').nth(1).click();
    await card.locator('button[type=submit]').click();
    await expect(card.locator('ul button').first()).toBeVisible();
    await look(page, `find-motion-${theme}`, wrong);
    expect(wrong).toEqual([]);
    await context.close();
  });
}
