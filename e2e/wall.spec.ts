/// <reference lib="dom" />
/** The wall: a layout arranged by keys and by the mouse, left running in a kiosk, and seen by users who may. */
import { expect, type Browser, type Page } from '@playwright/test';
import type { Camera } from '@nazar/contract/cameras.ts';
import type { WallLayout } from '@nazar/contract/wall-layouts.ts';
import { untilLive } from './cameras.ts';
import { makeFilm, smallFilm } from './farm/film.ts';
import { RtspCamera } from './farm/rtsp-camera.ts';
import { Installation } from './installation.ts';
import { choose, look } from './look.ts';
import { createPerson, grantCamera, signInOn } from './people.ts';
import { test } from './test.ts';

test.describe.configure({ mode: 'serial' });

const guard = 'guard@example.org';
/** One with two lenses beside each other. */
const names = ['Gate', 'Hall', 'Yard'];
const wideFilm = { ...smallFilm, width: 640 };

let nazar: Installation;
let farm: RtspCamera;
let wide: RtspCamera;
let access: string;
let ids: string[];
/** The administrator's, signed in once. */
let desk: Page;

test.beforeAll(async ({ browser }) => {
  test.setTimeout(120_000);
  farm = await RtspCamera.start({ film: makeFilm() });
  wide = await RtspCamera.start({ film: makeFilm(wideFilm) });
  nazar = await Installation.ready();
  access = await nazar.signIn();
  ids = [];
  for (const name of names) {
    const { url } = name === 'Yard' ? wide : farm;
    const form = { name, location: 'Site', type: 'rtsp', status: 'active', url };
    ids.push((await nazar.post<Camera>('/secure-api/cameras/', access, form)).id);
  }
  for (const id of ids) {
    await untilLive(nazar, access, id, 40_000);
  }
  desk = await browser.newPage();
  await signInOn(desk, nazar);
});
test.afterAll(async () => {
  await desk.close();
  await nazar.remove();
  await wide[Symbol.asyncDispose]();
  await farm[Symbol.asyncDispose]();
});

const tiles = (page: Page) => page.getByRole('list', { name: 'Cameras on the wall' });
const tile = (page: Page, name: string) => tiles(page).getByRole('link', { name: `Open ${name}` });

/** The cameras on the wall, in their order. */
const order = (page: Page): Promise<string[]> =>
  tiles(page)
    .locator('[data-tile]')
    .evaluateAll(
      (all, known) => all.map((one) => known[(one as HTMLElement).dataset['tile']!]!),
      Object.fromEntries(ids.map((id, index) => [id, names[index]!])),
    );

/** How many pictures move. */
const playing = (page: Page): Promise<number> =>
  page
    .locator('[data-tile] video')
    .evaluateAll(
      (all) =>
        (all as HTMLVideoElement[]).filter((one) => one.videoWidth > 0 && one.readyState >= 2)
          .length,
    );

test('NSH-006 a layout is made by keys alone, and is there again after a reload', async () => {
  const page = desk;
  await page.goto(`${nazar.origin}/cameras`);
  await page.getByRole('main').getByRole('link', { name: 'Wall' }).click();
  await expect.poll(() => playing(page)).toBe(3);
  expect(await order(page)).toEqual(['Gate', 'Hall', 'Yard']);
  const [usual, twice] = [
    await tile(page, 'Hall').boundingBox(),
    await tile(page, 'Yard').boundingBox(),
  ];
  expect(twice!.width / usual!.width).toBeGreaterThan(1.9);

  await page.getByRole('button', { name: 'New layout' }).click();
  await page.getByRole('textbox', { name: 'Layout name' }).fill('Night');
  await page.getByRole('button', { name: 'Move Gate, position 1 of 3' }).focus();
  const said = page.getByRole('status').filter({ hasText: 'Gate' });
  await page.keyboard.press('Enter');
  await expect(said).toHaveText('Gate picked up, position 1 of 3.');
  await page.keyboard.press('ArrowRight');
  await expect(said).toHaveText('Gate moved to position 2 of 3.');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Escape');
  await expect(said).toHaveText('Gate is back in its old position.');
  expect(await order(page)).toEqual(['Gate', 'Hall', 'Yard']);
  await page.keyboard.press('Space');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Space');
  await expect(said).toHaveText('Gate dropped at position 2 of 3.');
  expect(await order(page)).toEqual(['Hall', 'Gate', 'Yard']);
  await page.getByRole('button', { name: 'Keep Hall on every page' }).press('Enter');
  await page.getByRole('button', { name: 'Save layout' }).press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Night' })).toBeVisible();
  await page.reload();
  await expect.poll(() => playing(page)).toBe(3);
  expect(await order(page)).toEqual(['Hall', 'Gate', 'Yard']);
});

