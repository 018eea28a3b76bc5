/// <reference lib="dom" />
/**
 * One journey through the product in the engines that are not Chromium's: sign in, Dashboard, live view, add a
 * person, sign out. On the demo camera, so that the Dashboard has visits to draw.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import type { Face } from '@nazar/contract/faces.ts';
import type { Visit } from '@nazar/contract/visits.ts';
import { administrator, Installation, until } from '../installation.ts';
import { otherBrowsers } from './browsers.ts';
import { walk } from './walk.ts';
import type { Browser } from './webdriver.ts';

let nazar: Installation;
let cameraId: string;
/** A photo of one person, as a file chooser takes it. */
let photo: Buffer;

test.beforeAll(async () => {
  test.setTimeout(150_000);
  if (otherBrowsers.every(({ missing }) => missing !== null)) return;
  nazar = await Installation.ready();
  const access = await nazar.signIn();
  const demo = '/secure-api/setup/demo-camera/';
  ({ camera_id: cameraId } = await nazar.post<{ camera_id: string }>(demo, access, {}));
  const people = await nazar.get<{ results: Face[] }>('/secure-api/faces/', access);
  const shown = await nazar.call('GET', people.results[0]!.image!, { access });
  photo = Buffer.from(await shown.arrayBuffer());
  const visits = () =>
    nazar.get<{ results: Visit[] }>('/secure-api/activity-log/face-logs/?limit=1', access);
  await until('somebody was seen', visits, ({ results }) => results.length > 0, 90_000);
});
test.afterAll(() => nazar?.remove());

async function signIn(page: Browser): Promise<void> {
  await page.goto(`${nazar.origin}/login`);
  await page.type({ css: 'input[name=email]' }, administrator.email);
  await page.type({ css: 'input[name=password]' }, administrator.password);
  await page.click({ css: 'form button[type=submit]' });
  await page.see({ css: 'h1', name: 'Dashboard' });
}

/** The chart of the Dashboard with the table that says the same to a screen reader. */
const chart = { css: ':has(> table.sr-only), :has(> .sr-only > table)' };

const setTable = (visibility: string): void => {
  const table = document.querySelector<HTMLElement>('table.sr-only, .sr-only > table');
  if (table) table.style.visibility = visibility;
};

/** Whether the chart looks the same with and without its table; a visit that comes meanwhile makes it differ. */
async function tableIsUnseen(page: Browser): Promise<boolean> {
  const shown = await page.pixels(chart);
  await page.evaluate(setTable, 'hidden');
  const without = await page.pixels(chart);
  await page.evaluate(setTable, '');
  return shown.equals(without);
}

const playedSeconds = (): number => {
  const video = document.querySelector<HTMLVideoElement>('[role=dialog] video');
  return video && video.videoWidth > 0 ? video.currentTime : -1;
};

const hasWebRtc = (): boolean => 'RTCPeerConnection' in window;
const lowLatencyOffered = (): boolean =>
  [...document.querySelectorAll('[role=dialog] button')].some(
    (button) => button.ariaLabel === 'Low Latency Mode',
  );

/** What a person sees move: MSE feeds the element, and its time goes on. */
async function seeMoving(page: Browser): Promise<void> {
  await page.expect('pictures come', playedSeconds, (seconds) => seconds > 0);
  const from = await page.evaluate(playedSeconds);
  await page.expect('pictures go on', playedSeconds, (seconds) => seconds > from + 1);
}

const shots =
  (page: Browser, name: string) =>
  async (of: string): Promise<void> => {
    const folder = process.env['NAZAR_SCREENSHOTS'];
    if (folder) await page.screenshot(join(folder, `${name}-${of}.png`));
  };

for (const browser of otherBrowsers) {
  test(`sign in, Dashboard, live view, a new person and sign out in ${browser.name}`, async () => {
    test.skip(browser.missing !== null, browser.missing ?? '');
    test.setTimeout(180_000);
    await using page = await browser.start();
    await page.resize(1280, 900);
    const shot = shots(page, browser.name);

    await signIn(page);
    await page.see(chart);
    await shot('dashboard');
    const unseen = () => tableIsUnseen(page);
    await until('the table leaves no trace on the chart', unseen, (is) => is, 20_000);

    await page.goto(`${nazar.origin}/cameras/${cameraId}`);
    await seeMoving(page);
    await shot('live');
    expect(await page.evaluate(lowLatencyOffered)).toBe(await page.evaluate(hasWebRtc));

    await page.goto(`${nazar.origin}/face-database?add=true`);
    await page.type({ css: '[role=dialog] input[name=first_name]' }, 'Leyla');
    await page.type({ css: '[role=dialog] input[name=last_name]' }, browser.name);
    const file = test.info().outputPath('photo.jpg');
    writeFileSync(file, photo);
    await page.type({ css: '[role=dialog] input[type=file]' }, file);
    await page.type({ css: '[role=dialog] select[name=category]' }, 'visitor');
    await shot('add');
    await page.click({ css: '[role=dialog] button[type=submit]' });
    await page.see({ css: 'h2', name: `Leyla ${browser.name}` });
    const isOpen = () => document.querySelector('[role=dialog]') !== null;
    await page.expect('the photo serves', isOpen, (open) => !open);
    await shot('added');

    await page.click({ css: 'aside button, nav button', name: 'Logout' });
    await page.see({ css: 'input[name=password]' });
    const kept = () => localStorage.getItem('auth-token');
    expect(await page.evaluate(kept)).toBeNull();
  });

  test(`every page opens and none scrolls sideways in ${browser.name}`, async () => {
    test.skip(browser.missing !== null, browser.missing ?? '');
    test.setTimeout(180_000);
    await using page = await browser.start();
    await page.resize(1280, 900);
    await signIn(page);
    const { paths, wrong } = await walk(page, nazar.origin, shots(page, browser.name));
    expect(wrong).toEqual([]);
    expect(paths).toEqual(expect.arrayContaining([`/cameras/${cameraId}`, '/settings/privacy']));
  });
}
