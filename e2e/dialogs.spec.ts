/// <reference lib="dom" />
/**
 * The one dialog component: whatever is opened, its title and the buttons of its footer are in sight, on a desk and on
 * a small phone, however far its content is scrolled; the focus is in its first field, and back at what opened it once
 * Escape has closed it. What was typed is not lost by a key, a press beside it, a change of address or a reload.
 * `NAZAR_TOUR=whole` opens each in all four languages, `NAZAR_LOOKS=az-light,tr-dark` in these languages and themes,
 * `NAZAR_OVERLAYS=name,name` at these alone.
 */
import { expect, type Page } from '@playwright/test';
import type { Camera } from '@nazar/contract/cameras.ts';
import type { FaceCategory } from '@nazar/contract/faces.ts';
import type { CreatedUser } from '@nazar/contract/users.ts';
import type { WallLayout } from '@nazar/contract/wall-layouts.ts';
import azerbaijani from '../i18n/az/app.json' with { type: 'json' };
import english from '../i18n/en/app.json' with { type: 'json' };
import russian from '../i18n/ru/app.json' with { type: 'json' };
import turkish from '../i18n/tr/app.json' with { type: 'json' };
import { accessibilityFaults } from './accessibility.ts';
import {
  focusFault,
  hiddenParts,
  outsideParts,
  returnFault,
  tabFaults,
  watchPresses,
} from './dialogs/measure.ts';
import { press, type Overlay, type Words, type World } from './dialogs/overlay.ts';
import { overlays } from './dialogs/overlays.ts';
import { Installation } from './installation.ts';
import { askedLooks, choose, keepPicture, resize, settled, type Look } from './look.ts';
import { signInOn } from './people.ts';
import { test } from './test.ts';

const desk = { width: 1280, height: 800 } as const;
const phone = { width: 360, height: 640 } as const;

let nazar: Installation;
/** By name: browsers make no passkeys for an address of digits. */
let origin: string;
let world: World;

