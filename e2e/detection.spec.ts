/// <reference lib="dom" />
/** Face detection by hand: started, taken over by another camera, stopped, and refused, in real browsers. */
import { expect, type Browser, type Page } from '@playwright/test';
import type { Camera } from '@nazar/contract/cameras.ts';
import { untilLive } from './cameras.ts';
import { makeFilm } from './farm/film.ts';
import { RtspCamera } from './farm/rtsp-camera.ts';
import { administrator, Installation } from './installation.ts';
import { choose, look } from './look.ts';
import { createPerson, grantCamera, signInOn } from './people.ts';
import { test } from './test.ts';

test.describe.configure({ mode: 'serial' });

const operatorEmail = 'operator@example.org';
const streamPath = '**/secure-api/face_detector/stream/**';

let nazar: Installation;
let farm: RtspCamera;
let access: string;
const ids = new Map<string, string>();

async function addCamera(name: string, status: string): Promise<void> {
  const { id } = await nazar.post<Camera>('/secure-api/cameras/', access, {
    name,
    location: 'Site',
    type: 'rtsp',
    status,
    url: farm.url,
    enable_face_recognition: false,
  });
  ids.set(name, id);
}

/** An operator who may start detection on the first camera. */
async function inviteOperator(): Promise<void> {
  createPerson(nazar, { email: operatorEmail, role: 'operator', lastName: 'Operator' });
  await grantCamera(nazar, access, {
    email: operatorEmail,
    cameraId: ids.get('Gate')!,
    capabilities: ['live', 'detect'],
  });
}

test.beforeAll(async () => {
  test.setTimeout(90_000);
  farm = await RtspCamera.start({ film: makeFilm() });
  nazar = await Installation.ready();
  access = await nazar.signIn();
  await addCamera('Gate', 'active');
  await addCamera('Yard', 'active');
  await addCamera('Cellar', 'inactive');
  await inviteOperator();
  for (const name of ['Gate', 'Yard']) {
    await untilLive(nazar, access, ids.get(name)!, 40_000);
  }
});
test.afterAll(async () => {
  await nazar.remove();
  await farm[Symbol.asyncDispose]();
});

async function open(browser: Browser, email: string, path: string): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  await signInOn(page, nazar, email);
  await page.goto(nazar.origin + path);
  return page;
}

const live = (name: string): string => `/cameras/${ids.get(name)}`;
const card = (page: Page, name: string) => page.getByRole('article', { name });
const drawn = (page: Page, name: string) =>
  page.getByRole('img', { name: `Face detection on ${name}` });

/** The pictures of the stream are decoded one after another. */
async function moves(page: Page, name: string): Promise<void> {
  const image = drawn(page, name);
  await expect(image).toHaveJSProperty('complete', true);
  const seen = new Set<string | null>();
  await expect
    .poll(async () => {
      const isPicture = await image.evaluate((one: HTMLImageElement) => one.naturalWidth > 0);
      if (isPicture) seen.add(await image.getAttribute('src'));
      return seen.size;
    })
    .toBeGreaterThan(3);
}

