/// <reference lib="dom" />
/** Recordings of several cameras on one page: in step, one with sound, each saying itself why it has no picture. */
import { expect, type Page } from '@playwright/test';
import type { Recording } from '@nazar/contract/recordings.ts';
import { untilLive } from './cameras.ts';
import { makeFilm } from './farm/film.ts';
import { RtspCamera } from './farm/rtsp-camera.ts';
import { Installation, until } from './installation.ts';
import { choose, look } from './look.ts';
import { signInOn } from './people.ts';
import { test } from './test.ts';

test.describe.configure({ mode: 'serial' });

/** The two that are recorded from the beginning, and the one that is recorded later. */
const names = ['Gate', 'Yard', 'Hall'];
const laterMs = 12_000;
const togetherMs = 14_000;

let nazar: Installation;
let farm: RtspCamera;
let access: string;
let ids: string[];

const recordingsOf = async (id: string | undefined): Promise<Recording[]> =>
  (await nazar.get<{ results: Recording[] }>(`/secure-api/recordings/?camera=${id}`, access))
    .results;
const record = async (id: string | undefined, isRecording: boolean): Promise<void> => {
  const path = `/secure-api/cameras/${id}/toggle_recording/`;
  const body = { is_recording: isRecording };
  expect((await nazar.call('PATCH', path, { access, body })).status).toBe(200);
};
const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

test.beforeAll(async () => {
  test.setTimeout(180_000);
  farm = await RtspCamera.start({ film: makeFilm() });
  nazar = await Installation.ready();
  access = await nazar.signIn();
  ids = [];
  for (const name of names) {
    const form = { name, location: 'Site', type: 'rtsp', status: 'active', url: farm.url };
    ids.push((await nazar.addUnrecorded(access, form)).id);
  }
  for (const id of ids) await untilLive(nazar, access, id, 40_000);
  await record(ids[0], true);
  await record(ids[1], true);
  await wait(laterMs);
  await record(ids[2], true);
  await wait(togetherMs);
  for (const id of ids) await record(id, false);
  for (const id of ids) {
    await until(
      'saved',
      () => recordingsOf(id),
      ([one]) => one?.isActive === false,
      20_000,
    );
  }
});
test.afterAll(async () => {
  await nazar.remove();
  await farm[Symbol.asyncDispose]();
});

/** The seconds at which each of that many pictures stands, or null while one has none or is still on its way there. */
const places = (page: Page, count: number) =>
  page.evaluate((wanted) => {
    const videos = [...document.querySelectorAll<HTMLVideoElement>('main video')].filter(
      (one) => one.checkVisibility({ visibilityProperty: true }) && one.videoWidth > 0,
    );
    if (videos.length !== wanted) return null;
    if (videos.some((one) => one.readyState < 2 || one.seeking)) return null;
    return videos.map((one) => one.currentTime);
  }, count);

const shownMs = async (page: Page): Promise<number> => {
  const moment = page.locator('main time[datetime]').first();
  return Date.parse((await moment.getAttribute('datetime', { timeout: 1_000 })) ?? '');
};

test('cameras are chosen by name, play and skip in step, and each says its own gap', async ({
  page,
}) => {
  test.setTimeout(120_000);
  const [gate, yard, hall] = ids;
  const [long] = await recordingsOf(gate);
  const [late] = await recordingsOf(hall);
  const startedMs = Date.parse(long!.startTime);
  const lateMs = Date.parse(late!.startTime);
  await signInOn(page, nazar);
  const at = new Date(startedMs + 2_000).toISOString();
  await page.goto(`${nazar.origin}/recordings/${gate}?at=${at}`);
  await page.getByRole('button', { name: 'Play with other cameras' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Find a camera').fill('yar');
  await expect(dialog.getByRole('button', { name: 'Add Hall' })).toHaveCount(0);
  await dialog.getByRole('button', { name: 'Add Yard' }).click();
  await dialog.getByLabel('Find a camera').fill('');
  await dialog.getByRole('button', { name: 'Add Hall' }).click();
  await page.keyboard.press('Escape');
  await expect(page).toHaveURL(new RegExp(`with=${yard}(,|%2C)${hall}`, 'u'));

  const several = page.getByRole('region', { name: 'Recordings of several cameras' });
  const hallTile = several.getByRole('listitem', { name: 'Hall' });
  await expect.poll(() => places(page, 2)).not.toBeNull();
  await expect(hallTile).toContainText('No recording from');
  const play = several.getByRole('button', { name: 'Play', exact: true });
  if (await play.isVisible()) await play.click();
  await expect.poll(() => shownMs(page)).toBeGreaterThan(startedMs + 3_000);
  await several.getByRole('button', { name: 'Pause', exact: true }).click();

  // All three are recorded here.
  await several.getByRole('button', { name: 'Forward 10 seconds' }).click();
  await expect.poll(() => shownMs(page)).toBeGreaterThan(lateMs);
  await expect.poll(() => places(page, 3)).not.toBeNull();
  await expect(hallTile).not.toContainText('No recording from');

  // Back where one of them was not recorded: nothing of it stands there.
  await several.getByRole('button', { name: 'Back 10 seconds' }).click();
  await expect.poll(() => shownMs(page)).toBeLessThan(lateMs);
  await expect.poll(() => places(page, 2)).not.toBeNull();
  await expect(hallTile).toContainText('No recording from');

  // One alone: its page, at the same moment.
  const before = await shownMs(page);
  await several.getByRole('button', { name: 'Show Yard alone' }).click();
  await page.waitForURL(`${nazar.origin}/recordings/${yard}**`);
  await expect.poll(() => places(page, 1)).not.toBeNull();
  expect(Math.abs((await shownMs(page)) - before)).toBeLessThan(2_000);
});

for (const [theme, language] of [
  ['light', 'en'],
  ['dark', 'ru'],
] as const) {
  test(`several cameras look right on a phone and on a desk, ${theme}`, async ({ browser }) => {
    test.setTimeout(90_000);
    const context = await browser.newContext();
    await choose(context, language, theme);
    const page = await context.newPage();
    const wrong: string[] = [];
    await signInOn(page, nazar);
    const [long] = await recordingsOf(ids[0]);
    const at = new Date(Date.parse(long!.startTime) + 3_000).toISOString();
    const others = [...ids.slice(1), '018f0000-0000-7000-8000-000000000000'];
    await page.goto(`${nazar.origin}/recordings/${ids[0]}?at=${at}&with=${others.join(',')}`);
    await expect.poll(() => places(page, 2)).not.toBeNull();
    await look(page, `several-cameras-${theme}`, wrong);
    await page.locator('button:has(.lucide-layout-grid)').click();
    await expect(page.getByRole('dialog')).toBeVisible();
    await look(page, `several-cameras-chooser-${theme}`, wrong);
    expect(wrong).toEqual([]);
    await context.close();
  });
}
