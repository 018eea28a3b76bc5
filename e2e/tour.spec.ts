/// <reference lib="dom" />
/**
 * Every screen in four languages, on a phone and on a desk, in one theme or the other: nothing that axe finds,
 * nothing that the content security policy refuses, no sideways scrolling, nothing on the console.
 * `NAZAR_PICTURES=folder` keeps a picture of each screen there, `NAZAR_LOOKS=ru-dark,az-light` opens all of them in
 * these languages and themes alone.
 */
import { expect, type Page } from '@playwright/test';
import { untilLive } from './cameras.ts';
import { makeFilm } from './farm/film.ts';
import { RtspCamera } from './farm/rtsp-camera.ts';
import { Installation, until } from './installation.ts';
import { askedLooks, choose, look, type Language, type Look, type Theme } from './look.ts';
import type { Camera } from '@nazar/contract/cameras.ts';
import type { Recording } from '@nazar/contract/recordings.ts';
import type { FaceCategory } from '@nazar/contract/faces.ts';
import type { CreatedUser } from '@nazar/contract/users.ts';
import { signInHere } from './people.ts';
import { test } from './test.ts';

const languages: readonly Language[] = ['en', 'az', 'ru', 'tr'];
const themes: readonly Theme[] = ['light', 'dark'];
const usualLooks = languages.flatMap((language) => themes.map((theme): Look => [language, theme]));

let nazar: Installation;
let farm: RtspCamera;
let cameraId: string;
let silentId: string;
let groupId: string;
let userId: string;

test.beforeAll(async () => {
  farm = await RtspCamera.start({ film: makeFilm() });
  nazar = await Installation.ready();
  const access = await nazar.signIn();
  const add = (fields: object): Promise<Camera> =>
    nazar.post<Camera>('/secure-api/cameras/', access, { location: 'Hall', ...fields });
  // Recorded by hand below: on motion it would never be finished.
  const live = await nazar.addUnrecorded(access, {
    name: 'Entrance',
    location: 'Hall',
    type: 'rtsp',
    url: farm.url,
  });
  cameraId = live.id;
  const invited = await nazar.post<CreatedUser>('/secure-api/accounts/users/', access, {
    email: 'operator@example.org',
    first_name: 'Test',
    last_name: 'Operator',
    role: 'operator',
  });
  userId = invited.id;
  await add({ name: 'Garage', type: 'rtsp', status: 'active', url: 'rtsp://127.0.0.1:9/' });
  silentId = (await add({ name: 'Store room', type: 'ip', status: 'inactive' })).id;
  const { results } = await nazar.get<{ results: FaceCategory[] }>(
    '/secure-api/faces/categories/',
    access,
  );
  const group = { name: 'Guards', description: 'At the gate', members: [] };
  const guards = await nazar.post<{ id: string }>('/secure-api/accounts/groups/', access, group);
  groupId = guards.id;
  const form = new FormData();
  form.set('first_name', 'Demo');
  form.set('last_name', 'Person');
  form.set('category', results[0]!.id);
  form.append('uploaded_images', new Blob([await drawing()], { type: 'image/png' }), 'a.png');
  await nazar.post('/secure-api/faces/', access, form);
  await untilLive(nazar, access, cameraId, 20_000);
  await recordForAMoment(access);
});
test.afterAll(async () => {
  await nazar.remove();
  await farm[Symbol.asyncDispose]();
});

/** So that a recording is there, finished, and another begins when the tests do. */
async function recordForAMoment(access: string): Promise<void> {
  const toggle = `/secure-api/cameras/${cameraId}/toggle_recording/`;
  await nazar.call('PATCH', toggle, { access, body: { is_recording: true } });
  const list = (): Promise<{ results: Recording[] }> =>
    nazar.get(`/secure-api/recordings/?camera=${cameraId}`, access);
  await until('recorded', list, ({ results }) => (results[0]?.duration ?? 0) > 0, 40_000);
  await nazar.call('PATCH', toggle, { access, body: { is_recording: false } });
  await until('stopped', list, ({ results }) => results[0]?.isActive === false, 40_000);
}

/** A picture without a face: the screen must say that it does not serve. */
async function drawing(): Promise<Uint8Array<ArrayBuffer>> {
  const { default: sharp } = await import('sharp');
  const background = { r: 90, g: 120, b: 160 };
  const create = { width: 320, height: 320, channels: 3 as const, background };
  return new Uint8Array(await sharp({ create }).png().toBuffer());
}