test.beforeAll(async () => {
  nazar = await Installation.ready();
  const access = await nazar.signIn();
  const add = (name: string): Promise<Camera> =>
    nazar.post<Camera>('/secure-api/cameras/', access, {
      name,
      location: 'Hall',
      type: 'rtsp',
      // A wall can be arranged of those that are switched on, and their streams compared.
      status: ['Entrance', 'Roof'].includes(name) ? 'active' : 'inactive',
      url: 'rtsp://127.0.0.1:9/stream1',
      // The last of the list has two streams to compare.
      ...(name === 'Roof' && { sub_url: 'rtsp://127.0.0.1:9/stream2' }),
    });
  const cameraId = (await add('Entrance')).id;
  for (const name of ['Garage', 'Loading bay', 'Office', 'Reception', 'Roof']) await add(name);
  const invited = await nazar.post<CreatedUser>('/secure-api/accounts/users/', access, {
    first_name: 'Test',
    last_name: 'Operator',
    role: 'operator',
    email: 'operator@example.org',
  });
  const { id: layoutId } = await nazar.post<WallLayout>('/secure-api/cameras/layouts/', access, {
    name: 'Day',
    tiles: [{ camera_id: cameraId, is_pinned: false }],
  });
  await nazar.post('/secure-api/accounts/groups/', access, {
    name: 'Night shift',
    description: '',
    members: [],
  });
  origin = nazar.origin.replace('127.0.0.1', 'localhost');
  world = { nazar, cameraId, layoutId, userId: invited.id };
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

const isWhole = process.env['NAZAR_TOUR'] === 'whole';

/** What is open, the uppermost last. */
const opened = (page: Page) =>
  page.locator('[role=dialog], [role=alertdialog], [role=menu]').filter({ visible: true });

/** Where the page stands, so that what opens above the same one needs no other load. */
let loaded = { key: '', url: '' };

async function open(page: Page, overlay: Overlay, words: Words): Promise<void> {
  const { path, given, act, only } = overlay;
  const key = `${path(world)} ${given?.toString() ?? ''}`;
  await resize(page, only === 'phone' ? phone : desk);
  if (loaded.key !== key || loaded.url !== page.url() || !act) {
    await given?.(page, world);
    await page.goto(origin + path(world));
    await page.locator('h1, h2').filter({ visible: true }).first().waitFor();
    await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
    loaded = { key, url: page.url() };
  }
  await act?.(page, words);
  await expect(opened(page)).toHaveCount(overlay.depth ?? 1);
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
}

/** What a reader with a keyboard meets: something typed is not lost without a question, and the focus goes back. */
async function closingFaults(page: Page, overlay: Overlay, words: Words): Promise<string[]> {
  const { name, comesByItself = false, act } = overlay;
  const count = await opened(page).count();
  const isTyped = await typesInto(page);
  if (isTyped) await page.keyboard.type('7');
  await page.keyboard.press('Escape');
  const question = page.getByRole('alertdialog', { name: words.ui.discardTitle });
  // What was typed on the way to it is asked about, too.
  await expect
    .poll(async () => (await opened(page).count()) < count || (await question.isVisible()))
    .toBe(true);
  const asks = await question.isVisible();
  if (isTyped && !asks) return ['Escape does not ask whether to discard what was typed'];
  if (asks && name !== 'discard') {
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
  }
  await expect(opened(page), `${name} closes`).toHaveCount(count - 1);
  if (comesByItself) return [];
  return lastingFaults(() => returnFault(page, act ? 'pressed' : 'any'));
}

/** What is still wrong after a while, in which code that is loaded late moves the focus. */
const lastingFaults = (ask: () => Promise<string | null>): Promise<string[]> =>
  expect
    .poll(ask, { timeout: 3_000 })
    .toBeNull()
    .then(
      () => [],
      async () => [String(await ask())],
    );

/** Whether the focus is in a line or a text of a form. */
const typesInto = (page: Page): Promise<boolean> =>
  page.evaluate(() => {
    const field = document.activeElement;
    if (field instanceof HTMLTextAreaElement) return field.form !== null;
    const lines = /^(text|email|password|number|url)$/;
    return field instanceof HTMLInputElement && lines.test(field.type) && field.form !== null;
  });

/** Nothing is open any more, and what was typed is given up. */
async function closeAll(page: Page): Promise<void> {
  for (let tries = 0; tries < 4 && (await opened(page).count()) > 0; tries++) {
    await page.keyboard.press('Escape');
    await settled(page);
  }
  if ((await opened(page).count()) > 0) loaded = { key: '', url: '' };
}

async function openAgain(page: Page, { act }: Overlay, words: Words): Promise<void> {
  await page.keyboard.press('Escape');
  await expect(opened(page)).toHaveCount(0);
  await act?.(page, words);
  await opened(page).last().waitFor();
}

/** axe takes as long as all else: it reads each of them on a desk or on a phone. */
async function faultsOf(page: Page, overlay: Overlay, words: Words, look: string) {
  const { name, kind, only } = overlay;
  const sizes = { phone: [phone], desk: [desk], both: [desk, phone] }[only ?? 'both'];
  const axeAt = sizes[overlays.indexOf(overlay) % sizes.length];
  await open(page, overlay, words);
  const wrong = await lastingFaults(() => focusFault(page));
  for (const [index, size] of sizes.entries()) {
    await resize(page, size);
    // A menu stands at its button, which is elsewhere in another window.
    if (kind === 'menu' && index > 0) await openAgain(page, overlay, words);
    await keepPicture(page, `${name}-${look}-${size.width}`);
    const hidden = kind === undefined ? await hiddenParts(page) : await outsideParts(page);
    const faults = [
      ...hidden,
      ...(isWhole || size === axeAt ? await accessibilityFaults(page) : []),
    ];
    wrong.push(...faults.map((fault) => `at ${size.width}: ${fault}`));
  }
  if (kind !== 'menu') {
    await resize(page, sizes[0]!);
    wrong.push(...(await tabFaults(page)));
  }
  return [...wrong, ...(await closingFaults(page, overlay, words))];
}

async function faultsOfAll(page: Page, shown: readonly Overlay[], words: Words, look: string) {
  const wrong: string[] = [];
  for (const overlay of shown) {
    // One that does not open is said with the others.
    const faults = await faultsOf(page, overlay, words, look).catch((error: unknown) => {
      loaded = { key: '', url: '' };
      return [String(error).split('\n').slice(0, 4).join(' ')];
    });
    wrong.push(...faults.map((fault) => `${overlay.name}: ${fault}`));
    await closeAll(page);
  }
  return wrong;
}

const languages = { en: english, ru: russian as Words, az: azerbaijani, tr: turkish };
/** Without `NAZAR_TOUR=whole` every third one is opened in the second language and theme. */
const usualLooks: readonly Look[] = [
  ['en', 'light'],
  ['ru', 'dark'],
  ...(isWhole
    ? ([
        ['az', 'dark'],
        ['tr', 'light'],
      ] as const)
    : []),
];
const only = process.env['NAZAR_OVERLAYS']?.split(',');

for (const [index, [language, theme]] of (askedLooks ?? usualLooks).entries()) {
  test(`every dialog and menu keeps its footer in sight and the focus in place, and axe finds nothing, in ${language}, ${theme}`, async ({
    browser,
  }) => {
    test.setTimeout(900_000);
    const context = await browser.newContext({ viewport: desk });
    await choose(context, language, theme);
    const page = await context.newPage();
    page.on('dialog', (asked) => void asked.accept().catch(() => undefined));
    await watchPresses(page);
    const words = languages[language];
    const shown = overlays.filter(
      ({ name }, at) =>
        only?.includes(name) ?? (isWhole || askedLooks || index === 0 || at % 3 === 1),
    );
    const signedOut = shown.filter(({ isSignedOut = false }) => isSignedOut);
    const wrong = await faultsOfAll(page, signedOut, words, `${language}-${theme}`);
    await signInOn(page, { origin });
    const others = shown.filter((one) => !signedOut.includes(one));
    wrong.push(...(await faultsOfAll(page, others, words, `${language}-${theme}`)));
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
  for (const size of [desk, phone]) {
    await resize(page, size);
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
