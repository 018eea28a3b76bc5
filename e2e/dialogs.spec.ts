/// <reference lib="dom" />
/**
 * The one dialog component: whatever is opened, its title and the buttons of its footer are in sight, on a desk and on
 * a small phone, however far its content is scrolled; the camera's menu shows all its entries. What was typed is not
 * lost by a key, a press beside it, a change of address or a reload. `NAZAR_TOUR=whole` looks in all four languages.
 */
import { expect, type Page } from '@playwright/test';
import type { Camera } from '@nazar/contract/cameras.ts';
import type { FaceCategory } from '@nazar/contract/faces.ts';
import type { UnknownFace } from '@nazar/contract/unknown-faces.ts';
import type { CreatedUser } from '@nazar/contract/users.ts';
import azerbaijani from '../i18n/az/app.json' with { type: 'json' };
import english from '../i18n/en/app.json' with { type: 'json' };
import russian from '../i18n/ru/app.json' with { type: 'json' };
import turkish from '../i18n/tr/app.json' with { type: 'json' };
import { accessibilityFaults } from './accessibility.ts';
import { idOf, visits } from './busy-week.ts';
import { Installation } from './installation.ts';
import { choose, keepPicture } from './look.ts';
import { signInOn } from './people.ts';
import { test } from './test.ts';

const sizes = [
  { width: 1280, height: 800 },
  { width: 360, height: 640 },
] as const;

let nazar: Installation;
let cameraId: string;
let userId: string;

const stranger: UnknownFace = {
  id: idOf(7),
  number: 14,
  status: 'new',
  image: null,
  picture_hidden: false,
  camera: idOf(1),
  camera_name: 'Loading bay with a long name, north',
  timestamp: '2026-03-08T15:41:07.000Z',
  first_seen: '2026-03-02T05:12:07.000Z',
  confidence: null,
  quality: 0.8,
  face_name: null,
  face: null,
  count: visits.length,
  correction: null,
};

test.beforeAll(async () => {
  nazar = await Installation.ready();
  const access = await nazar.signIn();
  const add = (name: string): Promise<Camera> =>
    nazar.post<Camera>('/secure-api/cameras/', access, {
      name,
      location: 'Hall',
      type: 'rtsp',
      // A wall can be arranged of those that are switched on.
      status: name === 'Entrance' ? 'active' : 'inactive',
      url: 'rtsp://127.0.0.1:9/stream1',
    });
  cameraId = (await add('Entrance')).id;
  for (const name of ['Garage', 'Loading bay', 'Office', 'Reception', 'Roof']) await add(name);
  const invited = await nazar.post<CreatedUser>('/secure-api/accounts/users/', access, {
    first_name: 'Test',
    last_name: 'Operator',
    role: 'operator',
    email: 'operator@example.org',
  });
  userId = invited.id;
  const { results } = await nazar.get<{ results: FaceCategory[] }>(
    '/secure-api/faces/categories/',
    access,
  );
  const { default: sharp } = await import('sharp');
  const background = { r: 90, g: 120, b: 160 };
  const create = { width: 320, height: 320, channels: 3 as const, background };
  const form = new FormData();
  form.set('first_name', 'Demo');
  form.set('last_name', 'Person');
  form.set('category', results[0]!.id);
  const photo = new Uint8Array(await sharp({ create }).png().toBuffer());
  form.append('uploaded_images', new Blob([photo], { type: 'image/png' }), 'a.png');
  await nazar.post('/secure-api/faces/', access, form);
});
test.afterAll(() => nazar.remove());

type Words = typeof english;
interface Screen {
  readonly name: string;
  readonly path: () => string;
  readonly act?: (page: Page, words: Words) => Promise<void>;
}

/** What is under a dialog is hidden from who asks by role. */
const press = (page: Page, name: string): Promise<void> =>
  page.getByRole('button', { name, exact: true }).last().click();

const openMenu = (page: Page): Promise<void> =>
  page.locator('main button[aria-haspopup=menu]').last().click();