test('a tile is dragged to another place; what another user saved meanwhile is not lost', async () => {
  const [layout] = (
    await nazar.get<{ results: WallLayout[] }>('/secure-api/cameras/layouts/', access)
  ).results;
  expect(layout!.tiles.map(({ is_pinned }) => is_pinned)).toEqual([true, false, false]);
  const page = desk;
  await page.goto(`${nazar.origin}/cameras?view=wall&layout=${layout!.id}`);
  await page.getByRole('button', { name: 'Edit layout' }).click();
  const from = (await page.getByRole('button', { name: /^Move Yard/ }).boundingBox())!;
  const to = (await page.getByRole('button', { name: /^Move Hall/ }).boundingBox())!;
  await page.mouse.move(from.x + from.width / 3, from.y + from.height / 2);
  await page.mouse.down();
  await page.mouse.move(to.x + to.width / 2, to.y + to.height / 2, { steps: 8 });
  await page.mouse.up();
  await expect.poll(() => order(page)).toEqual(['Yard', 'Hall', 'Gate']);
  await expect(page.locator('[aria-pressed=true][aria-label^=Move]')).toHaveCount(0);
  const { tiles: stored, revision, id } = layout!;
  const other = { name: 'Evening', tiles: stored, revision, is_shared: true };
  const path = `/secure-api/cameras/layouts/${id}/`;
  expect((await nazar.call('PUT', path, { access, body: other })).status).toBe(200);
  await page.getByRole('button', { name: 'Save layout' }).click();
  await expect(page.getByText('Someone else changed this layout meanwhile.')).toBeVisible();
  await page.getByRole('button', { name: 'Save mine as a new layout' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Night' })).toBeVisible();
  expect(await order(page)).toEqual(['Yard', 'Hall', 'Gate']);
});

test('arrows lead from tile to tile, Enter opens one, Escape leads back; a kiosk shows nothing else', async () => {
  const page = desk;
  await page.goto(`${nazar.origin}/cameras?view=wall&tiles=2`);
  await tile(page, 'Gate').focus();
  await page.keyboard.press('ArrowRight');
  await expect(tile(page, 'Hall')).toBeFocused();
  await page.keyboard.press('Enter');
  const opened = page.getByRole('dialog', { name: 'Hall' });
  await expect(opened).toBeVisible();
  await expect.poll(() => playing(page)).toBe(0);
  await page.keyboard.press('Escape');
  await expect(opened).toBeHidden();
  await expect(tile(page, 'Hall')).toBeFocused();
  await page.getByRole('button', { name: 'Kiosk mode' }).click();
  await expect(page).toHaveURL(/kiosk=1/);
  await page.reload();
  const kiosk = page.getByRole('dialog', { name: 'Wall' });
  await expect.poll(() => playing(page)).toBe(2);
  await kiosk.getByRole('button', { name: 'Next page' }).press('Enter');
  await expect.poll(() => order(page)).toEqual(['Yard']);
  await page.keyboard.press('Escape');
  await expect(kiosk).toBeHidden();
  await expect(page).not.toHaveURL(/kiosk/);
});

test('C-207 a guard sees those cameras of a shared layout that were granted, until they are taken', async ({
  page,
}) => {
  createPerson(nazar, { email: guard, role: 'user', lastName: 'Guard' });
  const grants: string[] = [];
  for (const cameraId of ids.slice(0, 2)) {
    const grant = { email: guard, cameraId, capabilities: ['live'] };
    grants.push(await grantCamera(nazar, access, grant));
  }
  const path = '/secure-api/cameras/layouts/';
  const { results } = await nazar.get<{ results: WallLayout[] }>(path, access);
  const shared = results.find(({ is_shared }) => is_shared);
  await signInOn(page, nazar, guard);
  await page.goto(`${nazar.origin}/cameras?view=wall&layout=${shared!.id}`);
  await expect.poll(() => playing(page)).toBe(2);
  expect(await order(page)).toEqual(['Hall', 'Gate']);
  await expect(page.getByRole('button', { name: 'Edit layout' })).toHaveCount(0);
  await nazar.call('DELETE', `/secure-api/cameras/grants/${grants[0]}/`, { access });
  await expect.poll(() => order(page)).toEqual(['Hall']);
});

async function open(browser: Browser, language: string, theme: string): Promise<Page> {
  const context = await browser.newContext();
  await choose(context, language, theme);
  const page = await context.newPage();
  await signInOn(page, nazar);
  return page;
}

test('axe finds nothing on the wall and its editor, light and dark, in English and Russian', async ({
  browser,
}) => {
  test.setTimeout(90_000);
  const wrong: string[] = [];
  await desk.goto(`${nazar.origin}/cameras?view=wall`);
  await expect.poll(() => playing(desk)).toBe(3);
  await look(desk, 'wall-light', wrong);
  const dark = await open(browser, 'ru', 'dark');
  await dark.goto(`${nazar.origin}/cameras?view=wall&kiosk=1`);
  await expect.poll(() => playing(dark)).toBe(3);
  await dark.keyboard.press('Escape');
  await dark.getByRole('button', { name: 'Новая раскладка' }).click();
  await look(dark, 'wall-editor-dark', wrong);
  expect(wrong).toEqual([]);
  await dark.context().close();
});