/** In the order of the camera's menu, which reads otherwise in each language. */
const cameraMenu = [
  'edit',
  'switch',
  'record',
  'detect',
  'test',
  'recordings',
  'low-latency',
  'recording-settings',
  'zones',
  'viewers',
  'history',
  'duplicate',
  'remove',
];

/** Opens a dialog of the first camera of the list. */
function ofCamera(entry: string): (page: Page) => Promise<void> {
  return async (page) => {
    await page.locator('main button[aria-haspopup=menu]').first().click();
    await page.getByRole('menuitem').nth(cameraMenu.indexOf(entry)).click();
    await page.locator('[role=dialog], [role=alertdialog]').waitFor();
  };
}

async function addCamera(page: Page): Promise<void> {
  await page.locator('main header button').first().click();
  await dialogComes(page);
}

/**
 * Some open by the address alone, above a page that is there before their code is. Who looks meanwhile sees the page
 * without them, or one that is hidden while axe reads it.
 */
const dialogComes = (page: Page): Promise<void> => page.getByRole('dialog').waitFor();

/** The first recording of the list, in any language. */
const firstRecording = 'main ul li button';

async function openCalendar(page: Page): Promise<void> {
  await page.locator('main button[aria-expanded]:has(.lucide-calendar-days)').click();
  await page.locator('main table[role=grid]').waitFor();
}

async function deleteRecording(page: Page): Promise<void> {
  await page.locator(firstRecording).first().click();
  await page.locator('main video[aria-hidden=false]').waitFor();
  await page.locator('main section button:has(.lucide-trash-2)').first().click();
  await dialogComes(page);
}

const unknownId = '0190f7c1-0000-7000-8000-000000000000';

/** Screens before any user is signed in, with what is there once the screen is. */
const signedOut = [
  { name: 'login', path: '/login', ready: 'h1' },
  { name: 'register', path: '/register', ready: 'input[name=password2]' },
  { name: 'forgot-password', path: '/forgot-password', ready: 'h1' },
  {
    name: 'reset-password',
    path: `/reset-password/${unknownId}/nzl_x?for=invitation`,
    ready: 'input[name=confirm]',
  },
];

interface Screen {
  readonly name: string;
  readonly path: () => string;
  readonly act?: (page: Page) => Promise<void>;
}

const screens: readonly Screen[] = [
  { name: 'dashboard', path: () => '/' },
  { name: 'cameras', path: () => '/cameras' },
  { name: 'cameras-filtered-out', path: () => '/cameras?search=zzzz' },
  { name: 'live', path: () => `/cameras/${cameraId}` },
  { name: 'recordings', path: () => `/recordings/${cameraId}` },
  { name: 'recordings-found', path: () => '/recordings' },
  { name: 'recordings-none', path: () => `/recordings/${silentId}` },
  { name: 'face-database', path: () => '/face-database' },
  { name: 'face-add', path: () => '/face-database?add=true', act: dialogComes },
  { name: 'activity-log', path: () => '/activity-log' },
  { name: 'log-dashboard', path: () => '/activity-log?tab=analytics' },
  { name: 'alerts', path: () => '/alerts' },
  { name: 'alert-rules', path: () => '/alerts?tab=rules' },
  { name: 'notifications', path: () => '/notifications' },
  { name: 'notification-settings', path: () => '/notifications?tab=settings' },
  { name: 'profile', path: () => '/profile' },
  { name: 'security', path: () => '/security' },
  { name: 'settings', path: () => '/settings' },
  { name: 'own-notifications', path: () => '/settings/notifications' },
  { name: 'access', path: () => `/settings/access?group=${groupId}` },
  { name: 'access-groups', path: () => '/settings/access?tab=groups' },
  { name: 'users', path: () => '/settings/users' },
  { name: 'user-add', path: () => '/settings/users?add=true', act: dialogComes },
  { name: 'user', path: () => `/settings/users?user=${userId}`, act: dialogComes },
  { name: 'recognition', path: () => '/settings/recognition' },
  { name: 'privacy', path: () => '/settings/privacy' },
  { name: 'webhooks', path: () => '/settings/webhooks' },
  { name: 'mqtt', path: () => '/settings/mqtt' },
  { name: 'unknown', path: () => '/face-database?view=unknown' },
  { name: 'unknown-visits', path: () => '/face-database?view=visits' },
];