const ofCamera =
  (label: (words: Words) => string) =>
  async (page: Page, words: Words): Promise<void> => {
    await openMenu(page);
    await page.getByRole('menuitem', { name: label(words), exact: true }).click();
  };
const ofPerson =
  (label: (words: Words) => string) =>
  (page: Page, words: Words): Promise<void> =>
    press(page, label(words).replace('{{name}}', 'Demo Person'));

const addCamera = (page: Page, { cameras }: Words): Promise<void> => press(page, cameras.add);
const file = Array.from(
  { length: 12 },
  (_, n) => `  channel_${n}: rtsp://192.0.2.${n + 1}:554/stream1`,
).join('\n');

async function importCameras(page: Page, words: Words): Promise<void> {
  await addCamera(page, words);
  await press(page, words.cameraImport.open);
  await press(page, words.cameraImport.pasteInstead);
  await page.locator('[role=dialog] textarea').fill(`streams:\n${file}\n`);
  await press(page, words.cameraImport.show);
  await page.locator('[role=dialog] input[maxlength="150"]').last().waitFor();
}

const openStranger =
  (step?: (words: Words) => string) =>
  async (page: Page, words: Words): Promise<void> => {
    await page.getByRole('dialog').waitFor();
    if (step) await press(page, step(words));
  };

const screens: readonly Screen[] = [
  { name: 'camera-add', path: () => '/cameras', act: addCamera },
  {
    name: 'camera-add-all',
    path: () => '/cameras',
    act: async (page, words) => {
      await addCamera(page, words);
      await press(page, words.cameraAdding.allSettings);
    },
  },
  { name: 'camera-import', path: () => '/cameras', act: importCameras },
  { name: 'camera-edit', path: () => '/cameras', act: ofCamera(({ cameras }) => cameras.edit) },
  {
    name: 'camera-copy',
    path: () => '/cameras',
    act: ofCamera(({ cameraAdding }) => cameraAdding.clone),
  },
  { name: 'camera-zones', path: () => '/cameras', act: ofCamera(({ zones }) => zones.open) },
  {
    name: 'camera-recording',
    path: () => '/cameras',
    act: ofCamera(({ recordingControl }) => recordingControl.settings),
  },
  { name: 'camera-delete', path: () => '/cameras', act: ofCamera(({ cameras }) => cameras.delete) },
  {
    name: 'wall-cameras',
    path: () => '/cameras?view=wall',
    act: async (page, { wall }) => {
      await press(page, wall.create);
      await press(page, wall.chooseCameras);
    },
  },
  { name: 'face-add', path: () => '/face-database?add=true' },
  {
    name: 'face-edit',
    path: () => '/face-database',
    act: ofPerson(({ faces }) => faces.action.edit),
  },
  {
    name: 'face-photos',
    path: () => '/face-database',
    act: ofPerson(({ faces }) => faces.action.images),
  },
  {
    name: 'face-details',
    path: () => '/face-database',
    act: ofPerson(({ faces }) => faces.action.details),
  },
  {
    name: 'stranger',
    path: () => `/face-database?view=unknown&stranger=${stranger.id}`,
    act: openStranger(),
  },
  {
    name: 'stranger-identify',
    path: () => `/face-database?view=unknown&stranger=${stranger.id}`,
    act: openStranger(({ strangers }) =>
      strangers.identify.replace('{{name}}', strangers.name.replace('{{number}}', '14')),
    ),
  },
  {
    name: 'stranger-merge',
    path: () => `/face-database?view=unknown&stranger=${stranger.id}`,
    act: openStranger(({ strangers }) => strangers.merge),
  },
  { name: 'user-add', path: () => '/settings/users?add=true' },
  { name: 'user', path: () => `/settings/users?user=${userId}` },
  {
    name: 'group-add',
    path: () => '/settings/access?tab=groups',
    act: (page, { access }) => press(page, access.newGroup),
  },
  {
    name: 'account-delete',
    path: () => '/security',
    act: (page, { deleteAccount }) => press(page, deleteAccount.action),
  },
  {
    name: 'two-factor',
    path: () => '/security',
    act: (page, { twoFactor }) => press(page, twoFactor.setUp),
  },
  {
    name: 'log-note',
    path: () => '/activity-log',
    act: (page, { activityLog }) => press(page, activityLog.addNote),
  },
  {
    name: 'export',
    path: () => `/recordings/${cameraId}`,
    act: (page, { handover }) => press(page, handover.openExport),
  },
];

