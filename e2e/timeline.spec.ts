/// <reference lib="dom" />
/** The timeline of a camera that is recorded, on its page: by keys, by dragging and by a typed time. */
import { expect, type Page } from '@playwright/test';
import type { Recording } from '@nazar/contract/recordings.ts';
import { untilLive } from './cameras.ts';
import { makeFilm } from './farm/film.ts';
import { RtspCamera } from './farm/rtsp-camera.ts';
import { Installation } from './installation.ts';
import { choose, look } from './look.ts';
import { signInOn } from './people.ts';
import { test } from './test.ts';

let nazar: Installation;
let farm: RtspCamera;
let access: string;
let cameraId: string;

test.beforeAll(async () => {
  farm = await RtspCamera.start({ film: makeFilm() });
  nazar = await Installation.ready();
  access = await nazar.signIn();
  const form = { name: 'Вход', location: 'Hall', type: 'rtsp', status: 'active', url: farm.url };
  ({ id: cameraId } = await nazar.addUnrecorded(access, form));
  await untilLive(nazar, access, cameraId, 40_000);
  await nazar.post(`/secure-api/cameras/${cameraId}/test_recording/`, access, {});
  await new Promise((resolve) => setTimeout(resolve, 35_000));
});
test.afterAll(async () => {
  await nazar.remove();
  await farm[Symbol.asyncDispose]();
});

/** The moment whose picture the player shows. */
const shownMs = (page: Page): Promise<number> =>
  page
    .locator('main time[datetime]')
    .first()
    .evaluate((time) => Date.parse(time.getAttribute('datetime')!));

test('the timeline is zoomed, dragged with stills, and gone to by a typed time; gaps are announced', async ({
  page,
  context,
}) => {
  test.setTimeout(90_000);
  const wrong: string[] = [];
  await choose(context, 'en', 'dark');
  const path = `/secure-api/recordings/?camera=${cameraId}`;
  const { results } = await nazar.get<{ results: Recording[] }>(path, access);
  const [recording] = results;
  const startedAtMs = Date.parse(recording!.startTime);
  await signInOn(page, nazar);
  await page.goto(`${nazar.origin}/recordings/${cameraId}?recording=${recording!.id}`);
  const slider = page.getByRole('slider', { name: 'Timeline of Вход' });
  await expect(slider).toHaveAttribute('aria-valuetext', /: test recording/);
  const typed = await page.evaluate(
    (ms) => new Date(ms).toLocaleString('sv-SE'),
    startedAtMs + 12_000,
  );
  await page.getByRole('textbox', { name: 'Date and time' }).fill(typed);
  await page.getByRole('button', { name: 'Go', exact: true }).click();
  await expect.poll(() => shownMs(page)).toBeGreaterThan(startedAtMs + 10_000);
  // The playhead stays where it is: then a tenth of the width are 12 seconds.
  await slider.focus();
  for (let press = 0; press < 17; press++) await page.keyboard.press('+');
  await expect
    .poll(async () => {
      const at = async (name: string) => Number(await slider.getAttribute(name));
      return (await at('aria-valuemax')) - (await at('aria-valuemin'));
    })
    .toBe(120);
  const { x, y, width } = (await slider.boundingBox())!;
  const sight = Number(await slider.getAttribute('aria-valuemin')) * 1_000;
  const placeOf = (ms: number): number => x + (width * (ms - sight)) / 120_000;
  // In the first half hour of a day the sight begins less than three seconds before the playhead.
  await page.mouse.move(placeOf(Math.max(sight + 1_000, startedAtMs + 5_000)), y + 5);
  await page.mouse.down();
  const still = page.locator('[data-scrub] img');
  await page.mouse.move(placeOf(startedAtMs + 18_000), y + 5, { steps: 5 });
  await expect
    .poll(() => still.evaluate((image) => (image as HTMLImageElement).naturalWidth))
    .toBeGreaterThan(0);
  await page.mouse.up();
  await expect(still).toHaveCount(0);
  await expect.poll(() => shownMs(page)).toBeGreaterThan(startedAtMs + 16_000);
  await slider.focus();
  await look(page, 'timeline', wrong);
  await slider.focus();
  // Early in a day the sight of two minutes begins within the recording: the place of the playhead is that of the day.
  for (let press = 0; press < 30; press++) await page.keyboard.press('-');
  // In the first hour of a day it begins with the day.
  const midnightMs = await page.evaluate((ms) => new Date(ms).setHours(0, 0, 0, 0), startedAtMs);
  await expect
    .poll(async () => Number(await slider.getAttribute('aria-valuemin')) * 1_000)
    .toBeLessThanOrEqual(Math.max(midnightMs, startedAtMs - 3_600_000));
  await page.keyboard.press('Home');
  await expect(slider).toHaveAttribute('aria-valuetext', /: no recording/);
  expect(wrong).toEqual([]);
});