/** What opens above a screen. */
const dialogs: readonly Screen[] = [
  { name: 'camera-add', path: () => '/cameras', act: addCamera },
  { name: 'camera-edit', path: () => '/cameras', act: ofCamera('edit') },
  {
    name: 'camera-recording-settings',
    path: () => '/cameras',
    act: ofCamera('recording-settings'),
  },
  { name: 'camera-zones', path: () => '/cameras', act: ofCamera('zones') },
  { name: 'camera-viewers', path: () => '/cameras', act: ofCamera('viewers') },
  { name: 'camera-history', path: () => '/cameras', act: ofCamera('history') },
  { name: 'recordings-calendar', path: () => `/recordings/${cameraId}`, act: openCalendar },
  { name: 'recording-delete', path: () => `/recordings/${cameraId}`, act: deleteRecording },
  { name: 'camera-remove', path: () => '/cameras', act: ofCamera('remove') },
];

/** `npm run tour`: every screen in every language in both themes. */
const isWhole = process.env['NAZAR_TOUR'] === 'whole' || askedLooks !== undefined;

/**
 * Each screen in each language in one theme, and in each theme in two languages: whatever goes wrong by a language or
 * by a theme is seen, with half the looks. What goes wrong only where both meet takes the whole tour.
 */
const seenIn = <T>(all: readonly T[], language: number, theme: number): readonly T[] =>
  all.filter((_one, index) => isWhole || (index + language + theme) % 2 === 0);

for (const [language, theme] of askedLooks ?? usualLooks) {
  const [i, j] = [languages.indexOf(language), themes.indexOf(theme)];
  // In two languages each screen is seen in both themes. The titles and labels of the others are there by the laws.
  const withAxe = isWhole || i < 2;
  test(`LNG-001, LNG-005 ${isWhole ? 'every screen' : 'every other screen'} in ${language}, ${theme}`, async ({
    browser,
  }) => {
    test.setTimeout(isWhole ? 900_000 : 240_000);
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
    await choose(context, language, theme);
    const page = await context.newPage();
    const wrong = listen(page);
    for (const { name, path, ready } of seenIn(signedOut, i, j)) {
      await page.goto(nazar.origin + path);
      await page.locator(ready).waitFor();
      await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
      await look(page, `${name}-${language}-${theme}`, wrong, { withAxe });
    }
    await page.goto(`${nazar.origin}/login`);
    await page.locator('h1').waitFor();
    await signInHere(page, nazar);
    for (const screen of seenIn([...screens, ...dialogs], i, j)) {
      await page.setViewportSize({ width: 1280, height: 800 });
      await page.goto(nazar.origin + screen.path());
      await page.locator('h1, h2').first().waitFor();
      // The shell and the data have arrived, and no skeleton stands for them any more.
      await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
      await screen.act?.(page);
      await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
      await look(page, `${screen.name}-${language}-${theme}`, wrong, { withAxe });
    }
    wrong.push(...(await othersIn(page)));
    expect(wrong).toEqual([]);
    await context.close();
  });
}

/** Everything the browser complains of from now on. */
function listen(page: Page): string[] {
  const wrong: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') wrong.push(message.text());
  });
  page.on('pageerror', (error) => wrong.push(String(error)));
  // C-1011: no other server is asked for anything.
  page.on('request', (request) => {
    const url = request.url();
    const isOurs = [nazar.origin, nazar.origin.replace('http', 'ws'), 'blob:', 'data:'];
    if (!isOurs.some((start) => url.startsWith(start))) wrong.push(`asks ${url}`);
    // CFL-042: errors are no longer printed.
    if (url.endsWith('/system/browser-errors/')) wrong.push(request.postData() ?? url);
  });
  return wrong;
}

/** C-1010: what the browser still has of other people after all of it: pictures, vectors, e-mail addresses. */
async function othersIn(page: Page): Promise<string[]> {
  const kept = await page.evaluate(async () => {
    const databases = (await indexedDB.databases()).map(({ name }) => `indexedDB ${name}`);
    const caches = (await globalThis.caches.keys()).map((name) => `cache ${name}`);
    const texts = [localStorage, sessionStorage].map((storage) => JSON.stringify(storage));
    return { texts, others: [...databases, ...caches] };
  });
  const person = /operator@example\.org|data:image|base64|\/9j\/|iVBOR|Demo Person/;
  return [...kept.texts.filter((text) => person.test(text)), ...kept.others];
}