/** The unknown person of the screens above, who is a long list of visits. */
async function beSeen(page: Page): Promise<void> {
  const answer = async (path: string, json: object): Promise<void> => {
    await page.route(`**/secure-api/${path}`, (route) => route.fulfill({ json }));
  };
  await answer('faces/unknown/?*', { count: 1, results: [stranger] });
  await answer(`faces/unknown/${stranger.id}/`, stranger);
  await answer('activity-log/face-logs/?*unknown=*', { count: visits.length, results: visits });
}

/** What of the open dialog cannot be seen or pressed; '' in front of nothing: no dialog is open. */
const hiddenParts = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const dialog = [...document.querySelectorAll('[role=dialog], [role=alertdialog]')].at(-1);
    if (!dialog) return ['no dialog is open'];
    const isInSight = (element: Element): boolean => {
      const { left, right, top, bottom } = element.getBoundingClientRect();
      const isInside = left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
      const at = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
      return isInside && element.contains(at);
    };
    const nameOf = (element: Element): string => element.textContent.trim();
    const hidden: string[] = [];
    const body = dialog.querySelector('[data-dialog-body]')!;
    if (body.scrollWidth > body.clientWidth) hidden.push('scrolls sideways');
    for (const scrollTop of [0, body.scrollHeight / 2, body.scrollHeight]) {
      body.scrollTop = scrollTop;
      const title = dialog.querySelector('h2')!;
      const footer = [...dialog.querySelectorAll('[data-actions] button')];
      const outside = [title, ...footer].filter((element) => !isInSight(element));
      hidden.push(...outside.map((element) => `${nameOf(element)} at ${scrollTop}`));
    }
    // Where a form is sent is a footer.
    const sends = [...dialog.querySelectorAll('button[type=submit]')];
    const elsewhere = sends.filter((button) => button.closest('[data-actions]') === null);
    return [...hidden, ...elsewhere.map((button) => `${nameOf(button)} is in no footer`)];
  });

async function faultsOf(
  page: Page,
  { name, path, act }: Screen,
  words: Words,
  look: string,
): Promise<string[]> {
  await page.setViewportSize(sizes[0]);
  await page.goto(nazar.origin + path());
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
  await act?.(page, words);
  await page.locator('[role=dialog], [role=alertdialog]').first().waitFor();
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
  const wrong: string[] = [];
  for (const size of sizes) {
    await page.setViewportSize(size);
    await keepPicture(page, `dialog-${name}-${look}-${size.width}`);
    const faults = [...(await hiddenParts(page)), ...(await accessibilityFaults(page))];
    wrong.push(...faults.map((fault) => `at ${size.width}: ${fault}`));
  }
  return wrong;
}

const isWhole = process.env['NAZAR_TOUR'] === 'whole';
const looks = [
  { language: 'en', words: english, theme: 'light' },
  { language: 'ru', words: russian as Words, theme: 'dark' },
  ...(isWhole
    ? [
        { language: 'az', words: azerbaijani, theme: 'dark' },
        { language: 'tr', words: turkish, theme: 'light' },
      ]
    : []),
];

for (const { language, words, theme } of looks) {
  test(`the footer of every dialog is in sight and axe finds nothing, in ${language}, ${theme}`, async ({
    browser,
  }) => {
    test.setTimeout(240_000);
    const context = await browser.newContext({ viewport: sizes[0] });
    await choose(context, language, theme);
    const page = await context.newPage();
    await beSeen(page);
    await signInOn(page, nazar);
    const wrong: string[] = [];
    for (const screen of screens) {
      // One that does not open is said with the others.
      const faults = await faultsOf(page, screen, words, `${language}-${theme}`).catch(
        (error: unknown) => [String(error).split('\n')[0]!],
      );
      wrong.push(...faults.map((fault) => `${screen.name} ${fault}`));
    }
    expect(wrong).toEqual([]);
    await context.close();
  });
}