async function menu(page: Page, name: string, entry: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${name}` }).click();
  await page.getByRole('menuitem', { name: entry }).click();
}

/** The cameras whose drawn pictures are watched, with the number of viewers. */
const watched = async (): Promise<Record<string, number>> => {
  const path = '/secure-api/face_detector/status/';
  const { results } = await nazar.get<{ results: { camera_id: string; viewers: number }[] }>(
    path,
    access,
  );
  const nameOf = (id: string) => [...ids].find(([, one]) => one === id)?.[0] ?? id;
  return Object.fromEntries(results.map((one) => [nameOf(one.camera_id), one.viewers]));
};

test('LIVE-013, =LIVE-014, LIVE-018 the menu starts detection, another camera takes it over, leaving ends it', async ({
  page,
}) => {
  await signInOn(page, nazar);
  await page.goto(`${nazar.origin}/cameras`);
  await menu(page, 'Gate', 'Start Face Detection');
  await moves(page, 'Gate');
  await expect(card(page, 'Gate').getByText('Face Detection On')).toBeVisible();
  expect(await watched()).toEqual({ Gate: 1 });
  await menu(page, 'Yard', 'Start Face Detection');
  await moves(page, 'Yard');
  await expect(drawn(page, 'Gate')).toHaveCount(0);
  await expect(card(page, 'Gate').getByText('Face Detection Off')).toBeVisible();
  await expect.poll(watched).toEqual({ Yard: 1 });
  await menu(page, 'Yard', 'Stop Face Detection');
  await expect(drawn(page, 'Yard')).toHaveCount(0);
  await expect(card(page, 'Yard').getByText('Face Detection Off')).toBeVisible();
  await expect.poll(watched).toEqual({});
  await menu(page, 'Gate', 'Start Face Detection');
  await moves(page, 'Gate');
  await page.getByRole('link', { name: 'Dashboard' }).click();
  await expect.poll(watched).toEqual({});
});

test('=LIVE-002, LIVE-024, ~NSH-021 two users watch in windows of their own; each learns when the other starts or stops', async ({
  browser,
}) => {
  const operator = await open(browser, operatorEmail, live('Gate'));
  await operator.getByRole('button', { name: 'Detect Faces' }).click();
  await moves(operator, 'Gate');
  const list = await open(browser, administrator.email, live('Gate'));
  const [own] = await Promise.all([
    list.waitForEvent('popup'),
    list.getByRole('button', { name: 'Open in a new window' }).click(),
  ]);
  await own.getByRole('button', { name: 'Detect Faces' }).click();
  await moves(own, 'Gate');
  await expect(own.getByText(/^1 other viewer is watching/)).toBeVisible();
  await own.getByRole('button', { name: 'Stop Detection' }).click();
  await expect(own.getByText(/1 other viewer was watching it/)).toBeVisible();
  await expect(operator.getByText('Another user stopped face detection.')).toBeVisible();
  await expect(drawn(operator, 'Gate')).toHaveCount(0);
  await expect(operator.getByRole('button', { name: 'Detect Faces' })).toBeVisible();
  await expect.poll(watched).toEqual({});
  for (const page of [operator, list]) await page.context().close();
});

test('ERR-012, ERR-015, ERR-016, ~ERR-009 a refusal is shown, in Turkish as it is stated', async ({
  browser,
}) => {
  const context = await browser.newContext();
  await choose(context, 'tr', 'light');
  const page = await context.newPage();
  await signInOn(page, nazar);
  const detect = async (name: string): Promise<void> => {
    await page.goto(nazar.origin + live(name));
    await page.getByRole('button', { name: 'Yüzleri algıla' }).click();
  };
  await detect('Cellar');
  await expect(page.getByRole('alert')).toHaveText(
    'Kamera aktif değil. Lütfen kamerayı aktifleştirin.',
  );
  for (const status of [403, 409]) {
    await page.route(streamPath, (route) => route.fulfill({ status, json: { detail: 'Neden.' } }));
    await detect('Gate');
    await expect(page.getByRole('alert')).toHaveText(`Akış başlatılamadı: ${status}. Neden.`);
    await page.unroute(streamPath);
  }
  await page.route(streamPath, (route) => route.fulfill({ contentType: 'text/html', body: '<p>' }));
  await detect('Gate');
  await expect(page.getByRole('alert')).toHaveText('Beklenmeyen akış formatı.');
  await page.unroute(streamPath);
  await page.route(streamPath, (route) => route.abort());
  await detect('Gate');
  await expect(page.getByText('Akış yüklenemedi, yeniden bağlanılıyor...')).toBeVisible();
  await page.unroute(streamPath);
  // It comes back by itself.
  await expect(page.getByText('Akış yüklenemedi, yeniden bağlanılıyor...')).toBeHidden({
    timeout: 15_000,
  });
  await context.close();
});

test('detection by hand on the whole screen and on a card, on which it goes on, in Russian, dark', async ({
  browser,
}) => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  await choose(context, 'ru', 'dark');
  const page = await context.newPage();
  const wrong: string[] = [];
  await signInOn(page, nazar);
  await page.goto(nazar.origin + live('Gate'));
  await page.getByRole('button', { name: 'Обнаружить лица' }).click();
  const image = page.getByRole('img', { name: 'Обнаружение лиц: Gate' });
  await expect(page.getByRole('dialog').locator(image)).toBeVisible();
  await look(page, 'detection-screen', wrong);
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.getByRole('link', { name: 'Назад к камерам' }).click();
  await expect(page.getByRole('article', { name: 'Gate' }).locator(image)).toBeVisible();
  await look(page, 'detection-card', wrong);
  expect(wrong).toEqual([]);
  await context.close();
});