test('the measure finds a footer that scrolls away, and a button for sending outside of one', async ({
  page,
}) => {
  await signInOn(page, nazar);
  await page.goto(`${nazar.origin}/cameras`);
  await press(page, english.cameras.add);
  const footer = page.getByRole('dialog').locator('[data-actions]');
  await footer.evaluate((element) => (element.style.position = 'static'));
  expect(await hiddenParts(page)).toContain('Next at 0');
  await footer.evaluate((element) => delete element.dataset['actions']);
  expect(await hiddenParts(page)).toEqual(['Next is in no footer']);
});

test('all entries of the menu of a camera are in sight, wherever its card is', async ({ page }) => {
  await signInOn(page, nazar);
  for (const size of sizes) {
    await page.setViewportSize(size);
    await page.goto(`${nazar.origin}/cameras`);
    const triggers = page.locator('main button[aria-haspopup=menu]');
    await triggers.first().waitFor();
    for (const place of ['start', 'center', 'end'] as const) {
      const trigger = triggers.nth(place === 'start' ? 0 : 2);
      await trigger.evaluate((button, block) => button.scrollIntoView({ block }), place);
      await trigger.click();
      const menu = page.getByRole('menu');
      await menu.waitFor();
      const { entries, outside } = await menu.evaluate((element) => {
        const items = [...element.querySelectorAll('[role=menuitem]')];
        const isOutside = (item: Element): boolean => {
          const { top, bottom, left, right } = item.getBoundingClientRect();
          return top < 0 || left < 0 || bottom > innerHeight || right > innerWidth;
        };
        const isCut = element.scrollHeight > element.clientHeight;
        return { entries: items.length, outside: items.filter(isOutside).length + Number(isCut) };
      });
      expect({ size, place, entries, outside }).toEqual({ size, place, entries: 13, outside: 0 });
      await page.keyboard.press('Escape');
    }
  }
});

test('Escape, the Back button and a reload lose nothing of a camera that is being added', async ({
  page,
}) => {
  const { cameras, cameraAdding, nav, ui } = english;
  await signInOn(page, nazar);
  // Inside the application, so that the Back button stays in it.
  await page.getByRole('navigation').getByRole('link', { name: nav.cameras, exact: true }).click();
  await press(page, cameras.add);
  const dialog = page.getByRole('dialog', { name: cameras.addTitle });
  await dialog.getByLabel(/^Stream address/).fill('rtsp://127.0.0.1:9/stream1');
  const question = page.getByRole('alertdialog', { name: ui.discardTitle });
  const leaves: readonly (() => Promise<unknown>)[] = [
    () => page.keyboard.press('Escape'),
    () => page.mouse.click(5, 400),
    () => page.evaluate(() => history.back()),
  ];
  for (const leave of leaves) {
    await leave();
    await question.getByRole('button', { name: ui.keepEditing }).click();
    await expect(question).toHaveCount(0);
    await expect(dialog.getByLabel(/^Stream address/)).toHaveValue('rtsp://127.0.0.1:9/stream1');
  }
  await press(page, cameraAdding.next);
  await press(page, cameraAdding.next);
  await dialog.getByLabel(/^Name/).fill('Porch');
  page.on('dialog', (asked) => void asked.accept());
  await page.reload();
  await expect(dialog.getByRole('heading', { name: /Step 3 of 4/ })).toBeVisible();
  await expect(dialog.getByLabel(/^Name/)).toHaveValue('Porch');
  await page.keyboard.press('Escape');
  await question.getByRole('button', { name: ui.discard }).click();
  await expect(dialog).toHaveCount(0);
  await page.reload();
  await page.getByRole('button', { name: cameras.add }).waitFor();
  await expect(dialog).toHaveCount(0);
});
